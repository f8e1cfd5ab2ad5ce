"""The sites that platforms cite, new, lost and in the gap, and the page of one site with what people say it is."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup
from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.domains.recomputations.queries import read_recomputation
from sightline.errors import Problem
from sightline.platforms.names import platform_name
from sightline.presentation.charts.small_charts import draw_sparkline
from sightline.presentation.language import gettext, translatable
from sightline.presentation.source_types import SOURCE_TYPES, name_site_type, name_source_type
from sightline.scans.schemas.results import SourceResult
from sightline.scans.sources import classify_site
from sightline.scoreboard.answer_list.filter import MAX_LENGTH, AnswerFilter
from sightline.scoreboard.breakdowns.read import (
    Breakdown,
    CitedShare,
    is_ever_cited,
    read_citations,
    read_page_trends,
    read_site_trends,
    to_share_figure,
)
from sightline.scoreboard.check_changes.schemas import CheckChanges
from sightline.scoreboard.history.trend import SurfaceBreak, read_surface_breaks
from sightline.scoreboard.read import read_check_changes
from sightline.scoreboard.site_decisions.decide import DECISIONS, decide_site, read_standing
from sightline.scoreboard.site_decisions.queries import list_ignored_sites
from sightline.scoreboard.source_gaps import SourceGaps, read_part_gaps, read_source_gaps
from sightline.scoreboard.subsets.read import FilteredBoard
from sightline.web.filter_bar import open_filter_bar, read_bar_board
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.evidence_links import AnswerLinks
from sightline.web.pages.dashboard.share_charts import WHY_NOT_COMPARED, describe_breaks, render_share_trend
from sightline.web.paging import cut_numbered_page
from sightline.web.routing import form_action, page, redirect

_PAGE_SIZE = 25
_TABS = {
    "": translatable("All sites"),
    "new": translatable("New"),
    "lost": translatable("Lost"),
    "gap": translatable("Gap"),
}


class SiteCount(NamedTuple):
    """A number of answers that cite a site, with their list. `name` is the platform, or empty for all of them."""

    name: str
    answers: int
    path: str


class SiteRow(NamedTuple):
    site: str
    type: str
    is_own: bool
    counts: Sequence[SiteCount]
    pages: Sequence[str] = ()
    """Pages of the site to get listed on."""


@page("/w/{workspace}/d/{domain}/sources")
async def sources_page(request: PageRequest, workspace: str, domain: str) -> Response:
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    at = (ctx.db, ctx.actor.workspace_id)
    bar = await open_filter_bar(request, ctx, "sources", keep=("type", "tab"))
    shown, noted = await read_bar_board(ctx, bar)
    tab = bar.kept.get("tab", "") if bar.kept.get("tab") in _TABS else ""
    site_type = bar.kept.get("type", "") if bar.kept.get("type") in SOURCE_TYPES else ""
    changes = None if shown.scan is None else await read_check_changes(*at, shown.scan.id)
    gaps = await _read_gaps(ctx, shown) if tab == "gap" else None
    rows = {
        "": lambda: _list_all(ctx, shown, site_type),
        "gap": lambda: _list_gaps(ctx, shown, gaps or SourceGaps(0, ())),
    }.get(tab, lambda: _list_changed(ctx, changes, tab, bar.filter.platform))()
    counted = AnswerFilter(**bar.filter.part)
    trends = await read_site_trends(*at, ctx.domain, counted, bar.filter.find_period(ctx.now))
    numbers = _count_changed(changes, bar.filter.platform)
    return render_page(
        ctx,
        "app/sources.html",
        section="sources",
        title=gettext("Sources"),
        bar=noted.ignoring("against", why=gettext("New and lost sites are those since the previous Full Check.")),
        shown=shown,
        board=shown.board,
        tab=tab,
        tabs=[(key, gettext(words), numbers.get(key)) for key, words in _TABS.items()],
        types=Counter(row.type for row in shown.board.sources).most_common(),
        name_source_type=name_source_type,
        chosen_type=site_type,
        name_site_type=name_site_type,
        rows=cut_numbered_page(request, rows, _PAGE_SIZE),
        draw_trend=lambda site: draw_sparkline(trends.get(site, ())),
        changes=changes,
        gaps=gaps,
        has_competitors=any(not row.is_own for row in shown.board.competitors),
        ignored=await list_ignored_sites(*at, ctx.domain.id) if tab == "gap" else (),
    )


def _list_all(ctx: PageContext, shown: FilteredBoard, site_type: str) -> list[SiteRow]:
    return [
        SiteRow(row.domain, row.type, row.is_own, [_count(ctx, shown, row)])
        for row in shown.board.sources
        if site_type in ("", row.type)
    ]


def _count(ctx: PageContext, shown: FilteredBoard, row: SourceResult) -> SiteCount:
    path = ctx.path("answers") + shown.answers_query(site=row.domain, counted="board")
    return SiteCount("", row.answers, path)


def _list_gaps(ctx: PageContext, shown: FilteredBoard, gaps: SourceGaps) -> list[SiteRow]:
    fields = {"counted": "board", "rivals": "named", "brand": "absent"}
    path = ctx.path("answers")
    return [
        SiteRow(
            site.domain,
            site.type,
            is_own=False,
            counts=[SiteCount("", site.answers, path + shown.answers_query(site=site.domain, **fields))],
            pages=[each.url for each in site.pages],
        )
        for site in gaps.sites
    ]


def _list_changed(ctx: PageContext, changes: CheckChanges | None, change: str, platform: str) -> list[SiteRow]:
    """List the sites that platforms began to cite since the previous Full Check, or that they stopped citing."""
    if changes is None:
        return []
    checks = (changes.scan_id, changes.against_scan_id)
    check, against = map(str, checks if change == "new" else reversed(checks))
    sites: dict[str, list[SiteCount]] = {}
    for each in changes.sources:
        if each.change == change and platform in ("", each.platform):
            wanted = AnswerFilter(
                check=check, against=against, counted="headline", platform=each.platform, site=each.site
            )
            found = SiteCount(platform_name(each.platform), each.answers, ctx.path("answers") + wanted.to_query())
            sites.setdefault(each.site, []).append(found)
    rows = [SiteRow(site, classify_site(site), is_own=False, counts=counts) for site, counts in sites.items()]
    return sorted(rows, key=lambda row: (-_sum_answers(row.counts), row.site))


def _sum_answers(counts: Iterable[SiteCount]) -> int:
    return sum(each.answers for each in counts)


def _count_changed(changes: CheckChanges | None, platform: str) -> Mapping[str, int]:
    """Return how many sites are new and lost."""
    sources = () if changes is None else changes.sources
    found = {(each.change, each.site) for each in sources if platform in ("", each.platform)}
    return Counter(change for change, _ in found)


async def _read_gaps(ctx: PageContext, shown: FilteredBoard) -> SourceGaps:
    assert ctx.domain is not None
    if shown.scan is not None and (shown.filter.part or shown.is_past):
        return await read_part_gaps(ctx.db, shown.scan, shown.board)
    return await read_source_gaps(ctx.db, ctx.actor.workspace_id, ctx.domain.id)


_MAX_PAGES = 10
_DONE_TEXTS = {
    "competitor": translatable("Confirmed as a competitor. Past results are being updated."),
    "not-competitor": translatable("No longer a competitor. Comparisons leave it out from now on."),
    "own": translatable("Added to your own domains. Past results are being updated."),
    "not-own": translatable("Removed from your own domains."),
    "ignore": translatable("Ignored. It is no longer shown as a place to get listed."),
    "unignore": translatable("No longer ignored. It can be shown as a place to get listed again."),
}


@page("/w/{workspace}/d/{domain}/sources/{site}")
async def source_page(
    request: PageRequest,
    workspace: str,
    domain: str,
    site: str,
    done: str = "",
) -> Response:
    return await _render_source(request, await open_domain(request, workspace, domain), site, done=done)


@form_action("/w/{workspace}/d/{domain}/sources/{site}/{decision}")
async def decide(request: PageRequest, workspace: str, domain: str, site: str, decision: str) -> Response:
    """Say what the site is, or undo that. Sending it twice changes nothing."""
    ctx = await open_domain(request, workspace, domain, needs=Role.EDITOR)
    assert ctx.domain is not None
    chosen = next((each for each in DECISIONS if each == decision), None)
    if chosen is None:
        raise Problem("not_found")
    try:
        async with ctx.db.transaction() as tx:
            await decide_site(tx, ctx.actor, ctx.domain.id, site, chosen, now=ctx.now)
    except Problem as problem:
        if problem.kind.status == 404:
            raise
        return await _render_source(request, ctx, site, problem=problem)
    return redirect(ctx.path("sources", site) + f"?done={decision}")


async def _render_source(
    request: PageRequest, ctx: PageContext, site: str, *, done: str = "", problem: Problem | None = None
) -> Response:
    assert ctx.domain is not None
    db, workspace_id = ctx.db, ctx.actor.workspace_id
    bar = await open_filter_bar(request, ctx, "sources", site)
    shown, bar = await read_bar_board(ctx, bar)
    known = next((row for row in shown.board.sources if row.domain == site), None)
    if known is None and (len(site) > MAX_LENGTH or not await is_ever_cited(db, workspace_id, ctx.domain.id, site)):
        raise Problem("not_found", "No answer has cited this site.")
    wanted = AnswerFilter(counted="board", **shown.answer_fields)
    counts = await read_citations(db, workspace_id, ctx.domain, wanted, bar.filter.find_period(ctx.now), site)
    part = AnswerFilter(**bar.filter.part)
    pages = await read_page_trends(db, workspace_id, ctx.domain, part, bar.filter.find_period(ctx.now), site)
    prompts = sorted(counts.prompts, key=lambda row: (-row[1].cited, row[0].text))
    breaks = await read_surface_breaks(
        db, shown.scan, since=bar.filter.find_period(ctx.now).start, platform=bar.filter.platform
    )
    return render_page(
        ctx,
        "app/source.html",
        section="sources",
        title=site,
        bar=bar.ignoring("against", why=gettext(WHY_NOT_COMPARED)).with_notes(*describe_breaks(breaks)),
        shown=shown,
        site=site,
        type_name=name_site_type(known.type if known else classify_site(site)),
        is_expired=shown.is_expired,
        pages=pages[:_MAX_PAGES],
        more_pages=len(pages) - _MAX_PAGES,
        draw_trend=draw_sparkline,
        standing=await read_standing(db, workspace_id, ctx.domain, site),
        counts=counts,
        chart=await asyncio.to_thread(_render_chart, counts, site, breaks),
        prompts=cut_numbered_page(request, [row for row in prompts if row[1].cited], _PAGE_SIZE),
        links=AnswerLinks(ctx.path("answers"), wanted),
        share=to_share_figure,
        recompute=await read_recomputation(db, workspace_id, ctx.domain.id),
        done=gettext(_DONE_TEXTS[done]) if done in _DONE_TEXTS else None,
        problem=problem,
    )


def _render_chart(counts: Breakdown[CitedShare], site: str, breaks: Sequence[SurfaceBreak]) -> Markup | None:
    shares = [(check.completed_at, to_share_figure(each.cited, each.answers)) for check, each in counts.checks]
    title = gettext("Share of answers that cite %(site)s", site=site)
    return render_share_trend(title, site, shares, breaks=breaks)
