"""The effect of actions: which checks are compared, and what they say."""

import uuid
from datetime import UTC, datetime, timedelta

import pytest

from sightline.metrics.effect import FullCheckTime, WatchedChecks, measure_effect, select_checks
from tests.metrics.builders import observe

_START = datetime(2026, 9, 7, tzinfo=UTC)
_PLATFORMS = 4
# Mentions of four platforms in two checks before and two after: the worked example of docs/measure/metrics.md.
_TREATED = [(0, 1, 2, 3), (1, 0, 2, 2), (0, 0, 1, 2)]
_OTHERS = [(2, 3, 2, 3), (1, 2, 2, 1), (4, 4, 4, 4), (0, 1, 1, 0), (3, 2, 3, 3), (2, 2, 2, 2)]
_TREATED_IDS = ("q0", "q1", "q2")


def check_ids(number):
    return tuple(uuid.UUID(int=index) for index in range(number))


def to_checks(rows, **fields):
    """Return the observations of each check; a row has the mentions of one prompt in each check."""
    return {
        check: [
            observe(platform < row[index], prompt_id=f"q{prompt}", platform=f"p{platform}", **fields)
            for prompt, row in enumerate(rows)
            for platform in range(_PLATFORMS)
        ]
        for index, check in enumerate(check_ids(len(rows[0])))
    }


def measure(rows=(*_TREATED, *_OTHERS), treated=_TREATED_IDS, *, later=2, led_by=None):
    checks = to_checks(rows)
    ids = [check for check in checks if check != led_by]
    return measure_effect(WatchedChecks(tuple(ids[:2]), led_by, tuple(ids[2 : 2 + later])), checks, treated)


def test_the_worked_example():
    found = measure()
    assert found.status == "up" and found.gap is None and not found.is_final
    assert found.points == pytest.approx(39.58, abs=0.01)
    assert (found.interval.low, found.interval.high) == (pytest.approx(4.0, abs=0.5), pytest.approx(75.2, abs=0.5))
    assert found.treated.prompts == _TREATED_IDS and len(found.others.prompts) == 6
    assert [round(each, 1) for each in (found.treated.before, found.treated.after)] == [8.3, 50.0]
    assert [round(each, 1) for each in (found.others.before, found.others.after)] == [54.2, 56.2]


def test_before_two_later_checks_it_is_too_early_and_the_third_changes_nothing():
    rows = [(*row, 4, 4, 4) for row in (*_TREATED, *_OTHERS)]
    assert [measure(rows, later=later).status for later in (0, 1)] == ["too_early", "too_early"]
    second, third, fourth = (measure(rows, later=later) for later in (2, 3, 4))
    assert third == second and fourth != second
    assert fourth.is_final and not third.is_final


@pytest.mark.parametrize(
    ("rows", "treated", "gap"),
    [
        ((*_TREATED, *_OTHERS), (), "prompts"),
        ((*_TREATED, *_OTHERS), ("removed",), "cells"),
        ((*_TREATED, *_OTHERS[:4]), _TREATED_IDS, "others"),
    ],
)
def test_not_enough_history_says_what_is_missing(rows, treated, gap):
    found = measure(rows, treated)
    assert (found.status, found.gap, found.points) == ("not_enough_history", gap, None)


def test_one_baseline_check_is_not_enough():
    first, second, third = check_ids(3)
    found = measure_effect(WatchedChecks((first,), None, (second, third)), {}, _TREATED_IDS)
    assert (found.status, found.gap) == ("not_enough_history", "baseline")


def test_prompts_that_hold_their_level_in_a_falling_market_are_no_success():
    falling = [(4, 4, 0, 0)] * 8
    found = measure([(1, 1, 1, 1), (1, 1, 1, 1), *falling], ("q0", "q1"))
    assert found.points > 50 and found.interval.low > 0
    assert found.status == "no_clear_effect"


def test_no_effect_is_larger_than_100_points():
    found = measure([(0, 0, 4, 4)] * 3 + [(4, 4, 0, 0)] * 8)
    assert (found.points, found.interval.high) == (100, 100)


def test_what_was_lost_before_the_action_is_no_harm_of_it():
    steady = [(3, 3, 3, 3, 3)] * 8
    led_by = check_ids(3)[2]
    for mentions, status in [((4, 4, 4, 0, 0), "down"), ((4, 4, 0, 0, 0), "no_clear_effect")]:
        found = measure([mentions] * 3 + steady, led_by=led_by)
        assert (found.status, found.points) == (status, -100)


def test_only_matched_cells_of_unbranded_prompts_count():
    checks = to_checks([*_TREATED, *_OTHERS])
    first, *_, last = checks
    watched = WatchedChecks(tuple(checks)[:2], None, tuple(checks)[2:])
    expected = measure_effect(watched, checks, _TREATED_IDS)
    checks[first] += [observe(1, prompt_id="q0", platform="gone"), observe(prompt_id="q0", platform="p9")]
    checks[last] += [
        observe(1, prompt_id="q0", platform="new"),
        observe(status="failed", prompt_id="q0", platform="p9"),
        observe(1, prompt_id="named", platform="p0", branded=True),
    ]
    checks[first].append(observe(0, prompt_id="named", platform="p0", branded=True))
    assert measure_effect(watched, checks, _TREATED_IDS) == expected


def times(*weeks):
    ids = check_ids(len(weeks))
    return ids, [FullCheckTime(each, _START + timedelta(weeks=week)) for each, week in zip(ids, weeks, strict=True)]


def test_the_check_that_led_to_the_action_is_no_baseline():
    ids, checks = times(0, 1, 2, 3, 4)
    watched = select_checks(reversed(checks), done_at=_START + timedelta(weeks=2, days=1), marked_from=ids[2])
    assert watched == WatchedChecks((ids[0], ids[1]), ids[2], (ids[3], ids[4]))


def test_with_an_earlier_date_the_check_that_was_read_counts_on_neither_side():
    ids, checks = times(0, 1, 2, 3, 4)
    watched = select_checks(checks, done_at=_START + timedelta(weeks=2, days=1), marked_from=ids[4])
    assert watched == WatchedChecks((ids[0], ids[1]), ids[2], (ids[3],))


def test_old_checks_are_left_out_and_the_watch_ends_with_the_fourth_later_check():
    ids, checks = times(*range(14))
    watched = select_checks(checks, done_at=_START + timedelta(weeks=7, days=1), marked_from=ids[7])
    assert watched == WatchedChecks(ids[3:7], ids[7], ids[8:12])
    assert watched.looked_at == ids[8:12]


def test_a_date_before_all_checks_has_no_baseline():
    ids, checks = times(0, 1, 2)
    watched = select_checks(checks, done_at=_START - timedelta(days=1), marked_from=ids[2])
    assert watched == WatchedChecks((), None, ids[:2])
