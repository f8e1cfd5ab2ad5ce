"""What platforms searched for to answer the prompts of a tracked domain.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from sightline_sdk._calls import build_call, to_segment
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import PlatformSearch


class SearchesResource(Resource):
    """What platforms searched for to answer the prompts of a tracked domain (Data API)."""

    def list(self, domain_id: str, *, cursor: str | None = None) -> PagedList[PlatformSearch]:
        """List the searches that platforms made in the last 28 days, one row for each search and prompt, 50 per
        page.

        Searches of the newest check come first, those with the most answers in that check at the top. Some
        platforms do not report their searches.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/searches", query={"cursor": cursor})
        return PagedList(self._transport, call, PlatformSearch)


class AsyncSearchesResource(AsyncResource):
    """What platforms searched for to answer the prompts of a tracked domain (Data API)."""

    def list(self, domain_id: str, *, cursor: str | None = None) -> AsyncPagedList[PlatformSearch]:
        """List the searches that platforms made in the last 28 days, one row for each search and prompt, 50 per
        page.

        Searches of the newest check come first, those with the most answers in that check at the top. Some
        platforms do not report their searches.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/searches", query={"cursor": cursor})
        return AsyncPagedList(self._transport, call, PlatformSearch)
