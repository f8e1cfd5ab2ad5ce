"""Scans: paid measurements of a domain.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence

from sightline_sdk._calls import build_call, omit_none, to_segment
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._streams import AsyncEventStream, EventStream
from sightline_sdk._waiting import AsyncScanWaiting, ScanWaiting
from sightline_sdk.models import Answer, Scan, ScanEventData, ScanPreview, ScanResults


class ScansResource(ScanWaiting):
    """Scans: paid measurements of a domain (Console API)."""

    def list(
        self, *, domain_id: str | None = None, cursor: str | None = None, page_size: int | None = None
    ) -> PagedList[Scan]:
        """List scans, most recently created first.

        For an unknown domain, the list is empty.

        Args:
            domain_id: Only scans of this domain. A removed domain keeps its scans.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
            page_size: Rows per page, 1 to 200. By default 50.
        """
        call = build_call(
            "console", "GET", "/scans", query={"domain_id": domain_id, "cursor": cursor, "page_size": page_size}
        )
        return PagedList(self._transport, call, Scan)

    def submit(
        self,
        *,
        domain_id: str,
        keywords: Sequence[str] | None = None,
        category: str | None = None,
        platforms: Sequence[str] | None = None,
        max_credits: float | None = None,
        content_project_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> Scan:
        """Accept a scan and charge its credits: the number of platforms times the price of one platform.

        The operator sets this price. Preview a scan to see the total. A domain can have only one active scan at
        a time. A repeated request with the same Idempotency-Key returns the same response and charges nothing.
        The header `Location` contains the address of the scan.

        Args:
            domain_id: Id of a registered Console domain.
            keywords: Prompts to ask: 1 to 50, each of 2 to 500 characters. They are trimmed, and repeats are
                dropped, even if they differ in case. If omitted, Sightline suggests ten prompts.
            category: What the brand sells, as a plural or a mass noun such as `running shoes`. Suggested
                prompts ask about it. It has no effect if you send `keywords`.
            platforms: Keys of platforms from `GET /platforms`; repeats are dropped. If omitted, every enabled
                platform is asked.
            max_credits: Highest price that you accept, in credits. A scan that costs more is refused when it is
                submitted. A preview returns its price, and says so in `exceeds_max_credits`.
            content_project_id: Your own reference. It is stored with the scan and returned unchanged.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "console",
            "POST",
            "/scans",
            body={
                "domain_id": domain_id,
                "keywords": omit_none(keywords),
                "category": omit_none(category),
                "platforms": omit_none(platforms),
                "max_credits": omit_none(max_credits),
                "content_project_id": omit_none(content_project_id),
            },
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, Scan)

    def preview(
        self,
        *,
        domain_id: str,
        keywords: Sequence[str] | None = None,
        category: str | None = None,
        platforms: Sequence[str] | None = None,
        max_credits: float | None = None,
        content_project_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> ScanPreview:
        """Return the price of a scan, and the prompts and platforms that it would ask.

        Nothing is charged. Send the same body as for submitting the scan. A preview is refused for the same
        reasons as the scan, except for a price above `max_credits`, too few credits and an active scan, which
        the response reports.

        Args:
            domain_id: Id of a registered Console domain.
            keywords: Prompts to ask: 1 to 50, each of 2 to 500 characters. They are trimmed, and repeats are
                dropped, even if they differ in case. If omitted, Sightline suggests ten prompts.
            category: What the brand sells, as a plural or a mass noun such as `running shoes`. Suggested
                prompts ask about it. It has no effect if you send `keywords`.
            platforms: Keys of platforms from `GET /platforms`; repeats are dropped. If omitted, every enabled
                platform is asked.
            max_credits: Highest price that you accept, in credits. A scan that costs more is refused when it is
                submitted. A preview returns its price, and says so in `exceeds_max_credits`.
            content_project_id: Your own reference. It is stored with the scan and returned unchanged.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "console",
            "POST",
            "/scans/preview",
            body={
                "domain_id": domain_id,
                "keywords": omit_none(keywords),
                "category": omit_none(category),
                "platforms": omit_none(platforms),
                "max_credits": omit_none(max_credits),
                "content_project_id": omit_none(content_project_id),
            },
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, ScanPreview)

    def retrieve(self, scan_id: str) -> Scan:
        """Return one scan with its progress and, once it has completed, its headline metrics.

        Except for `citation_count`, the metrics leave out prompts that name the brand, unless all prompts name
        it.

        Args:
            scan_id: Id of the scan.
        """
        call = build_call("console", "GET", f"/scans/{to_segment(scan_id)}")
        return self._transport.fetch(call, Scan)

    def results(self, scan_id: str) -> ScanResults:
        """Return the results of a completed scan.

        The results contain the headline metrics with their 95% ranges, overall and for each platform. They also
        contain the result of each prompt on each platform, the ranking of the competitors, and the cited
        sources.

        Args:
            scan_id: Id of the scan.
        """
        call = build_call("console", "GET", f"/scans/{to_segment(scan_id)}/results")
        return self._transport.fetch(call, ScanResults)

    def cancel(self, scan_id: str, *, idempotency_key: str | None = None) -> Scan:
        """Cancel a scan that is pending or running.

        A pending scan is refunded. A running scan is not refunded, and keeps the answers that it has. A scan
        that has ended cannot be canceled (409).

        Args:
            scan_id: Id of the scan.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call("console", "POST", f"/scans/{to_segment(scan_id)}/cancel", idempotency_key=idempotency_key)
        return self._transport.fetch(call, Scan)

    def events(self, scan_id: str, *, last_event_id: str | None = None) -> EventStream[ScanEventData]:
        """Stream the progress of a scan as server-sent events.

        Each event contains the scan with its `workspace_id`. The event `progress` is sent at the start and
        whenever the status or the counts change. The event `end` is sent after the scan has ended, and is the
        last event. The stream also closes after ten minutes, and within a minute after the key is revoked. To
        continue, open it again and send the last `id` as `Last-Event-ID`. At most 10 streams per key and 50 per
        workspace can be open at a time; any further stream is refused (429).

        Args:
            scan_id: Id of the scan.
            last_event_id: Id of the last event that you have seen, to go on after it.
        """
        call = build_call(
            "console",
            "GET",
            f"/scans/{to_segment(scan_id)}/events",
            headers={"Last-Event-ID": last_event_id} if last_event_id else None,
        )
        return EventStream(self._transport, call, ScanEventData)

    def answers(self, scan_id: str, *, cursor: str | None = None, page_size: int | None = None) -> PagedList[Answer]:
        """List the answers of a scan, sorted by prompt and then by platform.

        While the scan is running, the list contains the answers received so far.

        Args:
            scan_id: Id of the scan.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
            page_size: Rows per page, 1 to 200. By default 50.
        """
        call = build_call(
            "console", "GET", f"/scans/{to_segment(scan_id)}/answers", query={"cursor": cursor, "page_size": page_size}
        )
        return PagedList(self._transport, call, Answer)

    def answer(self, scan_id: str, answer_id: str) -> Answer:
        """Return one answer with its full text, its sources and the results of its analysis.

        Args:
            scan_id: Id of the scan.
            answer_id: Id of the answer.
        """
        call = build_call("console", "GET", f"/scans/{to_segment(scan_id)}/answers/{to_segment(answer_id)}")
        return self._transport.fetch(call, Answer)


class AsyncScansResource(AsyncScanWaiting):
    """Scans: paid measurements of a domain (Console API)."""

    def list(
        self, *, domain_id: str | None = None, cursor: str | None = None, page_size: int | None = None
    ) -> AsyncPagedList[Scan]:
        """List scans, most recently created first.

        For an unknown domain, the list is empty.

        Args:
            domain_id: Only scans of this domain. A removed domain keeps its scans.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
            page_size: Rows per page, 1 to 200. By default 50.
        """
        call = build_call(
            "console", "GET", "/scans", query={"domain_id": domain_id, "cursor": cursor, "page_size": page_size}
        )
        return AsyncPagedList(self._transport, call, Scan)

    async def submit(
        self,
        *,
        domain_id: str,
        keywords: Sequence[str] | None = None,
        category: str | None = None,
        platforms: Sequence[str] | None = None,
        max_credits: float | None = None,
        content_project_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> Scan:
        """Accept a scan and charge its credits: the number of platforms times the price of one platform.

        The operator sets this price. Preview a scan to see the total. A domain can have only one active scan at
        a time. A repeated request with the same Idempotency-Key returns the same response and charges nothing.
        The header `Location` contains the address of the scan.

        Args:
            domain_id: Id of a registered Console domain.
            keywords: Prompts to ask: 1 to 50, each of 2 to 500 characters. They are trimmed, and repeats are
                dropped, even if they differ in case. If omitted, Sightline suggests ten prompts.
            category: What the brand sells, as a plural or a mass noun such as `running shoes`. Suggested
                prompts ask about it. It has no effect if you send `keywords`.
            platforms: Keys of platforms from `GET /platforms`; repeats are dropped. If omitted, every enabled
                platform is asked.
            max_credits: Highest price that you accept, in credits. A scan that costs more is refused when it is
                submitted. A preview returns its price, and says so in `exceeds_max_credits`.
            content_project_id: Your own reference. It is stored with the scan and returned unchanged.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "console",
            "POST",
            "/scans",
            body={
                "domain_id": domain_id,
                "keywords": omit_none(keywords),
                "category": omit_none(category),
                "platforms": omit_none(platforms),
                "max_credits": omit_none(max_credits),
                "content_project_id": omit_none(content_project_id),
            },
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, Scan)

    async def preview(
        self,
        *,
        domain_id: str,
        keywords: Sequence[str] | None = None,
        category: str | None = None,
        platforms: Sequence[str] | None = None,
        max_credits: float | None = None,
        content_project_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> ScanPreview:
        """Return the price of a scan, and the prompts and platforms that it would ask.

        Nothing is charged. Send the same body as for submitting the scan. A preview is refused for the same
        reasons as the scan, except for a price above `max_credits`, too few credits and an active scan, which
        the response reports.

        Args:
            domain_id: Id of a registered Console domain.
            keywords: Prompts to ask: 1 to 50, each of 2 to 500 characters. They are trimmed, and repeats are
                dropped, even if they differ in case. If omitted, Sightline suggests ten prompts.
            category: What the brand sells, as a plural or a mass noun such as `running shoes`. Suggested
                prompts ask about it. It has no effect if you send `keywords`.
            platforms: Keys of platforms from `GET /platforms`; repeats are dropped. If omitted, every enabled
                platform is asked.
            max_credits: Highest price that you accept, in credits. A scan that costs more is refused when it is
                submitted. A preview returns its price, and says so in `exceeds_max_credits`.
            content_project_id: Your own reference. It is stored with the scan and returned unchanged.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "console",
            "POST",
            "/scans/preview",
            body={
                "domain_id": domain_id,
                "keywords": omit_none(keywords),
                "category": omit_none(category),
                "platforms": omit_none(platforms),
                "max_credits": omit_none(max_credits),
                "content_project_id": omit_none(content_project_id),
            },
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, ScanPreview)

    async def retrieve(self, scan_id: str) -> Scan:
        """Return one scan with its progress and, once it has completed, its headline metrics.

        Except for `citation_count`, the metrics leave out prompts that name the brand, unless all prompts name
        it.

        Args:
            scan_id: Id of the scan.
        """
        call = build_call("console", "GET", f"/scans/{to_segment(scan_id)}")
        return await self._transport.fetch(call, Scan)

    async def results(self, scan_id: str) -> ScanResults:
        """Return the results of a completed scan.

        The results contain the headline metrics with their 95% ranges, overall and for each platform. They also
        contain the result of each prompt on each platform, the ranking of the competitors, and the cited
        sources.

        Args:
            scan_id: Id of the scan.
        """
        call = build_call("console", "GET", f"/scans/{to_segment(scan_id)}/results")
        return await self._transport.fetch(call, ScanResults)

    async def cancel(self, scan_id: str, *, idempotency_key: str | None = None) -> Scan:
        """Cancel a scan that is pending or running.

        A pending scan is refunded. A running scan is not refunded, and keeps the answers that it has. A scan
        that has ended cannot be canceled (409).

        Args:
            scan_id: Id of the scan.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call("console", "POST", f"/scans/{to_segment(scan_id)}/cancel", idempotency_key=idempotency_key)
        return await self._transport.fetch(call, Scan)

    def events(self, scan_id: str, *, last_event_id: str | None = None) -> AsyncEventStream[ScanEventData]:
        """Stream the progress of a scan as server-sent events.

        Each event contains the scan with its `workspace_id`. The event `progress` is sent at the start and
        whenever the status or the counts change. The event `end` is sent after the scan has ended, and is the
        last event. The stream also closes after ten minutes, and within a minute after the key is revoked. To
        continue, open it again and send the last `id` as `Last-Event-ID`. At most 10 streams per key and 50 per
        workspace can be open at a time; any further stream is refused (429).

        Args:
            scan_id: Id of the scan.
            last_event_id: Id of the last event that you have seen, to go on after it.
        """
        call = build_call(
            "console",
            "GET",
            f"/scans/{to_segment(scan_id)}/events",
            headers={"Last-Event-ID": last_event_id} if last_event_id else None,
        )
        return AsyncEventStream(self._transport, call, ScanEventData)

    def answers(
        self, scan_id: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> AsyncPagedList[Answer]:
        """List the answers of a scan, sorted by prompt and then by platform.

        While the scan is running, the list contains the answers received so far.

        Args:
            scan_id: Id of the scan.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
            page_size: Rows per page, 1 to 200. By default 50.
        """
        call = build_call(
            "console", "GET", f"/scans/{to_segment(scan_id)}/answers", query={"cursor": cursor, "page_size": page_size}
        )
        return AsyncPagedList(self._transport, call, Answer)

    async def answer(self, scan_id: str, answer_id: str) -> Answer:
        """Return one answer with its full text, its sources and the results of its analysis.

        Args:
            scan_id: Id of the scan.
            answer_id: Id of the answer.
        """
        call = build_call("console", "GET", f"/scans/{to_segment(scan_id)}/answers/{to_segment(answer_id)}")
        return await self._transport.fetch(call, Answer)
