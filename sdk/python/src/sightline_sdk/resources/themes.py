"""Brand Themes of a tracked domain.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from sightline_sdk._calls import build_call, to_segment
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import Theme


class ThemesResource(Resource):
    """Brand Themes of a tracked domain (Data API)."""

    def list(self, domain_id: str, *, cursor: str | None = None) -> PagedList[Theme]:
        """List what the answers of the latest Full Check praise and criticize about the brand: up to ten themes.

        What sets the brand apart comes first, then criticism, then the most frequent themes. `unread_themes` in
        the analytics lists the languages for which themes are not available.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/themes", query={"cursor": cursor})
        return PagedList(self._transport, call, Theme)


class AsyncThemesResource(AsyncResource):
    """Brand Themes of a tracked domain (Data API)."""

    def list(self, domain_id: str, *, cursor: str | None = None) -> AsyncPagedList[Theme]:
        """List what the answers of the latest Full Check praise and criticize about the brand: up to ten themes.

        What sets the brand apart comes first, then criticism, then the most frequent themes. `unread_themes` in
        the analytics lists the languages for which themes are not available.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/themes", query={"cursor": cursor})
        return AsyncPagedList(self._transport, call, Theme)
