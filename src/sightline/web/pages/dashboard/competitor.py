"""One competitor next to the brand: who is named and who is first, by platform, by prompt and over time."""

import asyncio
from collections.abc import Mapping, Sequence

from markupsafe import Markup
from starlette.responses import Response

from sightline.competitors import review
from sightline.competitors.display_order import assign_display_order
from sightline.domains.recomputations.request import read_recomputation
from sightline.kit.ids import parse_id
from sightline.metrics.compare import Verdict
from sightline.presentation.language import gettext, translatable
from sightline.scans.schemas.results import CompetitorResult
from sightline.scans.schemas.scan import SCOPE_LABELS
from sightline.scoreboard.answer_list.filter import AnswerFilter
from sightline.scoreboard.breakdowns.read import AskedPrompt, Breakdown, HeadToHead, read_head_to_head, to_share_figure
from sightline.web.filter_bar import open_filter_bar, read_bar_board
from sightline.web.layout import render_page
from sightline.web.page_context import open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.answer_text import brand_css_class
from sightline.web.pages.dashboard.evidence_links import AnswerLinks
from sightline.web.pages.dashboard.share_charts import WHY_NOT_COMPARED, render_share_trend
from sightline.web.paging import cut_numbered_page
from sightline.web.routing import page

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
    counts = await read_head_to_head(db, workspace_id, ctx.domain, wanted, period, name) if standing else None
    places = await assign_display_order(db, workspace_id, ctx.domain.id, [standing] if standing else [])
    return render_page(
        ctx,
        "app/competitor.html",
        section="competitors",
        title=name,
        bar=bar.ignoring("against", why=gettext(WHY_NOT_COMPARED)),
        shown=shown,
        row=row,
        name=name,
        is_expired=shown.is_expired,
        standing=standing,
        css_class=brand_css_class(places.get(name, 1)),
        check=None if scan is None else (scan.id, SCOPE_LABELS[scan.measurement_scope], scan.completed_at),
        counts=counts,
        verdict="" if counts is None else _describe_verdict(counts.total),
        chart=counts and await asyncio.to_thread(_render_chart, counts, name, places, ctx.domain.brand_name),
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


def _render_chart(counts: Breakdown[HeadToHead], name: str, places: Mapping[str, int], brand: str) -> Markup | None:
    ours = [(check.completed_at, to_share_figure(each.ours, each.answers)) for check, each in counts.checks]
    theirs = [(check.completed_at, to_share_figure(each.theirs, each.answers)) for check, each in counts.checks]
    title = gettext("Share of answers that name %(name)s and %(brand)s", name=name, brand=brand)
    return render_share_trend(title, brand, ours, other=(name, places.get(name, 1), theirs))


PAGES = (competitor_page,)
