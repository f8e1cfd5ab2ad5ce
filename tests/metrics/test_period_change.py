"""Metrics 3.6: changes over fixed periods of Full Checks, and their tiers."""

import numpy as np
import pytest

from sightline.metrics.compare import find_mcnemar_p
from sightline.metrics.period_change import (
    Checks,
    find_period_changes,
    find_trend_p,
    measure_change,
    select_period,
)

WEEKS = [7.0 * week for week in range(13)]
NO_SPREAD = {"a": 0.0, "b": 0.0}


def checks(rows, platforms=None):
    named = np.array(rows, dtype=float)
    return Checks(WEEKS[: named.shape[1]], platforms or ["a"] * len(rows), named)


def test_ex_a_the_slope_of_one_cell():
    """Steps -10.5, -3.5, 3.5, 10.5 days: slope sum -14, variance 1/3 · 245 = 81.67, z = -1.549."""
    assert find_trend_p(checks([[1, 1, 0, 0]]), NO_SPREAD) == pytest.approx(0.1213, abs=1e-4)


def test_ex_b_a_bad_day_moves_all_cells_of_its_platform():
    """Ten such cells: z = -140/√816.7 = -4.9. A spread of .5 adds .25 · 245 · (10/3)² = 680.6: z = -3.62."""
    ten = checks([[1, 1, 0, 0]] * 10)
    assert find_trend_p(ten, NO_SPREAD) == pytest.approx(9.6e-7, rel=0.01)
    assert find_trend_p(ten, {"a": 0.5}) == pytest.approx(2.96e-4, rel=0.01)


def test_ex_c_two_checks_without_spread_are_mcnemars_test():
    pair = checks([[1, 0]] * 8 + [[0, 1]] + [[1, 1]] * 20)
    found = measure_change(pair, NO_SPREAD)
    assert found is not None and found.p == pytest.approx(find_mcnemar_p(8, 1))
    assert (found.before, found.now, found.now_answers) == (28, 21, 29)


def test_ex_d_the_ends_of_a_period_are_a_third_of_its_checks():
    found = measure_change(checks([[1] * 6 + [0] * 7] * 4), NO_SPREAD)
    assert found is not None
    assert (found.checks, found.before, found.before_answers, found.now, found.now_answers) == (5, 20, 20, 0, 20)
    assert found.points == -100 and found.is_large


def test_a_cell_counts_if_it_was_answered_at_both_ends_and_in_most_checks():
    nothing = float("nan")
    rows = [[1, 1, 1, 1], [nothing, nothing, 0, 0], [1, nothing, nothing, nothing], [1, nothing, 1, 1]]
    found = measure_change(checks(rows), NO_SPREAD)
    assert found is not None and found.cells == 2
    assert measure_change(checks([[1, nothing, nothing, nothing]]), NO_SPREAD) is None


@pytest.mark.parametrize(
    ("number", "period", "first"),
    [
        (13, "last_check", 11),
        (13, "four_weeks", 8),
        (13, "twelve_weeks", 0),
        (7, "twelve_weeks", None),
        (3, "four_weeks", None),
    ],
)
def test_a_period_begins_on_a_fixed_day_and_needs_enough_checks(number, period, first):
    found = select_period(WEEKS[:number], period)
    assert (found and found.start) == first


def test_a_check_that_starts_a_little_late_still_has_its_period():
    assert select_period([0.0, 7.1, 14.0, 21.2, 28.3], "four_weeks") == slice(0, 5)


def test_a_loss_everywhere_is_clear_and_steady_brands_are_not():
    steady = [[(place + week) % 2 for week in range(13)] for place in range(40)]
    falling = [[float(week < 6) if place < 30 else 1.0 for week in range(13)] for place in range(40)]
    platforms, prompts = ["a", "b"] * 20, [str(place // 4) for place in range(40)]
    found = find_period_changes({"Acme": checks(falling, platforms), "Rival": checks(steady, platforms)}, prompts)
    tiers = {(each.subject, each.name, each.period): each.tier for each in found}
    assert tiers["brand", "Acme", "twelve_weeks"] == "clear"
    assert tiers["platform", "a", "twelve_weeks"] == "clear"
    assert {tier for (_, name, _), tier in tiers.items() if name == "Rival"} == {"rest"}
    assert tiers["brand", "Acme", "last_check"] == "rest"


def test_with_one_check_nothing_is_tested():
    assert find_period_changes({"Acme": checks([[1]])}, ["0"]) == []
