"""Admission: hands the cells of running scans to the workers that have free slots for them.

It is the only place that decides who goes next. Rounds of several workers follow one another, so each sees what the one
before has handed out.
"""

import uuid
from collections.abc import Mapping

from sightline.db.engine import Database
from sightline.jobs.queue import Job, insert_claimed, wake_workers
from sightline.kit.clock import Clock
from sightline.scans.running.cells import CellJob, build_cell_job
from sightline.scans.running.fairness import admit_cells
from sightline.scans.running.queries import lock_lanes_any_workspace, mark_admitted_any_workspace


async def admit(db: Database, worker_id: uuid.UUID, free_slots: Mapping[str, int], *, clock: Clock) -> list[Job]:
    """Return new jobs for a worker, claimed by it, as many as it has free slots in each lane."""
    async with db.transaction() as tx:
        lanes = await lock_lanes_any_workspace(tx, worker_id, free_slots, now=clock())
        chosen = admit_cells(lanes, free_slots)
        if not chosen:
            return []
        marked = await mark_admitted_any_workspace(tx, chosen)
        if len(marked) < len(chosen):
            await wake_workers(tx)  # what was locked is handed out in the next round
        jobs = [build_cell_job(lane.lane, CellJob(*lane.key, index), lane.traceparent) for lane, index in marked]
        return await insert_claimed(tx, worker_id, jobs)
