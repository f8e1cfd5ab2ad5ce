"""Which sites the platforms cite, by what kind of site they are, and which of them speak for competitors alone."""

from collections import Counter
from collections.abc import Sequence

import msgspec
from litestar import Response
from litestar.params import FromPath

from sightline.scans.schemas.results import SourceResult
from sightline.scoreboard.analytics import read_scoreboard
from sightline.scoreboard.schemas import Board
from sightline.scoreboard.source_gaps import read_source_gaps
from sightline.web.layout import render_page
from sightline.web.page_context import open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.words import say_freshness
from sightline.web.routing import page

_MOST_SITES = 100
_MOST_GAPS = 30
_read_board = msgspec.json.Decoder(Board).decode
TYPES = {
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
async def sources(request: PageRequest, workspace: FromPath[str], domain: FromPath[str]) -> Response[str]:
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    db, actor = ctx.db, ctx.actor
    board = _read_board((await read_scoreboard(db, actor, ctx.domain, now=ctx.now)).board)
    asked = request.query_params.get("type", "")
    chosen = asked if asked in TYPES else None
    listed = [row for row in board.sources if chosen in {None, row.type}]
    return render_page(
        ctx,
        "app/sources.html",
        section="sources",
        title="Sources",
        freshness=say_freshness(ctx.domain, ctx.now),
        board=board,
        types=_count_types(board.sources),
        type_names=TYPES,
        chosen=chosen,
        listed=listed[:_MOST_SITES],
        more=max(0, len(listed) - _MOST_SITES),
        gaps=await read_source_gaps(db, actor.workspace_id, ctx.domain.id),
        most_gaps=_MOST_GAPS,
    )


def _count_types(rows: Sequence[SourceResult]) -> list[tuple[str, str, int, int]]:
    """Key, name, sites and pages of each type that is cited at all, the most cited first."""
    sites = Counter(row.type for row in rows)
    pages: Counter[str] = Counter()
    for row in rows:
        pages[row.type] += row.urls
    return [(key, TYPES[key], sites[key], pages[key]) for key in sorted(sites, key=lambda key: (-pages[key], key))]


PAGES = (sources,)
