"""A worker's leases on platform slots. A platform's limit holds for all workers together, and each leases its share.

Shares are equal. A new worker waits until the others have reduced theirs. The share of a worker that stops or dies is
free as soon as it is no longer registered (`jobs/workers.py`).
"""

import asyncio
import uuid
from collections.abc import Mapping

import structlog

from sightline.db.engine import Database
from sightline.db.loops import run_forever
from sightline.platforms.gate import Gate
from sightline.scans.running.leases import queries

log = structlog.get_logger()

RENEW_SECONDS = 1.0
_CLAIM_SECONDS = 0.1  # while other workers still hold slots of our share


def equal_share(total: int, workers: int, position: int) -> int:
    """Return the share of the worker at this position; the first few get one more where it does not divide evenly."""
    return total // workers + (position < total % workers)


class PlatformLeases:
    """Renews the leases of one worker and sizes its gates by them."""

    def __init__(
        self, db: Database, worker_id: uuid.UUID, gates: Mapping[str, Gate], limit: int, *, lifetime: float
    ) -> None:
        self._db = db
        self._worker_id = worker_id
        self._gates = gates
        self._limit = limit
        self._lifetime = lifetime
        self._expiry: asyncio.TimerHandle | None = None
        self._has_share = False

    async def run(self) -> None:
        """Renew the leases until cancelled."""
        try:
            await run_forever(self.renew, every=lambda: RENEW_SECONDS if self._has_share else _CLAIM_SECONDS)
        finally:
            if self._expiry is not None:
                self._expiry.cancel()

    async def renew(self) -> None:
        """Renew the leases, with as much of this worker's share as other workers leave."""
        began = asyncio.get_running_loop().time()
        async with self._db.transaction() as tx:
            position = await queries.lock_position(tx, self._worker_id)
            share = equal_share(self._limit, *position) if position else 0
            others = await queries.read_slots_of_others(tx, self._worker_id)
            own = {lane: max(0, min(share, self._limit - others.get(lane, 0))) for lane in self._gates}
            # Reduced before it is written, so that no call begins between counting the slots and giving them up.
            self._resize({lane: min(slots, self._gates[lane].window.upper) for lane, slots in own.items()})
            # Calls under way keep their slots until they end, also when the share has become smaller.
            held = {lane: max(slots, self._gates[lane].in_flight) for lane, slots in own.items()}
            if position:
                await queries.write_slots(tx, self._worker_id, held)
        self._resize(own)
        self._has_share = position is not None and set(held.values()) == {share}
        if self._expiry is not None:
            self._expiry.cancel()
        # A timer, and counted from before the renewal: a database that hangs must not keep the gates open for longer.
        self._expiry = asyncio.get_running_loop().call_at(began + self._lifetime, self._expire)

    def _expire(self) -> None:
        """Shut the gates: other workers may have our share by now."""
        log.warning("lease_expired")
        self._resize(dict.fromkeys(self._gates, 0))

    def _resize(self, slots: Mapping[str, int]) -> None:
        for lane, gate in self._gates.items():
            if gate.window.upper != slots[lane]:
                gate.window.resize(slots[lane])
                gate.admit_waiting()
                gate.on_free()
