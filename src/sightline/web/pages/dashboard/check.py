"""One check: its progress while it runs, and afterwards the figures of its own answers."""

from starlette.responses import Response

from sightline.errors import Problem
from sightline.platforms.names import platform_name, short_platform_name
from sightline.presentation.dates import format_short_datetime
from sightline.presentation.language import choose_text, gettext, translatable
from sightline.presentation.metric_cards import build_metric_card
from sightline.scans.progress import read_progress
from sightline.scans.schemas.scan import SCOPE_LABELS, to_scan
from sightline.scans.stored import ScanRow
from sightline.scoreboard.market import MARKET_FIGURES
from sightline.scoreboard.read import read_past_scan
from sightline.scoreboard.schemas import Board, BoardPrompt, ComparedFigure
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.checks import STATUS_TEXTS, find_check, is_retry_offered
from sightline.web.pages.dashboard.heat_strips import build_cell_square, build_legend
from sightline.web.routing import page

_PAGE_SIZE = 50
_CARD_METRICS = ("visibility_score", "brand_coverage_pct", "ai_mentions", "share_of_voice_pct", "market_position")
_DONE_TEXTS = {"retried": translatable("The check has started again. It is free of charge.")}


@page("/w/{workspace}/d/{domain}/checks/{scan_id}")
async def check_page(request: PageRequest, workspace: str, domain: str, scan_id: str) -> Response:
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    scan = await find_check(ctx, scan_id)
    board = await _read_check_board(ctx, scan)
    requested = request.query_params.get("page", "1")
    page_number, pages, prompts = _select_page(
        board, int(requested) if requested.isascii() and requested.isdigit() and len(requested) < 5 else 1
    )
    may_retry = ctx.may_edit and scan.status == "failed"
    return render_page(
        ctx,
        "app/check.html",
        section="checks",
        title=gettext(
            "%(check)s %(time)s",
            check=gettext(SCOPE_LABELS[scan.measurement_scope]),
            time=format_short_datetime(scan.started_at or scan.created_at),
        ),
        scan=scan,
        public_scan=to_scan(scan),
        scope_labels=SCOPE_LABELS,
        statuses={key: gettext(words) for key, words in STATUS_TEXTS.items()},
        progress=await read_progress(ctx.db, scan) if scan.status.is_active else [],
        board=board,
        cards=[] if board is None else [_build_card(scan, board, ctx.domain.brand_name, key) for key in _CARD_METRICS],
        compared=None if board is None else await _find_compared(ctx, board),
        platforms=[] if board is None else [(platform_name(row.platform), row) for row in board.platforms],
        columns=[(platform_name(key), short_platform_name(key)) for key in _list_platforms(board)],
        lines=[(row, [build_cell_square(cell) for cell in row.cells]) for row in prompts],
        page=page_number,
        pages=pages,
        legend=build_legend(),
        retry=may_retry and await is_retry_offered(ctx),
        done=choose_text(_DONE_TEXTS, request.query_params.get("done", "")),
    )


async def _read_check_board(ctx: PageContext, scan: ScanRow) -> Board | None:
    """Return the board of a finished check; None while it runs, after a failure, or before it is summarized."""
    assert ctx.domain is not None
    try:
        found = await read_past_scan(ctx.db, ctx.actor.workspace_id, ctx.domain.id, scan.id)
    except Problem as problem:
        if problem.code != "results_not_ready":
            raise
        return None
    return found.decode()


async def _find_compared(ctx: PageContext, board: Board) -> ScanRow | None:
    """Return the check that the changes on the cards are measured from; None if there is none."""
    change = board.headline.visibility_score.comparison
    if change is None:
        return None
    try:
        return await find_check(ctx, str(change.against_scan_id))
    except Problem:
        return None


def _select_page(board: Board | None, requested: int) -> tuple[int, int, list[BoardPrompt]]:
    prompts = [] if board is None else list(board.prompts)
    pages = max(1, -(-len(prompts) // _PAGE_SIZE))
    number = min(max(requested, 1), pages)
    return number, pages, prompts[(number - 1) * _PAGE_SIZE : number * _PAGE_SIZE]


def _list_platforms(board: Board | None) -> list[str]:
    return [] if board is None or not board.prompts else [cell.platform for cell in board.prompts[0].cells]


def _build_card(scan: ScanRow, board: Board, brand: str, key: str) -> dict[str, object]:
    figure: ComparedFigure = getattr(board.headline, key)
    answers = board.headline.brand_coverage_pct.n
    card = build_metric_card(key, figure, figure.comparison, brand=brand, answers=answers)
    if scan.measurement_scope == "daily_check" and key in MARKET_FIGURES:
        card["basis"] = gettext("Only Full Checks measure it.")
    return card


PAGES = (check_page,)
