"""Request counts of the workspace's keys."""

import msgspec

from sightline.api.edge.envelope import One
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import operation
from sightline.kit.clock import Timestamp, to_iso


class UsageFigures(msgspec.Struct, frozen=True):
    """Requests made with API keys of this workspace, of both APIs, refused ones included."""

    last_hour: int
    last_24h: int
    month_to_date: int
    error_rate_24h_pct: float | None
    as_of: Timestamp


@operation("console", "GET", "/usage", tag="Usage", summary="Request counts")
async def read_usage(exchange: Exchange) -> One[UsageFigures]:
    """Counts roll by the minute; the month is the calendar month in UTC. Figures may be up to 60 seconds old: `as_of`
    says when they were computed. Requests of the web app are not counted."""
    usage = await exchange.app_context.usage.read_usage(exchange.actor.workspace_id, now=exchange.now)
    return One(
        UsageFigures(
            usage.last_hour, usage.last_24h, usage.month_to_date, usage.error_rate_24h_pct, to_iso(usage.as_of)
        )
    )
