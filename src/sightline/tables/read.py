"""Reading a table: one page, or everything in batches, each a statement of its own.

No connection is held between two of them.
"""

import uuid
from collections.abc import AsyncGenerator, AsyncIterator

import msgspec

from sightline.db.engine import Database, Reader
from sightline.tables import queries
from sightline.tables.models import TableRead

RowKey = tuple[uuid.UUID, str]

_BATCH_ANSWERS = 2_000
"""How many answers one statement reads: about a megabyte, or ten with texts."""
_LISTED_UNITS = 500
_MAX_PAGE_UNITS = 256


class TablePage(msgspec.Struct, frozen=True):
    """Rows as JSON objects, and the key that the next page starts after; None at the end."""

    rows: list[msgspec.Raw]
    next_key: RowKey | None


async def read_page(db: Reader, read: TableRead, *, after: RowKey | None, page_size: int) -> TablePage:
    """Read one page. A unit may have no rows or thousands, so more and more units are read until it is full."""
    found: list[tuple[uuid.UUID, str, str]] = []
    start, wanted, last = after and after[0], 1, after
    while True:
        units = await queries.list_units(db, read, after=start, limit=wanted + 1)
        keys = [unit.key for unit in units[:wanted]]
        found += await queries.list_rows(db, read, keys, after=last, limit=page_size + 1 - len(found))
        if len(found) > page_size:
            kept = found[:page_size]
            return TablePage([_to_raw(row) for row in kept], kept[-1][:2])
        if len(units) <= wanted:
            return TablePage([_to_raw(row) for row in found], None)
        start, wanted, last = units[-1].key, min(wanted * 4, _MAX_PAGE_UNITS), None


def _to_raw(row: tuple[uuid.UUID, str, str]) -> msgspec.Raw:
    return msgspec.Raw(row[2].encode())


async def list_batches(db: Reader, read: TableRead) -> AsyncIterator[list[uuid.UUID]]:
    """Yield the keys of the units in batches of a size that is read with one statement."""
    after: uuid.UUID | None = None
    batch: list[uuid.UUID] = []
    answers = 0
    while True:
        units = await queries.list_units(db, read, after=after, limit=_LISTED_UNITS + 1)
        for unit in units[:_LISTED_UNITS]:
            if batch and answers + unit.answers > _BATCH_ANSWERS:
                yield batch
                batch, answers = [], 0
            batch.append(unit.key)
            answers += unit.answers
        if len(units) <= _LISTED_UNITS:
            break
        after = units[-1].key
    if batch:
        yield batch


async def stream_lines(db: Database, read: TableRead, form: queries.LineForm) -> AsyncGenerator[bytes, None]:
    """Yield the rows as CSV with a heading, or as JSON Lines."""
    if form == "csv":
        yield ",".join(column.name for column in read.table.select_columns(text=read.extent.text)).encode() + b"\n"
    async for keys in list_batches(db, read):
        if lines := await queries.copy_rows(db, read, keys, form):
            yield lines
