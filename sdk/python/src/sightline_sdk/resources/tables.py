"""Flat tables of a tracked domain, for warehouses and notebooks.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

from sightline_sdk._calls import build_call, to_segment
from sightline_sdk._models import OneOf
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk._streams import AsyncByteStream, ByteStream
from sightline_sdk.models import Table, TableRow


class TablesResource(Resource):
    """Flat tables of a tracked domain, for warehouses and notebooks (Data API)."""

    def list(self, domain_id: str) -> PagedList[Table]:
        """List the tables of a domain with their columns, on one page.

        Every domain has the same tables.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/tables")
        return PagedList(self._transport, call, Table)

    def rows(
        self,
        domain_id: str,
        table_name: OneOf[
            Literal[
                "daily_metrics",
                "prompt_metrics",
                "answers",
                "mentions",
                "citations",
                "sources",
                "competitors",
                "themes",
                "recommendations",
                "alerts",
            ]
        ],
        *,
        from_: date | str | None = None,
        to: date | str | None = None,
        changed_since: datetime | str | None = None,
        text: OneOf[Literal["yes", "no"]] | None = None,
        cursor: str | None = None,
        page_size: int | None = None,
    ) -> PagedList[TableRow]:
        """Return one page of a table, sorted by check and `row_id`.

        A row has one field for each column of the table. The fields described here are in every table; List
        tables has the other columns. On the last page, the header `X-Next-Cursor` contains the cursor for your
        next read, which returns only what changed since. Removed rows have a `removed_at`. With `Accept:
        text/csv`, `application/jsonl` or `application/vnd.apache.parquet` the response is the same stream as
        with the ending `.csv`, `.jsonl` or `.parquet`.

        Args:
            domain_id: Id of the domain.
            table_name: Name of the table.
            from_: Only rows that were measured on this day (UTC) or later, such as `2026-11-01`.
            to: Only rows that were measured on this day (UTC) or earlier.
            changed_since: Only rows that were written or removed at this time or later. A cursor is safer: a
                time can miss rows that a slow transaction saves later.
            text: `yes` adds the column `text` to the table `answers`.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
            page_size: Rows per page, 1 to 200. By default 50.
        """
        call = build_call(
            "data",
            "GET",
            f"/domains/{to_segment(domain_id)}/tables/{to_segment(table_name)}",
            query={
                "from": from_,
                "to": to,
                "changed_since": changed_since,
                "text": text,
                "cursor": cursor,
                "page_size": page_size,
            },
        )
        return PagedList(self._transport, call, TableRow)

    def csv(
        self,
        domain_id: str,
        table_name: OneOf[
            Literal[
                "daily_metrics",
                "prompt_metrics",
                "answers",
                "mentions",
                "citations",
                "sources",
                "competitors",
                "themes",
                "recommendations",
                "alerts",
            ]
        ],
        *,
        from_: date | str | None = None,
        to: date | str | None = None,
        changed_since: datetime | str | None = None,
        text: OneOf[Literal["yes", "no"]] | None = None,
        cursor: str | None = None,
    ) -> ByteStream:
        """Stream a whole table, or what changed since `cursor`, as CSV with a header row.

        The header `X-Next-Cursor` contains the cursor for your next read. Text that a spreadsheet would treat
        as a formula is prefixed with an apostrophe; JSON Lines and Parquet contain it unchanged.

        Args:
            domain_id: Id of the domain.
            table_name: Name of the table.
            from_: Only rows that were measured on this day (UTC) or later, such as `2026-11-01`.
            to: Only rows that were measured on this day (UTC) or earlier.
            changed_since: Only rows that were written or removed at this time or later. A cursor is safer: a
                time can miss rows that a slow transaction saves later.
            text: `yes` adds the column `text` to the table `answers`.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call(
            "data",
            "GET",
            f"/domains/{to_segment(domain_id)}/tables/{to_segment(table_name)}.csv",
            query={"from": from_, "to": to, "changed_since": changed_since, "text": text, "cursor": cursor},
        )
        return ByteStream(self._transport, call)

    def jsonl(
        self,
        domain_id: str,
        table_name: OneOf[
            Literal[
                "daily_metrics",
                "prompt_metrics",
                "answers",
                "mentions",
                "citations",
                "sources",
                "competitors",
                "themes",
                "recommendations",
                "alerts",
            ]
        ],
        *,
        from_: date | str | None = None,
        to: date | str | None = None,
        changed_since: datetime | str | None = None,
        text: OneOf[Literal["yes", "no"]] | None = None,
        cursor: str | None = None,
    ) -> ByteStream:
        """Stream a whole table, or what changed since `cursor`: one JSON object on each line.

        The header `X-Next-Cursor` contains the cursor for your next read.

        Args:
            domain_id: Id of the domain.
            table_name: Name of the table.
            from_: Only rows that were measured on this day (UTC) or later, such as `2026-11-01`.
            to: Only rows that were measured on this day (UTC) or earlier.
            changed_since: Only rows that were written or removed at this time or later. A cursor is safer: a
                time can miss rows that a slow transaction saves later.
            text: `yes` adds the column `text` to the table `answers`.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call(
            "data",
            "GET",
            f"/domains/{to_segment(domain_id)}/tables/{to_segment(table_name)}.jsonl",
            query={"from": from_, "to": to, "changed_since": changed_since, "text": text, "cursor": cursor},
        )
        return ByteStream(self._transport, call)

    def parquet(
        self,
        domain_id: str,
        table_name: OneOf[
            Literal[
                "daily_metrics",
                "prompt_metrics",
                "answers",
                "mentions",
                "citations",
                "sources",
                "competitors",
                "themes",
                "recommendations",
                "alerts",
            ]
        ],
        *,
        from_: date | str | None = None,
        to: date | str | None = None,
        changed_since: datetime | str | None = None,
        text: OneOf[Literal["yes", "no"]] | None = None,
        cursor: str | None = None,
    ) -> ByteStream:
        """Stream a whole table, or what changed since `cursor`, as a Parquet file.

        The header `X-Next-Cursor` contains the cursor for your next read. If the operator has not installed
        support for Parquet, the response is 406 `format_unavailable`.

        Args:
            domain_id: Id of the domain.
            table_name: Name of the table.
            from_: Only rows that were measured on this day (UTC) or later, such as `2026-11-01`.
            to: Only rows that were measured on this day (UTC) or earlier.
            changed_since: Only rows that were written or removed at this time or later. A cursor is safer: a
                time can miss rows that a slow transaction saves later.
            text: `yes` adds the column `text` to the table `answers`.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call(
            "data",
            "GET",
            f"/domains/{to_segment(domain_id)}/tables/{to_segment(table_name)}.parquet",
            query={"from": from_, "to": to, "changed_since": changed_since, "text": text, "cursor": cursor},
        )
        return ByteStream(self._transport, call)


class AsyncTablesResource(AsyncResource):
    """Flat tables of a tracked domain, for warehouses and notebooks (Data API)."""

    def list(self, domain_id: str) -> AsyncPagedList[Table]:
        """List the tables of a domain with their columns, on one page.

        Every domain has the same tables.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/tables")
        return AsyncPagedList(self._transport, call, Table)

    def rows(
        self,
        domain_id: str,
        table_name: OneOf[
            Literal[
                "daily_metrics",
                "prompt_metrics",
                "answers",
                "mentions",
                "citations",
                "sources",
                "competitors",
                "themes",
                "recommendations",
                "alerts",
            ]
        ],
        *,
        from_: date | str | None = None,
        to: date | str | None = None,
        changed_since: datetime | str | None = None,
        text: OneOf[Literal["yes", "no"]] | None = None,
        cursor: str | None = None,
        page_size: int | None = None,
    ) -> AsyncPagedList[TableRow]:
        """Return one page of a table, sorted by check and `row_id`.

        A row has one field for each column of the table. The fields described here are in every table; List
        tables has the other columns. On the last page, the header `X-Next-Cursor` contains the cursor for your
        next read, which returns only what changed since. Removed rows have a `removed_at`. With `Accept:
        text/csv`, `application/jsonl` or `application/vnd.apache.parquet` the response is the same stream as
        with the ending `.csv`, `.jsonl` or `.parquet`.

        Args:
            domain_id: Id of the domain.
            table_name: Name of the table.
            from_: Only rows that were measured on this day (UTC) or later, such as `2026-11-01`.
            to: Only rows that were measured on this day (UTC) or earlier.
            changed_since: Only rows that were written or removed at this time or later. A cursor is safer: a
                time can miss rows that a slow transaction saves later.
            text: `yes` adds the column `text` to the table `answers`.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
            page_size: Rows per page, 1 to 200. By default 50.
        """
        call = build_call(
            "data",
            "GET",
            f"/domains/{to_segment(domain_id)}/tables/{to_segment(table_name)}",
            query={
                "from": from_,
                "to": to,
                "changed_since": changed_since,
                "text": text,
                "cursor": cursor,
                "page_size": page_size,
            },
        )
        return AsyncPagedList(self._transport, call, TableRow)

    def csv(
        self,
        domain_id: str,
        table_name: OneOf[
            Literal[
                "daily_metrics",
                "prompt_metrics",
                "answers",
                "mentions",
                "citations",
                "sources",
                "competitors",
                "themes",
                "recommendations",
                "alerts",
            ]
        ],
        *,
        from_: date | str | None = None,
        to: date | str | None = None,
        changed_since: datetime | str | None = None,
        text: OneOf[Literal["yes", "no"]] | None = None,
        cursor: str | None = None,
    ) -> AsyncByteStream:
        """Stream a whole table, or what changed since `cursor`, as CSV with a header row.

        The header `X-Next-Cursor` contains the cursor for your next read. Text that a spreadsheet would treat
        as a formula is prefixed with an apostrophe; JSON Lines and Parquet contain it unchanged.

        Args:
            domain_id: Id of the domain.
            table_name: Name of the table.
            from_: Only rows that were measured on this day (UTC) or later, such as `2026-11-01`.
            to: Only rows that were measured on this day (UTC) or earlier.
            changed_since: Only rows that were written or removed at this time or later. A cursor is safer: a
                time can miss rows that a slow transaction saves later.
            text: `yes` adds the column `text` to the table `answers`.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call(
            "data",
            "GET",
            f"/domains/{to_segment(domain_id)}/tables/{to_segment(table_name)}.csv",
            query={"from": from_, "to": to, "changed_since": changed_since, "text": text, "cursor": cursor},
        )
        return AsyncByteStream(self._transport, call)

    def jsonl(
        self,
        domain_id: str,
        table_name: OneOf[
            Literal[
                "daily_metrics",
                "prompt_metrics",
                "answers",
                "mentions",
                "citations",
                "sources",
                "competitors",
                "themes",
                "recommendations",
                "alerts",
            ]
        ],
        *,
        from_: date | str | None = None,
        to: date | str | None = None,
        changed_since: datetime | str | None = None,
        text: OneOf[Literal["yes", "no"]] | None = None,
        cursor: str | None = None,
    ) -> AsyncByteStream:
        """Stream a whole table, or what changed since `cursor`: one JSON object on each line.

        The header `X-Next-Cursor` contains the cursor for your next read.

        Args:
            domain_id: Id of the domain.
            table_name: Name of the table.
            from_: Only rows that were measured on this day (UTC) or later, such as `2026-11-01`.
            to: Only rows that were measured on this day (UTC) or earlier.
            changed_since: Only rows that were written or removed at this time or later. A cursor is safer: a
                time can miss rows that a slow transaction saves later.
            text: `yes` adds the column `text` to the table `answers`.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call(
            "data",
            "GET",
            f"/domains/{to_segment(domain_id)}/tables/{to_segment(table_name)}.jsonl",
            query={"from": from_, "to": to, "changed_since": changed_since, "text": text, "cursor": cursor},
        )
        return AsyncByteStream(self._transport, call)

    def parquet(
        self,
        domain_id: str,
        table_name: OneOf[
            Literal[
                "daily_metrics",
                "prompt_metrics",
                "answers",
                "mentions",
                "citations",
                "sources",
                "competitors",
                "themes",
                "recommendations",
                "alerts",
            ]
        ],
        *,
        from_: date | str | None = None,
        to: date | str | None = None,
        changed_since: datetime | str | None = None,
        text: OneOf[Literal["yes", "no"]] | None = None,
        cursor: str | None = None,
    ) -> AsyncByteStream:
        """Stream a whole table, or what changed since `cursor`, as a Parquet file.

        The header `X-Next-Cursor` contains the cursor for your next read. If the operator has not installed
        support for Parquet, the response is 406 `format_unavailable`.

        Args:
            domain_id: Id of the domain.
            table_name: Name of the table.
            from_: Only rows that were measured on this day (UTC) or later, such as `2026-11-01`.
            to: Only rows that were measured on this day (UTC) or earlier.
            changed_since: Only rows that were written or removed at this time or later. A cursor is safer: a
                time can miss rows that a slow transaction saves later.
            text: `yes` adds the column `text` to the table `answers`.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call(
            "data",
            "GET",
            f"/domains/{to_segment(domain_id)}/tables/{to_segment(table_name)}.parquet",
            query={"from": from_, "to": to, "changed_since": changed_since, "text": text, "cursor": cursor},
        )
        return AsyncByteStream(self._transport, call)
