"""Confirmed competitors of a tracked domain.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from sightline_sdk._calls import build_call, to_segment
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import ReviewedCompetitor, TrackedCompetitor


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

    def list_suggested(self, domain_id: str, *, cursor: str | None = None) -> PagedList[ReviewedCompetitor]:
        """List the names that answers present as competitors and that nobody has reviewed yet, 50 per page.

        The latest ones come first.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call(
            "data", "GET", f"/domains/{to_segment(domain_id)}/competitor-suggestions", query={"cursor": cursor}
        )
        return PagedList(self._transport, call, ReviewedCompetitor)

    def dismiss(self, domain_id: str, competitor_id: str, *, idempotency_key: str | None = None) -> ReviewedCompetitor:
        """Dismiss a suggested or confirmed competitor.

        It is not measured, suggested or counted as a rival again. Nothing changes for one that is dismissed
        already. A hidden one must be unhidden first (422).

        Args:
            domain_id: Id of the domain.
            competitor_id: Id of the competitor.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/domains/{to_segment(domain_id)}/competitors/{to_segment(competitor_id)}/dismiss",
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, ReviewedCompetitor)


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

    def list_suggested(self, domain_id: str, *, cursor: str | None = None) -> AsyncPagedList[ReviewedCompetitor]:
        """List the names that answers present as competitors and that nobody has reviewed yet, 50 per page.

        The latest ones come first.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call(
            "data", "GET", f"/domains/{to_segment(domain_id)}/competitor-suggestions", query={"cursor": cursor}
        )
        return AsyncPagedList(self._transport, call, ReviewedCompetitor)

    async def dismiss(
        self, domain_id: str, competitor_id: str, *, idempotency_key: str | None = None
    ) -> ReviewedCompetitor:
        """Dismiss a suggested or confirmed competitor.

        It is not measured, suggested or counted as a rival again. Nothing changes for one that is dismissed
        already. A hidden one must be unhidden first (422).

        Args:
            domain_id: Id of the domain.
            competitor_id: Id of the competitor.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/domains/{to_segment(domain_id)}/competitors/{to_segment(competitor_id)}/dismiss",
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, ReviewedCompetitor)
