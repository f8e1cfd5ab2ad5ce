"""Domains that the workspace tracks.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from sightline_sdk._calls import build_call, to_segment
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import CostForecastView, TrackedDomain


class TrackedDomainsResource(Resource):
    """Domains that the workspace tracks (Data API)."""

    def list(self, *, cursor: str | None = None) -> PagedList[TrackedDomain]:
        """List tracked domains, most recently added first, 50 per page.

        Args:
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", "/domains", query={"cursor": cursor})
        return PagedList(self._transport, call, TrackedDomain)

    def retrieve(self, domain_id: str) -> TrackedDomain:
        """Return one tracked domain.

        Returns 404 for a domain of the Console API.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}")
        return self._transport.fetch(call, TrackedDomain)

    def costs(self, domain_id: str) -> CostForecastView:
        """Return what checks of a domain will cost: a Full Check, a week and a month, next to what was spent.

        The forecast is the answers that checks ask for, times what an answer of the platform costs: in the last
        30 days, or by the operator's prices, or by list prices. The sandbox costs nothing. The operator of the
        service pays these costs; they are not credits. If no check of the domain is planned, checks ask for no
        answers. Requires the role admin.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/costs")
        return self._transport.fetch(call, CostForecastView)


class AsyncTrackedDomainsResource(AsyncResource):
    """Domains that the workspace tracks (Data API)."""

    def list(self, *, cursor: str | None = None) -> AsyncPagedList[TrackedDomain]:
        """List tracked domains, most recently added first, 50 per page.

        Args:
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", "/domains", query={"cursor": cursor})
        return AsyncPagedList(self._transport, call, TrackedDomain)

    async def retrieve(self, domain_id: str) -> TrackedDomain:
        """Return one tracked domain.

        Returns 404 for a domain of the Console API.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}")
        return await self._transport.fetch(call, TrackedDomain)

    async def costs(self, domain_id: str) -> CostForecastView:
        """Return what checks of a domain will cost: a Full Check, a week and a month, next to what was spent.

        The forecast is the answers that checks ask for, times what an answer of the platform costs: in the last
        30 days, or by the operator's prices, or by list prices. The sandbox costs nothing. The operator of the
        service pays these costs; they are not credits. If no check of the domain is planned, checks ask for no
        answers. Requires the role admin.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/costs")
        return await self._transport.fetch(call, CostForecastView)
