"""Rate limits: how much of them a caller has left, and the refusal when one is used up."""

import uuid
from collections.abc import Mapping
from datetime import datetime

import msgspec
from cachetools import LRUCache

from sightline.db.engine import Transaction
from sightline.errors import Problem, retry_later
from sightline.kit.clock import start_of_minute, start_of_next_month
from sightline.plans.table import PlanTable
from sightline.settings import Settings
from sightline.usage import queries
from sightline.usage.models import RateLimits, RecognizedKey


class Allowance(msgspec.Struct, frozen=True):
    """How much of its rate limits a caller has left. Only keys have a monthly limit."""

    limit: int
    remaining: int
    reset: int
    limit_month: int | None = None
    remaining_month: int | None = None


def build_rate_limits(settings: Settings, plans: PlanTable) -> Mapping[str, RateLimits]:
    """Return the limits by class: one for Console keys, and one per plan for Data keys."""
    console = RateLimits(settings.console_rate_per_minute, settings.console_rate_per_month)
    data = {
        str(plan): RateLimits(settings.data_rate_per_minute, entitlements.data_rate_per_month)
        for plan, entitlements in plans.items()
    }
    return {"console": console, **data}


def seconds_to_next_minute(now: datetime) -> int:
    return 60 - now.second


def build_key_allowance(key: RecognizedKey, *, now: datetime) -> Allowance:
    """Return what a usable key has left. A request that was not counted means that a limit is used up."""
    month_used = key.month_before if key.month_count is None else key.month_count
    minute_used = key.per_minute if key.minute_count is None else key.minute_count
    return Allowance(
        limit=key.per_minute,
        remaining=max(0, key.per_minute - minute_used),
        reset=seconds_to_next_minute(now),
        limit_month=key.per_month,
        remaining_month=max(0, key.per_month - month_used),
    )


def require_within_limits(key: RecognizedKey, *, now: datetime) -> None:
    """Refuse with 429 when the key's minute or month is used up. A refused request is not counted."""
    if key.minute_count is not None and key.month_count is not None:
        return
    if key.minute_count is not None or key.month_before >= key.per_month:
        wait = start_of_next_month(now) - now
        raise retry_later("quota_exceeded", int(wait.total_seconds()) + 1)
    raise rate_limited(now)


def rate_limited(now: datetime) -> Problem:
    detail = "The limit of requests per minute is reached. Wait as long as `Retry-After` says."
    return retry_later("rate_limited", seconds_to_next_minute(now), detail)


class LocalRateWindows:
    """Counts per minute in memory, for callers without a key, for sessions, and while the database is down.

    They protect this process alone; the limits that customers are promised are counted in PostgreSQL.
    """

    CAPACITY = 20_000

    def __init__(self) -> None:
        self._counts: LRUCache[str | uuid.UUID, tuple[datetime, int]] = LRUCache(self.CAPACITY)

    def count(self, subject: str | uuid.UUID, limit: int, *, now: datetime) -> tuple[Allowance, bool]:
        """Count a request; return the allowance after it, and whether it was within the limit."""
        used = self._read(subject, now)
        allowed = used < limit
        self._counts[subject] = (start_of_minute(now), used + allowed)
        return Allowance(limit, limit - used - allowed, seconds_to_next_minute(now)), allowed

    def read(self, subject: str | uuid.UUID, limit: int, *, now: datetime) -> tuple[Allowance, bool]:
        """Return the allowance, and whether a further request would be within the limit. Nothing is counted."""
        used = self._read(subject, now)
        return Allowance(limit, max(0, limit - used), seconds_to_next_minute(now)), used < limit

    def _read(self, subject: str | uuid.UUID, now: datetime) -> int:
        window, used = self._counts.get(subject, (None, 0))
        return used if window == start_of_minute(now) else 0


def count_locally(windows: LocalRateWindows, key: RecognizedKey, *, now: datetime) -> RecognizedKey:
    """Count a request in this process alone, while PostgreSQL refuses writes. The month is read, but not counted."""
    if key.month_before >= key.per_month:
        return key
    allowance, allowed = windows.count(key.key_id, key.per_minute, now=now)
    if not allowed:
        return key
    return msgspec.structs.replace(key, minute_count=key.per_minute - allowance.remaining, month_count=key.month_before)


async def count_action(tx: Transaction, workspace_id: uuid.UUID, action: str, *, limit: int, now: datetime) -> None:
    """Count one action of a workspace, in the transaction of its effect. All processes share the count.

    Refused: more than `limit` in this minute (429).
    """
    window = uuid.uuid5(workspace_id, action)
    if await queries.count_in_minute(tx, window, start_of_minute(now), limit) is None:
        raise rate_limited(now)
