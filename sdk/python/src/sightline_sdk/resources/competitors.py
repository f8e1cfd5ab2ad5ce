"""Confirmed competitors of a tracked domain.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from sightline_sdk._calls import build_call, to_segment
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import TrackedCompetitor


class CompetitorsResource(Resource):
    """Confirmed competitors of a tracked domain (Data API)."""

    def list(self, domain_id: str, *, cursor: str | None = None) -> PagedList[TrackedCompetitor]:
        """List confirmed competitors, most recently updated first, 50 per page.

        Competitors that nobody has reviewed, or that were dismissed or hidden, are not listed.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/competitors", query={"cursor": cursor})
        return PagedList(self._transport, call, TrackedCompetitor)

    def retrieve(self, domain_id: str, competitor_id: str) -> TrackedCompetitor:
        """Return one confirmed competitor.

        Returns 404 for any other competitor.

        Args:
            domain_id: Id of the domain.
            competitor_id: Id of the competitor.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/competitors/{to_segment(competitor_id)}")
        return self._transport.fetch(call, TrackedCompetitor)


class AsyncCompetitorsResource(AsyncResource):
    """Confirmed competitors of a tracked domain (Data API)."""

    def list(self, domain_id: str, *, cursor: str | None = None) -> AsyncPagedList[TrackedCompetitor]:
        """List confirmed competitors, most recently updated first, 50 per page.

        Competitors that nobody has reviewed, or that were dismissed or hidden, are not listed.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/competitors", query={"cursor": cursor})
        return AsyncPagedList(self._transport, call, TrackedCompetitor)

    async def retrieve(self, domain_id: str, competitor_id: str) -> TrackedCompetitor:
        """Return one confirmed competitor.

        Returns 404 for any other competitor.

        Args:
            domain_id: Id of the domain.
            competitor_id: Id of the competitor.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/competitors/{to_segment(competitor_id)}")
        return await self._transport.fetch(call, TrackedCompetitor)
