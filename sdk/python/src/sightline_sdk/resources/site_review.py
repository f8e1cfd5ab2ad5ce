"""The review of the own site of a tracked domain.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from sightline_sdk._calls import build_call, to_segment
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import SiteFinding, SiteReview


class SiteReviewResource(Resource):
    """The review of the own site of a tracked domain (Data API)."""

    def retrieve(self, domain_id: str) -> SiteReview:
        """Return the latest review: its pages, what AI agents may read, and what was not checked and why.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/site-review")
        return self._transport.fetch(call, SiteReview)

    def start(self, domain_id: str, *, idempotency_key: str | None = None) -> SiteReview:
        """Start a review of the site now, at most once a day.

        It takes a few minutes. The pages are those that the latest Full Check with live answers cites.

        Args:
            domain_id: Id of the domain.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data", "POST", f"/domains/{to_segment(domain_id)}/site-review", idempotency_key=idempotency_key
        )
        return self._transport.fetch(call, SiteReview)

    def list_findings(self, domain_id: str, *, cursor: str | None = None) -> PagedList[SiteFinding]:
        """List what the reviews found, 50 per page: open findings first, the most important first.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call(
            "data", "GET", f"/domains/{to_segment(domain_id)}/site-review/findings", query={"cursor": cursor}
        )
        return PagedList(self._transport, call, SiteFinding)

    def ignore_finding(
        self, domain_id: str, finding_id: str, *, reason: str | UnsetType = UNSET, idempotency_key: str | None = None
    ) -> SiteFinding:
        """Ignore a finding in this and every later review.

        Ignoring it again changes the reason.

        Args:
            domain_id: Id of the domain.
            finding_id: Id of the finding.
            reason: Why nobody will mend it, in your words.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/domains/{to_segment(domain_id)}/site-review/findings/{to_segment(finding_id)}/ignore",
            body={"reason": reason},
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, SiteFinding)

    def reopen_finding(self, domain_id: str, finding_id: str, *, idempotency_key: str | None = None) -> SiteFinding:
        """Open an ignored finding again.

        If it is not ignored, nothing changes.

        Args:
            domain_id: Id of the domain.
            finding_id: Id of the finding.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "DELETE",
            f"/domains/{to_segment(domain_id)}/site-review/findings/{to_segment(finding_id)}/ignore",
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, SiteFinding)


class AsyncSiteReviewResource(AsyncResource):
    """The review of the own site of a tracked domain (Data API)."""

    async def retrieve(self, domain_id: str) -> SiteReview:
        """Return the latest review: its pages, what AI agents may read, and what was not checked and why.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/site-review")
        return await self._transport.fetch(call, SiteReview)

    async def start(self, domain_id: str, *, idempotency_key: str | None = None) -> SiteReview:
        """Start a review of the site now, at most once a day.

        It takes a few minutes. The pages are those that the latest Full Check with live answers cites.

        Args:
            domain_id: Id of the domain.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data", "POST", f"/domains/{to_segment(domain_id)}/site-review", idempotency_key=idempotency_key
        )
        return await self._transport.fetch(call, SiteReview)

    def list_findings(self, domain_id: str, *, cursor: str | None = None) -> AsyncPagedList[SiteFinding]:
        """List what the reviews found, 50 per page: open findings first, the most important first.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call(
            "data", "GET", f"/domains/{to_segment(domain_id)}/site-review/findings", query={"cursor": cursor}
        )
        return AsyncPagedList(self._transport, call, SiteFinding)

    async def ignore_finding(
        self, domain_id: str, finding_id: str, *, reason: str | UnsetType = UNSET, idempotency_key: str | None = None
    ) -> SiteFinding:
        """Ignore a finding in this and every later review.

        Ignoring it again changes the reason.

        Args:
            domain_id: Id of the domain.
            finding_id: Id of the finding.
            reason: Why nobody will mend it, in your words.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/domains/{to_segment(domain_id)}/site-review/findings/{to_segment(finding_id)}/ignore",
            body={"reason": reason},
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, SiteFinding)

    async def reopen_finding(
        self, domain_id: str, finding_id: str, *, idempotency_key: str | None = None
    ) -> SiteFinding:
        """Open an ignored finding again.

        If it is not ignored, nothing changes.

        Args:
            domain_id: Id of the domain.
            finding_id: Id of the finding.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "DELETE",
            f"/domains/{to_segment(domain_id)}/site-review/findings/{to_segment(finding_id)}/ignore",
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, SiteFinding)
