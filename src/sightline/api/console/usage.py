"""Request counts of the workspace's keys."""

from sightline.api.edge.envelope import Envelope
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import operation
from sightline.usage.schemas import UsageFigures, to_usage_figures


@operation("console", "GET", "/usage", tag="Usage", summary="Request counts")
async def read_usage(exchange: Exchange) -> Envelope[UsageFigures]:
    """Return how many requests the keys of the workspace have made.

    Counts are updated every minute; the month is the calendar month in UTC. Figures may be up to 60 seconds old:
    `as_of` is when they were computed. Requests of the web app are not counted.
    """
    usage = await exchange.app_context.usage.read_usage(exchange.actor.workspace_id, now=exchange.now)
    return Envelope(to_usage_figures(usage))
