"""The schedule of a tracked domain: one check a day at the minute of its setup, every seventh a Full Check. Pure.

All times are UTC, where every day has 24 hours: leap days, month ends and clock changes mean nothing here.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

DueScope = Literal["full_check", "daily_check"]

DAY = timedelta(days=1)
WEEK = 7  # days from one Full Check to the next
# The clocks of two workers may differ by this much. One that is behind must not schedule again what has just run.
CLOCK_SKEW = timedelta(hours=2)


class Due(NamedTuple):
    at: datetime
    scope: DueScope


def next_due(anchor: datetime, after: datetime) -> Due:
    """Return the first scheduled check after `after`. The very first one is at the anchor itself."""
    day = max(0, (after - anchor) // DAY + 1)
    return Due(anchor + day * DAY, "daily_check" if day % WEEK else "full_check")


def list_due(anchor: datetime, next_check_at: datetime, until: datetime, *, now: datetime) -> Iterator[Due]:
    """Return the checks from the next one on that start before a time. One that is overdue starts now."""
    first = max(next_check_at, now)
    due = Due(first, choose_scope(anchor, next_check_at, first))
    while due.at < until:
        yield due
        due = next_due(anchor, due.at)


def choose_scope(anchor: datetime, due_at: datetime, now: datetime) -> DueScope:
    """Return the scope of the one check that replaces all that were due from `due_at` until `now`.

    It is a Full Check if any of them was one. When a check runs on time, only one was due.
    """
    first = max(0, -((anchor - due_at) // DAY))  # rounded up: a time off the schedule counts from the next one
    latest_full = (now - anchor) // DAY // WEEK * WEEK
    return "full_check" if latest_full >= first else "daily_check"
