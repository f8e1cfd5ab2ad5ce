"""How an alert moves from one Daily Check to the next (metrics 3.5), as a pure decision.

Nothing is asked again to confirm an alert: the next scheduled Daily Check confirms it, and only then people are
notified. It is confirmed if it holds again against the same baseline, the Daily Checks before the watch began. Compared
with the day of the drop itself, nothing would have changed.
"""

from datetime import datetime, timedelta
from typing import Literal

import msgspec

from sightline.metrics.alerts import Direction
from sightline.metrics.completeness import lacks_answers
from sightline.metrics.intervals import Interval

Step = Literal["quiet", "watch", "confirmed", "lapsed", "resolved"]
SuppressionReason = Literal["platform_wide", "muted", "cool_down"]

COOL_DOWN = timedelta(days=7)
NEW_LEVEL_AFTER = timedelta(days=30)
"""A gain that has held for so long is the new level, and its alert ends. A drop stays open until it has recovered."""


class DailyEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """What one Daily Check says about one type of alert in one scope."""

    now: datetime
    valid: int
    planned: int
    holds: bool
    """Whether rule A or rule B holds, and the test is among the day's discoveries."""
    value: float
    """Today's share, in the unit of the baseline."""
    baseline: Interval
    """The repeat interval of the share before the watch began."""
    platform_wide: bool = False
    muted: bool = False
    """Whether people muted this type in this scope."""
    last_notified: datetime | None = None
    """When people were last notified of this type in this scope."""
    direction: Direction = "down"
    confirmed_at: datetime | None = None


class Decision(msgspec.Struct, frozen=True):
    """The next step of an alert, and whether people are notified."""

    step: Step
    notify: bool = False
    suppressed_by: SuppressionReason | None = None
    """Why no notification is sent that would otherwise be sent."""


def decide_step(step: Step, day: DailyEvidence) -> Decision:
    """Return the next step. Only a newly confirmed alert notifies; an incomplete day changes nothing."""
    if lacks_answers(day.valid, day.planned) or not day.planned:
        return Decision(step)
    if step == "watch":
        return _confirm(day) if day.holds else Decision("lapsed")
    if step == "confirmed":
        return Decision("resolved" if is_over(day) else "confirmed")
    return Decision("watch" if day.holds else "quiet")


def is_over(day: DailyEvidence) -> bool:
    """Return whether a drop has recovered, or whether a gain is lost again or has become the new level.

    A drop has also recovered when the value is above the old interval; a gain is also lost below it.
    """
    if day.direction == "down":
        return day.value >= day.baseline.low
    is_new_level = day.confirmed_at is not None and day.now - day.confirmed_at >= NEW_LEVEL_AFTER
    return is_new_level or day.value <= day.baseline.high


def is_cooling_down(last_notified: datetime | None, now: datetime) -> bool:
    return last_notified is not None and now - last_notified < COOL_DOWN


def _confirm(day: DailyEvidence) -> Decision:
    if day.platform_wide:
        return Decision("confirmed", suppressed_by="platform_wide")
    if day.muted:
        return Decision("confirmed", suppressed_by="muted")
    if is_cooling_down(day.last_notified, day.now):
        return Decision("confirmed", suppressed_by="cool_down")
    return Decision("confirmed", notify=True)
