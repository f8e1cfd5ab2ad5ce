"""A worker's leases on platform slots. A platform's limit holds for all workers together, and each leases its share.

Shares are equal. A new worker waits until the others have reduced theirs, a worker that stops gives its share back, and
when one dies the others take over its share as soon as its leases expire.
"""

import asyncio
import uuid
from collections.abc import Mapping

import structlog

from sightline.db.engine import Database, DatabaseUnavailable
from sightline.db.loops import run_forever
from sightline.platforms.gate import Gate
from sightline.scans.running.leases import queries

log = structlog.get_logger()

_RENEW_SECONDS = 1.0
_CLAIM_SECONDS = 0.1  # as long as other workers still hold slots of our share
LIFETIME_SECONDS = 6.0


def equal_share(total: int, workers: int, position: int) -> int:
    """Return the share of the worker at this position; the first few get one more where it does not divide evenly."""
    return total // workers + (position < total % workers)


class PlatformLeases:
    """Renews the leases of one worker and sizes its gates by them."""

    def __init__(self, db: Database, worker_id: uuid.UUID, gates: Mapping[str, Gate], limit: int) -> None:
        self._db = db
        self._worker_id = worker_id
        self._gates = gates
        self._limit = limit
        self._expiry: asyncio.TimerHandle | None = None
        self._is_complete = False

    async def run(self) -> None:
        """Renew the leases until cancelled, then give them back."""
        try:
            await run_forever(self._renew_and_reschedule, every=self._pause)
        finally:
            if self._expiry is not None:
                self._expiry.cancel()
            await asyncio.shield(self._release())

    def _pause(self) -> float:
        return _RENEW_SECONDS if self._is_complete else _CLAIM_SECONDS

    async def _renew_and_reschedule(self) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            self._is_complete = await self.renew()
        except DatabaseUnavailable:
            self._is_complete = True  # nothing to hurry for
            raise
        if self._expiry is not None:
            self._expiry.cancel()
        # A timer, and counted from before the renewal: a database that hangs must not keep the gates open for longer.
        self._expiry = loop.call_at(began + LIFETIME_SECONDS, self._expire)

    def _expire(self) -> None:
        """Shut the gates: other workers may have our share by now."""
        log.warning("lease_expired")
        self._resize(dict.fromkeys(self._gates, 0))

    async def renew(self) -> bool:
        """Renew the leases, and return whether this worker has its whole share of every lane."""
        async with self._db.transaction() as tx:
            position = await queries.renew_worker(tx, self._worker_id, lifetime=LIFETIME_SECONDS)
            others = await queries.read_slots_of_others(tx, self._worker_id)
            share = equal_share(self._limit, position.workers, position.index)
            own = {lane: max(0, min(share, self._limit - others.get(lane, 0))) for lane in self._gates}
            # Reduced before it is written, so that no call begins between counting the slots and giving them up.
            self._resize({lane: min(slots, self._gates[lane].window.upper) for lane, slots in own.items()})
            # Calls under way keep their slots until they end, also when the share has become smaller.
            held = {lane: max(slots, self._gates[lane].in_flight) for lane, slots in own.items()}
            await queries.write_slots(tx, self._worker_id, held)
        self._resize(own)
        return all(slots == share for slots in own.values()) and held == own

    def _resize(self, slots: Mapping[str, int]) -> None:
        for lane, gate in self._gates.items():
            if gate.window.upper != slots[lane]:
                gate.window.resize(slots[lane])
                gate.admit_waiting()

    async def _release(self) -> None:
        try:
            async with self._db.transaction() as tx:
                await queries.delete_worker(tx, self._worker_id)
        except DatabaseUnavailable:
            log.warning("lease_left_to_expire")
