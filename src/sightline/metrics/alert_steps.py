"""What becomes of an alert from one Daily Check to the next (metrics 3.5), as a pure decision.

Nothing is asked again to confirm: checks are scheduled only, so the next Daily confirms, and only then people hear of
it. To confirm is to hold again against the same baseline, the Dailies before the watch began; against the fallen day
itself nothing would have changed.
"""

from datetime import datetime, timedelta
from typing import Literal

import msgspec

from sightline.metrics.intervals import Interval
from sightline.metrics.panel import lacks_answers

Step = Literal["quiet", "watch", "confirmed", "lapsed", "resolved"]
Hush = Literal["incomplete", "platform_wide", "muted", "cool_down"]

COOL_DOWN = timedelta(days=7)


class Day(msgspec.Struct, frozen=True, kw_only=True):
    """What one Daily Check says about one type of alert in one scope."""

    now: datetime
    valid: int
    planned: int
    holds: bool
    """Rule A or rule B holds, and the test is among the day's discoveries."""
    value: float
    """Today's share, in the unit of the baseline."""
    baseline: Interval
    """The repeat interval of the share before the watch began."""
    platform_wide: bool = False
    muted: bool = False
    """People do not want to hear of this type in this scope."""
    last_notified: datetime | None = None
    """When people last heard of this type in this scope."""


class Decision(msgspec.Struct, frozen=True):
    step: Step
    notify: bool = False
    hushed: Hush | None = None
    """Why nobody is told, where otherwise somebody would be."""


def decide_step(step: Step, day: Day) -> Decision:
    """The next step. Only a newly confirmed alert notifies; a silent day changes nothing."""
    if lacks_answers(day.valid, day.planned) or not day.planned:
        return Decision(step, hushed="incomplete")
    if step == "watch":
        return _announce(day) if day.holds else Decision("lapsed")
    if step == "confirmed":
        return Decision("resolved" if is_back_inside(day.value, day.baseline) else "confirmed")
    return Decision("watch" if day.holds else "quiet")


def is_back_inside(value: float, baseline: Interval) -> bool:
    """For a fall: what has recovered beyond its old interval is over, too."""
    return value >= baseline.low


def is_cooling_down(last_notified: datetime | None, now: datetime) -> bool:
    return last_notified is not None and now - last_notified < COOL_DOWN


def _announce(day: Day) -> Decision:
    if day.platform_wide:
        return Decision("confirmed", hushed="platform_wide")
    if day.muted:
        return Decision("confirmed", hushed="muted")
    if is_cooling_down(day.last_notified, day.now):
        return Decision("confirmed", hushed="cool_down")
    return Decision("confirmed", notify=True)
