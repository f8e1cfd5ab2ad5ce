"""Metrics 1.0, 1.2 and 1.3: what is counted, out of how many, and when there is no value."""

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.metrics.completeness import is_incomplete
from sightline.metrics.coverage import (
    count_mentions,
    count_occurrences,
    measure_coverage,
    measure_prompt_reach,
    measure_surface_rate,
    measure_validity,
)
from sightline.metrics.figure import to_figure
from sightline.metrics.panel import select_unbranded
from tests.metrics.builders import failed, in_grid, mixed_panels, named, observe, panels
from tests.property_testing import prove


def test_1_2_ex_a_three_times_in_one_answer_and_once_in_another_is_2():
    answers = [observe(1, occurrences=3), observe(), observe(1, occurrences=1), observe()]
    assert count_mentions(answers).value == 2
    assert count_occurrences(answers).value == 4


def test_1_2_ex_b_an_answer_that_only_cites_is_0():
    assert count_mentions([observe(0, None, 1)]).value == 0


def test_1_2_ex_c_named_in_one_of_three_valid_and_two_failed_is_1():
    figure = count_mentions([*named(1, 3), *failed(2)])
    assert (figure.value, figure.n) == (1, 3)


def test_1_2_ex_d_unlike_acme_is_1():
    assert count_mentions([observe(1, None, stance="contrast")]).value == 1


@pytest.mark.parametrize(
    ("hits", "valid", "lost", "value", "low", "high", "incomplete"),
    [
        pytest.param(42, 140, 0, 30.0, 23.0, 38.0, False, id="1.3 Ex A"),
        pytest.param(0, 20, 0, 0.0, 0.0, 16.1, False, id="1.3 Ex B"),
        pytest.param(0, 0, 20, None, None, None, True, id="1.3 Ex C"),
        pytest.param(9, 12, 8, 75.0, 46.8, 91.1, True, id="1.3 Ex D"),
        pytest.param(1, 3, 0, 33.3, 6.1, 79.2, False, id="1.3 Ex E 1/3"),
        pytest.param(2, 3, 0, 66.7, 20.8, 93.9, False, id="1.3 Ex E 2/3"),
    ],
)
def test_1_3_brand_coverage(hits, valid, lost, value, low, high, incomplete):
    figure = to_figure(measure_coverage([*named(hits, valid), *failed(lost)]))
    assert (figure.value, figure.low, figure.high, figure.incomplete) == (value, low, high, incomplete)
    assert (figure.numerator, figure.denominator, figure.n) == (hits, valid, valid)


@pytest.mark.parametrize(("platforms", "reach"), [(1, 30.0), (3, 65.7), (5, 83.2), (7, 91.8)])
def test_1_3_expected_reach_grows_with_the_platforms_while_coverage_stays_30(platforms, reach):
    """The expected reach of one prompt is summed over every pattern of answers."""
    expected_reach = expected_coverage = 0.0
    for pattern in itertools.product((0, 1), repeat=platforms):
        chance = 0.3 ** sum(pattern) * 0.7 ** (platforms - sum(pattern))
        answers = in_grid(pattern, prompts=1, platforms=platforms)
        expected_reach += chance * measure_prompt_reach(answers).value
        expected_coverage += chance * measure_coverage(answers).value
    assert round(expected_reach, 1) == reach
    assert expected_coverage == pytest.approx(30)


def test_1_3_prompt_reach_counts_prompts_with_a_valid_answer():
    answers = [*in_grid([1, 0, 0, 0, 1, 1], prompts=3, platforms=2), *failed(1, prompt_id="never answered")]
    figure = measure_prompt_reach(answers)
    assert (figure.numerator, figure.denominator, figure.value) == (2, 3, pytest.approx(200 / 3))


def test_1_0_branded_prompts_stay_out_of_the_headline():
    answers = [*named(1, 4), *named(5, 5, branded=True)]
    figure = measure_coverage(answers)
    assert (figure.value, figure.n, figure.only_branded) == (25.0, 4, False)
    assert count_mentions(answers).value == 1


def test_1_0_only_branded_prompts_are_measured_and_flagged():
    figure = measure_coverage(named(3, 4, branded=True))
    assert (figure.value, figure.only_branded) == (75.0, True)


def test_1_0_nothing_planned_is_null_and_not_branded():
    figure = measure_coverage([])
    assert (figure.value, figure.only_branded, figure.incomplete) == (None, False, False)


def test_1_0_branded_prompts_do_not_replace_failed_unbranded_ones():
    figure = measure_coverage([*failed(3), *named(3, 3, branded=True)])
    assert (figure.value, figure.only_branded) == (None, False)


def test_1_0_no_surface_is_in_no_denominator_and_has_its_own_rate():
    answers = [*named(2, 4), *failed(6, status="no_surface"), *failed(1)]
    assert measure_coverage(answers).n == 4
    rate = measure_surface_rate(answers)
    assert (rate.value, rate.numerator, rate.denominator) == (40.0, 4, 10)
    assert not measure_coverage(answers).incomplete  # 4 of the 5 answers that were possible
    report = measure_validity(answers)
    assert (report.numerator, report.denominator) == (4, 11)


@pytest.mark.parametrize(
    ("valid", "lost", "incomplete"), [(8, 2, False), (79, 21, True), (80, 20, False), (0, 1, True)]
)
def test_1_0_below_80_percent_is_incomplete(valid, lost, incomplete):
    assert is_incomplete([*named(0, valid), *failed(lost)]) is incomplete


def test_1_0_one_platform_below_80_percent_is_enough():
    good = named(0, 96, platform="gemini")
    assert is_incomplete([*good, *named(0, 3, platform="grok"), *failed(1, platform="grok")])
    assert not is_incomplete([*good, *named(0, 4, platform="grok"), *failed(1, platform="grok")])


@pytest.mark.parametrize(("prompts", "early"), [(0, False), (1, True), (9, True), (10, False)])
def test_3_1_below_10_prompts_is_an_early_reading(prompts, early):
    assert measure_coverage(in_grid([1] * 3 * prompts, prompts=prompts, platforms=3)).early_reading is early


@prove
@given(mixed_panels)
def test_no_valid_answer_is_null_and_everything_else_is_within_bounds(answers):
    for measure in (measure_coverage, measure_prompt_reach):
        figure = measure(answers)
        assert (figure.value is None) == (not select_unbranded(answers).answers)
        if figure.value is not None:
            assert 0 <= figure.interval.low <= figure.value <= figure.interval.high <= 100
        else:
            assert figure.interval is None
    assert count_mentions(answers).value is None or (count_mentions(answers).value <= count_occurrences(answers).value)


@prove
@given(mixed_panels, st.randoms(use_true_random=False))
def test_the_order_of_answers_does_not_matter(answers, random):
    shuffled = random.sample(answers, len(answers))
    for measure in (measure_coverage, measure_prompt_reach, count_mentions, measure_surface_rate, measure_validity):
        assert measure(shuffled) == measure(answers)


@prove
@given(panels)
def test_coverage_is_the_exact_fraction(answers):
    figure = measure_coverage(answers)
    hits = sum(answer.mentioned for answer in answers)
    assert figure.value == (float(Fraction(100 * hits, len(answers))) if answers else None)
    assert measure_prompt_reach(answers).value is None or measure_prompt_reach(answers).value >= 0
