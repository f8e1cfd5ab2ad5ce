"""One cited site: how often, where and for which prompts, and what people say it is."""

import asyncio

from markupsafe import Markup
from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.domains.recomputations.request import read_recomputation
from sightline.errors import Problem
from sightline.presentation.language import gettext, translatable
from sightline.presentation.source_types import name_site_type
from sightline.scans.sources import classify_site
from sightline.scoreboard.answer_list.filter import MAX_LENGTH, AnswerFilter
from sightline.scoreboard.breakdowns.read import Breakdown, CitedShare, is_ever_cited, read_citations, to_share_figure
from sightline.scoreboard.site_decisions.decide import DECISIONS, decide_site, read_standing
from sightline.web.filter_bar import open_filter_bar, read_bar_board
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest, require_role, require_same_origin
from sightline.web.pages.dashboard.evidence_links import AnswerLinks
from sightline.web.pages.dashboard.share_charts import WHY_NOT_COMPARED, render_share_trend
from sightline.web.paging import cut_numbered_page
from sightline.web.routing import form_action, page, redirect

_PAGE_SIZE = 40
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
    require_same_origin(request)
    ctx = await open_domain(request, workspace, domain)
    require_role(ctx.actor, Role.EDITOR)
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
    prompts = sorted(counts.prompts, key=lambda row: (-row[1].cited, row[0].text))
    return render_page(
        ctx,
        "app/source.html",
        section="sources",
        title=site,
        bar=bar.ignoring("against", why=gettext(WHY_NOT_COMPARED)),
        shown=shown,
        site=site,
        type_name=name_site_type(known.type if known else classify_site(site)),
        is_expired=shown.is_expired,
        pages_cited=known.urls if known else 0,
        standing=await read_standing(db, workspace_id, ctx.domain, site),
        counts=counts,
        chart=await asyncio.to_thread(_render_chart, counts, site),
        prompts=cut_numbered_page(request, [row for row in prompts if row[1].cited], _PAGE_SIZE),
        links=AnswerLinks(ctx.path("answers"), wanted),
        share=to_share_figure,
        recompute=await read_recomputation(db, workspace_id, ctx.domain.id),
        done=gettext(_DONE_TEXTS[done]) if done in _DONE_TEXTS else None,
        problem=problem,
    )


def _render_chart(counts: Breakdown[CitedShare], site: str) -> Markup | None:
    shares = [(check.completed_at, to_share_figure(each.cited, each.answers)) for check, each in counts.checks]
    return render_share_trend(gettext("Share of answers that cite %(site)s", site=site), site, shares)


PAGES = (source_page, decide)
