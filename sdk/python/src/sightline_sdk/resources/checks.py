"""Scheduled checks of a tracked domain, and their answers.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from sightline_sdk._calls import build_call, to_segment
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import Answer, Scan


class ChecksResource(Resource):
    """Scheduled checks of a tracked domain, and their answers (Data API)."""

    def list(self, domain_id: str, *, cursor: str | None = None) -> PagedList[Scan]:
        """List the checks of a tracked domain, most recently started first, 50 per page.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/scans", query={"cursor": cursor})
        return PagedList(self._transport, call, Scan)

    def retrieve(self, scan_id: str) -> Scan:
        """Return one check of a tracked domain.

        Returns 404 for a scan of the Console API.

        Args:
            scan_id: Id of the scan.
        """
        call = build_call("data", "GET", f"/scans/{to_segment(scan_id)}")
        return self._transport.fetch(call, Scan)

    def answers(self, scan_id: str, *, cursor: str | None = None) -> PagedList[Answer]:
        """List the answers of a check, sorted by prompt and then by platform.

        All figures of the check are computed from these answers.

        Args:
            scan_id: Id of the scan.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/scans/{to_segment(scan_id)}/answers", query={"cursor": cursor})
        return PagedList(self._transport, call, Answer)

    def answer(self, scan_id: str, answer_id: str) -> Answer:
        """Return one answer with its full text, its sources and the results of its analysis.

        Args:
            scan_id: Id of the scan.
            answer_id: Id of the answer.
        """
        call = build_call("data", "GET", f"/scans/{to_segment(scan_id)}/answers/{to_segment(answer_id)}")
        return self._transport.fetch(call, Answer)


class AsyncChecksResource(AsyncResource):
    """Scheduled checks of a tracked domain, and their answers (Data API)."""

    def list(self, domain_id: str, *, cursor: str | None = None) -> AsyncPagedList[Scan]:
        """List the checks of a tracked domain, most recently started first, 50 per page.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/scans", query={"cursor": cursor})
        return AsyncPagedList(self._transport, call, Scan)

    async def retrieve(self, scan_id: str) -> Scan:
        """Return one check of a tracked domain.

        Returns 404 for a scan of the Console API.

        Args:
            scan_id: Id of the scan.
        """
        call = build_call("data", "GET", f"/scans/{to_segment(scan_id)}")
        return await self._transport.fetch(call, Scan)

    def answers(self, scan_id: str, *, cursor: str | None = None) -> AsyncPagedList[Answer]:
        """List the answers of a check, sorted by prompt and then by platform.

        All figures of the check are computed from these answers.

        Args:
            scan_id: Id of the scan.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/scans/{to_segment(scan_id)}/answers", query={"cursor": cursor})
        return AsyncPagedList(self._transport, call, Answer)

    async def answer(self, scan_id: str, answer_id: str) -> Answer:
        """Return one answer with its full text, its sources and the results of its analysis.

        Args:
            scan_id: Id of the scan.
            answer_id: Id of the answer.
        """
        call = build_call("data", "GET", f"/scans/{to_segment(scan_id)}/answers/{to_segment(answer_id)}")
        return await self._transport.fetch(call, Answer)
