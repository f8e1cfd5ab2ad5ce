"""AI platforms that scans can ask.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from sightline_sdk._calls import build_call
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import Platform


class PlatformsResource(Resource):
    """AI platforms that scans can ask (Console API)."""

    def list(self) -> PagedList[Platform]:
        """List all platforms on one page.

        Scans can ask the `enabled` platforms. In test mode, a sandbox gives made-up answers for all platforms.
        In live mode, it does so as long as no platform is connected. `min_tier` and `available_as_addon`
        concern dashboard subscriptions and do not restrict Console scans.
        """
        call = build_call("console", "GET", "/platforms")
        return PagedList(self._transport, call, Platform)


class AsyncPlatformsResource(AsyncResource):
    """AI platforms that scans can ask (Console API)."""

    def list(self) -> AsyncPagedList[Platform]:
        """List all platforms on one page.

        Scans can ask the `enabled` platforms. In test mode, a sandbox gives made-up answers for all platforms.
        In live mode, it does so as long as no platform is connected. `min_tier` and `available_as_addon`
        concern dashboard subscriptions and do not restrict Console scans.
        """
        call = build_call("console", "GET", "/platforms")
        return AsyncPagedList(self._transport, call, Platform)
