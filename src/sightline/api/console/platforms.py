"""The AI platforms that a scan can ask."""

import msgspec

from sightline.api.edge.envelope import Page, PageMeta
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Resource
from sightline.kit.examples import Example
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.pauses import read_enabled
from sightline.platforms.schemas import Platform

RESOURCE = Resource(
    "console",
    "Platforms",
    "AI platforms that a scan can ask.",
    {"platforms": "AI platforms that scans can ask"},
)


@RESOURCE.operation("GET", "/platforms", summary="List platforms", sdk="platforms.list")
async def list_platforms(exchange: Exchange) -> Page[Platform]:
    """List all platforms on one page.

    Scans can ask the `enabled` platforms. In test mode, a sandbox gives made-up answers for all platforms. In live
    mode, it does so as long as no platform is connected. `min_tier` and `available_as_addon` concern dashboard
    subscriptions and do not restrict Console scans.
    """
    enabled = await read_enabled(exchange.db, exchange.app_context.platforms[exchange.actor.livemode])
    listed = [msgspec.structs.replace(platform, enabled=platform.key in enabled) for platform in PLATFORMS]
    return Page(listed, PageMeta(has_more=False, next_cursor=None))


# Examples

EXAMPLES = {"list_platforms": Example(PLATFORMS[:3])}
