"""The sites that platforms cite, by type, and those that cite competitors but not the brand."""

from collections import Counter
from collections.abc import Sequence

import msgspec
from litestar import Response
from litestar.params import FromPath

from sightline.scans.schemas.results import SourceResult
from sightline.scoreboard.analytics import read_scoreboard
from sightline.scoreboard.schemas import Board
from sightline.scoreboard.site_decisions.decide import list_ignored_sites
from sightline.scoreboard.source_gaps import read_source_gaps
from sightline.web.layout import render_page
from sightline.web.page_context import open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.freshness import describe_freshness
from sightline.web.routing import page

_MAX_SITES = 100
_MAX_GAPS = 30
_read_board = msgspec.json.Decoder(Board).decode
SOURCE_TYPES = {
    "own": "Your own",
    "competitor": "Competitors",
    "review": "Reviews",
    "list": "Lists and comparisons",
    "forum": "Forums",
    "news": "News",
    "video": "Video",
    "encyclopaedia": "Encyclopaedias",
    "government": "Government",
    "shop": "Shops",
    "other": "Other",
}


@page("/w/{workspace:str}/d/{domain:str}/sources")
async def sources_page(request: PageRequest, workspace: FromPath[str], domain: FromPath[str]) -> Response[str]:
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    db, actor = ctx.db, ctx.actor
    board = _read_board((await read_scoreboard(db, actor, ctx.domain, now=ctx.now)).board)
    requested = request.query_params.get("type", "")
    chosen = requested if requested in SOURCE_TYPES else None
    listed = [row for row in board.sources if chosen in {None, row.type}]
    return render_page(
        ctx,
        "app/sources.html",
        section="sources",
        title="Sources",
        freshness=describe_freshness(ctx.domain, ctx.now),
        board=board,
        types=_count_types(board.sources),
        type_names=SOURCE_TYPES,
        chosen=chosen,
        listed=listed[:_MAX_SITES],
        more=max(0, len(listed) - _MAX_SITES),
        gaps=await read_source_gaps(db, actor.workspace_id, ctx.domain.id),
        max_gaps=_MAX_GAPS,
        ignored=(await list_ignored_sites(db, actor.workspace_id, ctx.domain.id))[:_MAX_GAPS],
    )


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
