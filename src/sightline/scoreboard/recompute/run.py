"""Analyzing the stored scans of a domain again: names, competitors, corrections or the version changed.

Scans are analyzed from the oldest to the newest, so that each is compared with a scan that is up to date. A finished
scan is recognized by the names and corrections stored with it, so after a crash the work continues where it stopped.
"""

import uuid
from datetime import datetime

import msgspec
import structlog

from sightline.db.engine import Database
from sightline.domains.recomputations.request import RecomputeJob, request_recompute
from sightline.domains.tracking.queries import find_tracked_domain
from sightline.jobs.queue import settle_jobs
from sightline.kit.clock import Clock
from sightline.kit.crash import crash_point
from sightline.plans.table import PlanTable
from sightline.scans.brands import MeasuredBrands
from sightline.scans.corrections.models import CorrectionsByAnswer
from sightline.scans.corrections.queries import group_corrections_by_scan
from sightline.scans.queries import find_results, find_scan
from sightline.scans.retention.queries import mark_scan_expired
from sightline.scans.running.analysis import ScanContext, ScanSummary
from sightline.scans.running.analyzers import Analyzer
from sightline.scans.running.queries import read_answers, rewrite_records
from sightline.scans.running.running_scans import build_plan
from sightline.scans.stored import ScanRow, decode_measured, encode_measured
from sightline.scans.tracked_brands import read_tracked_brands
from sightline.scoreboard.apply_scan import record_scan
from sightline.scoreboard.cells import TRACKED_SCOPES
from sightline.scoreboard.completed_scans import has_current_versions
from sightline.scoreboard.models import UncitedPlatforms
from sightline.scoreboard.prompt_statistics.refresh import refresh_statistics
from sightline.scoreboard.queries import lock_domain
from sightline.scoreboard.recompute import queries
from sightline.scoreboard.refresh import rebuild_cells, refresh_board
from sightline.tables.changes.removed_rows import record_removed_rows

log = structlog.get_logger()


class _Batch(msgspec.Struct, frozen=True):
    ids: list[uuid.UUID]
    measured: MeasuredBrands
    corrections: dict[uuid.UUID, CorrectionsByAnswer]
    scan_ids: list[uuid.UUID]

    def measured_in(self, scan_id: uuid.UUID) -> MeasuredBrands:
        """Return the brands, with the corrections of the answers of one scan."""
        return msgspec.structs.replace(self.measured, corrections=self.corrections.get(scan_id, {}))


async def recompute_domain(
    db: Database,
    job: RecomputeJob,
    *,
    job_id: int,
    analyzer: Analyzer,
    uncited: UncitedPlatforms,
    plans: PlanTable,
    clock: Clock,
) -> None:
    """Recompute until nothing is open: a change made meanwhile is seen before the job leaves the queue."""
    while (batch := await _claim_batch(db, job, job_id, now=clock())) is not None:
        expired = 0
        for done, scan_id in enumerate(batch.scan_ids, 1):
            measured = batch.measured_in(scan_id)
            if not await _reanalyze_scan(db, job.workspace_id, scan_id, measured, analyzer, uncited, plans, clock):
                expired += 1
            await queries.store_progress(db, job.workspace_id, batch.ids, done, expired, now=clock())
            crash_point("after_check_reread")
        async with db.transaction() as tx:
            if await lock_domain(tx, job.workspace_id, job.domain_id):
                await rebuild_cells(tx, job.workspace_id, job.domain_id)
        await refresh_board(db, job.workspace_id, job.domain_id, uncited=uncited)
        await refresh_statistics(db, job.workspace_id, job.domain_id, clock=clock)
        async with db.transaction() as tx:  # only now: who waits for it reads the board next
            await queries.mark_done(tx, job.workspace_id, batch.ids, now=clock())


async def _claim_batch(db: Database, job: RecomputeJob, job_id: int, *, now: datetime) -> _Batch | None:
    """Claim all open work, including what a dead process began; without any, settle the job and return None."""
    async with db.transaction() as tx:
        is_present = await lock_domain(tx, job.workspace_id, job.domain_id)
        ids = await queries.claim_open(tx, job.workspace_id, job.domain_id, now=now)
        domain = await find_tracked_domain(tx, job.workspace_id, job.domain_id) if is_present else None
        if domain is None or not ids:
            await queries.mark_done(tx, job.workspace_id, ids, now=now)
            await settle_jobs(tx, [job_id])
            return None
        measured = await read_tracked_brands(tx, job.workspace_id, domain)
        corrections = await group_corrections_by_scan(tx, job.workspace_id, job.domain_id)
        scan_ids = await queries.list_completed_scan_ids(tx, job.workspace_id, job.domain_id, scopes=TRACKED_SCOPES)
        await queries.set_total(tx, job.workspace_id, ids, len(scan_ids), now=now)
        return _Batch(ids, measured, corrections, scan_ids)


async def _reanalyze_scan(
    db: Database,
    workspace_id: uuid.UUID,
    scan_id: uuid.UUID,
    measured: MeasuredBrands,
    analyzer: Analyzer,
    uncited: UncitedPlatforms,
    plans: PlanTable,
    clock: Clock,
) -> bool:
    """Analyze a scan again. Return False if its answers are gone: everything that is stored of it stays as it is."""
    scan = await find_scan(db, workspace_id, scan_id)
    stored = await find_results(db, workspace_id, scan_id)
    assert scan is not None and stored is not None
    if scan.answers_expired_at is not None:
        return False
    if decode_measured(scan.brand) != measured or not has_current_versions(stored):
        renamed = msgspec.structs.replace(scan, brand=encode_measured(measured))
        rows = await read_answers(db, workspace_id, scan_id)
        if len(rows) < scan.answers_completed + scan.answers_failed:  # removed by other means than our own
            await mark_scan_expired(db, workspace_id, scan_id, now=clock())
            return False
        plan = build_plan(renamed, uncited[scan.answers_source])
        summary = await analyzer.summarize(plan, rows, ScanContext.from_row(scan), reanalyze=True)
        await _store(db, renamed, summary)
        scan = renamed
    # Even if this scan was up to date: the scan before it may have changed.
    await record_scan(db, scan, uncited=uncited, plans=plans, rebuild=False)
    return True


async def _store(db: Database, scan: ScanRow, summary: ScanSummary) -> None:
    async with db.transaction() as tx, record_removed_rows(tx, scan.workspace_id, scan.domain_id, scan.id):
        if summary.updated_records:
            await rewrite_records(tx, scan.workspace_id, scan.id, summary.updated_records)
        await queries.replace_scan_results(tx, scan, summary.results, summary.metrics)


async def request_recompute_if_renamed(db: Database, scan: ScanRow, *, now: datetime) -> None:
    """Request a recompute if the domain was renamed, or the scan corrected, while the scan was running."""
    async with db.transaction() as tx:
        if not await lock_domain(tx, scan.workspace_id, scan.domain_id):
            return
        domain = await find_tracked_domain(tx, scan.workspace_id, scan.domain_id)
        assert domain is not None
        current = await read_tracked_brands(tx, scan.workspace_id, domain)
        corrections = await group_corrections_by_scan(tx, scan.workspace_id, scan.domain_id)
        if decode_measured(scan.brand) != msgspec.structs.replace(current, corrections=corrections.get(scan.id, {})):
            await request_recompute(tx, scan.workspace_id, scan.domain_id, "competitors_changed", now=now)
