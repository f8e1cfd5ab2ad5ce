"""Nothing stays stranded: whatever a crash has left without a job gets one, and what takes too long is ended."""

from datetime import timedelta

import structlog

from sightline.db.engine import Database
from sightline.jobs.queue import NewJob, enqueue_many
from sightline.kit.clock import Clock
from sightline.scans.queries import find_scan, lock_scan
from sightline.scans.running import queries
from sightline.scans.running.answer import give_up
from sightline.scans.running.cells import CellJob, kind_of
from sightline.scans.running.store import finish_job
from sightline.scans.states import Priority, ScanStatus
from sightline.scans.stored import ScanJob, decode_prompts
from sightline.scans.submit import START_JOB

log = structlog.get_logger()

_GRACE = timedelta(seconds=10)


async def sweep_scans(db: Database, *, deadline: float, clock: Clock) -> None:
    """Safe in any number of workers at once: one sweeps, and every job has a key that waits or runs only once."""
    async with db.transaction() as tx:
        if not await queries.try_to_sweep_any_workspace(tx):
            return
        pending = await queries.find_pending_any_workspace(tx, created_before=clock() - _GRACE)
        lost = await queries.find_lost_cells_any_workspace(tx)
        whole = await queries.find_whole_any_workspace(tx)
        jobs = [start_job(scan, Priority.CONSOLE) for scan in pending]
        jobs += [finish_job(scan, Priority.CONSOLE) for scan in whole]
        jobs += [_cell_job(cell) for cell in lost]
        await enqueue_many(tx, jobs)
        overdue = await queries.find_overdue_any_workspace(tx, started_before=clock() - timedelta(seconds=deadline))
    if jobs:
        log.info("swept", pending=len(pending), lost=len(lost), whole=len(whole))
    for scan in overdue:
        await end_overdue(db, scan, clock=clock)


def start_job(scan: ScanJob, priority: int) -> NewJob:
    return NewJob(kind=START_JOB, payload=scan, key=f"start:{scan.scan_id}", priority=priority)


def _cell_job(lost: queries.LostCell) -> NewJob:
    cell = CellJob(lost.workspace_id, lost.scan_id, lost.platform, lost.prompt_index)
    return NewJob(kind=kind_of(lost.lane), payload=cell, key=cell.key, priority=lost.priority)


async def end_overdue(db: Database, job: ScanJob, *, clock: Clock) -> None:
    """The cells without an answer count as failed; what the others amount to is still worth having."""
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
            give_up(
                CellJob(scan.workspace_id, scan.id, platform, index),
                prompts[index],
                "the check ran out of time before this was answered",
                clock=clock,
            )
            for platform, index in missing
        ]
        if failed:
            await queries.store_answers_any_workspace(tx, failed)
        await enqueue_many(tx, [finish_job(job, scan.priority)])
    log.warning("scan_ran_out_of_time", scan=str(scan.id), unanswered=len(missing))
