"""The platforms that a check can run on."""

import msgspec

from sightline.api.edge.envelope import Page, PageMeta
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import operation
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.pauses import read_enabled
from sightline.platforms.schemas import Platform


@operation("console", "GET", "/platforms", tag="Platforms", summary="List platforms")
async def list_platforms(exchange: Exchange) -> Page[Platform]:
    """All of them, in one page. `enabled` are those that are connected and not paused; as long as none is connected,
    and in test mode, the sandbox answers for all. `min_tier` and `available_as_addon` concern dashboard subscriptions
    and do not restrict Console checks."""
    usable = await read_enabled(exchange.db, exchange.app_context.platforms[exchange.actor.livemode])
    listed = [msgspec.structs.replace(platform, enabled=platform.key in usable) for platform in PLATFORMS]
    return Page(listed, PageMeta(has_more=False, next_cursor=None))
