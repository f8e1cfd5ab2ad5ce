"""Admission: turns cells into jobs whenever there is capacity, after a scan has started and after answers arrive."""

import asyncio
from collections.abc import Mapping

from sightline.db.engine import Database
from sightline.db.loops import run_forever
from sightline.jobs.queue import NewJob, enqueue_many
from sightline.kit.clock import Clock
from sightline.scans.running.fairness import admit_cells
from sightline.scans.running.queries import lock_lanes_any_workspace, mark_admitted_any_workspace

_SPACING_SECONDS = 0.03
_OUTAGE_SECONDS = 0.5


class Admission:
    """Admits cells on request; requests that arrive while it is busy are handled together."""

    def __init__(self, db: Database, slots: Mapping[str, int], *, clock: Clock) -> None:
        self._db = db
        self._slots = slots
        self._clock = clock
        self._requested = asyncio.Event()

    def request(self) -> None:
        """Ask for a round of admission: there may be capacity, or something new that waits for it."""
        self._requested.set()

    async def run(self) -> None:
        await run_forever(
            self._admit_when_requested,
            every=_SPACING_SECONDS,
            failure_event="admission_failed",
            failure_delay=_OUTAGE_SECONDS,
        )

    async def _admit_when_requested(self) -> None:
        await self._requested.wait()
        self._requested.clear()
        try:
            await self.admit()
        except Exception:
            self._requested.set()
            raise

    async def admit(self) -> int:
        """Admit what there is capacity for, and return the number of new jobs."""
        async with self._db.transaction() as tx:
            lanes = await lock_lanes_any_workspace(tx)
            grants = admit_cells(lanes, self._slots, now=self._clock())
            if not grants:
                return 0
            marked = await mark_admitted_any_workspace(tx, grants)
            jobs = [
                NewJob(kind=kind, payload=cell, key=cell.key, priority=grant.lane.priority)
                for grant in marked
                for kind, cell in grant.jobs()
            ]
            await enqueue_many(tx, jobs)
        if len(marked) < len(grants):
            self.request()
        return len(jobs)
