"""SQL of the rows of tables, in the forms that they are read in."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Literal

from sightline.db.engine import Database, Reader
from sightline.tables.models import Column, ColumnType, TableRead
from sightline.tables.selects.queries import SELECTS

_TYPES: Mapping[ColumnType, str] = {
    "uuid": "uuid",
    "text": "text",
    "integer": "bigint",
    "number": "float8",
    "boolean": "boolean",
    "date": "date",
    "timestamp": "timestamptz",
}
# What is known of a row that is gone.
_REMOVED = {
    "row_id": "g.row_id",
    "domain_id": "g.domain_id",
    "scan_id": "g.scan_id",
    "measured_at": "c.measured_at",
    "updated_at": "g.removed_at",
    "removed_at": "g.removed_at",
}
LineForm = Literal["csv", "jsonl"]
_ISO = """'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"'"""  # as `to_iso`


def _select_rows(read: TableRead) -> str:
    """Return the SELECT of all rows of the units, with `unit_key` and the columns of the table in their order."""
    columns = read.table.select_columns(text=read.extent.text)
    typed = ", ".join(f"{each.name}::{_TYPES[each.type]}" for each in columns)
    select = f"SELECT unit_key, {typed} FROM ({SELECTS[read.table.name]}) found"
    if read.table.unit != "scan":
        return select
    gone = ", ".join(f"{_REMOVED.get(each.name, 'NULL')}::{_TYPES[each.type]} AS {each.name}" for each in columns)
    return f"""{select} UNION ALL
    SELECT g.scan_id, {gone} FROM removed_rows g
    JOIN table_changes c ON c.workspace_id = g.workspace_id AND c.domain_id = g.domain_id AND c.unit = 'scan'
                        AND c.key = g.scan_id
    WHERE $4 AND g.workspace_id = $1 AND g.domain_id = $2 AND g.scan_id = ANY($3::uuid[])
      AND g.table_name = '{read.table.name}'"""


def _parameters(read: TableRead, keys: Sequence[uuid.UUID]) -> list[object]:
    source = read.source
    found: list[object] = [source.workspace_id, source.domain_id, list(keys), read.tells_removed]
    if read.table.unit == "scan":
        found += [list(source.uncited_live), list(source.uncited_sandbox)]
    return found


def _as_json(column: Column) -> str:
    value = f"to_char({column.name} AT TIME ZONE 'UTC', {_ISO})" if column.type == "timestamp" else column.name
    return f"{value} AS {column.name}"


def _as_csv(column: Column) -> str:
    """Return a cell. A text that a spreadsheet would run as a formula gets an apostrophe, as in the ledger."""
    if column.type == "text":
        is_formula = f"ascii({column.name}) IN (61, 43, 45, 64, 9, 13)"
        return f"CASE WHEN {is_formula} THEN '''' || {column.name} ELSE {column.name} END"
    return f"{column.name}::text" if column.type == "boolean" else _as_json(column)


async def list_rows(
    db: Reader, read: TableRead, keys: Sequence[uuid.UUID], *, after: tuple[uuid.UUID, str] | None, limit: int
) -> list[tuple[uuid.UUID, str, str]]:
    """List rows of the units as JSON, each with its unit and its id, by which they are sorted."""
    shown = ", ".join(map(_as_json, read.table.select_columns(text=read.extent.text)))
    values = _parameters(read, keys)
    condition = ""
    if after is not None:
        condition = f'WHERE (unit_key, row_id COLLATE "C") > (${len(values) + 1}::uuid, ${len(values) + 2}::text)'
        values += after
    rows = await db.fetch(
        f"""SELECT unit_key, row_id, (SELECT row_to_json(shown)::text FROM (SELECT {shown}) shown)
            FROM ({_select_rows(read)}) rows {condition}
            ORDER BY unit_key, row_id COLLATE "C" LIMIT {limit}""",
        *values,
    )
    return [tuple(row) for row in rows]


async def fetch_rows(db: Reader, read: TableRead, keys: Sequence[uuid.UUID]) -> list[tuple[object, ...]]:
    """Return the rows of the units, in the order of the columns. Ids are text."""
    columns = read.table.select_columns(text=read.extent.text)
    shown = ", ".join(f"{each.name}::text" if each.type == "uuid" else each.name for each in columns)
    rows: list[tuple[object, ...]] = await db.fetch(
        f"SELECT {shown} FROM ({_select_rows(read)}) rows", *_parameters(read, keys)
    )
    return rows


def write_copy(read: TableRead, keys: Sequence[uuid.UUID], form: LineForm) -> tuple[str, list[object]]:
    """Return the query whose rows are lines of CSV or JSON, and its parameters."""
    columns, rows, values = (
        read.table.select_columns(text=read.extent.text),
        _select_rows(read),
        _parameters(read, keys),
    )
    if form == "csv":
        return f"SELECT {', '.join(map(_as_csv, columns))} FROM ({rows}) rows", values
    shown = ", ".join(map(_as_json, columns))
    return f"SELECT (SELECT row_to_json(shown) FROM (SELECT {shown}) shown) FROM ({rows}) rows", values


async def copy_rows(db: Database, read: TableRead, keys: Sequence[uuid.UUID], form: LineForm) -> bytes:
    """Return the rows of the units as lines of CSV or JSON, which PostgreSQL writes."""
    query, values = write_copy(read, keys, form)
    # JSON has no control characters, so with these as delimiter and quote every line is sent as it is.
    unquoted = {} if form == "csv" else {"delimiter": "\x01", "quote": "\x02"}
    return await db.copy(query, *values, format="csv", **unquoted)


async def list_row_ids(db: Reader, read: TableRead, keys: Sequence[uuid.UUID]) -> list[str]:
    rows = await db.fetch(
        f"SELECT row_id FROM ({_select_rows(read)}) rows WHERE removed_at IS NULL", *_parameters(read, keys)
    )
    return [row[0] for row in rows]
