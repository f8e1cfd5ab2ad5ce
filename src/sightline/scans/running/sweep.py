"""The sweeper: gives a job to whatever a crash has left without one, and ends scans that take too long."""

from datetime import timedelta

import structlog

from sightline.db.engine import Database
from sightline.jobs.queue import NewJob, enqueue_many
from sightline.kit.clock import Clock
from sightline.scans.jobs import ScanJob, build_finish_job, build_start_job
from sightline.scans.queries import find_scan, lock_scan
from sightline.scans.running import queries
from sightline.scans.running.answer import build_unanswered
from sightline.scans.running.cells import CellJob, cell_job_kind
from sightline.scans.states import Priority, ScanStatus
from sightline.scans.stored import decode_prompts

log = structlog.get_logger()

_GRACE = timedelta(seconds=10)


async def sweep_scans(db: Database, *, deadline: float, clock: Clock) -> None:
    """Enqueue the jobs that are missing, and end the scans that run longer than `deadline` seconds.

    Any number of workers may call it at once: one sweeps, and every job has a key that waits or runs only once.
    """
    async with db.transaction() as tx:
        if not await queries.claim_sweep_any_workspace(tx):
            return
        pending = await queries.find_pending_any_workspace(tx, created_before=clock() - _GRACE)
        lost = await queries.find_lost_cells_any_workspace(tx)
        answered = await queries.find_answered_any_workspace(tx)
        jobs = [build_start_job(scan, Priority.CONSOLE) for scan in pending]
        jobs += [build_finish_job(scan, Priority.CONSOLE) for scan in answered]
        jobs += [_cell_job(cell) for cell in lost]
        await enqueue_many(tx, jobs)
        overdue = await queries.find_overdue_any_workspace(tx, started_before=clock() - timedelta(seconds=deadline))
    if jobs:
        log.info("swept", pending=len(pending), lost=len(lost), answered=len(answered))
    for scan in overdue:
        await end_overdue(db, scan, clock=clock)


def _cell_job(lost: queries.LostCell) -> NewJob:
    cell = CellJob(lost.workspace_id, lost.scan_id, lost.platform, lost.prompt_index)
    return NewJob(kind=cell_job_kind(lost.lane), payload=cell, key=cell.key, priority=lost.priority)


async def end_overdue(db: Database, job: ScanJob, *, clock: Clock) -> None:
    """End a scan with the answers it has. Cells without an answer count as failed."""
    scan = await find_scan(db, job.workspace_id, job.scan_id)
    if scan is None or scan.prompts is None:
        return
    prompts = decode_prompts(scan.prompts)
    async with db.transaction() as tx:
        locked = await lock_scan(tx, scan.workspace_id, scan.id)
        if locked is None or locked.status is not ScanStatus.RUNNING:
            return
        missing = await queries.close_lanes(tx, scan.workspace_id, scan.id)
        failed = [
            build_unanswered(
                CellJob(scan.workspace_id, scan.id, platform, index),
                prompts[index],
                "the check ran out of time before this was answered",
                clock=clock,
            )
            for platform, index in missing
        ]
        if failed:
            await queries.store_answers_any_workspace(tx, failed)
        await enqueue_many(tx, [build_finish_job(job, scan.priority)])
    log.warning("scan_ran_out_of_time", scan=str(scan.id), unanswered=len(missing))
