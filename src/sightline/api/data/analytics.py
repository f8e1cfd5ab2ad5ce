"""Analytics of a tracked domain: the scoreboard, or one past check."""

from typing import cast

import msgspec

from sightline.api.edge.envelope import Envelope
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Filter, Resource
from sightline.domains.tracking.read import read_tracked_domain
from sightline.insights.read import read_themes, read_unread_languages
from sightline.insights.schemas.analytics import Analytics
from sightline.insights.schemas.themes import Theme, UnreadLanguage
from sightline.kit.clock import to_iso_or_none
from sightline.kit.ids import parse_id
from sightline.plans.table import has_themes
from sightline.scans.schemas.scan import to_scan
from sightline.scans.stored import ScanRow
from sightline.scoreboard.read import read_past_scan, read_scoreboard, read_stored_trend

RESOURCE = Resource(
    "data",
    "Analytics",
    "The figures of a tracked domain with ranges and comparisons, from its latest valid answers or from "
    "one past check. `scan_id` is the id of a check.",
    {"analytics": "The scoreboard of a tracked domain, or one past check"},
)


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/analytics",
    summary="Read the analytics of a domain",
    sdk="analytics.retrieve",
    data_api="read",
    filters=(Filter("scan_id", "A past check to read instead of the scoreboard."),),
    problems=("domain_not_found", "scan_not_found", "results_not_ready"),
)
async def read_analytics(exchange: Exchange, domain_id: str) -> Envelope[Analytics]:
    """Return the scoreboard: the figures from the latest valid answer of every prompt on every platform.

    With `scan_id`, return the figures of that check alone. Each figure has its number of answers and its 95% range. The
    headline figures also have their change since the previous check.
    """
    db, actor, now = exchange.db, exchange.actor, exchange.now
    domain = await read_tracked_domain(db, actor, parse_id(domain_id))
    scan_id = exchange.filters.get("scan_id")
    if scan_id is None:
        board = await read_scoreboard(db, actor.workspace_id, domain)
    else:
        board = await read_past_scan(db, actor.workspace_id, domain.id, parse_id(scan_id))
    trend = [] if board.scan is None else await read_stored_trend(db, board.scan, now)
    metadata = msgspec.json.encode(
        {
            "source": "scoreboard" if scan_id is None else "scan",
            "domain_id": domain.id,
            "scan": None if board.scan is None else to_scan(board.scan),
            "as_of": to_iso_or_none(board.as_of),
            "themes": await _read_themes(exchange, board.scan),
            "unread_themes": await _read_unread(exchange, board.scan),
            "trend": [msgspec.Raw(point) for point in trend],
        }
    )
    # The stored JSON was encoded from the same types after the check completed, so it is sent as it is.
    return Envelope(cast(Analytics, msgspec.Raw(metadata[:-1] + b"," + board.json[1:])))


async def _read_themes(exchange: Exchange, scan: ScanRow | None) -> list[Theme]:
    """Return the themes of the Full Check that is shown, if the plan includes themes.

    Only the themes of the latest Full Check are stored.
    """
    if scan is None or not has_themes(exchange.actor.plan):
        return []
    themes = await read_themes(exchange.db, scan.workspace_id, scan.domain_id)
    return [theme for theme in themes if theme.scan_id == scan.id]


async def _read_unread(exchange: Exchange, scan: ScanRow | None) -> list[UnreadLanguage]:
    if scan is None or not has_themes(exchange.actor.plan):
        return []
    return await read_unread_languages(exchange.db, scan.workspace_id, scan.domain_id, scan_id=scan.id)
