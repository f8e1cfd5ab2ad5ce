"""Turning cells into jobs, whenever there is room: after a scan has started, and after answers have come."""

import asyncio
from collections.abc import Mapping

import structlog

from sightline.db.engine import Database, DatabaseUnavailable
from sightline.jobs.queue import NewJob, enqueue_many
from sightline.kit.clock import Clock
from sightline.scans.running.cells import admit_cells
from sightline.scans.running.queries import lock_lanes_any_workspace, mark_admitted_any_workspace

log = structlog.get_logger()

_SPACING_SECONDS = 0.03
_AWAY_SECONDS = 0.5


class Admission:
    def __init__(self, db: Database, places: Mapping[str, int], *, clock: Clock) -> None:
        self._db = db
        self._places = places
        self._clock = clock
        self._wanted = asyncio.Event()

    def want(self) -> None:
        """There may be room, or something new that waits for it."""
        self._wanted.set()

    async def run(self) -> None:
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            try:
                await self.admit()
            except DatabaseUnavailable:
                self._wanted.set()
                await asyncio.sleep(_AWAY_SECONDS)
            except Exception:
                log.exception("admission_failed")
                self._wanted.set()
                await asyncio.sleep(_AWAY_SECONDS)
            await asyncio.sleep(_SPACING_SECONDS)

    async def admit(self) -> int:
        async with self._db.transaction() as tx:
            lanes = await lock_lanes_any_workspace(tx)
            grants = admit_cells(lanes, self._places, now=self._clock())
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
            self.want()
        return len(jobs)
