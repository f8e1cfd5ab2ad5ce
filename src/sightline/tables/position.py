"""Where a reader of a table stands: inside a read, or at its end, waiting for changes. Cursors carry it."""

import uuid

import msgspec

from sightline.db.engine import Reader
from sightline.db.keyset import SortKey
from sightline.errors import Problem
from sightline.tables.models import Bound
from sightline.tables.queries import read_bound
from sightline.tables.read import RowKey

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
