"""The calls of this process that are not in PostgreSQL yet: counted in memory, and written in batches.

A batch has an id that is stored with it. Writing it again, after a commit whose outcome was unknown, changes nothing,
so a call is counted once. A process that is killed loses at most the calls of its last second, and of those only the
ones whose answers it had not stored: answers and their calls are stored together.
"""

import uuid
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import msgspec

from sightline.db.engine import Database, DatabaseUnavailable, Transaction
from sightline.db.loops import run_forever
from sightline.kit.clock import Clock
from sightline.kit.ids import new_id
from sightline.platforms.costs import queries
from sightline.platforms.costs.models import CallTotals, CostKey, count_call
from sightline.platforms.health import HealthLog
from sightline.platforms.models import OnCall, PlatformCall

_FLUSH_SECONDS = 1.0


class CallBatch(msgspec.Struct, frozen=True):
    """Counted calls that are written together."""

    id: uuid.UUID
    totals: dict[CostKey, CallTotals]


class CallLog:
    """Counts calls and writes them. Any number of processes do so at once."""

    def __init__(self, db: Database, *, clock: Clock) -> None:
        self._db = db
        self._clock = clock
        self._health = HealthLog(clock)
        self._open: dict[CostKey, CallTotals] = {}
        self._closed: dict[uuid.UUID, CallBatch] = {}
        """Batches that are not known to be stored."""

    def recorder(self, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, for_editor: bool = False) -> OnCall:
        """Return the function that counts the calls of a domain."""
        return partial(self.count, workspace_id, domain_id, for_editor=for_editor)

    def count(
        self, workspace_id: uuid.UUID, domain_id: uuid.UUID, call: PlatformCall, *, for_editor: bool = False
    ) -> None:
        self._health.note(call)
        key = CostKey(workspace_id, self._clock().date(), domain_id, call.platform)
        self._open[key] = self._open.get(key, CallTotals()).plus(count_call(call, for_editor=for_editor))

    def close_batch(self) -> list[CallBatch]:
        """Return everything that is not known to be stored. Calls that come later go into another batch."""
        if self._open:
            batch = CallBatch(new_id(), self._open)
            self._closed[batch.id] = batch
            self._open = {}
        return list(self._closed.values())

    async def write(self, tx: Transaction, batches: Sequence[CallBatch]) -> None:
        """Write batches as the last statements of a transaction: their rows are shared by all workers."""
        for batch in batches:
            await queries.add_calls_any_workspace(tx, batch.id, batch.totals, now=self._clock())

    def confirm(self, batches: Sequence[CallBatch]) -> None:
        """Forget batches: the transaction that wrote them is committed."""
        for batch in batches:
            self._closed.pop(batch.id, None)

    async def flush(self) -> None:
        if batches := self.close_batch():
            async with self._db.transaction() as tx:
                await self.write(tx, batches)
            self.confirm(batches)
        await self._health.write(self._db)

    async def run(self) -> None:
        """Flush once a second until cancelled, then once more."""
        try:
            await run_forever(self.flush, every=_FLUSH_SECONDS, failure_event="costs_not_written", wait_first=True)
        finally:
            with suppress(DatabaseUnavailable):
                await self.flush()
