"""Findings of the checks of a tracked domain, read only: alerts, themes, recommendations, opportunities."""

from sightline.api.edge.envelope import Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import operation
from sightline.domains.tracking.read import read_tracked_domain
from sightline.insights import read
from sightline.insights.alerts.schemas import Alert
from sightline.insights.schemas import Opportunity, Recommendation, Theme
from sightline.kit.ids import parse_id


@operation(
    "data",
    "GET",
    "/domains/{domain_id}/alerts",
    tag="Insights",
    summary="List alerts",
    paged=True,
    data_api="insights",
    problems=("domain_not_found",),
)
async def list_alerts(exchange: Exchange, domain_id: str) -> Page[Alert]:
    """List drops between Daily Checks, newest first, 50 per page.

    An alert in `watch` waits for the next Daily Check to confirm it. People are notified of confirmed alerts only.
    """
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    paging = exchange.paging(f"data.alerts:{domain.id}")
    rows = await read.list_alerts(
        exchange.db, exchange.actor.workspace_id, domain.id, after=paging.after_time_and_id, page_size=paging.size
    )
    return paging.page(rows)


@operation(
    "data",
    "GET",
    "/domains/{domain_id}/themes",
    tag="Insights",
    summary="List Brand Themes",
    paged=True,
    data_api="insights",
    problems=("domain_not_found",),
)
async def list_themes(exchange: Exchange, domain_id: str) -> Page[Theme]:
    """List what the answers of the latest Full Check say about the brand: up to ten themes, distinctive ones first."""
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    paging = exchange.paging(f"data.themes:{domain.id}")
    rows = await read.list_themes(
        exchange.db, exchange.actor.workspace_id, domain.id, after=paging.after, page_size=paging.size
    )
    return paging.page(rows)


@operation(
    "data",
    "GET",
    "/domains/{domain_id}/recommendations",
    tag="Insights",
    summary="List recommendations",
    paged=True,
    data_api="insights",
    problems=("domain_not_found",),
)
async def list_recommendations(exchange: Exchange, domain_id: str) -> Page[Recommendation]:
    """List what to do after the latest Full Check, one row for each action, largest expected effect first, 50 per page.

    Each row has the answers that prove it. If nothing in the answers calls for action, one row says so.
    """
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    paging = exchange.paging(f"data.recommendations:{domain.id}")
    rows = await read.list_recommendations(
        exchange.db,
        exchange.actor.workspace_id,
        domain.id,
        domain.brand_name,
        after=paging.after,
        page_size=paging.size,
    )
    return paging.page(rows)


@operation(
    "data",
    "GET",
    "/domains/{domain_id}/opportunities",
    tag="Insights",
    summary="List opportunities",
    paged=True,
    data_api="insights",
    problems=("domain_not_found",),
)
async def list_opportunities(exchange: Exchange, domain_id: str) -> Page[Opportunity]:
    """List prompts that people ask, for which competitors are named, and whose answer can be won.

    Highest score first, those with little evidence last, 50 per page.
    """
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    paging = exchange.paging(f"data.opportunities:{domain.id}")
    rows = await read.list_opportunities(
        exchange.db, exchange.actor.workspace_id, domain.id, after=paging.after, page_size=paging.size
    )
    return paging.page(rows)
