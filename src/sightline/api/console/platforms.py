"""The platforms that a check can run on."""

from sightline.api.edge.envelope import Page, PageMeta
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import operation
from sightline.platforms.catalogue import PLATFORMS, Platform


@operation("console", "GET", "/platforms", tag="Platforms", summary="List platforms")
async def list_platforms(_: Exchange) -> Page[Platform]:
    """All of them, in one page. `min_tier` and `available_as_addon` concern dashboard subscriptions and do not
    restrict Console checks."""
    return Page(list(PLATFORMS), PageMeta(has_more=False, next_cursor=None))
