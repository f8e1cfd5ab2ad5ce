"""Flat tables of a tracked domain, for warehouses, notebooks and spreadsheets."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal, TypeVar, cast

import msgspec

from sightline.api.edge.cursors import Paging
from sightline.api.edge.envelope import Page, PageMeta
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Filter, Resource
from sightline.api.edge.responses import Stream
from sightline.audit.record import record_export
from sightline.db.keyset import Slice, SortKey
from sightline.domains.tracking.read import read_tracked_domain
from sightline.errors import FaultCollector, Problem, invalid_field
from sightline.kit.examples import Example
from sightline.kit.ids import parse_id
from sightline.scans.sealed.queries import list_sealed_scans_of_domain
from sightline.scans.sealed.read import read_sealed_rows
from sightline.scans.sealed.store import SEALED_PROBLEMS
from sightline.tables.catalog import SEALED_TABLES, TABLES
from sightline.tables.models import Extent, TableRead, TableSource
from sightline.tables.parquet import require_parquet, stream_parquet
from sightline.tables.read import Position, open_position, read_page, stream_lines
from sightline.tables.schemas import EXAMPLE_ROW, Table, TableRow, list_tables

RESOURCE = Resource(
    "data",
    "Tables",
    "Flat tables of a tracked domain for warehouses, notebooks and spreadsheets.",
    {"tables": "Flat tables of a tracked domain, for warehouses and notebooks"},
)

T = TypeVar("T")

_PATH = "/domains/{domain_id}/tables/{table_name}"
_READ: dict[str, Any] = {
    "data_api": "insights",
    "saves_copy": False,
    "paged": True,
    "path_choices": {"table_name": tuple(TABLES)},
    "filters": (
        Filter("from", "Only rows that were measured on this day (UTC) or later, such as `2026-11-01`.", format="date"),
        Filter("to", "Only rows that were measured on this day (UTC) or earlier.", format="date"),
        Filter(
            "changed_since",
            "Only rows that were written or removed at this time or later. A cursor is safer: a time "
            "can miss rows that a slow transaction saves later.",
            format="date-time",
        ),
        Filter("text", "`yes` adds the column `text` to the table `answers`.", ("yes", "no")),
    ),
    "success_headers": ("X-Next-Cursor",),
    "problems": ("domain_not_found", "not_found", "validation_failed", *SEALED_PROBLEMS),
}


class _OpenRead(msgspec.Struct, frozen=True):
    """A read that a request asks for, and how its cursors are signed."""

    read: TableRead
    position: Position
    paging: Paging

    def sign(self, key: SortKey) -> str:
        cursor = self.paging.next_cursor(Slice([], key))
        assert cursor is not None
        return cursor


async def _open_read(exchange: Exchange, domain_id: str, table_name: str) -> _OpenRead:
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    table = TABLES.get(table_name)
    if table is None:
        raise Problem("not_found", f"There is no such table. The tables are {', '.join(TABLES)}.")
    extent = _read_extent(exchange.filters)
    paging = exchange.paging(f"data.tables:{domain.id}:{table.name}")
    position = await open_position(exchange.db, paging.after)
    workspace_id, sealed = exchange.actor.workspace_id, exchange.app_context.sealed
    if table.name in SEALED_TABLES and await list_sealed_scans_of_domain(exchange.db, workspace_id, domain.id, None):
        sealed.require_reader()  # now: a stream that has begun cannot be refused
    read_sealed = read_sealed_rows(exchange.db, sealed, workspace_id)
    source = TableSource(workspace_id=workspace_id, domain_id=domain.id, read_sealed=read_sealed)
    read = TableRead(table=table, source=source, extent=extent, since=position.since)
    return _OpenRead(read, position, paging)


def _read_extent(filters: dict[str, str]) -> Extent:
    faults = FaultCollector()
    first = last = changed_since = None
    with faults.catch():
        first = _parse(filters, "from", date.fromisoformat, "must be a day, such as 2026-11-01")
    with faults.catch():
        last = _parse(filters, "to", date.fromisoformat, "must be a day, such as 2026-11-30")
    with faults.catch():
        changed_since = _parse(
            filters, "changed_since", _parse_moment, "must be a time with a time zone, such as 2026-11-01T00:00:00Z"
        )
    if first and last and first > last:
        faults.add("to", "must not be before `from`", "range")
    faults.raise_if_any()
    return Extent(
        measured_from=None if first is None else _start_of(first),
        measured_before=None if last is None or last == date.max else _start_of(last + timedelta(days=1)),
        changed_since=changed_since,
        text=filters.get("text") == "yes",
    )


def _parse(filters: dict[str, str], name: str, parse: Callable[[str], T], fault: str) -> T | None:
    text = filters.get(name)
    if text is None:
        return None
    try:
        return parse(text)
    except (ValueError, OverflowError) as error:
        raise invalid_field(name, fault) from error


def _parse_moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text.replace(" ", "+"))  # an unescaped + in an address is a space
    if moment.tzinfo is None:
        raise ValueError("no time zone")
    return moment.astimezone(UTC)


def _start_of(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/tables",
    summary="List tables",
    sdk="tables.list",
    data_api="insights",
    saves_copy=False,
    problems=("domain_not_found",),
)
async def list_domain_tables(exchange: Exchange, domain_id: str) -> Page[Table]:
    """List the tables of a domain with their columns, on one page. Every domain has the same tables."""
    await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    return Page(list_tables(), PageMeta(has_more=False, next_cursor=None))


@RESOURCE.operation(
    "GET",
    _PATH + ".csv",
    summary="Stream a table as CSV",
    sdk="tables.csv",
    stream_media_type="text/csv; charset=utf-8",
    **_READ,
)
async def stream_table_csv(exchange: Exchange, domain_id: str, table_name: str) -> Stream:
    """Stream a whole table, or what changed since `cursor`, as CSV with a header row.

    The header `X-Next-Cursor` contains the cursor for your next read. Text that a spreadsheet would treat as a formula
    is prefixed with an apostrophe; JSON Lines and Parquet contain it unchanged.
    """
    return await _stream(exchange, domain_id, table_name, "csv")


@RESOURCE.operation(
    "GET",
    _PATH + ".jsonl",
    summary="Stream a table as JSON Lines",
    sdk="tables.jsonl",
    stream_media_type="application/jsonl",
    **_READ,
)
async def stream_table_jsonl(exchange: Exchange, domain_id: str, table_name: str) -> Stream:
    """Stream a whole table, or what changed since `cursor`: one JSON object on each line.

    The header `X-Next-Cursor` contains the cursor for your next read.
    """
    return await _stream(exchange, domain_id, table_name, "jsonl")


@RESOURCE.operation(
    "GET",
    _PATH + ".parquet",
    summary="Stream a table as Parquet",
    sdk="tables.parquet",
    stream_media_type="application/vnd.apache.parquet",
    **_READ | {"problems": (*_READ["problems"], "format_unavailable")},
)
async def stream_table_parquet(exchange: Exchange, domain_id: str, table_name: str) -> Stream:
    """Stream a whole table, or what changed since `cursor`, as a Parquet file.

    The header `X-Next-Cursor` contains the cursor for your next read. If the operator has not installed support for
    Parquet, the response is 406 `format_unavailable`.
    """
    opened = await _open_read(exchange, domain_id, table_name)
    require_parquet()
    await _announce(exchange, opened, "parquet")
    return Stream(stream_parquet(exchange.db, opened.read))


async def _stream(exchange: Exchange, domain_id: str, table_name: str, form: Literal["csv", "jsonl"]) -> Stream:
    opened = await _open_read(exchange, domain_id, table_name)
    await _announce(exchange, opened, form)
    return Stream(stream_lines(exchange.db, opened.read, form))


async def _announce(exchange: Exchange, opened: _OpenRead, form: str) -> None:
    source, table = opened.read.source, opened.read.table.name
    await record_export(
        exchange.app_context.db,
        source.workspace_id,
        "table_exported",
        domain_id=source.domain_id,
        table=table,
        format=form,
    )
    exchange.respond_with(
        x_next_cursor=opened.sign(opened.position.to_next_key()),
        content_disposition=f'attachment; filename="sightline-{table}.{form}"',
    )


@RESOURCE.operation(
    "GET",
    _PATH,
    summary="Read a table",
    sdk="tables.rows",
    page_size=True,
    negotiated={
        "text/csv": stream_table_csv,
        "application/jsonl": stream_table_jsonl,
        "application/vnd.apache.parquet": stream_table_parquet,
    },
    **_READ | {"problems": (*_READ["problems"], "format_unavailable")},
)
async def read_table(exchange: Exchange, domain_id: str, table_name: str) -> Page[TableRow]:
    """Return one page of a table, sorted by check and `row_id`.

    A row has one field for each column of the table. The fields described here are in every table; List tables has the
    other columns. On the last page, the header `X-Next-Cursor` contains the cursor for your next read, which returns
    only what changed since. Removed rows have a `removed_at`. With `Accept: text/csv`,
    `application/jsonl` or `application/vnd.apache.parquet` the response is the same stream as with the ending `.csv`,
    `.jsonl` or `.parquet`.
    """
    opened = await _open_read(exchange, domain_id, table_name)
    page = await read_page(exchange.db, opened.read, after=opened.position.after, page_size=opened.paging.size)
    rows = cast("list[TableRow]", page.rows)  # PostgreSQL wrote their JSON, which is sent as it is
    if page.next_key is not None:
        cursor = opened.sign(opened.position.to_page_key(page.next_key))
        return Page(rows, PageMeta(has_more=True, next_cursor=cursor))
    exchange.respond_with(x_next_cursor=opened.sign(opened.position.to_next_key()))
    return Page(rows, PageMeta(has_more=False, next_cursor=None))


# Examples

_CSV = (
    "row_id,domain_id,scan_id,\u2026,brand_id,brand,is_own,mentioned,occurrences,rank,\u2026\n"
    f"{EXAMPLE_ROW.row_id},{EXAMPLE_ROW.domain_id},{EXAMPLE_ROW.scan_id},\u2026,acme.com,Acme,true,true,2,1,\u2026\n"
)
EXAMPLES = {
    "stream_table_csv": Example(_CSV),
    "stream_table_jsonl": Example(f'{{"row_id":"{EXAMPLE_ROW.row_id}","brand_id":"acme.com","mentioned":true}}\n'),
    "stream_table_parquet": Example("PAR1\u2026PAR1"),
}
