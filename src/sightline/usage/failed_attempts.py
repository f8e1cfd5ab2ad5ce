"""Waits after failed attempts, such as wrong passwords. All processes share the counts.

A subject may fail a few times without a wait. From then on each failure doubles the wait for the next attempt, up to
the longest wait of its rule. One failure is forgotten after each period of that length.
"""

import math
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sightline.db.engine import Database, Transaction
from sightline.errors import Problem, retry_later
from sightline.usage import queries
from sightline.usage.models import FailureCount

_SCOPE = uuid.uuid5(uuid.NAMESPACE_URL, "sign-in")
_FORGOTTEN_AFTER = timedelta(days=14)  # longer than any rule takes to forget all failures


class WaitRule(NamedTuple):
    """The number of failures that brings the first wait, and the longest wait in seconds."""

    first_wait_at: int
    longest: int


def add_failure(known: FailureCount, rule: WaitRule, *, now: datetime) -> FailureCount:
    """Return the count after one more failure, with the wait that follows from it. Pure."""
    forgotten = (now - known.counted_at).total_seconds() / rule.longest
    failures = max(0.0, known.failures - max(0.0, forgotten)) + 1
    doublings = failures - rule.first_wait_at
    wait = 0.0 if doublings < 0 else min(float(rule.longest), 2 ** (1 + min(doublings, 30)))
    return FailureCount(known.subject, failures, now, now + timedelta(seconds=wait))


async def count_attempt(db: Database, rules: Mapping[str, WaitRule], *, now: datetime) -> list[uuid.UUID]:
    """Count an attempt as failed and return what it counts for, to be refunded if it succeeds.

    Refused: an attempt during the wait of any of its subjects (429); it is not counted. Attempts count before they are
    made, so that concurrent guesses count, too.
    """
    by_subject = {uuid.uuid5(_SCOPE, name): rule for name, rule in rules.items()}
    async with db.transaction() as tx:
        known = await queries.lock_failures(tx, sorted(by_subject), now=now)
        wait = max(count.wait_until for count in known) - now
        if wait > timedelta(0):
            raise _wait(math.ceil(wait.total_seconds()))
        await queries.store_failures(tx, [add_failure(count, by_subject[count.subject], now=now) for count in known])
    return list(by_subject)


async def refund_attempt(db: Database, subjects: Sequence[uuid.UUID], *, now: datetime) -> None:
    """Refund an attempt that has succeeded, and end the wait that it caused."""
    await queries.refund_failures(db, subjects, now=now)


async def delete_old_failures(tx: Transaction, *, now: datetime) -> None:
    await queries.delete_old_failures(tx, before=now - _FORGOTTEN_AFTER)


def _wait(seconds: int) -> Problem:
    unit = f"{seconds} seconds" if seconds < 120 else f"{math.ceil(seconds / 60)} minutes"
    return retry_later("rate_limited", seconds, f"There were too many failed attempts. Try again in {unit}.")
