"""Weekly reports of a tracked domain.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from typing import Literal

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
        """Return the report on at most four A4 pages.

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

        The appendix contains all recommendations with their steps, and opportunities, countries, sources and
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
        """Return the report on at most four A4 pages.

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

        The appendix contains all recommendations with their steps, and opportunities, countries, sources and
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
