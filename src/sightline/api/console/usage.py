"""Request counts of the workspace's keys, and what its calls to platforms cost."""

from sightline.accounts.models import Role
from sightline.api.edge.envelope import Envelope, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Filter, Resource
from sightline.platforms.costs.read import list_costs, read_period
from sightline.platforms.costs.schemas import PlatformCost, to_platform_cost
from sightline.usage.schemas import UsageFigures, to_usage_figures

RESOURCE = Resource(
    "console",
    "Usage",
    "Requests made with the workspace's keys, and the costs of platform calls.",
    {"usage": "Request counts, and what calls to platforms cost"},
)


@RESOURCE.operation("GET", "/usage", summary="Read request counts", sdk="usage.retrieve")
async def read_usage(exchange: Exchange) -> Envelope[UsageFigures]:
    """Return how many requests the keys of the workspace have made.

    The figures may be up to 60 seconds old; `as_of` is when they were computed. The month is the calendar month in UTC.
    Requests of the web app are not counted.
    """
    usage = await exchange.app_context.usage.read_usage(exchange.actor.workspace_id, now=exchange.now)
    return Envelope(to_usage_figures(usage))


@RESOURCE.operation(
    "GET",
    "/usage/costs",
    summary="List the costs of platform calls",
    sdk="usage.costs",
    role=Role.ADMIN,
    paged=True,
    page_size=True,
    filters=(
        Filter(
            "since", "First day (UTC), such as `2026-11-01`. The default is the first day of the same month as `until`."
        ),
        Filter("until", "Last day (UTC), such as `2026-11-16`. The default is today."),
    ),
    saves_copy=False,
)
async def list_platform_costs(exchange: Exchange) -> Page[PlatformCost]:
    """List the calls to AI platforms and their cost, by day, domain and platform, newest day first.

    Console domains and tracked domains are included. All calls count, including retries and failed calls: calls for
    answers, for suggested prompts and for analyzing answers. Test mode and the sandbox call no platform, so they add
    nothing to the list. The operator of the service pays these costs; they are not credits. Requires the role admin.
    """
    paging = exchange.paging("console.costs")
    filters = exchange.filters
    period = read_period(filters.get("since"), filters.get("until"), now=exchange.now)
    rows = await list_costs(exchange.db, exchange.actor, period, after=paging.after, page_size=paging.size)
    return paging.page(rows.map(to_platform_cost))
