"""Brand Themes of a tracked domain.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from sightline_sdk._calls import build_call, to_segment
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import CodebookEntry, Theme


class ThemesResource(Resource):
    """Brand Themes of a tracked domain (Data API)."""

    def list(self, domain_id: str, *, cursor: str | None = None) -> PagedList[Theme]:
        """List what the answers of the latest Full Check praise and criticize about the brand.

        What sets the brand apart comes first, then criticism, then the most frequent themes. `unread_themes` in
        the analytics lists the languages for which themes are not available.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/themes", query={"cursor": cursor})
        return PagedList(self._transport, call, Theme)

    def update(
        self,
        domain_id: str,
        theme_key: str,
        *,
        label: str | UnsetType = UNSET,
        merged_into: str | UnsetType | None = UNSET,
        hidden: bool | UnsetType = UNSET,
        pinned: bool | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> CodebookEntry:
        """Rename, merge, hide or pin a theme, now and in all later Full Checks.

        The answers of a merged theme move to the other one with the next Full Check. Returns 404 for a theme
        that is not in the codebook of the domain.

        Args:
            domain_id: Id of the domain.
            theme_key: Key of the theme.
            label: Label of one to four words.
            merged_into: Key of the theme that takes its answers from the next Full Check on. Null undoes this.
            hidden: True hides the theme.
            pinned: True lists the theme before all others.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "PATCH",
            f"/domains/{to_segment(domain_id)}/themes/{to_segment(theme_key)}",
            body={"label": label, "merged_into": merged_into, "hidden": hidden, "pinned": pinned},
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, CodebookEntry)


class AsyncThemesResource(AsyncResource):
    """Brand Themes of a tracked domain (Data API)."""

    def list(self, domain_id: str, *, cursor: str | None = None) -> AsyncPagedList[Theme]:
        """List what the answers of the latest Full Check praise and criticize about the brand.

        What sets the brand apart comes first, then criticism, then the most frequent themes. `unread_themes` in
        the analytics lists the languages for which themes are not available.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/themes", query={"cursor": cursor})
        return AsyncPagedList(self._transport, call, Theme)

    async def update(
        self,
        domain_id: str,
        theme_key: str,
        *,
        label: str | UnsetType = UNSET,
        merged_into: str | UnsetType | None = UNSET,
        hidden: bool | UnsetType = UNSET,
        pinned: bool | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> CodebookEntry:
        """Rename, merge, hide or pin a theme, now and in all later Full Checks.

        The answers of a merged theme move to the other one with the next Full Check. Returns 404 for a theme
        that is not in the codebook of the domain.

        Args:
            domain_id: Id of the domain.
            theme_key: Key of the theme.
            label: Label of one to four words.
            merged_into: Key of the theme that takes its answers from the next Full Check on. Null undoes this.
            hidden: True hides the theme.
            pinned: True lists the theme before all others.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "PATCH",
            f"/domains/{to_segment(domain_id)}/themes/{to_segment(theme_key)}",
            body={"label": label, "merged_into": merged_into, "hidden": hidden, "pinned": pinned},
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, CodebookEntry)
