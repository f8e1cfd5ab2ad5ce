"""Applying a completed scan of a tracked domain: its prompt scans, the cells, the board and the prompt statistics.

This runs as a job of its own after the transaction that completed the scan. It can be repeated at any time and for
scans in any order, with the same outcome.
"""

import asyncio
import uuid
from collections.abc import Collection
from typing import get_args

import msgspec
import structlog

from sightline.answers.analyze import EXTRACTOR_VERSION
from sightline.credits.sandbox_money import has_sandbox_ended
from sightline.db.engine import Database, Transaction
from sightline.domains.tracking.queries import lock_tracked_domain, set_last_check_time
from sightline.jobs.queue import NewJob, enqueue
from sightline.kit.clock import Clock, to_iso
from sightline.kit.crash import crash_point
from sightline.kit.structs import convert_struct
from sightline.metrics.registry import METRICS_VERSION
from sightline.plans.table import PlanTable
from sightline.prompts.queries import update_streaks
from sightline.prompts.volumes.lookup import enqueue_volume_lookup
from sightline.scans.jobs import ScanJob
from sightline.scans.models import AnswersSource, CellKey
from sightline.scans.outcome.queries import insert_facts, store_scan_board, update_labels
from sightline.scans.queries import find_scan
from sightline.scans.retention.queries import is_expired
from sightline.scans.scheduling.daily_prompts import choose_daily_prompts
from sightline.scans.scheduling.queries import read_plan
from sightline.scans.schemas.results import Headline, ScanMeasurements
from sightline.scans.states import ScanStatus
from sightline.scans.stored import ScanRow
from sightline.scoreboard import queries
from sightline.scoreboard.answer_list.facts import list_facts
from sightline.scoreboard.board import BoardInput, build_scan_board, read_comparisons
from sightline.scoreboard.cells import TRACKED_SCOPES, assemble_cells
from sightline.scoreboard.check_changes.find import find_changes
from sightline.scoreboard.check_changes.matched_answers import FullCheck
from sightline.scoreboard.check_changes.periods import add_periods
from sightline.scoreboard.check_changes.schemas import CheckChanges, FigureChange, FigureName
from sightline.scoreboard.compare import ComparableScan, Comparisons, compare_scans
from sightline.scoreboard.completed_scans import CompletedScan, read_completed_scan, read_previous_scan
from sightline.scoreboard.market import has_same_ranking, keep_market_comparisons, keep_market_countries
from sightline.scoreboard.models import PromptScanRow, UncitedPlatforms, decode_facts
from sightline.scoreboard.prompt_scans import build_prompt_scans
from sightline.scoreboard.prompt_statistics import refresh_statistics
from sightline.scoreboard.read import find_check_board
from sightline.scoreboard.refresh import rebuild_cells, refresh_board
from sightline.scoreboard.schemas import Board, TrendPoint

log = structlog.get_logger()

INSIGHTS_JOB = "insights"
_FACTS_BATCH = 200  # splitting a text into words takes about a millisecond

_decode_results = msgspec.json.Decoder(ScanMeasurements).decode


async def handle_completed_scan(
    db: Database, job: ScanJob, *, uncited: UncitedPlatforms, plans: PlanTable, clock: Clock
) -> ScanRow | None:
    """Apply the scan, then enqueue its insights and, after a Full Check, the refresh of old search volumes."""
    scan = await apply_scan(db, job, uncited=uncited, plans=plans, clock=clock)
    if scan is not None:
        async with db.transaction() as tx:
            await enqueue(tx, NewJob(kind=INSIGHTS_JOB, payload=job, key=f"insights:{scan.id}", priority=scan.priority))
            if scan.measurement_scope == "full_check":
                await enqueue_volume_lookup(tx, scan.workspace_id, scan.domain_id)
    return scan


async def apply_scan(
    db: Database, job: ScanJob, *, uncited: UncitedPlatforms, plans: PlanTable, clock: Clock
) -> ScanRow | None:
    """Apply the scan and return it; return None if it is not completed or not a scan of a tracked domain."""
    scan = await find_scan(db, job.workspace_id, job.scan_id)
    if scan is None or scan.status is not ScanStatus.COMPLETED or scan.measurement_scope not in TRACKED_SCOPES:
        return None
    if scan.answers_source == "sandbox" and await has_sandbox_ended(db):
        return None  # it began before the first platform was connected, and must not be mixed with live scans
    await record_scan(db, scan, uncited=uncited, plans=plans)
    await refresh_board(db, scan.workspace_id, scan.domain_id, uncited=uncited)
    await refresh_statistics(db, scan.workspace_id, scan.domain_id, clock=clock)
    return scan


async def record_scan(
    db: Database, scan: ScanRow, *, uncited: UncitedPlatforms, plans: PlanTable | None = None
) -> None:
    """Store what the scan found.

    With `plans`, also rebuild the cells and, after a Full Check, choose the prompts of the Daily Checks.
    """
    current = await read_completed_scan(db, scan, uncited=uncited)
    previous = await read_previous_scan(db, scan, uncited=uncited)
    kept, before = None, await _read_current_board(db, scan)
    if previous is not None and previous.scan.answers_expired_at is not None:
        kept = await _read_kept_comparison(db, scan)
    prompt_scans, point, board, found = await asyncio.to_thread(_build_records, current, previous, kept, before)
    await store_facts(db, current, previous)
    changes = kept.changes if kept else None
    if found is not None:
        changes = msgspec.json.encode(await add_periods(db, scan, current.plan, found, prompt_scans))
    async with db.transaction() as tx:
        if not await lock_tracked_domain(tx, scan.workspace_id, scan.domain_id):
            return
        if await is_expired(tx, scan.workspace_id, scan.id):
            return  # expired meanwhile: what was read may be incomplete, so keep what is stored
        await queries.store_prompt_scans(tx, scan.workspace_id, scan.domain_id, prompt_scans)
        await store_scan_board(
            tx,
            scan.workspace_id,
            scan.id,
            point=msgspec.json.encode(point),
            board=msgspec.json.encode(board),
            changes=changes,
        )
        assert scan.completed_at is not None
        await set_last_check_time(tx, scan.workspace_id, scan.domain_id, scan.measurement_scope, scan.completed_at)
        asked = [each.prompt_id for each in prompt_scans]
        source = await queries.find_latest_source(tx, scan.workspace_id, scan.domain_id) or scan.answers_source
        await update_streaks(tx, scan.workspace_id, scan.domain_id, asked, source)
        if plans is not None:
            await rebuild_cells(tx, scan.workspace_id, scan.domain_id)
            if scan.measurement_scope == "full_check":
                await _choose_daily_prompts(tx, scan, source, asked, plans)
        crash_point("before_follow_commit")
    crash_point("after_follow_commit")


async def _choose_daily_prompts(
    tx: Transaction, scan: ScanRow, source: AnswersSource, asked: Collection[uuid.UUID], plans: PlanTable
) -> None:
    """Choose the prompts of the Daily Checks if the scan is the latest Full Check of the latest source."""
    latest = await queries.find_latest_scan(tx, scan.workspace_id, scan.domain_id, source, scopes=("full_check",))
    if latest is not None and latest.id == scan.id:
        plan = await read_plan(tx, scan.workspace_id)
        limit = plans[plan].daily_prompts
        await choose_daily_prompts(tx, scan.workspace_id, scan.domain_id, limit=limit, among=asked)


class _KeptComparison(msgspec.Struct, frozen=True):
    """What is stored of the comparison with the previous scan, whose answers are gone."""

    comparisons: Comparisons
    changes: bytes | None


async def _read_kept_comparison(db: Database, scan: ScanRow) -> _KeptComparison:
    """Read the stored comparison. A scan that is applied for the first time has none."""
    board = await find_check_board(db, scan.workspace_id, scan.id)
    if board is None:
        return _KeptComparison(Comparisons(), None)
    changes = await queries.find_check_changes(db, scan.workspace_id, scan.id)
    return _KeptComparison(read_comparisons(board.headline), changes)


async def _read_current_board(db: Database, scan: ScanRow) -> Board | None:
    """Read the stored board of the scan; None if there is none, or if another version built it."""
    board = await find_check_board(db, scan.workspace_id, scan.id)
    current = (METRICS_VERSION, EXTRACTOR_VERSION)
    return board if board and (board.metrics_version, board.extractor_version) == current else None


def _build_records(
    current: CompletedScan, previous: CompletedScan | None, kept: _KeptComparison | None, before: Board | None
) -> tuple[list[PromptScanRow], TrendPoint, Board, CheckChanges | None]:
    scan = current.scan
    assert scan.completed_at is not None
    prompt_scans = build_prompt_scans(
        current.answers,
        scan_id=scan.id,
        scope=scan.measurement_scope,
        answers_source=scan.answers_source,
        completed_at=scan.completed_at,
    )
    results = _decode_results(current.stored.results)
    if before is not None and not has_same_ranking(results.competitors, before.competitors):
        before = None  # ranked again
    comparisons, changes = Comparisons(), None
    if kept is not None:
        comparisons = kept.comparisons
    elif previous is not None:
        compared = (previous.to_comparable_scan(), current.to_comparable_scan())
        comparisons = compare_scans(*compared)
        if "daily_check" in {scan.measurement_scope, previous.scan.measurement_scope}:
            comparisons = comparisons.without_market()
        elif before is not None:
            comparisons = keep_market_comparisons(comparisons, before)
        if scan.measurement_scope == previous.scan.measurement_scope == "full_check":
            changes = find_changes(
                _to_full_check(previous, compared[0]),
                _to_full_check(current, compared[1]),
                _list_figure_changes(_decode_results(previous.stored.results).headline, results.headline, comparisons),
            )
    cells = {cell.key: cell for cell in assemble_cells(prompt_scans)}
    board = build_scan_board(
        BoardInput(current.plan, current.answers),
        results,
        cells,
        scored=scan.measurement_scope == "full_check",
        comparisons=comparisons,
    )
    if before is not None:
        board = keep_market_countries(board, before)
    point = convert_struct(
        TrendPoint,
        results.headline,
        scan_id=scan.id,
        scope=scan.measurement_scope,
        completed_at=to_iso(scan.completed_at),
        incomplete=results.incomplete,
        surfaces={each.platform: each.surface for each in results.platforms},
    )
    return prompt_scans, point, board, changes


def _list_figure_changes(before: Headline, now: Headline, comparisons: Comparisons) -> tuple[FigureChange, ...]:
    found = ((name, getattr(comparisons, name)) for name in get_args(FigureName))
    return tuple(
        FigureChange(metric=name, before=getattr(before, name).value, now=getattr(now, name).value, comparison=change)
        for name, change in found
        if change is not None
    )


def _to_full_check(completed: CompletedScan, comparable: ComparableScan) -> FullCheck:
    assert completed.scan.completed_at is not None
    return FullCheck(
        scan_id=completed.scan.id,
        completed_at=completed.scan.completed_at,
        plan=completed.plan,
        answers=completed.answers,
        comparable=comparable,
    )


async def store_facts(db: Database, current: CompletedScan, previous: CompletedScan | None) -> None:
    """Store the facts of all answers, in short transactions of their own. Repeating it changes nothing."""
    scan = current.scan
    before = {} if previous is None else await _find_mentions(db, previous)
    facts = await asyncio.to_thread(list_facts, scan, current.plan, current.answers, before)
    for start in range(0, len(facts), _FACTS_BATCH):
        batch = facts[start : start + _FACTS_BATCH]
        async with db.transaction() as tx:
            await update_labels(tx, scan.workspace_id, scan.domain_id, scan.id, batch)
            await insert_facts(tx, scan.workspace_id, scan.domain_id, scan.id, batch)


async def _find_mentions(db: Database, previous: CompletedScan) -> dict[CellKey, bool]:
    """Return for each valid answer of a scan whether it names the brand, also if the answers are gone."""
    if previous.scan.answers_expired_at is None:
        return {
            answer.key: answer.analysis.brands[0].mentioned
            for answer in previous.answers
            if answer.analysis is not None
        }
    countries = {prompt.id: prompt.country for prompt in previous.plan.prompts}
    scan = previous.scan
    rows = await queries.list_prompt_scans_of(db, scan.workspace_id, scan.domain_id, scan.id)
    return {
        (str(row.prompt_id), cell.platform, countries.get(str(row.prompt_id))): cell.mentioned
        for row in rows
        for cell in decode_facts(row.cells)
        if cell.status == "ok"
    }
