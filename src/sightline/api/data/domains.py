"""Tracked domains, read only."""

from sightline.accounts.models import Role
from sightline.api.edge.envelope import Envelope, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Resource
from sightline.domains.schemas import TrackedDomain, to_tracked_domain
from sightline.domains.tracking import read
from sightline.insights.cost_forecast import read_domain_costs
from sightline.insights.cost_schemas import CostForecastView, to_cost_forecast
from sightline.kit.ids import parse_id

RESOURCE = Resource(
    "data",
    "Domains",
    "Domains that the workspace tracks, each with its latest figures.",
    {"tracked_domains": "Domains that the workspace tracks"},
)


@RESOURCE.operation(
    "GET",
    "/domains",
    summary="List tracked domains",
    sdk="tracked_domains.list",
    paged=True,
    data_api="read",
)
async def list_tracked_domains(exchange: Exchange) -> Page[TrackedDomain]:
    """List tracked domains, most recently added first, 50 per page."""
    paging = exchange.paging("data.domains")
    rows = await read.list_tracked_domains(
        exchange.db, exchange.actor, after=paging.after_time_and_id, page_size=paging.size
    )
    return paging.page(rows.map(to_tracked_domain))


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}",
    summary="Read a tracked domain",
    sdk="tracked_domains.retrieve",
    data_api="read",
    problems=("domain_not_found",),
)
async def read_tracked_domain(exchange: Exchange, domain_id: str) -> Envelope[TrackedDomain]:
    """Return one tracked domain. Returns 404 for a domain of the Console API."""
    return Envelope(to_tracked_domain(await read.read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))))


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/costs",
    summary="Forecast the costs of a domain",
    sdk="tracked_domains.costs",
    data_api="read",
    role=Role.ADMIN,
    problems=("domain_not_found",),
    saves_copy=False,
)
async def read_cost_forecast(exchange: Exchange, domain_id: str) -> Envelope[CostForecastView]:
    """Return what checks of a domain will cost: a Full Check, a week and a month, next to what was spent.

    The forecast is the answers that checks ask for, times what an answer of the platform costs: in the last 30 days, or
    by the operator's prices, or by list prices. The sandbox costs nothing. The operator of the service pays these
    costs; they are not credits. If no check of the domain is planned, checks ask for no answers. Requires the role
    admin.
    """
    domain = await read.read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    settings, workspace_id = exchange.app_context.settings, exchange.actor.workspace_id
    return Envelope(
        to_cost_forecast(await read_domain_costs(exchange.db, settings, domain, workspace_id, now=exchange.now))
    )
