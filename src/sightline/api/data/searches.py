"""What the platforms searched for to answer the prompts of a tracked domain."""

from sightline.api.data.checks import RESOURCE
from sightline.api.edge.envelope import Page
from sightline.api.edge.exchange import Exchange
from sightline.domains.tracking.read import read_tracked_domain
from sightline.kit.ids import parse_id
from sightline.scoreboard.answer_list import searches
from sightline.scoreboard.answer_list.read import select_answers
from sightline.scoreboard.answer_list.searches import PlatformSearch, to_recent_answers


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/searches",
    summary="List searches that platforms ran",
    sdk="searches.list",
    paged=True,
    data_api="insights",
    problems=("domain_not_found",),
)
async def list_searches(exchange: Exchange, domain_id: str) -> Page[PlatformSearch]:
    """List the searches that platforms made in the last 28 days, one row for each search and prompt, 50 per page.

    Searches of the newest check come first, those with the most answers in that check at the top. Some platforms do not
    report their searches.
    """
    db, workspace_id = exchange.db, exchange.actor.workspace_id
    domain = await read_tracked_domain(db, exchange.actor, parse_id(domain_id))
    paging = exchange.paging(f"data.domains.{domain.id}.searches")
    selection = await select_answers(db, workspace_id, domain, to_recent_answers(exchange.now), None)
    return paging.page(await searches.list_searches(db, selection, after=paging.after, page_size=paging.size))
