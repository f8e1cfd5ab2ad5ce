"""A platform's limit holds for all workers together: each has a lease on its part, which ends when it is not renewed.

The parts are equal. A worker that comes waits until the others have given up theirs, one that goes gives its own back,
and of one that dies the others take over the part when its lease has run out.
"""

import asyncio
import uuid
from collections.abc import Mapping

import structlog

from sightline.db.engine import Database, DatabaseUnavailable
from sightline.platforms.gate import Gate
from sightline.scans.running import lease_queries as queries

log = structlog.get_logger()

_RENEW_SECONDS = 1.0
_CLAIM_SECONDS = 0.1  # as long as the others still hold some of what is ours
LIFETIME_SECONDS = 6.0


def part_of(total: int, workers: int, place: int) -> int:
    """Equal parts; the first few workers have one more where it does not divide."""
    return total // workers + (place < total % workers)


class Leases:
    def __init__(self, db: Database, worker_id: uuid.UUID, gates: Mapping[str, Gate], limit: int) -> None:
        self._db = db
        self._worker_id = worker_id
        self._gates = gates
        self._limit = limit
        self._shutting: asyncio.TimerHandle | None = None

    async def run(self) -> None:
        try:
            while True:
                complete = await self._try_to_renew()
                await asyncio.sleep(_RENEW_SECONDS if complete else _CLAIM_SECONDS)
        finally:
            if self._shutting is not None:
                self._shutting.cancel()
            await asyncio.shield(self._sign_off())

    async def _try_to_renew(self) -> bool:
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            complete = await self.renew()
        except DatabaseUnavailable:
            return True
        if self._shutting is not None:
            self._shutting.cancel()
        # A timer, and counted from before the renewal: a database that hangs must not keep the gates open for longer.
        self._shutting = loop.call_at(began + LIFETIME_SECONDS, self._shut)
        return complete

    def _shut(self) -> None:
        """The others may have our part by now."""
        log.warning("lease_has_run_out")
        self._resize(dict.fromkeys(self._gates, 0))

    async def renew(self) -> bool:
        """Whether this worker has its whole part of every lane."""
        async with self._db.transaction() as tx:
            standing = await queries.register_worker(tx, self._worker_id, lifetime=LIFETIME_SECONDS)
            others = await queries.read_others_slots(tx, self._worker_id)
            part = part_of(self._limit, standing.workers, standing.place)
            own = {lane: max(0, min(part, self._limit - others.get(lane, 0))) for lane in self._gates}
            # Made smaller before it is written, so that nobody slips in between what is counted and what is given up.
            self._resize({lane: min(slots, self._gates[lane].window.upper) for lane, slots in own.items()})
            # Calls that are under way keep their slots until they end, also when the part has become smaller.
            held = {lane: max(slots, self._gates[lane].in_flight) for lane, slots in own.items()}
            await queries.write_slots(tx, self._worker_id, held)
        self._resize(own)
        return all(slots == part for slots in own.values()) and held == own

    def _resize(self, slots: Mapping[str, int]) -> None:
        for lane, gate in self._gates.items():
            if gate.window.upper != slots[lane]:
                gate.window.resize(slots[lane])
                gate.let_in()

    async def _sign_off(self) -> None:
        try:
            async with self._db.transaction() as tx:
                await queries.sign_off_worker(tx, self._worker_id)
        except DatabaseUnavailable:
            log.warning("lease_left_to_run_out")
