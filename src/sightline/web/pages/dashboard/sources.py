"""The sites that platforms cite, by type, and those cited where answers name competitors but not the brand."""

from collections import Counter
from collections.abc import Sequence

from starlette.responses import Response

from sightline.presentation.language import gettext
from sightline.presentation.lists import join_names
from sightline.presentation.source_types import SOURCE_TYPES, name_site_type
from sightline.scans.schemas.results import SourceResult
from sightline.scoreboard.site_decisions.decide import list_ignored_sites
from sightline.scoreboard.source_gaps import SourceGaps, read_part_gaps, read_source_gaps
from sightline.scoreboard.subsets.read import FilteredBoard
from sightline.web.filter_bar import explain_period, open_filter_bar, read_bar_board
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.routing import page

_MAX_SITES = 100
_MAX_GAPS = 30
_MAX_RIVALS = 3


@page("/w/{workspace}/d/{domain}/sources")
async def sources_page(request: PageRequest, workspace: str, domain: str) -> Response:
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    db, actor = ctx.db, ctx.actor
    shown, bar = await read_bar_board(ctx, await open_filter_bar(request, ctx, "sources", keep=("type",)))
    board = shown.board
    requested = request.query_params.get("type", "")
    chosen = requested if requested in SOURCE_TYPES else None
    listed = [row for row in board.sources if chosen in {None, row.type}]
    return render_page(
        ctx,
        "app/sources.html",
        section="sources",
        title=gettext("Sources"),
        bar=explain_period(bar, shown).ignoring(
            "against", why=gettext("This page counts sites in one check at a time. The page of a site shows its trend.")
        ),
        shown=shown,
        board=board,
        types=_count_types(board.sources),
        name_site_type=name_site_type,
        chosen=chosen,
        listed=listed[:_MAX_SITES],
        more=max(0, len(listed) - _MAX_SITES),
        gaps=await _read_gaps(ctx, shown),
        max_gaps=_MAX_GAPS,
        describe_rivals=_describe_rivals,
        has_competitors=any(not row.is_own for row in board.competitors),
        is_expired=shown.is_expired,
        ignored=(await list_ignored_sites(db, actor.workspace_id, ctx.domain.id))[:_MAX_GAPS],
    )


async def _read_gaps(ctx: PageContext, shown: FilteredBoard) -> SourceGaps:
    assert ctx.domain is not None
    if shown.scan is not None and (shown.filter.part or shown.is_past):
        return await read_part_gaps(ctx.db, shown.scan, shown.board)
    return await read_source_gaps(ctx.db, ctx.actor.workspace_id, ctx.domain.id)


def _describe_rivals(names: Sequence[str]) -> str:
    rest = len(names) - _MAX_RIVALS
    return join_names([*names[:_MAX_RIVALS], gettext("%(number)s more", number=rest)] if rest > 0 else names)


def _count_types(rows: Sequence[SourceResult]) -> list[tuple[str, str, int, int]]:
    """Return key, name, sites and pages of each cited type, the most cited first."""
    sites = Counter(row.type for row in rows)
    pages: Counter[str] = Counter()
    for row in rows:
        pages[row.type] += row.urls
    return [
        (key, SOURCE_TYPES[key], sites[key], pages[key]) for key in sorted(sites, key=lambda key: (-pages[key], key))
    ]


PAGES = (sources_page,)
