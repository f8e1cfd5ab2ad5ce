"""Rebuilding the cells of a tracked domain, and its board from them.

A board is computed outside transactions. It is stored with the revision that it was built from, and never replaces a
board of a later revision.
"""

import asyncio
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

import msgspec
import structlog

from sightline.db.engine import Database, Reader, Transaction
from sightline.domains.queries import update_domain
from sightline.domains.scoreboard_refresh import enqueue_scoreboard_refresh
from sightline.domains.tracking.queries import lock_tracked_domain
from sightline.jobs.queue import settle_jobs
from sightline.metrics.figure import Comparison
from sightline.scans.models import AnswersSource, ScanPlan, ScanPrompt
from sightline.scans.queries import find_scan
from sightline.scans.running.running_scans import build_plan
from sightline.scans.stored import AnswerRow, to_answer
from sightline.scoreboard import queries
from sightline.scoreboard.board import BoardInput, LatePrompts, build_scoreboard
from sightline.scoreboard.cells import TRACKED_SCOPES, assemble_cells
from sightline.scoreboard.compare import Comparisons
from sightline.scoreboard.models import BoardRow, CellRow, UncitedPlatforms
from sightline.scoreboard.read import find_check_board
from sightline.scoreboard.schemas import Board, ComparedFigure, decode_board

log = structlog.get_logger()

_MAX_ATTEMPTS = 5


class BoardSources(msgspec.Struct, frozen=True):
    """Everything that a board is built from."""

    base_scan_id: uuid.UUID | None
    plan: ScanPlan
    """The plan of the latest Full Check; before the first one, that of the latest scan."""
    plans: Mapping[uuid.UUID, ScanPlan]
    cells: Sequence[CellRow]
    answers: Sequence[AnswerRow]
    full: Board | None
    latest: Board | None
    is_expired: bool = False
    """Answers that cells show are no longer stored."""


async def refresh_board(
    db: Database, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, uncited: Mapping[AnswersSource, frozenset[str]]
) -> None:
    """Build and store the board until it shows the latest revision, which may change meanwhile."""
    for _ in range(_MAX_ATTEMPTS):
        row = await queries.find_board(db, workspace_id, domain_id)
        if row is None or (row.shown >= row.revision and row.board is not None):
            return
        sources = await read_board_sources(db, workspace_id, domain_id, row, uncited)
        if sources.is_expired and row.board is not None:
            board = decode_board(row.board)  # what it was built from is gone, and the next Full Check replaces it
        else:
            board = await asyncio.to_thread(build_board, sources, _find_comparisons(sources))
        async with db.transaction() as tx:
            if not await lock_tracked_domain(tx, workspace_id, domain_id):
                return
            if await queries.store_board(
                tx, workspace_id, domain_id, revision=row.revision, board=msgspec.json.encode(board)
            ):
                await _store_latest_figures(tx, workspace_id, domain_id, board)
    log.warning("board_refresh_abandoned", domain_id=str(domain_id))


async def read_board_sources(
    db: Reader,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    row: BoardRow,
    uncited: Mapping[AnswersSource, frozenset[str]],
    *,
    includes: Callable[[ScanPrompt, str], bool] | None = None,
) -> BoardSources:
    """Read what a board is built from, or only the cells whose prompt and platform `includes` accepts."""
    cells = await queries.list_cells(db, workspace_id, domain_id)
    plan_scan_id = row.plan_scan_id
    assert plan_scan_id is not None
    plans: dict[uuid.UUID, ScanPlan] = {}
    expired: set[uuid.UUID] = set()
    for scan_id in {plan_scan_id, *(cell.scan_id for cell in cells)}:
        scan = await find_scan(db, workspace_id, scan_id)
        assert scan is not None
        plans[scan_id] = build_plan(scan, uncited[scan.answers_source])
        if scan.answers_expired_at is not None:
            expired.add(scan_id)
    if includes is not None:
        prompts = {prompt.id: prompt for plan in plans.values() for prompt in plan.prompts}
        cells = [cell for cell in cells if includes(prompts[str(cell.prompt_id)], cell.platform)]
    full = None if row.base_scan_id is None else await find_check_board(db, workspace_id, row.base_scan_id)
    latest = full
    if row.latest_scan_id is not None and row.latest_scan_id != row.base_scan_id:
        latest = await find_check_board(db, workspace_id, row.latest_scan_id)
    answers = await queries.read_shown_answers(db, workspace_id, [(cell.scan_id, cell.answer_id) for cell in cells])
    is_expired = any(cell.scan_id in expired for cell in cells)
    return BoardSources(row.base_scan_id, plans[plan_scan_id], plans, cells, answers, full, latest, is_expired)


def build_board(sources: BoardSources, comparisons: Comparisons) -> Board:
    """Build the board of a domain, or of a part of its cells. Pure."""
    cells = {cell.key: cell for cell in sources.cells}
    answers = [to_answer(row, sources.plans[row.scan_id].prompts[row.prompt_index]) for row in sources.answers]
    in_figures = {(str(cell.prompt_id), cell.platform) for cell in sources.cells if cell.base}
    base_ids = {prompt_id for prompt_id, _ in in_figures}
    prompts: dict[str, ScanPrompt] = {prompt.id: prompt for plan in sources.plans.values() for prompt in plan.prompts}
    late_ids = sorted({str(cell.prompt_id) for cell in sources.cells} - base_ids)
    base = BoardInput(
        msgspec.structs.replace(
            sources.plan,
            prompts=tuple(prompt for prompt in sources.plan.prompts if prompt.id in base_ids),
            platforms=sources.plan.platforms if base_ids else (),
        ),
        [answer for answer in answers if (answer.prompt.id, answer.platform) in in_figures],
    )
    late = LatePrompts(
        tuple(prompts[prompt_id] for prompt_id in late_ids),
        tuple(dict.fromkeys(cell.platform for cell in sources.cells if not cell.base)),
        [answer for answer in answers if (answer.prompt.id, answer.platform) not in in_figures],
    )
    return build_scoreboard(
        base,
        late,
        cells,
        full=sources.full,
        base_scan_id=sources.base_scan_id,
        comparisons=comparisons,
    )


def _find_comparisons(sources: BoardSources) -> Comparisons:
    """Return the comparisons of the latest scan; those against competitors are those of the Full Check."""

    def find(board: Board | None, name: str) -> Comparison | None:
        figure: ComparedFigure | None = None if board is None else getattr(board.headline, name)
        return None if figure is None else figure.comparison

    return Comparisons(
        visibility_score=find(sources.latest, "visibility_score"),
        brand_coverage_pct=find(sources.latest, "brand_coverage_pct"),
        ai_mentions=find(sources.latest, "ai_mentions"),
        citation_count=find(sources.latest, "citation_count"),
        market_position=find(sources.full, "market_position"),
        share_of_voice_pct=find(sources.full, "share_of_voice_pct"),
    )


async def _store_latest_figures(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, board: Board) -> None:
    headline = board.headline
    mentions, position = headline.ai_mentions.value, headline.market_position.value
    await update_domain(
        tx,
        workspace_id,
        domain_id,
        latest_visibility_score=headline.visibility_score.value,
        latest_brand_coverage_pct=headline.brand_coverage_pct.value,
        latest_ai_mentions=None if mentions is None else int(mentions),
        latest_market_position=None if position is None else int(position),
    )


async def rebuild_cells(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    """Rebuild the cells from stored prompt scans, which makes the board outdated. The caller holds the domain lock."""
    source = await queries.find_latest_source(tx, workspace_id, domain_id)
    if source is None:
        return
    prompt_scans = await queries.list_board_prompt_scans(tx, workspace_id, domain_id, source)
    await queries.replace_cells(tx, workspace_id, domain_id, assemble_cells(prompt_scans))
    base = await queries.find_latest_scan(tx, workspace_id, domain_id, source, scopes=("full_check", "free_audit"))
    latest = await queries.find_latest_scan(tx, workspace_id, domain_id, source, scopes=TRACKED_SCOPES)
    assert latest is not None and latest.completed_at is not None
    await queries.mark_board_changed(
        tx,
        workspace_id,
        domain_id,
        base_scan_id=None if base is None else base.id,
        latest_scan_id=latest.id,
        as_of=latest.completed_at,
    )


async def rebuild_scoreboard(
    db: Database, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, job_id: int, uncited: UncitedPlatforms
) -> None:
    """Rebuild cells and board after a prompt was removed or restored.

    The job is settled with the cells, so that a later change gets a job of its own. If the process dies before the
    board is stored, `sweep_boards_any_workspace` finds it outdated.
    """
    async with db.transaction() as tx:
        if await lock_tracked_domain(tx, workspace_id, domain_id):
            await rebuild_cells(tx, workspace_id, domain_id)
        await settle_jobs(tx, [job_id])
    await refresh_board(db, workspace_id, domain_id, uncited=uncited)


async def sweep_boards_any_workspace(db: Database, *, now: datetime) -> None:  # noqa: ARG001 - as all of housekeeping
    """Request a refresh of boards that a crash has left outdated."""
    async with db.transaction() as tx:
        for workspace_id, domain_id in await queries.list_outdated_boards_any_workspace(tx, limit=100):
            await enqueue_scoreboard_refresh(tx, workspace_id, domain_id)
