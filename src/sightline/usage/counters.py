"""Usage figures: counted in memory per workspace and minute, written every second, and cached briefly when read."""

import asyncio
import uuid
from datetime import UTC, datetime, timedelta

from cachetools import LRUCache

from sightline.api_keys.queries import touch_keys
from sightline.db.engine import Database, Transaction
from sightline.db.loops import run_forever
from sightline.kit.clock import start_of_minute, start_of_month
from sightline.kit.rounding import percentage
from sightline.usage import queries
from sightline.usage.models import DailyUsage, WorkspaceUsage

_FLUSH_SECONDS = 1.0
_MAX_AGE = timedelta(seconds=60)
_MAX_CACHED = 10_000  # workspaces


class UsageCounters:
    """The counts of this process that are not yet in PostgreSQL.

    A killed process loses at most its last second of figures; limits never depend on them. While the database is down
    the counts stay in memory, and they are written when it is back.
    """

    def __init__(self, db: Database) -> None:
        self._db = db
        self._requests: dict[tuple[uuid.UUID, datetime], tuple[int, int]] = {}
        self._key_uses: dict[tuple[uuid.UUID, uuid.UUID], datetime] = {}
        self._cache: LRUCache[uuid.UUID, WorkspaceUsage] = LRUCache(_MAX_CACHED)
        self._flushing = asyncio.Lock()

    def count(self, workspace_id: uuid.UUID, key_id: uuid.UUID, status: int, *, now: datetime) -> None:
        """Count a request with a recognized key, refused requests included."""
        slot = (workspace_id, start_of_minute(now))
        requests, errors = self._requests.get(slot, (0, 0))
        self._requests[slot] = (requests + 1, errors + (status >= 400))
        self._key_uses[workspace_id, key_id] = now

    async def read_usage(self, workspace_id: uuid.UUID, *, now: datetime) -> WorkspaceUsage:
        cached = self._cache.get(workspace_id)
        if cached is not None and now - cached.as_of < _MAX_AGE:
            return cached
        await self.flush()
        minute = start_of_minute(now)
        hour, day, errors, month = await queries.sum_usage(
            self._db,
            workspace_id,
            hour_start=minute - timedelta(hours=1),
            day_start=minute - timedelta(hours=24),
            month_start=start_of_month(now),
        )
        usage = WorkspaceUsage(hour, day, month, percentage(errors, day), as_of=now)
        self._cache[workspace_id] = usage
        return usage

    async def read_days(self, workspace_id: uuid.UUID, days: int, *, now: datetime) -> list[DailyUsage]:
        """Return the last days, today last. A day without a request has 0 of them."""
        first = now.astimezone(UTC).date() - timedelta(days=days - 1)
        since = datetime(first.year, first.month, first.day, tzinfo=UTC)
        counted = {
            day: (requests, errors)
            for day, requests, errors in await queries.sum_usage_by_day(self._db, workspace_id, since=since)
        }
        return [
            DailyUsage(day, *counted.get(day, (0, 0))) for day in (first + timedelta(days=step) for step in range(days))
        ]

    async def flush(self) -> None:
        """Write the collected counts. After a failure they are put back, so that none is lost or counted twice."""
        async with self._flushing:
            requests, self._requests = self._requests, {}
            key_uses, self._key_uses = self._key_uses, {}
            if not requests and not key_uses:
                return
            try:
                async with self._db.transaction() as tx:
                    # Sorted, so that two processes lock rows in the same order.
                    await queries.add_usage(tx, [(*slot, *counts) for slot, counts in sorted(requests.items())])
                    await touch_keys(tx, [(*key, used) for key, used in sorted(key_uses.items())])
            except Exception:
                self._put_back(requests, key_uses)
                raise

    async def run(self) -> None:
        """Flush once a second until cancelled. An outage is reported by the API, not here."""
        await run_forever(self.flush, every=_FLUSH_SECONDS, failure_event="usage_flush_failed", wait_first=True)

    def _put_back(
        self,
        requests: dict[tuple[uuid.UUID, datetime], tuple[int, int]],
        key_uses: dict[tuple[uuid.UUID, uuid.UUID], datetime],
    ) -> None:
        for slot, (count, errors) in requests.items():
            newer, newer_errors = self._requests.get(slot, (0, 0))
            self._requests[slot] = (newer + count, newer_errors + errors)
        for key, used in key_uses.items():
            self._key_uses.setdefault(key, used)


async def delete_old_windows_any_workspace(
    tx: Transaction, *, minutes_before: datetime, usage_before: datetime
) -> None:
    """Delete rate windows and usage figures that limits and reports no longer read."""
    await queries.delete_old_windows_any_workspace(tx, minutes_before=minutes_before, usage_before=usage_before)
