"""Metrics 3.3 and 3.4: whether a change is real."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.metrics.compare import (
    compare_coverage,
    compare_flips,
    compare_mentions,
    compare_visibility,
    find_cells_for_power,
    find_mcnemar_p,
    find_paired_interval,
    find_sign_flip_p,
    find_verdict,
)
from sightline.metrics.figure import to_comparison
from sightline.presentation.changes import VERDICT_WORDS
from tests.metrics.builders import from_rows, observe, rival_panels
from tests.property_testing import prove

flips = st.integers(0, 40)
steps = st.lists(st.floats(-1, 1), min_size=1, max_size=30)


@pytest.mark.parametrize(
    ("cells", "lost", "gained", "delta", "p", "verdict"),
    [
        pytest.param(35, 8, 1, -20.0, 0.0391, "Down", id="3.3 n 35 8/1"),
        pytest.param(35, 5, 4, -2.9, 1.0, "No clear change", id="3.3 n 35 5/4"),
        pytest.param(70, 15, 4, -15.7, 0.0192, "Down", id="3.3 n 70 15/4"),
        pytest.param(140, 20, 9, -7.9, 0.0614, "No clear change", id="3.3 n 140 20/9"),
        pytest.param(35, 1, 8, 20.0, 0.0391, "Up", id="the other way"),
    ],
)
def test_3_3_a_change_in_coverage(cells, lost, gained, delta, p, verdict):
    shown = to_comparison(compare_flips(lost, gained, cells), against_scan_id="before")
    assert (shown.delta, shown.p, VERDICT_WORDS[shown.verdict]) == (delta, p, verdict)
    assert (shown.matched_cells, shown.lost, shown.gained) == (cells, lost, gained)


def test_3_3_the_interval_of_8_lost_and_1_gained_of_35():
    shown = to_comparison(compare_flips(8, 1, 35), against_scan_id="before")
    assert (shown.low, shown.high) == (-35.4, -4.6)


@pytest.mark.parametrize(
    ("lost", "p"),
    [
        pytest.param(3, 0.25, id="3.3 3/0"),
        pytest.param(4, 0.125, id="3.3 4/0"),
        pytest.param(5, 0.0625, id="3.3 5/0"),
        pytest.param(6, 0.03125, id="3.3 6/0"),
    ],
)
def test_3_3_fewer_than_six_one_way_flips_are_never_significant(lost, p):
    assert find_mcnemar_p(lost, 0) == p
    assert (compare_flips(lost, 0, 20).verdict == "down") is (lost >= 6)


def test_3_3_6_0_is_shown_as_0313():
    assert to_comparison(compare_flips(6, 0, 20), against_scan_id="before").p == 0.0313


@pytest.mark.parametrize(
    ("share", "cells", "p", "verdict"),
    [
        (-0.05, 200, 0.049, "down"),
        (-0.05, 200, 0.05, "no_clear_change"),
        (-0.0499, 200, 0.001, "no_clear_change"),
        (3 / 20, 20, 0.01, "up"),
        (2.9 / 20, 20, 0.01, "no_clear_change"),
        (0.0, 50, 1.0, "no_clear_change"),
    ],
)
def test_3_3_significant_and_at_least_three_cells_and_five_points(share, cells, p, verdict):
    assert find_verdict(share, cells, p) == verdict


@pytest.mark.parametrize(("points", "cells"), [(0.20, 47), (0.15, 85), (0.10, 194), (0.05, 783)])
def test_3_4_cells_for_80_percent_power(points, cells):
    assert find_cells_for_power(points) == cells


def test_3_4_one_of_ten_coin_cells_is_lost_94_percent_of_the_time():
    chance = sum(1 for cells in itertools.product([(0, 0), (0, 1), (1, 0), (1, 1)], repeat=5) if (1, 0) in cells) / 4**5
    assert round(1 - (1 - chance) ** 2, 2) == 0.94


def test_coverage_and_mentions_are_one_test_in_two_units():
    before = from_rows([(1, 1)] * 12 + [(0,)] * 8)
    now = from_rows([(1, 1)] * 3 + [(0,)] * 17)
    points, answers = compare_coverage(before, now), compare_mentions(before, now)
    assert (points.delta, answers.delta) == (pytest.approx(-45), pytest.approx(-9))
    assert (points.p, points.verdict) == (answers.p, answers.verdict) == (2 / 2**9, "down")
    assert answers.interval.low == pytest.approx(points.interval.low / 100 * 20)


def test_the_score_can_change_where_coverage_does_not():
    """Every answer still names the brand, but no longer first and no longer with its site."""
    before, now = from_rows([(1, 1, 1)] * 10), from_rows([(1, 5, 0)] * 10)
    assert compare_coverage(before, now).verdict == "no_clear_change"
    change = compare_visibility(before, now)
    assert (change.lost, change.gained, change.verdict) == (10, 0, "down")
    assert change.delta == pytest.approx(-100 * (0.2 + 0.3 * (1 - 1 / math.log2(6))))
    assert change.p == 2 / 2**10


def test_cells_that_failed_or_are_branded_are_not_compared():
    before = [observe(1, prompt_id="a"), observe(1, prompt_id="b"), observe(1, prompt_id="c", branded=True)]
    now = [observe(0, prompt_id="a"), observe(status="failed", prompt_id="b"), observe(0, prompt_id="c", branded=True)]
    change = compare_coverage(before, now)
    assert (change.matched_cells, change.lost) == (1, 1)


def test_the_same_prompt_on_another_platform_or_in_another_country_is_another_cell():
    before = [observe(1, prompt_id="a", platform="x", country="DE")]
    assert compare_coverage(before, [observe(0, prompt_id="a", platform="y", country="DE")]) is None
    assert compare_coverage(before, [observe(0, prompt_id="a", platform="x", country="US")]) is None


@prove
@given(flips, flips)
def test_mcnemar_is_symmetric_and_never_above_1(lost, gained):
    p = find_mcnemar_p(lost, gained)
    assert p == find_mcnemar_p(gained, lost)
    assert 0 < p <= 1
    assert find_mcnemar_p(lost, lost) == 1
    if lost < gained:
        assert find_mcnemar_p(lost, gained + 1) < p


def test_mcnemar_stays_exact_where_powers_of_two_overflow_floats():
    assert 0 < find_mcnemar_p(900, 1_100) < 1e-5
    assert find_mcnemar_p(1_000, 1_000) == 1


@prove
@given(st.integers(0, 6), st.integers(0, 6), st.integers(0, 20))
def test_for_flips_the_permutation_test_equals_mcnemar(lost, gained, still):
    differences = [-1.0] * lost + [1.0] * gained + [0.0] * still
    assert find_sign_flip_p(differences) == find_mcnemar_p(lost, gained)


@pytest.mark.parametrize(("lost", "gained"), [(10, 3), (20, 9), (15, 4), (40, 60)])
def test_beyond_twelve_flips_the_sampled_p_is_near_the_exact_p(lost, gained):
    sampled = find_sign_flip_p([-1.0] * lost + [1.0] * gained)
    exact = find_mcnemar_p(lost, gained)
    assert sampled == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 9_999) + 1e-4)


def test_twelve_differences_are_exact_and_thirteen_are_sampled():
    assert find_sign_flip_p([1.0] * 12) == 2 / 2**12
    assert find_sign_flip_p([1.0] * 13) * 10_000 == pytest.approx(round(find_sign_flip_p([1.0] * 13) * 10_000))
    assert find_sign_flip_p([1.0] * 40) == 1 / 10_000


@prove
@given(steps, st.randoms(use_true_random=False))
def test_neither_order_nor_direction_changes_the_permutation_p(differences, random):
    p = find_sign_flip_p(differences)
    assert 0 < p <= 1
    assert find_sign_flip_p(random.sample(differences, len(differences))) == p
    assert find_sign_flip_p([-step for step in differences]) == p
    assert find_sign_flip_p([*differences, 0.0, 0.0]) == p


@prove
@given(flips, flips, st.integers(1, 60))
def test_the_paired_interval_matches_the_formula_for_flips(lost, gained, still):
    cells = lost + gained + still
    interval = find_paired_interval([-1.0] * lost + [1.0] * gained + [0.0] * still)
    delta = (gained - lost) / cells
    error = math.sqrt(lost + gained - (lost - gained) ** 2 / cells) / cells
    assert interval.low == pytest.approx(max(-1, delta - 1.959964 * error), abs=1e-12)
    assert interval.high == pytest.approx(min(1, delta + 1.959964 * error), abs=1e-12)


@prove
@given(rival_panels())
def test_a_change_and_its_reverse_mirror_each_other(pair):
    before, now = pair
    for compare in (compare_coverage, compare_visibility, compare_mentions):
        forward, backward = compare(before, now), compare(now, before)
        if not before:
            assert forward is None and backward is None
            continue
        assert (forward.gained, forward.lost, forward.matched_cells) == (backward.lost, backward.gained, len(before))
        assert forward.delta == pytest.approx(-backward.delta)
        assert forward.p == backward.p
        assert {forward.verdict, backward.verdict} in ({"up", "down"}, {"no_clear_change"})
        assert forward.interval.low - 1e-9 <= forward.delta <= forward.interval.high + 1e-9
        assert compare(before, before).delta == 0
