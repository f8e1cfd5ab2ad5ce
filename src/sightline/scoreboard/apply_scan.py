"""What a completed check of a tracked domain changes: its traces, the cells, the scoreboard, the prompts' figures.

A job of its own, after the transaction that completed the check. All of it can be done again at any time, in any order,
with the same outcome.
"""

import asyncio
import uuid
from collections.abc import Collection

import msgspec
import structlog

from sightline.db.engine import Database, Transaction
from sightline.jobs.queue import NewJob, enqueue
from sightline.kit.clock import Clock, to_iso
from sightline.kit.crash import crash_point
from sightline.plans.table import PlanTable
from sightline.prompts.volumes import want_volumes
from sightline.scans.queries import find_scan
from sightline.scans.scheduling.daily_set import choose_daily_prompts
from sightline.scans.scheduling.queries import read_plan
from sightline.scans.schemas.results import Headline, ScanMeasurements
from sightline.scans.states import ScanStatus
from sightline.scans.stored import ScanJob, ScanRow
from sightline.scoreboard import queries
from sightline.scoreboard.board import BoardInput, build_scan_board
from sightline.scoreboard.cells import TRACKED_SCOPES, assemble_cells
from sightline.scoreboard.compare import Comparisons, compare_scans
from sightline.scoreboard.completed_scans import CompletedScan, read_completed_scan, read_previous_scan
from sightline.scoreboard.models import PromptScanRow, UncitedPlatforms
from sightline.scoreboard.prompt_scans import build_prompt_scans
from sightline.scoreboard.prompt_statistics.queries import update_uncited_streaks
from sightline.scoreboard.prompt_statistics.refresh import refresh_statistics
from sightline.scoreboard.refresh import rebuild_cells, refresh_board
from sightline.scoreboard.schemas import Board, TrendPoint

log = structlog.get_logger()

INSIGHTS_JOB = "insights"

_decode_results = msgspec.json.Decoder(ScanMeasurements).decode


async def handle_completed_scan(
    db: Database, job: ScanJob, *, uncited: UncitedPlatforms, plans: PlanTable, clock: Clock
) -> ScanRow | None:
    """And then asks for what can be concluded from it."""
    scan = await apply_scan(db, job, uncited=uncited, plans=plans, clock=clock)
    if scan is not None:
        async with db.transaction() as tx:
            await enqueue(tx, NewJob(kind=INSIGHTS_JOB, payload=job, key=f"insights:{scan.id}", priority=scan.priority))
            if scan.measurement_scope == "full_check":
                await want_volumes(tx, scan.workspace_id, scan.domain_id)  # those that have become too old
    return scan


async def apply_scan(
    db: Database, job: ScanJob, *, uncited: UncitedPlatforms, plans: PlanTable, clock: Clock
) -> ScanRow | None:
    """The scan. None: one that is not completed, or that is none of a tracked domain, leaves nothing behind."""
    scan = await find_scan(db, job.workspace_id, job.scan_id)
    if scan is None or scan.status is not ScanStatus.COMPLETED or scan.measurement_scope not in TRACKED_SCOPES:
        return None
    await record_scan(db, scan, uncited=uncited, plans=plans)
    await refresh_board(db, scan.workspace_id, scan.domain_id, uncited=uncited)
    await refresh_statistics(db, scan.workspace_id, scan.domain_id, clock=clock)
    return scan


async def record_scan(
    db: Database, scan: ScanRow, *, uncited: UncitedPlatforms, plans: PlanTable, rebuild: bool = True
) -> None:
    """Writes down what the check found, and what follows from it: the cells, and after a Full Check the Daily set."""
    now = await read_completed_scan(db, scan, uncited=uncited)
    before = await read_previous_scan(db, scan, uncited=uncited)
    facts, point, board = await asyncio.to_thread(_build_records, now, before)
    async with db.transaction() as tx:
        if not await queries.lock_domain(tx, scan.workspace_id, scan.domain_id):
            return
        await queries.store_prompt_scans(tx, scan.workspace_id, scan.domain_id, facts)
        await queries.store_scan_board(
            tx, scan.workspace_id, scan.id, point=msgspec.json.encode(point), board=msgspec.json.encode(board)
        )
        assert scan.completed_at is not None
        await queries.set_last_check_time(
            tx, scan.workspace_id, scan.domain_id, scan.measurement_scope, scan.completed_at
        )
        asked = [each.prompt_id for each in facts]
        source = await queries.find_latest_source(tx, scan.workspace_id, scan.domain_id)
        await update_uncited_streaks(tx, scan.workspace_id, scan.domain_id, asked, source or scan.answers_source)
        if rebuild:
            await rebuild_cells(tx, scan.workspace_id, scan.domain_id)
        if rebuild and scan.measurement_scope == "full_check":
            await _choose_daily_prompts(tx, scan, asked, plans)
        crash_point("before_follow_commit")
    crash_point("after_follow_commit")


async def _choose_daily_prompts(tx: Transaction, scan: ScanRow, asked: Collection[uuid.UUID], plans: PlanTable) -> None:
    """Told of again, an older Full Check chooses nothing: the set is that of the latest."""
    latest = await queries.find_latest_scan(
        tx, scan.workspace_id, scan.domain_id, scan.answers_source, scopes=("full_check",)
    )
    if latest is not None and latest.id == scan.id:
        plan = await read_plan(tx, scan.workspace_id)
        limit = plans[plan].daily_prompts
        await choose_daily_prompts(tx, scan.workspace_id, scan.domain_id, limit=limit, among=asked)


def _build_records(now: CompletedScan, before: CompletedScan | None) -> tuple[list[PromptScanRow], TrendPoint, Board]:
    scan = now.scan
    assert scan.completed_at is not None
    facts = build_prompt_scans(
        now.answers,
        scan_id=scan.id,
        scope=scan.measurement_scope,
        answers_source=scan.answers_source,
        completed_at=scan.completed_at,
    )
    results = _decode_results(now.stored.results)
    comparisons = (
        Comparisons() if before is None else compare_scans(before.to_comparable_scan(), now.to_comparable_scan())
    )
    cells = {cell.key: cell for cell in assemble_cells(facts)}
    board = build_scan_board(
        BoardInput(now.plan, now.answers),
        results,
        cells,
        scored=scan.measurement_scope == "full_check",
        comparisons=comparisons,
    )
    point = TrendPoint(
        scan_id=scan.id,
        scope=scan.measurement_scope,
        completed_at=to_iso(scan.completed_at),
        incomplete=results.incomplete,
        **{name: getattr(results.headline, name) for name in Headline.__struct_fields__},
    )
    return facts, point, board
