"""The checks of a domain: the list, the page of one with its live progress or its figures, and Retry scan."""

from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.errors import Problem
from sightline.insights.cost_forecast import CostForecast, read_domain_costs
from sightline.kit.ids import parse_id
from sightline.platforms.access import is_sandbox
from sightline.platforms.names import platform_name, short_platform_name
from sightline.presentation.dates import format_short_datetime
from sightline.presentation.language import choose_text, gettext, translatable
from sightline.presentation.metric_cards import build_metric_card
from sightline.scans.progress import read_progress
from sightline.scans.scheduling.first_check import may_retry, retry_first_check
from sightline.scans.scheduling.models import build_check_rules
from sightline.scans.schemas.scan import SCOPE_LABELS, to_scan
from sightline.scans.stored import ScanRow, Scope
from sightline.scans.tracked_scans import list_tracked_scans, read_tracked_scan
from sightline.scoreboard.market import MARKET_FIGURES
from sightline.scoreboard.read import read_past_scan
from sightline.scoreboard.schemas import Board, BoardPrompt, ComparedFigure
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.heat_strips import build_cell_square, build_legend
from sightline.web.paging import read_list_paging
from sightline.web.routing import form_action, page, redirect
from sightline.web.streams import stream_progress

PAGE_SIZE = 50
_SCOPES: tuple[Scope, ...] = ("full_check", "daily_check", "free_audit")
STATUS_TEXTS = {
    "pending": translatable("Waiting to start"),
    "running": translatable("Running"),
    "completed": translatable("Completed"),
    "failed": translatable("Failed"),
    "cancelled": translatable("Canceled"),
}


@page("/w/{workspace}/d/{domain}/checks")
async def checks_page(request: PageRequest, workspace: str, domain: str) -> Response:
    return await _render_checks(request, await open_domain(request, workspace, domain))


async def _render_checks(request: PageRequest, ctx: PageContext, problem: Problem | None = None) -> Response:
    assert ctx.domain is not None
    db, actor = ctx.db, ctx.actor
    params = request.query_params
    scope = next((each for each in _SCOPES if each == params.get("scope")), None)
    sandbox_ended = ctx.app_context.settings.sandbox_ended
    with_sandbox = sandbox_ended and params.get("sandbox") == "yes"
    filters = ({"scope": str(scope)} if scope else {}) | ({"sandbox": "yes"} if with_sandbox else {})
    paging = read_list_paging(request, ctx, "checks", **filters)
    rows = await list_tracked_scans(
        db,
        actor,
        ctx.domain.id,
        after=paging.after_time_and_id,
        page_size=PAGE_SIZE,
        scope=scope,
        live_only=sandbox_ended and not with_sandbox,
    )
    return render_page(
        ctx,
        "app/checks.html",
        section="checks",
        title=gettext("Checks"),
        rows=[(row, to_scan(row)) for row in rows.rows],
        scope=scope,
        sandbox_ended=sandbox_ended,
        with_sandbox=with_sandbox,
        scopes=[(each, SCOPE_LABELS[each]) for each in _list_scopes(ctx, scope)],
        filters=filters,
        next_cursor=paging.next_cursor(rows),
        is_first=paging.is_first,
        cost=await _estimate_next(ctx) if ctx.may_manage and paging.is_first else None,
        retry=ctx.may_edit and await is_retry_offered(ctx),
        status_words=STATUS_TEXTS,
        problem=problem,
    )


async def _estimate_next(ctx: PageContext) -> CostForecast | None:
    """Return what the next Full Check costs the operator; None if there is none, or in the sandbox."""
    assert ctx.domain is not None
    settings = ctx.app_context.settings
    if is_sandbox(settings):
        return None
    costs = await read_domain_costs(ctx.db, settings, ctx.domain, ctx.actor.workspace_id, now=ctx.now)
    return costs.forecast if costs.forecast.answers.full else None


def _list_scopes(ctx: PageContext, chosen: Scope | None) -> list[Scope]:
    """Return the kinds of check to choose from: the Free Audit only where the domain can have one."""
    assert ctx.domain is not None
    is_audited = ctx.domain.last_audit_at is not None or not ctx.runs_checks or chosen == "free_audit"
    return [each for each in _SCOPES if each != "free_audit" or is_audited]


async def is_retry_offered(ctx: PageContext) -> bool:
    """Return whether Retry scan is offered under the current plan; after a downgrade it would be refused."""
    assert ctx.domain is not None
    app_context, actor = ctx.app_context, ctx.actor
    return await may_retry(
        app_context.db, actor.workspace_id, ctx.domain.id, actor.plan, rules=build_check_rules(app_context.settings)
    )


@form_action("/w/{workspace}/d/{domain}/checks/retry")
async def retry_check(request: PageRequest, workspace: str, domain: str) -> Response:
    """Start the first check again after it failed: the only check that a person may start."""
    ctx = await open_domain(request, workspace, domain, needs=Role.EDITOR)
    assert ctx.domain is not None
    app_context, now = ctx.app_context, ctx.now
    try:
        async with app_context.db.transaction() as tx:
            rules = build_check_rules(app_context.settings)
            scan = await retry_first_check(tx, ctx.actor.workspace_id, ctx.domain.id, rules=rules, now=now)
    except Problem as problem:
        return await _render_checks(request, ctx, problem)
    return redirect(f"{ctx.path('checks', str(scan.id))}?done=retried")


async def find_check(ctx: PageContext, scan_id: str) -> ScanRow:
    """Return a check of the domain; one of another domain is a 404 problem."""
    assert ctx.domain is not None
    scan = await read_tracked_scan(ctx.db, ctx.actor, parse_id(scan_id))
    if scan.domain_id != ctx.domain.id:
        raise Problem("scan_not_found")
    return scan


@page("/w/{workspace}/d/{domain}/checks/{scan_id}/progress")
async def stream_check_progress(request: PageRequest, workspace: str, domain: str, scan_id: str) -> Response:
    """Stream the progress of a check as server-sent events until it ends, or for some minutes."""
    ctx = await open_domain(request, workspace, domain)
    scan = await find_check(ctx, scan_id)
    return stream_progress(request, ctx, scan)


_PAGE_SIZE = 50
_CARD_METRICS = ("visibility_score", "brand_coverage_pct", "share_of_voice_pct", "market_position")
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
