"""Metrics 3.5: the steps of an alert, and when it notifies."""

from datetime import UTC, datetime, timedelta

import pytest

from sightline.metrics.alert_lifecycle import DailyEvidence, Decision, decide_step
from sightline.metrics.intervals import Interval

_NOW = datetime(2026, 11, 14, 9, 30, tzinfo=UTC)


def _day(**fields):
    defaults = {
        "now": _NOW,
        "valid": 70,
        "planned": 70,
        "holds": True,
        "value": 10.0,
        "baseline": Interval(23.0, 38.0),
    }
    return DailyEvidence(**(defaults | fields))


@pytest.mark.parametrize(
    ("step", "holds", "value", "decision"),
    [
        ("quiet", False, 30, Decision("quiet")),
        ("quiet", True, 10, Decision("watch")),
        ("watch", True, 10, Decision("confirmed", notify=True)),
        ("watch", False, 20, Decision("lapsed")),
        ("lapsed", True, 10, Decision("watch")),
        ("confirmed", True, 10, Decision("confirmed")),
        ("confirmed", False, 22.9, Decision("confirmed")),
        ("confirmed", False, 23.0, Decision("resolved")),
        ("confirmed", False, 60, Decision("resolved")),
        ("resolved", False, 30, Decision("quiet")),
        ("resolved", True, 10, Decision("watch")),
    ],
)
def test_3_5_the_steps(step, holds, value, decision):
    assert decide_step(step, _day(holds=holds, value=value)) == decision


def test_3_5_only_a_confirmed_alert_notifies_and_only_once():
    days = [_day(holds=True), _day(holds=True), _day(holds=True), _day(holds=False, value=30)]
    step, notified = "quiet", []
    for day in days:
        decision = decide_step(step, day)
        step = decision.step
        notified.append(decision.notify)
    assert (step, notified) == ("resolved", [False, True, False, False])


@pytest.mark.parametrize("step", ["quiet", "watch", "confirmed"])
@pytest.mark.parametrize(("valid", "silent"), [(55, True), (56, False)])
def test_3_5_silent_below_80_percent_valid(step, valid, silent):
    decision = decide_step(step, _day(valid=valid, holds=True, value=90))  # on a complete day, every step ends
    assert (decision == Decision(step)) is silent


@pytest.mark.parametrize(("ago", "notify"), [(timedelta(days=6, hours=23), False), (timedelta(days=7), True)])
def test_3_5_seven_days_of_cool_down(ago, notify):
    decision = decide_step("watch", _day(last_notified=_NOW - ago))
    assert (decision.step, decision.notify) == ("confirmed", notify)
    assert decision.suppressed_by == (None if notify else "cool_down")


def test_3_5_a_platform_wide_change_is_shown_and_not_sent():
    assert decide_step("watch", _day(platform_wide=True)) == Decision("confirmed", suppressed_by="platform_wide")


@pytest.mark.parametrize(
    ("value", "days", "step"),
    [(38.1, 1, "confirmed"), (38.0, 1, "resolved"), (10, 1, "resolved"), (90, 30, "resolved")],
)
def test_3_5_a_gain_ends_when_it_is_lost_or_has_become_the_new_level(value, days, step):
    day = _day(value=value, direction="up", confirmed_at=_NOW - timedelta(days=days))
    assert decide_step("confirmed", day).step == step
