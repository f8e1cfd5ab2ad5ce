"""Weekly reports of a tracked domain.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import UNSET, UnsetType

from sightline_sdk._calls import build_call, to_segment
from sightline_sdk._models import OneOf
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk._streams import AsyncByteStream, ByteStream
from sightline_sdk.models import Report


class ReportsResource(Resource):
    """Weekly reports of a tracked domain (Data API)."""

    def list(self, domain_id: str, *, cursor: str | None = None) -> PagedList[Report]:
        """List the reports of a domain, one for each Full Check, most recently created first, 50 per page.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/reports", query={"cursor": cursor})
        return PagedList(self._transport, call, Report)

    def retrieve(self, domain_id: str, report_id: str) -> Report:
        """Return a report with its summary, and the addresses of its page and its PDF.

        Args:
            domain_id: Id of the domain.
            report_id: Id of the report.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/reports/{to_segment(report_id)}")
        return self._transport.fetch(call, Report)

    def update(
        self,
        domain_id: str,
        report_id: str,
        *,
        note: str | UnsetType | None = UNSET,
        owners: Sequence[str] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> Report:
        """Write a paragraph above the verdict, or name who does each of the next actions.

        Both are part of the page and the PDF, also for everyone with a link to the report. They are shown as
        plain text. The figures of a report never change.

        Args:
            domain_id: Id of the domain.
            report_id: Id of the report.
            note: Paragraph above the verdict of the report, as plain text. Null if there is none. At most 600
                characters; null or an empty text removes it.
            owners: Who does each of the next actions, in the order of the report. Empty text for an action
                without an owner. At most 3, each with at most 40 characters.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "PATCH",
            f"/domains/{to_segment(domain_id)}/reports/{to_segment(report_id)}",
            body={"note": note, "owners": owners},
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, Report)

    def html(self, domain_id: str, report_id: str, *, language: OneOf[Literal["en", "de"]] | None = None) -> ByteStream:
        """Return the report as one self-contained HTML file.

        It has no scripts and loads nothing, so it can be stored and printed.

        Args:
            domain_id: Id of the domain.
            report_id: Id of the report.
            language: Language of the report. English is the default. Quoted answers stay in their own language.
        """
        call = build_call(
            "data",
            "GET",
            f"/domains/{to_segment(domain_id)}/reports/{to_segment(report_id)}.html",
            query={"language": language},
        )
        return ByteStream(self._transport, call)

    def pdf(self, domain_id: str, report_id: str, *, language: OneOf[Literal["en", "de"]] | None = None) -> ByteStream:
        """Return the report on one A4 page.

        If the server has no font for a writing system, boxes appear instead of its characters. The first page
        then names the writing system. The HTML file of the report has all characters.

        Args:
            domain_id: Id of the domain.
            report_id: Id of the report.
            language: Language of the report. English is the default. Quoted answers stay in their own language.
        """
        call = build_call(
            "data",
            "GET",
            f"/domains/{to_segment(domain_id)}/reports/{to_segment(report_id)}.pdf",
            query={"language": language},
        )
        return ByteStream(self._transport, call)

    def appendix_html(
        self, domain_id: str, report_id: str, *, language: OneOf[Literal["en", "de"]] | None = None
    ) -> ByteStream:
        """Return the report with its appendix as one self-contained HTML file.

        The appendix contains tables by platform and country, of the tracked brands and of cited sites, and the
        quoted answers.

        Args:
            domain_id: Id of the domain.
            report_id: Id of the report.
            language: Language of the report. English is the default. Quoted answers stay in their own language.
        """
        call = build_call(
            "data",
            "GET",
            f"/domains/{to_segment(domain_id)}/reports/{to_segment(report_id)}/appendix.html",
            query={"language": language},
        )
        return ByteStream(self._transport, call)

    def appendix_pdf(
        self, domain_id: str, report_id: str, *, language: OneOf[Literal["en", "de"]] | None = None
    ) -> ByteStream:
        """Return the report with its appendix on A4 pages.

        Args:
            domain_id: Id of the domain.
            report_id: Id of the report.
            language: Language of the report. English is the default. Quoted answers stay in their own language.
        """
        call = build_call(
            "data",
            "GET",
            f"/domains/{to_segment(domain_id)}/reports/{to_segment(report_id)}/appendix.pdf",
            query={"language": language},
        )
        return ByteStream(self._transport, call)


class AsyncReportsResource(AsyncResource):
    """Weekly reports of a tracked domain (Data API)."""

    def list(self, domain_id: str, *, cursor: str | None = None) -> AsyncPagedList[Report]:
        """List the reports of a domain, one for each Full Check, most recently created first, 50 per page.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/reports", query={"cursor": cursor})
        return AsyncPagedList(self._transport, call, Report)

    async def retrieve(self, domain_id: str, report_id: str) -> Report:
        """Return a report with its summary, and the addresses of its page and its PDF.

        Args:
            domain_id: Id of the domain.
            report_id: Id of the report.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/reports/{to_segment(report_id)}")
        return await self._transport.fetch(call, Report)

    async def update(
        self,
        domain_id: str,
        report_id: str,
        *,
        note: str | UnsetType | None = UNSET,
        owners: Sequence[str] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> Report:
        """Write a paragraph above the verdict, or name who does each of the next actions.

        Both are part of the page and the PDF, also for everyone with a link to the report. They are shown as
        plain text. The figures of a report never change.

        Args:
            domain_id: Id of the domain.
            report_id: Id of the report.
            note: Paragraph above the verdict of the report, as plain text. Null if there is none. At most 600
                characters; null or an empty text removes it.
            owners: Who does each of the next actions, in the order of the report. Empty text for an action
                without an owner. At most 3, each with at most 40 characters.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "PATCH",
            f"/domains/{to_segment(domain_id)}/reports/{to_segment(report_id)}",
            body={"note": note, "owners": owners},
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, Report)

    def html(
        self, domain_id: str, report_id: str, *, language: OneOf[Literal["en", "de"]] | None = None
    ) -> AsyncByteStream:
        """Return the report as one self-contained HTML file.

        It has no scripts and loads nothing, so it can be stored and printed.

        Args:
            domain_id: Id of the domain.
            report_id: Id of the report.
            language: Language of the report. English is the default. Quoted answers stay in their own language.
        """
        call = build_call(
            "data",
            "GET",
            f"/domains/{to_segment(domain_id)}/reports/{to_segment(report_id)}.html",
            query={"language": language},
        )
        return AsyncByteStream(self._transport, call)

    def pdf(
        self, domain_id: str, report_id: str, *, language: OneOf[Literal["en", "de"]] | None = None
    ) -> AsyncByteStream:
        """Return the report on one A4 page.

        If the server has no font for a writing system, boxes appear instead of its characters. The first page
        then names the writing system. The HTML file of the report has all characters.

        Args:
            domain_id: Id of the domain.
            report_id: Id of the report.
            language: Language of the report. English is the default. Quoted answers stay in their own language.
        """
        call = build_call(
            "data",
            "GET",
            f"/domains/{to_segment(domain_id)}/reports/{to_segment(report_id)}.pdf",
            query={"language": language},
        )
        return AsyncByteStream(self._transport, call)

    def appendix_html(
        self, domain_id: str, report_id: str, *, language: OneOf[Literal["en", "de"]] | None = None
    ) -> AsyncByteStream:
        """Return the report with its appendix as one self-contained HTML file.

        The appendix contains tables by platform and country, of the tracked brands and of cited sites, and the
        quoted answers.

        Args:
            domain_id: Id of the domain.
            report_id: Id of the report.
            language: Language of the report. English is the default. Quoted answers stay in their own language.
        """
        call = build_call(
            "data",
            "GET",
            f"/domains/{to_segment(domain_id)}/reports/{to_segment(report_id)}/appendix.html",
            query={"language": language},
        )
        return AsyncByteStream(self._transport, call)

    def appendix_pdf(
        self, domain_id: str, report_id: str, *, language: OneOf[Literal["en", "de"]] | None = None
    ) -> AsyncByteStream:
        """Return the report with its appendix on A4 pages.

        Args:
            domain_id: Id of the domain.
            report_id: Id of the report.
            language: Language of the report. English is the default. Quoted answers stay in their own language.
        """
        call = build_call(
            "data",
            "GET",
            f"/domains/{to_segment(domain_id)}/reports/{to_segment(report_id)}/appendix.pdf",
            query={"language": language},
        )
        return AsyncByteStream(self._transport, call)
