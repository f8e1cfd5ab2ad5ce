"""The competitors of a domain: the ranking, suggestions from answers, and reviewing them."""

import uuid
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime

from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.competitors import review
from sightline.db.engine import Transaction
from sightline.domains.recomputations.request import read_recomputation
from sightline.errors import Problem
from sightline.insights.findings.read import read_story
from sightline.kit.ids import parse_id
from sightline.presentation.language import gettext, translatable
from sightline.presentation.phrases import describe_position
from sightline.web.filter_bar import FilterBar, explain_period, open_filter_bar, read_bar_board
from sightline.web.forms import split_names
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest, require_role, require_same_origin
from sightline.web.pages.dashboard.evidence_links import link_competitors
from sightline.web.pages.dashboard.first_check import find_suggestions
from sightline.web.pages.dashboard.page_league import DEFAULT_METRIC, METRICS, build_page_league, choose_metric
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


@page("/w/{workspace}/d/{domain}/competitors")
async def competitors_page(request: PageRequest, workspace: str, domain: str, done: str = "") -> Response:
    ctx = await open_domain(request, workspace, domain)
    return await _render_competitors(ctx, await _open_bar(request, ctx), done=done)


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
        bar = await _open_bar(request, ctx)
        return await _render_competitors(ctx, bar, problem=problem)
    return redirect(ctx.path("competitors") + "?done=added")


@form_action("/w/{workspace}/d/{domain}/competitors/track")
async def track_competitors(request: PageRequest, workspace: str, domain: str) -> Response:
    """Confirm the suggestions that are ticked on the Overview, all of them or none."""
    ctx, form = await _receive_form(request, workspace, domain)
    assert ctx.domain is not None
    try:
        async with ctx.db.transaction() as tx:
            for ticked in (await request.form()).getlist("competitor"):
                site = form.get(f"domain-{ticked}", "").strip() or None
                await review.confirm_competitor(
                    tx, ctx.actor.workspace_id, ctx.domain.id, parse_id(str(ticked)), domain=site, now=ctx.now
                )
    except Problem as problem:
        if problem.kind.status == 404:
            raise
        return await _render_competitors(ctx, await _open_bar(request, ctx), problem=problem)
    return redirect(ctx.path())


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
        return await _render_competitors(ctx, await _open_bar(request, ctx), problem=problem)
    return redirect(ctx.path("competitors") + f"?done={step}")


async def _open_bar(request: PageRequest, ctx: PageContext) -> FilterBar:
    return await open_filter_bar(request, ctx, "competitors", keep=("metric",))


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
    story = None if shown.scan is None else await read_story(db, shown.scan, ctx.domain.brand_name)
    metric = choose_metric(bar.kept.get("metric", ""))
    return render_page(
        ctx,
        "app/competitors.html",
        section="competitors",
        title=gettext("Competitors"),
        bar=explain_period(bar, shown),
        shown=shown,
        standing=describe_position(ctx.domain.brand_name, board.headline.market_position),
        league=build_page_league(shown, story, metric, limit=review.MAX_CONFIRMED + 1),
        metric=metric,
        metric_name=gettext(METRICS[metric]),
        metrics=[("" if key == DEFAULT_METRIC else key, gettext(words)) for key, words in METRICS.items()],
        competitor_paths=await link_competitors(ctx, board.competitors),
        confirmed=by_status["confirmed"],
        suggestions=await find_suggestions(ctx, suggested, scan_id),
        more_suggested=len(by_status["suggested"]) - len(suggested),
        hidden=by_status["hidden"],
        dismissed=by_status["dismissed"],
        scan_id=scan_id,
        max_confirmed=review.MAX_CONFIRMED,
        recompute=await read_recomputation(db, workspace_id, domain_id),
        done=gettext(_DONE_TEXTS[done]) if done in _DONE_TEXTS else None,
        problem=problem,
    )


PAGES = (competitors_page, add_competitor, track_competitors, review_competitor)
