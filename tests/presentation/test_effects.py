"""The sentences about the effect of an action."""

import uuid
from datetime import UTC, datetime

import pytest

from sightline.metrics.effect import Effect, WatchedChecks
from sightline.metrics.intervals import Interval
from sightline.presentation.effects import describe_effect, format_expected

_DONE_AT = datetime(2026, 11, 2, 9, tzinfo=UTC)


def describe(status, points=None, low=None, high=None, *, later=2, gap=None):
    checks = WatchedChecks((), None, tuple(uuid.UUID(int=index) for index in range(later)))
    interval = None if low is None else Interval(low, high)
    return describe_effect(Effect(status=status, points=points, interval=interval, gap=gap), checks, done_at=_DONE_AT)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (("up", 12.4, 3.2, 20.6), "Up by 12 points (3 to 21)"),
        (("down", -12.4, -20.6, -3.2), "Down by 12 points (3 to 21)"),
        (("up", 5.04, 0.2, 9.9), "Up by 5.0 points (0.2 to 9.9)"),
        (("no_clear_effect", 3.1, -4.4, 10.6), "No clear effect: +3 points (\u22124 to 11)"),
        (("no_clear_effect", 0.0, -4.4, 4.4), "No clear effect: 0 points (\u22124 to 4)"),
    ],
)
def test_verdicts_have_points_and_a_range(values, expected):
    after_two = "This result is from 2 Full Checks. The final result follows after 4."
    assert describe(*values) == f"{expected} compared with the other prompts. {after_two}"
    final = "This is the final result, after 4 Full Checks."
    assert describe(*values, later=4) == f"{expected} compared with the other prompts. {final}"


def test_other_actions_for_the_same_prompts_are_named():
    effect, checks = Effect(status="up", points=12.0, interval=Interval(3.0, 21.0)), WatchedChecks((), None, ())
    one, two = (describe_effect(effect, checks, done_at=_DONE_AT, overlapping=number) for number in (1, 2))
    assert one.endswith(" 1 other action for the same prompts was done in this time and may be the cause.")
    assert two.endswith(" 2 other actions for the same prompts were done in this time and may be the cause.")


def test_what_is_missing_is_said():
    assert describe("too_early", later=1) == "Too early: 1 of 2 Full Checks since 2 Nov 2026."
    assert describe("not_enough_history", gap="baseline") == (
        "Not enough history. There are fewer than two Full Checks before 2 Nov 2026, not counting the one that led to "
        "this action."
    )
    assert describe("not_enough_history", gap="others").endswith("fewer than 5 other prompts to compare with.")


def test_an_expected_effect_says_whether_answers_are_gained_kept_or_changed():
    assert format_expected("get_listed", 3.6, 7.2) == "+4\u20137 answers"
    assert format_expected("keep", 3.6, 7.2) == "4\u20137 answers at stake"
    assert format_expected("fix_claim", 0.4, 1.2) == "0\u20131 answer"
