"""The sweeper: gives a job to whatever a crash has left without one, and ends scans that take too long."""

from collections import Counter
from datetime import datetime, timedelta

import structlog

from sightline.db.engine import Database
from sightline.jobs.queue import enqueue
from sightline.kit.clock import Clock
from sightline.kit.ids import new_id
from sightline.platforms.models import Fault, Outcome, Question
from sightline.scans.analyze_answer import mark_failed
from sightline.scans.jobs import ScanJob, build_finish_job, build_start_job
from sightline.scans.models import ScanPrompt
from sightline.scans.queries import find_scan, lock_scan
from sightline.scans.running.analysis import AnalyzedAnswer
from sightline.scans.running.cells import CellJob, build_cell_job
from sightline.scans.running.queries import NewAnswer, store_answers_any_workspace
from sightline.scans.running.sweeping import queries
from sightline.scans.states import Priority, ScanStatus
from sightline.scans.stored import decode_prompts, to_record

log = structlog.get_logger()

_GRACE = timedelta(seconds=10)


async def sweep_scans(db: Database, *, deadline: timedelta, patience: timedelta, clock: Clock) -> None:
    """Enqueue the jobs that are missing, and end the scans that run longer than their deadline.

    The deadline of scheduled scans is later: they wait for platforms that are down. Any number of workers may call it
    at once: one sweeps, and the queue holds at most one job with the same key.
    """
    async with db.transaction() as tx:
        if not await queries.claim_sweep_any_workspace(tx):
            return
        unstarted = await queries.find_unstarted_any_workspace(tx, created_before=clock() - _GRACE)
        lost = await queries.find_lost_cells_any_workspace(tx)
        answered = await queries.find_answered_any_workspace(tx)
        jobs = [build_start_job(scan, Priority.CONSOLE) for scan in unstarted]
        jobs += [build_finish_job(scan, Priority.CONSOLE) for scan in answered]
        jobs += [build_cell_job(lane, cell) for lane, cell in lost]
        await enqueue(tx, *jobs)
        overdue = await queries.find_overdue_any_workspace(
            tx, started_before=clock() - deadline, patient_before=clock() - deadline - patience
        )
    if jobs:
        log.info("missing_jobs_enqueued", unstarted=len(unstarted), lost=len(lost), answered=len(answered))
    for scan in overdue:
        await end_overdue(db, scan, clock=clock)


async def end_overdue(db: Database, job: ScanJob, *, clock: Clock) -> None:
    """End a scan with the answers it has. Cells without an answer count as failed; without prompts, the scan fails."""
    scan = await find_scan(db, job.workspace_id, job.scan_id)
    if scan is None:
        return
    if scan.prompts is None:
        await enqueue(db, build_finish_job(job, scan.priority))
        return
    prompts = decode_prompts(scan.prompts)
    async with db.transaction() as tx:
        locked = await lock_scan(tx, scan.workspace_id, scan.id)
        if locked is None or locked.status is not ScanStatus.RUNNING:
            return
        missing = await queries.close_lanes(tx, scan.workspace_id, scan.id)
        failed = [
            _build_unanswered(CellJob(scan.workspace_id, scan.id, platform, index), prompts[index], now=clock())
            for platform, index in missing
        ]
        if failed:
            await store_answers_any_workspace(tx, failed)
        await enqueue(tx, build_finish_job(job, scan.priority))
    log.warning(
        "scan_ran_out_of_time",
        workspace_id=str(scan.workspace_id),
        scan_id=str(scan.id),
        unanswered=Counter(platform for platform, _ in missing),
    )


def _build_unanswered(cell: CellJob, prompt: ScanPrompt, *, now: datetime) -> NewAnswer:
    """Build the failed answer of a cell that was never answered."""
    fault = Fault("timeout", "the check ran out of time before this prompt was answered")
    outcome = Outcome.build_failed(cell.platform, Question(prompt.text), fault)
    answer_id = new_id()
    answer = mark_failed(outcome, prompt, answer_id=str(answer_id), fault=fault)
    return NewAnswer(cell, answer_id, prompt.country, AnalyzedAnswer("failed", "", to_record(answer)), now)
