"""Prompts on which competitors are named and the brand is not.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from sightline_sdk._calls import build_call, to_segment
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import Opportunity


class OpportunitiesResource(Resource):
    """Prompts on which competitors are named and the brand is not (Data API)."""

    def list(self, domain_id: str, *, cursor: str | None = None) -> PagedList[Opportunity]:
        """List prompts for which answers name other brands but not yours, 50 per page, highest score first.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/opportunities", query={"cursor": cursor})
        return PagedList(self._transport, call, Opportunity)


class AsyncOpportunitiesResource(AsyncResource):
    """Prompts on which competitors are named and the brand is not (Data API)."""

    def list(self, domain_id: str, *, cursor: str | None = None) -> AsyncPagedList[Opportunity]:
        """List prompts for which answers name other brands but not yours, 50 per page, highest score first.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/opportunities", query={"cursor": cursor})
        return AsyncPagedList(self._transport, call, Opportunity)
