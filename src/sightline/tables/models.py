"""What a table is, which part of it a read covers, and where the previous read ended."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal, Protocol

import msgspec

ColumnType = Literal["uuid", "text", "integer", "number", "boolean", "date", "timestamp"]
Unit = Literal["scan", "theme", "recommendation", "alert"]
SharedChange = Literal["tags", "marks"]


class Column(msgspec.Struct, frozen=True):
    name: str
    type: ColumnType
    meaning: str
    on_request: bool = False
    """Whether the column is only there if the reader asks for texts."""


class DataTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table, its columns in order, and what its rows change with."""

    name: str
    meaning: str
    unit: Unit = "scan"
    shared_change: SharedChange | None = None
    """What all rows of the domain depend on as well."""
    columns: tuple[Column, ...]

    def select_columns(self, *, text: bool) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if text or not column.on_request)


class Extent(msgspec.Struct, frozen=True, kw_only=True):
    """Which rows of a table a read covers. None does not limit them."""

    measured_from: datetime | None = None
    measured_before: datetime | None = None
    changed_since: datetime | None = None
    text: bool = False


class Bound(msgspec.Struct, frozen=True):
    """A point in the order of transactions: everything below it has ended. It means nothing in another database."""

    database: str
    xid: str


class ChangedUnit(msgspec.Struct, frozen=True):
    key: uuid.UUID
    answers: int
    """How many answers its rows are read from."""


SealedRows = Mapping[uuid.UUID, str]
"""The rows of sealed checks as JSON, by check."""


class ReadSealed(Protocol):
    """Reads rows of a table that left the database, of those of the checks that are sealed."""

    async def __call__(self, name: str, scan_ids: Sequence[uuid.UUID], *, text: bool) -> SealedRows: ...


class TableSource(msgspec.Struct, frozen=True, kw_only=True):
    """Whose rows are read. Without `read_sealed`, those of sealed checks are missing."""

    workspace_id: uuid.UUID
    domain_id: uuid.UUID
    read_sealed: ReadSealed | None = None


class TableRead(msgspec.Struct, frozen=True, kw_only=True):
    """One read of one table. `since` is the bound of the previous read; None reads everything."""

    table: DataTable
    source: TableSource
    extent: Extent
    since: Bound | None

    @property
    def tells_removed(self) -> bool:
        """Return whether removed rows are listed. A read of everything has none to list."""
        return self.since is not None or self.extent.changed_since is not None
