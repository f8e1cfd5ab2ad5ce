"""Metrics 1.4: the Visibility Score."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.metrics.figure import to_figure
from sightline.metrics.panel import split_by
from sightline.metrics.visibility import discount_rank, measure_visibility, value_answer
from tests.metrics.builders import failed, named, observe, panels
from tests.property_testing import prove


@pytest.mark.parametrize(
    ("rank", "value"), [(1, 1.0), (2, 0.6309), (3, 0.5), (4, 0.4307), (5, 0.3869), (10, 0.2891), (None, 0.0)]
)
def test_1_4_the_discount_by_rank(rank, value):
    assert round(discount_rank(rank), 4) == value


@pytest.mark.parametrize(
    ("rows", "score"),
    [
        pytest.param([(1, 1, 1), (1, 3, 0), (0, None, 0), (0, None, 1)], 46.3, id="1.4 Ex A"),
        pytest.param([(1, 2, 0), (1, 5, 1), (0,), (0,), (0,)], 30.1, id="1.4 Ex B"),
        pytest.param([(1, None, 0)], 50.0, id="1.4 Ex C"),
        pytest.param([(0,), (0,), (0,)], 0.0, id="1.4 Ex D"),
        pytest.param([(1, 1, 1)] * 5, 100.0, id="1.4 Ex F"),
    ],
)
def test_1_4_visibility_score(rows, score):
    assert to_figure(measure_visibility([observe(*row) for row in rows])).value == score


def test_1_4_ex_a_by_answer():
    rows = [(1, 1, 1), (1, 3, 0), (0, None, 0), (0, None, 1)]
    assert [value_answer(observe(*row)) for row in rows] == pytest.approx([1, 0.65, 0, 0.2], abs=1e-15)
    figure = to_figure(measure_visibility([observe(*row) for row in rows]))
    assert (figure.numerator, figure.denominator) == (1.85, 4)


def test_1_4_ex_e_none_valid_is_null():
    figure = to_figure(measure_visibility(failed(4)))
    assert (figure.value, figure.low, figure.high, figure.n) == (None, None, None, 0)


def test_1_4_ex_g_platforms_that_never_cite():
    assert value_answer(observe(1, 1, platform_cites=False)) == 1
    assert value_answer(observe(1, 3, platform_cites=False)) == pytest.approx(0.8125, abs=1e-15)
    assert value_answer(observe(1, None, platform_cites=False)) == pytest.approx(0.625, abs=1e-15)
    assert value_answer(observe(0, None, 1, platform_cites=False)) == 0


def test_branded_prompts_stay_out():
    figure = measure_visibility([observe(1, 1, 1), observe(), *named(9, 9, branded=True)])
    assert (figure.value, figure.n) == (50, 2)


@prove
@given(panels)
def test_the_score_lies_between_0_and_100_inside_its_interval(answers):
    figure = measure_visibility(answers)
    if not answers:
        assert figure.value is None and figure.interval is None
        return
    assert 0 <= figure.interval.low <= figure.value <= figure.interval.high <= 100
    if figure.market is not None:
        assert 0 <= figure.market.low <= figure.market.high <= 100


@prove
@given(panels.filter(bool), st.data())
def test_one_more_mention_or_citation_or_a_better_rank_never_lowers_the_score(answers, data):
    place = data.draw(st.integers(0, len(answers) - 1))
    chosen = answers[place]
    better = []
    if not chosen.mentioned:
        rank = data.draw(st.none() | st.integers(1, 50))
        better.append(msgspec.structs.replace(chosen, mentioned=True, occurrences=1, rank=rank))
    elif chosen.rank is None or chosen.rank > 1:
        better.append(msgspec.structs.replace(chosen, rank=1 if chosen.rank is None else chosen.rank - 1))
    if not chosen.cited:
        better.append(msgspec.structs.replace(chosen, cited=True, has_sources=True))
    before = measure_visibility(answers).value
    for observation in better:
        after = measure_visibility([*answers[:place], observation, *answers[place + 1 :]]).value
        assert after >= before
        # A mention always raises the score, a citation only where the platform cites.
        if observation.mentioned != chosen.mentioned or chosen.platform_cites:
            assert after > before


@prove
@given(panels.filter(bool))
def test_the_parts_add_up_to_the_whole(answers):
    """The mean of the parts, weighted by n, is the whole: over platforms, countries and prompts."""
    whole = measure_visibility(answers)
    for key in (lambda one: one.platform, lambda one: one.country, lambda one: one.prompt_id):
        parts = [measure_visibility(part) for part in split_by(answers, key).values()]
        assert sum(part.n for part in parts) == whole.n
        assert sum(part.value * part.n for part in parts) / whole.n == pytest.approx(whole.value, abs=1e-9)


@prove
@given(panels, st.randoms(use_true_random=False))
def test_the_order_of_answers_does_not_matter(answers, random):
    assert measure_visibility(random.sample(answers, len(answers))) == measure_visibility(answers)
