"""Analyzing the stored scans of a domain again: names, competitors, corrections or the version changed.

After a rename, only answers that may contain a changed name are read. Scans are analyzed from the oldest to the newest,
so that each is compared with a scan that is up to date. A finished scan is recognized by the names and corrections
stored with it, so after a crash the work continues where it stopped.
"""

import asyncio
import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Literal

import msgspec
import structlog

from sightline.db.engine import Database
from sightline.db.jsonb import to_jsonb
from sightline.domains.recomputations import queries as recomputations
from sightline.domains.recomputations.request import RecomputeJob, request_recompute
from sightline.domains.tracking.queries import find_tracked_domain, lock_tracked_domain
from sightline.jobs.queue import settle_jobs
from sightline.kit.clock import Clock
from sightline.kit.crash import crash_point
from sightline.scans.brands import MeasuredBrands
from sightline.scans.corrections.models import CorrectionsByAnswer
from sightline.scans.corrections.queries import group_corrections_by_scan
from sightline.scans.models import ScanPlan
from sightline.scans.outcome import queries as outcome
from sightline.scans.queries import find_results, find_scan
from sightline.scans.renamed import Rename, find_concerned
from sightline.scans.retention.queries import hold_retention_any_workspace, mark_scan_expired
from sightline.scans.running.analysis import ScanContext, ScanSummary
from sightline.scans.running.analyzers import Analyzer
from sightline.scans.running.queries import read_answers, read_answers_with_text_of
from sightline.scans.running.running_scans import build_plan
from sightline.scans.schemas.results import ScanMeasurements
from sightline.scans.stored import (
    AnswerRow,
    ScanRow,
    StoredResults,
    decode_measured,
    decode_prompts,
    encode_measured,
)
from sightline.scans.table_rows import build_competitor_rows
from sightline.scans.tracked_brands import read_tracked_brands
from sightline.scoreboard.apply_scan import record_scan
from sightline.scoreboard.cells import TRACKED_SCOPES
from sightline.scoreboard.completed_scans import has_current_versions
from sightline.scoreboard.market import keep_market_results
from sightline.scoreboard.models import UncitedPlatforms
from sightline.scoreboard.prompt_statistics import refresh_statistics
from sightline.scoreboard.recompute import queries
from sightline.scoreboard.recompute.missing_rows import add_missing_rows
from sightline.scoreboard.refresh import rebuild_cells, refresh_board
from sightline.tables.stored_rows import store_scan_rows

log = structlog.get_logger()

_decode_results = msgspec.json.Decoder(ScanMeasurements).decode

Outcome = Literal["changed", "unchanged", "expired"]
"""The outcome for a scan. "expired": its answers are gone, and everything else stored about it stays."""


class _Batch(msgspec.Struct, frozen=True):
    ids: list[uuid.UUID]
    measured: MeasuredBrands
    corrections: dict[uuid.UUID, CorrectionsByAnswer]
    scan_ids: list[uuid.UUID]

    def measured_in(self, scan_id: uuid.UUID) -> MeasuredBrands:
        """Return the brands, with the corrections of the answers of one scan."""
        return msgspec.structs.replace(self.measured, corrections=self.corrections.get(scan_id, {}))


class _Concerned(msgspec.Struct, frozen=True):
    """The answers of a scan that a rename concerns: some, and all that answer these prompts."""

    name_index: bytes
    answers: set[uuid.UUID]
    prompts: set[int]
    has_same_brands: bool
    """The brands have the names, the main domains and the order that stored analyses and rows have."""

    @property
    def is_none(self) -> bool:
        return self.has_same_brands and not self.answers and not self.prompts

    def to_rename(self, former: ScanPlan, rows: Sequence[AnswerRow]) -> Rename:
        concerned = [row.id for row in rows if row.id in self.answers or row.prompt_index in self.prompts]
        return Rename(former, self.name_index, concerned)


async def recompute_domain(
    db: Database,
    job: RecomputeJob,
    *,
    job_id: int,
    analyzer: Analyzer,
    uncited: UncitedPlatforms,
    clock: Clock,
) -> None:
    """Recompute until nothing is open: a change made meanwhile is seen before the job leaves the queue."""
    while (batch := await _claim_batch(db, job, job_id, now=clock())) is not None:
        expired, has_changes = 0, False
        for done, scan_id in enumerate(batch.scan_ids, 1):
            measured = batch.measured_in(scan_id)
            found = await find_scan(db, job.workspace_id, scan_id)
            assert found is not None
            scan, outcome = await _reanalyze_scan(db, found, measured, analyzer, uncited, clock)
            expired += outcome == "expired"
            has_changes = has_changes or outcome == "changed"
            if has_changes and outcome != "expired":  # also if only an earlier scan has changed
                await record_scan(db, scan, uncited=uncited)
            await recomputations.store_progress(db, job.workspace_id, batch.ids, done, expired, now=clock())
            crash_point("after_check_reread")
        async with db.transaction() as tx:
            if await lock_tracked_domain(tx, job.workspace_id, job.domain_id):
                await rebuild_cells(tx, job.workspace_id, job.domain_id)
        await refresh_board(db, job.workspace_id, job.domain_id, uncited=uncited)
        await refresh_statistics(db, job.workspace_id, job.domain_id, clock=clock)
        async with db.transaction() as tx:  # last, because clients that wait for it read the board next
            await recomputations.mark_done(tx, job.workspace_id, batch.ids, now=clock())


async def _claim_batch(db: Database, job: RecomputeJob, job_id: int, *, now: datetime) -> _Batch | None:
    """Claim all open work, including what a dead process began; without any, settle the job and return None.

    From then on retention keeps the answers of the domain, until the work is done.
    """
    async with db.transaction() as tx:
        await hold_retention_any_workspace(tx)  # otherwise it might not see this claim and delete what is read
        is_present = await lock_tracked_domain(tx, job.workspace_id, job.domain_id)
        ids = await recomputations.claim_open(tx, job.workspace_id, job.domain_id, now=now)
        domain = await find_tracked_domain(tx, job.workspace_id, job.domain_id) if is_present else None
        if domain is None or not ids:
            await recomputations.mark_done(tx, job.workspace_id, ids, now=now)
            await settle_jobs(tx, [job_id])
            return None
        measured = await read_tracked_brands(tx, job.workspace_id, domain)
        corrections = await group_corrections_by_scan(tx, job.workspace_id, job.domain_id)
        scan_ids = await queries.list_completed_scan_ids(tx, job.workspace_id, job.domain_id, scopes=TRACKED_SCOPES)
        await recomputations.set_total(tx, job.workspace_id, ids, len(scan_ids), now=now)
        return _Batch(ids, measured, corrections, scan_ids)


async def _reanalyze_scan(
    db: Database,
    scan: ScanRow,
    measured: MeasuredBrands,
    analyzer: Analyzer,
    uncited: UncitedPlatforms,
    clock: Clock,
) -> tuple[ScanRow, Outcome]:
    """Analyze a scan again, where the new names can change it."""
    stored = await find_results(db, scan.workspace_id, scan.id)
    assert stored is not None
    if scan.answers_expired_at is not None:
        return scan, "expired"
    if decode_measured(scan.brand) == measured and has_current_versions(stored):
        return scan, "changed"  # a run that died may have changed it
    renamed = msgspec.structs.replace(scan, brand=encode_measured(measured))
    concerned = await _find_concerned(db, scan, measured) if has_current_versions(stored) else None
    if concerned is not None and concerned.is_none:
        async with db.transaction() as tx:
            await outcome.replace_measured_brands(tx, renamed)
        return renamed, "unchanged"
    plan, former = (build_plan(each, uncited[scan.answers_source]) for each in (renamed, scan))
    while True:
        rows = await _read_rows(db, scan, concerned)
        if len(rows) < scan.answers_completed + scan.answers_failed:  # something other than Sightline removed some
            async with db.transaction() as tx:
                await mark_scan_expired(tx, scan.workspace_id, scan.id, now=clock())
            return scan, "expired"
        rename = None if concerned is None else concerned.to_rename(former, rows)
        summary = await analyzer.summarize(plan, rows, ScanContext.from_row(scan), reanalyze=True, rename=rename)
        if concerned is None or not summary.unread:
            break
        concerned = msgspec.structs.replace(concerned, answers=concerned.answers | set(summary.unread))
    if has_current_versions(stored) and decode_measured(scan.brand).competitors == measured.competitors:
        summary = _keep_market_figures(scan, stored, summary)
    await _store(db, renamed, summary, uncited)
    return renamed, "changed"


def _keep_market_figures(scan: ScanRow, stored: StoredResults, summary: ScanSummary) -> ScanSummary:
    """Keep Market Position and Share of Voice as the check set them: the tracked competitors have not changed."""
    kept = keep_market_results(_decode_results(summary.results), _decode_results(stored.results))
    metrics = msgspec.structs.replace(summary.metrics, market_position=scan.market_position)
    ranking = to_jsonb(build_competitor_rows(scan.id, scan.measurement_scope, kept))
    return msgspec.structs.replace(
        summary,
        results=msgspec.json.encode(kept),
        metrics=metrics,
        table_rows={**summary.table_rows, "competitors": ranking},
    )


async def _find_concerned(db: Database, scan: ScanRow, measured: MeasuredBrands) -> _Concerned | None:
    """Find the answers that a rename concerns, by the index of their words; None stands for all answers."""
    index = await queries.find_name_index(db, scan.workspace_id, scan.id)
    if index is None:
        return None
    former, prompts = decode_measured(scan.brand), decode_prompts(scan.prompts or "[]")
    found = await asyncio.to_thread(find_concerned, index, former, measured, prompts)
    if found is None:
        return None
    before, now = ([(brand.name, brand.domains[:1]) for brand in each.listed] for each in (former, measured))
    return _Concerned(index, *found, before == now)


async def _read_rows(db: Database, scan: ScanRow, concerned: _Concerned | None) -> list[AnswerRow]:
    if concerned is None:
        return await read_answers(db, scan.workspace_id, scan.id)
    return await read_answers_with_text_of(db, scan.workspace_id, scan.id, concerned.answers, concerned.prompts)


async def _store(db: Database, scan: ScanRow, summary: ScanSummary, uncited: UncitedPlatforms) -> None:
    async with db.transaction() as tx:
        await add_missing_rows(tx, scan.workspace_id, scan.id, uncited)  # before they are replaced
        await store_scan_rows(tx, scan.workspace_id, scan.domain_id, scan.id, summary.table_rows)
        if summary.updated_records:
            await outcome.rewrite_records(tx, scan.workspace_id, scan.id, summary.updated_records)
        await outcome.replace_scan_results(tx, scan, summary.results, summary.metrics, summary.name_index)


async def request_recompute_if_renamed(db: Database, scan: ScanRow, *, now: datetime) -> None:
    """Request a recompute if the domain was renamed, or the scan corrected, while the scan was running."""
    async with db.transaction() as tx:
        if not await lock_tracked_domain(tx, scan.workspace_id, scan.domain_id):
            return
        domain = await find_tracked_domain(tx, scan.workspace_id, scan.domain_id)
        assert domain is not None
        current = await read_tracked_brands(tx, scan.workspace_id, domain)
        corrections = await group_corrections_by_scan(tx, scan.workspace_id, scan.domain_id)
        if decode_measured(scan.brand) != msgspec.structs.replace(current, corrections=corrections.get(scan.id, {})):
            await request_recompute(tx, scan.workspace_id, scan.domain_id, "competitors_changed", now=now)


_MAX_DOMAINS = 1_000  # at a time; the next ones follow when these are done


async def request_outdated_any_workspace(db: Database, *, now: datetime) -> int:
    """Request a recomputation of every tracked domain that has results of another version. Return how many.

    Nothing is asked again and nothing is charged. A domain whose recomputation waits or runs is left alone, so any
    number of workers may do this at once.
    """
    domains = await queries.list_outdated_domains_any_workspace(db, scopes=TRACKED_SCOPES, limit=_MAX_DOMAINS)
    for workspace_id, domain_id in domains:
        async with db.transaction() as tx:
            if await lock_tracked_domain(tx, workspace_id, domain_id):
                await request_recompute(tx, workspace_id, domain_id, "version_changed", now=now)
    return len(domains)
