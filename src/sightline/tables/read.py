"""Reading a table: one page, or everything in batches, each a statement of its own; and where a reader stands.

No connection is held between two statements. Cursors carry the position of a reader: inside a read, or at its end,
waiting for changes.
"""

import uuid
from collections.abc import AsyncGenerator, AsyncIterator

import msgspec

from sightline.db.engine import Database, Reader
from sightline.db.keyset import SortKey
from sightline.errors import Problem
from sightline.tables import queries
from sightline.tables.models import Bound, TableRead
from sightline.tables.queries import read_bound

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


_EVERYTHING = ""


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """A read that sends what changed since `since`, or everything, and ends at `bound`."""

    since: Bound | None
    bound: Bound
    after: RowKey | None = None
    """The last row that was sent."""

    def to_page_key(self, after: RowKey) -> SortKey:
        """Return what continues the read."""
        since = _EVERYTHING if self.since is None else self.since.xid
        return (self.bound.database, self.bound.xid, since, str(after[0]), after[1])

    def to_next_key(self) -> SortKey:
        """Return what starts the next read."""
        return (self.bound.database, self.bound.xid)


async def open_position(db: Reader, key: SortKey | None) -> Position:
    """Return the position of a cursor, or the start of a read of everything.

    Refused: a cursor from before the database was restored or a replica took over (400).
    """
    now = await read_bound(db)
    if key is None:
        return Position(since=None, bound=now)
    former = Bound(key[0], key[1])
    if former.database != now.database:
        raise Problem("invalid_cursor", "The database was restored or moved. Read the table again without `cursor`.")
    if len(key) == 2:
        return Position(since=former, bound=now)
    since = None if key[2] == _EVERYTHING else Bound(key[0], key[2])
    return Position(since=since, bound=former, after=(uuid.UUID(key[3]), key[4]))
