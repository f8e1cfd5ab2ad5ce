"""The grid of a tracked domain: one check a day at the minute of its setup, every seventh a Full Check. Pure.

All times are UTC, where every day has 24 hours: leap days, month ends and clock changes mean nothing here.
"""

from datetime import datetime, timedelta
from typing import Literal, NamedTuple

DueScope = Literal["full_check", "daily_check"]

DAY = timedelta(days=1)
WEEK = 7  # days from one Full Check to the next


class Due(NamedTuple):
    at: datetime
    scope: DueScope


def next_due(anchor: datetime, after: datetime) -> Due:
    """The first time of the grid that is later than `after`. The anchor itself is the first of them."""
    day = max(0, (after - anchor) // DAY + 1)
    return Due(anchor + day * DAY, "daily_check" if day % WEEK else "full_check")


def scope_of_missed(anchor: datetime, due_at: datetime, now: datetime) -> DueScope:
    """What makes up for everything that was due from `due_at` until `now`: one check, and a Full Check if any was one.

    A check that runs on time is the plain case of it: then only one was due.
    """
    first = max(0, -((anchor - due_at) // DAY))  # rounded up: what is off the grid counts from its next time
    latest_full = (now - anchor) // DAY // WEEK * WEEK
    return "full_check" if latest_full >= first else "daily_check"
