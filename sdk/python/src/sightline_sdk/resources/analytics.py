"""The scoreboard of a tracked domain, or one past check.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from sightline_sdk._calls import build_call, to_segment
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import Analytics


class AnalyticsResource(Resource):
    """The scoreboard of a tracked domain, or one past check (Data API)."""

    def retrieve(self, domain_id: str, *, scan_id: str | None = None) -> Analytics:
        """Return the scoreboard: the figures from the latest valid answer of every prompt on every platform.

        With `scan_id`, return the figures of that check alone. Each figure has its number of answers and its
        95% range. The headline figures also have their change since the previous check.

        Args:
            domain_id: Id of the domain.
            scan_id: A past check to read instead of the scoreboard.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/analytics", query={"scan_id": scan_id})
        return self._transport.fetch(call, Analytics)


class AsyncAnalyticsResource(AsyncResource):
    """The scoreboard of a tracked domain, or one past check (Data API)."""

    async def retrieve(self, domain_id: str, *, scan_id: str | None = None) -> Analytics:
        """Return the scoreboard: the figures from the latest valid answer of every prompt on every platform.

        With `scan_id`, return the figures of that check alone. Each figure has its number of answers and its
        95% range. The headline figures also have their change since the previous check.

        Args:
            domain_id: Id of the domain.
            scan_id: A past check to read instead of the scoreboard.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/analytics", query={"scan_id": scan_id})
        return await self._transport.fetch(call, Analytics)
