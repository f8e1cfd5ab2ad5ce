"""What is worth saying about a tracked domain now.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from sightline_sdk._calls import build_call, to_segment
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import LatestFindings


class FindingsResource(Resource):
    """What is worth saying about a tracked domain now (Data API)."""

    def retrieve(self, domain_id: str) -> LatestFindings:
        """Return what is worth saying about a domain now, in the order of importance, with a headline.

        Findings are changes since the previous Full Check, over four weeks and over twelve weeks, confirmed
        alerts, measured effects of completed actions, and new and lost sources. Each tells an event once, and
        its tier says how sure it is.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/findings")
        return self._transport.fetch(call, LatestFindings)


class AsyncFindingsResource(AsyncResource):
    """What is worth saying about a tracked domain now (Data API)."""

    async def retrieve(self, domain_id: str) -> LatestFindings:
        """Return what is worth saying about a domain now, in the order of importance, with a headline.

        Findings are changes since the previous Full Check, over four weeks and over twelve weeks, confirmed
        alerts, measured effects of completed actions, and new and lost sources. Each tells an event once, and
        its tier says how sure it is.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/findings")
        return await self._transport.fetch(call, LatestFindings)
