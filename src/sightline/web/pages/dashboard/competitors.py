"""The competitors of a domain: the league, suggestions and reviewing them, and the duel of one with the brand."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime

from markupsafe import Markup
from starlette.responses import Response

from sightline.competitors import review
from sightline.competitors.display_order import assign_display_order
from sightline.competitors.queries import list_all_competitors
from sightline.db.engine import Transaction
from sightline.domains.recomputations.queries import read_recomputation
from sightline.errors import Problem
from sightline.insights.findings.read import read_story
from sightline.kit.ids import parse_id
from sightline.metrics.compare import Verdict
from sightline.presentation.language import gettext, translatable
from sightline.presentation.phrases import describe_position
from sightline.scans.schemas.results import CompetitorResult
from sightline.scans.schemas.scan import SCOPE_LABELS
from sightline.scoreboard.answer_list.filter import AnswerFilter
from sightline.scoreboard.breakdowns.read import AskedPrompt, Breakdown, HeadToHead, read_head_to_head, to_share_figure
from sightline.scoreboard.history.trend import SurfaceBreak, read_surface_breaks
from sightline.web.filter_bar import FilterBar, explain_period, open_filter_bar, read_bar_board
from sightline.web.forms import Form, split_names
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain, receive_form
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.evidence_links import AnswerLinks, link_competitors
from sightline.web.pages.dashboard.first_check import find_suggestions
from sightline.web.pages.dashboard.page_league import DEFAULT_METRIC, METRICS, build_page_league, choose_metric
from sightline.web.pages.dashboard.share_charts import WHY_NOT_COMPARED, describe_breaks, render_share_trend
from sightline.web.paging import cut_numbered_page
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

ReviewStep = Callable[[Transaction, uuid.UUID, uuid.UUID, uuid.UUID | None, Form, datetime], Awaitable[object]]

_REVIEW_STEPS: Mapping[str, ReviewStep] = {
    "confirm": lambda tx, workspace, domain, id_, form, now: review.confirm_competitor(
        tx, workspace, domain, id_, domain=form.text("domain") or None, now=now
    ),
    "dismiss": lambda tx, workspace, domain, id_, _, now: review.dismiss_competitor(
        tx, workspace, domain, id_, now=now
    ),
    "hide": lambda tx, workspace, domain, id_, _, now: review.hide_competitor(tx, workspace, domain, id_, now=now),
    "unhide": lambda tx, workspace, domain, id_, _, now: review.unhide_competitor(tx, workspace, domain, id_, now=now),
    "rename": lambda tx, workspace, domain, id_, form, now: review.rename_competitor(
        tx, workspace, domain, id_, split_names(form.text("names")), now=now
    ),
}


@page("/w/{workspace}/d/{domain}/competitors")
async def competitors_page(request: PageRequest, workspace: str, domain: str, done: str = "") -> Response:
    ctx = await open_domain(request, workspace, domain)
    return await _render_competitors(ctx, await _open_bar(request, ctx), done=done)


@form_action("/w/{workspace}/d/{domain}/competitors")
async def add_competitor(request: PageRequest, workspace: str, domain: str) -> Response:
    ctx, form = await receive_form(request, workspace, domain)
    assert ctx.domain is not None
    name, aliases = form.text("domain"), form.text("names")
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
    ctx, form = await receive_form(request, workspace, domain)
    assert ctx.domain is not None
    try:
        async with ctx.db.transaction() as tx:
            for ticked in form.values("competitor"):
                site = form.text(f"domain-{ticked}") or None
                await review.confirm_competitor(
                    tx, ctx.actor.workspace_id, ctx.domain.id, parse_id(ticked), domain=site, now=ctx.now
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
    ctx, form = await receive_form(request, workspace, domain)
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
    rows = await list_all_competitors(db, workspace_id, domain_id)
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


_PAGE_SIZE = 40
_VERDICTS: dict[Verdict, str] = {
    "up": translatable("The difference is significant."),
    "down": translatable("The difference is significant."),
    "no_clear_change": translatable("It is not certain who is named more often."),
}


@page("/w/{workspace}/d/{domain}/competitors/{competitor}")
async def competitor_page(request: PageRequest, workspace: str, domain: str, competitor: str) -> Response:
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    db, workspace_id = ctx.db, ctx.actor.workspace_id
    row = await review.read_competitor(db, workspace_id, ctx.domain.id, parse_id(competitor))
    bar = await open_filter_bar(request, ctx, "competitors", competitor)
    shown, bar = await read_bar_board(ctx, bar)
    scan = shown.scan
    standing = find_standing(shown.board.competitors, row.competitor_domain)
    name = standing.name if standing else row.all_names[0] if row.all_names else row.competitor_domain or ""
    wanted = AnswerFilter(check="" if scan is None else str(scan.id), counted="headline", **bar.filter.part)
    period = bar.filter.find_period(ctx.now)
    breaks = await read_surface_breaks(db, scan, since=period.start, platform=bar.filter.platform)
    counts = await read_head_to_head(db, workspace_id, ctx.domain, wanted, period, name) if standing else None
    places = await assign_display_order(db, workspace_id, ctx.domain.id, [standing] if standing else [])
    return render_page(
        ctx,
        "app/competitor.html",
        section="competitors",
        title=name,
        bar=bar.ignoring("against", why=gettext(WHY_NOT_COMPARED)).with_notes(*describe_breaks(breaks)),
        row=row,
        name=name,
        is_expired=shown.is_expired,
        standing=standing,
        check=None if scan is None else (scan.id, SCOPE_LABELS[scan.measurement_scope], scan.completed_at),
        counts=counts,
        verdict="" if counts is None else _describe_verdict(counts.total),
        chart=counts and await asyncio.to_thread(_render_chart, counts, name, places, ctx.domain.brand_name, breaks),
        prompts=cut_numbered_page(request, _sort_by_gap(counts.prompts if counts else ()), _PAGE_SIZE),
        links=AnswerLinks("../answers", wanted),  # relative, because there are many
        share=to_share_figure,
        recompute=await read_recomputation(db, workspace_id, ctx.domain.id),
    )


def find_standing(ranking: Sequence[CompetitorResult], domain: str | None) -> CompetitorResult | None:
    """Return the row of the ranking that a competitor is measured in; None if it is not measured yet."""
    return next((each for each in ranking if not each.is_own and domain in each.domains), None)


def _describe_verdict(total: HeadToHead) -> str:
    return gettext(_VERDICTS[total.verdict]) if total.answers else ""


def _sort_by_gap(prompts: Sequence[tuple[AskedPrompt, HeadToHead]]) -> list[tuple[AskedPrompt, HeadToHead]]:
    """Sort the prompts by how many more answers name only the competitor than only the brand, most first."""
    return sorted(prompts, key=lambda row: (row[1].only_ours - row[1].only_theirs, -row[1].theirs, row[0].text))


def _render_chart(
    counts: Breakdown[HeadToHead], name: str, places: Mapping[str, int], brand: str, breaks: Sequence[SurfaceBreak]
) -> Markup | None:
    ours = [(check.completed_at, to_share_figure(each.ours, each.answers)) for check, each in counts.checks]
    theirs = [(check.completed_at, to_share_figure(each.theirs, each.answers)) for check, each in counts.checks]
    title = gettext("Share of answers that name %(name)s and %(brand)s", name=name, brand=brand)
    return render_share_trend(title, brand, ours, other=(name, places.get(name, 1), theirs), breaks=breaks)
