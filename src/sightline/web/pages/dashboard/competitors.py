"""The competitors of a domain: the ranking, suggestions from answers, and reviewing them."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime

import msgspec
from markupsafe import Markup
from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.competitors import review
from sightline.competitors.display_order import assign_display_order
from sightline.competitors.models import CompetitorRow
from sightline.db.engine import Transaction
from sightline.domains.recomputations.request import read_recomputation
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.metrics.figure import Number
from sightline.presentation.charts.head_to_head import (
    ROW_HEIGHT,
    BrandBar,
    build_head_to_head_chart,
    list_score_bars,
    list_share_bars,
)
from sightline.presentation.language import gettext, translatable
from sightline.presentation.numbers import format_number, format_percent
from sightline.presentation.phrases import METRIC_NAMES, describe_position
from sightline.scans.name_mentions import NameMentions, find_name_mentions
from sightline.scoreboard.schemas import Board
from sightline.web.chart_cache import CHARTS
from sightline.web.filter_bar import FilterBar, explain_period, open_filter_bar, read_bar_board
from sightline.web.forms import split_names
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest, require_role, require_same_origin
from sightline.web.pages.dashboard.answer_text import brand_css_class
from sightline.web.pages.dashboard.evidence_links import link_competitors
from sightline.web.routing import form_action, page, redirect

_MAX_SUGGESTIONS = 12
_DONE_TEXTS = {
    "added": translatable("Competitor added. It is included in comparisons from now on."),
    "confirm": translatable("Competitor confirmed. It is included in comparisons from now on."),
    "dismiss": translatable("Suggestion dismissed. It will not be suggested again."),
    "hide": translatable("Competitor hidden. It is neither listed nor measured until you restore it."),
    "unhide": translatable("Competitor restored."),
    "rename": translatable("Names saved."),
}

ReviewStep = Callable[
    [Transaction, uuid.UUID, uuid.UUID, uuid.UUID | None, Mapping[str, str], datetime], Awaitable[object]
]

_REVIEW_STEPS: Mapping[str, ReviewStep] = {
    "confirm": lambda tx, workspace, domain, id_, form, now: review.confirm_competitor(
        tx, workspace, domain, id_, domain=form.get("domain", "").strip() or None, now=now
    ),
    "dismiss": lambda tx, workspace, domain, id_, _, now: review.dismiss_competitor(
        tx, workspace, domain, id_, now=now
    ),
    "hide": lambda tx, workspace, domain, id_, _, now: review.hide_competitor(tx, workspace, domain, id_, now=now),
    "unhide": lambda tx, workspace, domain, id_, _, now: review.unhide_competitor(tx, workspace, domain, id_, now=now),
    "rename": lambda tx, workspace, domain, id_, form, now: review.rename_competitor(
        tx, workspace, domain, id_, split_names(form.get("names", "")), now=now
    ),
}


class Suggestion(msgspec.Struct, frozen=True):
    row: CompetitorRow
    naming: NameMentions | None


@page("/w/{workspace}/d/{domain}/competitors")
async def competitors_page(request: PageRequest, workspace: str, domain: str, done: str = "") -> Response:
    ctx = await open_domain(request, workspace, domain)
    return await _render_competitors(ctx, await open_filter_bar(request, ctx, "competitors"), done=done)


@form_action("/w/{workspace}/d/{domain}/competitors")
async def add_competitor(request: PageRequest, workspace: str, domain: str) -> Response:
    ctx, form = await _receive_form(request, workspace, domain)
    assert ctx.domain is not None
    name, aliases = form.get("domain", "").strip(), form.get("names", "")
    try:
        async with ctx.db.transaction() as tx:
            await review.add_competitor(
                tx, ctx.actor.workspace_id, ctx.domain.id, name, split_names(aliases), now=ctx.now
            )
    except Problem as problem:
        bar = await open_filter_bar(request, ctx, "competitors")
        return await _render_competitors(ctx, bar, problem=problem)
    return redirect(ctx.path("competitors") + "?done=added")


@form_action("/w/{workspace}/d/{domain}/competitors/{competitor}/{step}")
async def review_competitor(
    request: PageRequest,
    workspace: str,
    domain: str,
    competitor: str,
    step: str,
) -> Response:
    ctx, form = await _receive_form(request, workspace, domain)
    assert ctx.domain is not None
    if step not in _REVIEW_STEPS:
        raise Problem("not_found")
    try:
        async with ctx.db.transaction() as tx:
            found = parse_id(competitor)
            await _REVIEW_STEPS[step](tx, ctx.actor.workspace_id, ctx.domain.id, found, form, ctx.now)
    except Problem as problem:
        if problem.kind.status == 404:
            raise
        return await _render_competitors(ctx, await open_filter_bar(request, ctx, "competitors"), problem=problem)
    return redirect(ctx.path("competitors") + f"?done={step}")


async def _receive_form(request: PageRequest, workspace: str, domain: str) -> tuple[PageContext, Mapping[str, str]]:
    require_same_origin(request)
    ctx = await open_domain(request, workspace, domain)
    require_role(ctx.actor, Role.EDITOR)
    form = await request.form()
    return ctx, {key: str(value) for key, value in form.items()}


async def _render_competitors(
    ctx: PageContext,
    bar: FilterBar,
    *,
    done: str = "",
    problem: Problem | None = None,
) -> Response:
    assert ctx.domain is not None
    db, workspace_id, domain_id = ctx.db, ctx.actor.workspace_id, ctx.domain.id
    shown, bar = await read_bar_board(ctx, bar)
    board, scan_id = shown.board, None if shown.scan is None else shown.scan.id
    rows = await review.list_all_competitors(db, workspace_id, domain_id)
    by_status = {
        status: [row for row in rows if row.status == status]
        for status in ("confirmed", "suggested", "hidden", "dismissed")
    }
    suggested = by_status["suggested"][:_MAX_SUGGESTIONS]
    places = await assign_display_order(
        db, workspace_id, domain_id, [row for row in board.competitors if not row.is_own]
    )
    return render_page(
        ctx,
        "app/competitors.html",
        section="competitors",
        title=gettext("Competitors"),
        bar=explain_period(bar, shown),
        shown=shown,
        board=board,
        standing=describe_position(ctx.domain.brand_name, board.headline.market_position),
        leader=board.competitors[0] if board.competitors else None,
        charts=await asyncio.to_thread(_build_charts, board, places, ctx.domain.brand_name),
        css_classes={row.name: brand_css_class(places.get(row.name, 0)) for row in board.competitors},
        competitor_paths=await link_competitors(ctx, board.competitors),
        confirmed=by_status["confirmed"],
        suggestions=await _find_evidence(ctx, suggested, scan_id),
        more_suggested=len(by_status["suggested"]) - len(suggested),
        hidden=by_status["hidden"],
        dismissed=by_status["dismissed"],
        scan_id=scan_id,
        max_confirmed=review.MAX_CONFIRMED,
        recompute=await read_recomputation(db, workspace_id, domain_id),
        done=gettext(_DONE_TEXTS[done]) if done in _DONE_TEXTS else None,
        problem=problem,
    )


def _build_charts(board: Board, places: Mapping[str, int], brand: str) -> dict[str, Markup]:
    """Return the charts by name, without those that have no data."""
    share = board.headline.share_of_voice_pct
    charts = {
        "scores": ("visibility_score", list_score_bars(board.competitors, places)),
        "shares": ("share_of_voice_pct", list_share_bars(board.competitors, places, (share.low, share.high))),
    }
    drawn = {}
    for name, (metric, rows) in charts.items():
        measured = [row for row in rows if row.value is not None]
        if measured:
            height = ROW_HEIGHT * len(measured) + 30
            is_share = name == "shares"
            drawn[name] = CHARTS.render(
                build_head_to_head_chart(rows, "%" if is_share else ""),
                name,
                gettext(
                    "%(metric)s of %(brand)s and its competitors", metric=gettext(METRIC_NAMES[metric]), brand=brand
                ),
                _describe_lead(measured, format_percent if is_share else format_number),
                sizes=((520, height), (320, height)),
            )
    return drawn


def _describe_lead(rows: Sequence[BrandBar], write: Callable[[Number | None], str]) -> str:
    first = max(rows, key=lambda row: row.value or 0)
    own = next((row for row in rows if row.place == 0), None)
    lead = gettext("%(name)s has the most: %(value)s.", name=first.name, value=write(first.value))
    if own is None or own is first:
        return lead
    ours = gettext("%(name)s has %(value)s.", name=own.name, value=write(own.value))
    return f"{lead} {ours}"


async def _find_evidence(
    ctx: PageContext, rows: Sequence[CompetitorRow], scan_id: uuid.UUID | None
) -> list[Suggestion]:
    """Return each suggestion with the answers of the scoreboard's check that name it."""
    names = [row.found_as for row in rows if row.found_as]
    if scan_id is None or not names:
        return [Suggestion(row, None) for row in rows]
    found = await find_name_mentions(ctx.db, ctx.actor.workspace_id, scan_id, names)
    return [Suggestion(row, found.get(row.found_as or "")) for row in rows]


PAGES = (competitors_page, add_competitor, review_competitor)
