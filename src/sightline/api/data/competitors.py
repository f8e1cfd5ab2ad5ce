"""Confirmed competitors of a tracked domain, read only. They are confirmed, dismissed and added in the dashboard."""

from sightline.api.edge.envelope import Envelope, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Resource
from sightline.competitors import review
from sightline.competitors.schemas import TrackedCompetitor, to_tracked_competitor
from sightline.domains.tracking.read import read_tracked_domain
from sightline.kit.ids import parse_id

RESOURCE = Resource(
    "data",
    "Competitors",
    "Confirmed competitors that a tracked domain is measured against.",
    {"competitors": "Confirmed competitors of a tracked domain"},
)


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/competitors",
    summary="List confirmed competitors",
    sdk="competitors.list",
    paged=True,
    data_api="insights",
    problems=("domain_not_found",),
)
async def list_competitors(exchange: Exchange, domain_id: str) -> Page[TrackedCompetitor]:
    """List confirmed competitors, most recently updated first, 50 per page.

    Competitors that nobody has reviewed, or that were dismissed or hidden, are not listed.
    """
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    paging = exchange.paging(f"data.competitors:{domain.id}")
    rows = await review.list_competitors(
        exchange.db, exchange.actor.workspace_id, domain.id, after=paging.after_time_and_id, page_size=paging.size
    )
    return paging.page(rows.map(to_tracked_competitor))


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/competitors/{competitor_id}",
    summary="Read a confirmed competitor",
    sdk="competitors.retrieve",
    data_api="insights",
    problems=("domain_not_found", "not_found"),
)
async def read_competitor(exchange: Exchange, domain_id: str, competitor_id: str) -> Envelope[TrackedCompetitor]:
    """Return one confirmed competitor. Returns 404 for any other competitor."""
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    row = await review.read_competitor(exchange.db, exchange.actor.workspace_id, domain.id, parse_id(competitor_id))
    return Envelope(to_tracked_competitor(row))
