"""Starting a pending scan: its prompts are settled and its cells are put into lanes."""

from collections.abc import Awaitable, Callable
from datetime import datetime

from sightline.db.engine import Database, Transaction
from sightline.jobs.queue import wake_workers
from sightline.kit.clock import Clock
from sightline.kit.crash import crash_point
from sightline.scans.jobs import ScanJob
from sightline.scans.queries import find_scan, move_scan
from sightline.scans.running import queries
from sightline.scans.states import ScanStatus
from sightline.scans.stored import (
    ScanRow,
    build_lane_key,
    decode_measured,
    decode_prompts,
    encode_prompts,
    number_prompts,
)
from sightline.scans.suggest import SuggestedPrompts, SuggestionInput

SuggestPrompts = Callable[[ScanRow, SuggestionInput], Awaitable[SuggestedPrompts]]
"""Suggests the prompts of a scan that has none. It does not fail while platforms are down."""


async def start_scan(db: Database, suggest: SuggestPrompts, job: ScanJob, *, clock: Clock) -> bool:
    """Start the scan, and return whether its cells can be asked now.

    A scan that has its cells or has ended is left alone, so a second run of the job does nothing. A live scan without
    keywords becomes `running` before a platform is asked for them: a pending scan has cost nothing and is refunded
    when it is cancelled. If it is cancelled meanwhile, the suggestions are discarded. If the worker dies meanwhile,
    the next run of the job asks again.
    """
    scan = await find_scan(db, job.workspace_id, job.scan_id)
    if scan is None:
        return False
    if scan.prompts is not None:
        return await _begin(db, scan, None, clock=clock)
    if scan.status is ScanStatus.PENDING:
        async with db.transaction() as tx:
            moved = await _move_to_running(tx, scan, now=clock())
        if moved is None:
            return False
    elif scan.status is not ScanStatus.RUNNING:
        return False
    return await _begin(db, scan, await suggest(scan, build_suggestion_input(scan)), clock=clock)


async def _begin(db: Database, scan: ScanRow, suggested: SuggestedPrompts | None, *, clock: Clock) -> bool:
    """Put the cells into lanes: of a pending scan with its own prompts, or of a running one that had none yet."""
    async with db.transaction() as tx:
        now = clock()
        if suggested is None:
            if await _move_to_running(tx, scan, now=now) is None:
                return False
            prompts = decode_prompts(scan.prompts or "[]")
        else:
            prompts = number_prompts(suggested.prompts)
            total = len(prompts) * len(scan.selected_platforms)
            if not await queries.set_prompts(
                tx, scan.workspace_id, scan.id, encode_prompts(prompts), total, suggested.note
            ):
                return False
        lanes = {platform: build_lane_key(scan.answers_source, platform) for platform in scan.selected_platforms}
        await queries.insert_lanes(
            tx, scan.workspace_id, scan.id, lanes, priority=scan.priority, cells=len(prompts), now=now
        )
        await wake_workers(tx)
        crash_point("before_start_commit")
    crash_point("after_start_commit")
    return True


async def _move_to_running(tx: Transaction, scan: ScanRow, *, now: datetime) -> ScanRow | None:
    return await move_scan(tx, scan.workspace_id, scan.id, from_=ScanStatus.PENDING, to=ScanStatus.RUNNING, now=now)


def build_suggestion_input(scan: ScanRow) -> SuggestionInput:
    measured = decode_measured(scan.brand)
    return SuggestionInput(
        domain=scan.domain,
        brand=measured.brand,
        competitors=measured.competitors,
        language=None,
        country=None,
        category=measured.category,
    )
