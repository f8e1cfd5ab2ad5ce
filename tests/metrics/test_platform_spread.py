"""Metrics 3.5: how much the days of a platform differ."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.metrics.platform_spread import (
    MAX_SPREAD,
    Flips,
    estimate_spreads,
    find_expected_excess,
    find_spread,
    list_day_effects,
)
from tests.property_testing import prove

_RESTLESS = [Flips(3, 1), Flips(0, 4), Flips(2, 2), Flips(4, 1)]
_CALM = [Flips(2, 2), Flips(1, 2), Flips(2, 1), Flips(1, 1)]


def test_ex_one_platform_of_five_daily_checks():
    """(l - g)² is 4 + 16 + 0 + 9, less 17 flips: 12 of 56 pairs, or .2143."""
    assert estimate_spreads({"a": _RESTLESS}) == {"a": pytest.approx(0.823, abs=0.001)}
    assert find_spread(12 / 56) == pytest.approx(0.823, abs=0.001)


def test_ex_a_platform_is_shrunk_towards_all_of_them():
    """Together 12 - 10 of 56 + 26 pairs, or .0244: (12 + 300 · .0244) / 356 = .0543, and -.0082 counts as none."""
    assert estimate_spreads({"a": _RESTLESS, "b": _CALM}) == {"a": pytest.approx(0.348, abs=0.001), "b": 0.0}


def test_ex_the_excess_of_known_spreads():
    assert [round(find_expected_excess(spread), 4) for spread in (0, 0.25, 0.5, 1)] == [0, 0.0294, 0.1015, 0.2737]


@pytest.mark.parametrize("changes", [{}, {"a": _RESTLESS[:3]}, {"a": []}])
def test_with_fewer_than_four_changes_no_spread_is_assumed(changes):
    assert estimate_spreads(changes).get("a", 0.0) == 0.0


def test_answers_that_never_change_show_no_spread():
    assert estimate_spreads({"a": [Flips(0, 0)] * 9}) == {"a": 0.0}


def test_the_effects_of_days_are_normal():
    effects, weights = list_day_effects(0.5)
    assert math.fsum(weights) == pytest.approx(1)
    assert math.fsum(weights * effects) == pytest.approx(0, abs=1e-12)
    assert math.fsum(weights * effects**2) == pytest.approx(0.25, rel=1e-3)


@prove
@given(st.floats(0, 0.99))
def test_the_spread_is_found_again_from_its_excess(spread):
    assert find_spread(find_expected_excess(spread)) == pytest.approx(spread, abs=2e-3)


@prove
@given(st.lists(st.builds(Flips, st.integers(0, 40), st.integers(0, 40)), min_size=4, max_size=30))
def test_a_spread_is_bounded_and_the_same_in_both_directions(changes):
    (spread,) = estimate_spreads({"a": changes}).values()
    assert 0 <= spread <= MAX_SPREAD
    assert estimate_spreads({"a": [Flips(each.gained, each.lost) for each in changes]}) == {"a": spread}
