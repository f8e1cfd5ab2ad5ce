"""Tables as a folder of Parquet files, one for each table and month, which later runs bring up to date.

A month in which something changed is written again as a whole, next to the old file, and renamed into place. So a run
that is killed leaves every file complete, and the next run repeats what was not recorded as done.
"""

import asyncio
import fcntl
import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from sightline.db.engine import Database
from sightline.kit.clock import start_of_next_month
from sightline.tables.catalog import TABLES
from sightline.tables.models import Bound, DataTable, Extent, TableRead, TableSource
from sightline.tables.parquet import count_rows, stream_parquet
from sightline.tables.queries import list_changed_months, read_bound

_STATE = "sightline-export.json"
_FILE = "part-0.parquet"


class ExportState(msgspec.Struct, frozen=True):
    """What a folder holds: a domain, with texts or without, up to a bound."""

    domain_id: uuid.UUID
    text: bool
    bound: Bound


class FolderError(Exception):
    """The folder cannot be exported to: it belongs to another domain, or another run is writing to it."""


class WrittenMonth(msgspec.Struct, frozen=True):
    table: str
    month: str
    """Such as 2026-11."""
    rows: int
    """0 if nothing is left of the month, and its file was removed."""


async def export_folder(
    db: Database,
    source: TableSource,
    folder: Path,
    *,
    text: bool,
    report: Callable[[WrittenMonth], None] = lambda _: None,
) -> int:
    """Bring the folder up to date and return how many months of tables were written."""
    with _lock(folder):
        state = _read_state(folder)
        if state is not None and (state.domain_id, state.text) != (source.domain_id, text):
            raise FolderError("This folder holds another domain, or has texts and this run has not. Use a new folder.")
        bound = await read_bound(db)
        is_current = state is not None and state.bound.database == bound.database
        since = state.bound if state is not None and is_current else None
        if since is None:
            _remove_files(folder)
        written = 0
        for table in TABLES.values():
            changed = TableRead(table=table, source=source, extent=Extent(text=text), since=since)
            for year, month in await list_changed_months(db, changed):
                report(await _write_month(db, source, table, folder, datetime(year, month, 1, tzinfo=UTC), text=text))
                written += 1
        _replace(folder / _STATE, msgspec.json.encode(ExportState(source.domain_id, text, bound)))
        return written


async def _write_month(
    db: Database, source: TableSource, table: DataTable, folder: Path, month: datetime, *, text: bool
) -> WrittenMonth:
    extent = Extent(measured_from=month, measured_before=start_of_next_month(month), text=text)
    read = TableRead(table=table, source=source, extent=extent, since=None)
    path = folder / table.name / f"month={month:%Y-%m}" / _FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = _name_unfinished(path)
    with unfinished.open("wb") as file:
        async for chunk in stream_parquet(db, read):
            await asyncio.to_thread(file.write, chunk)
        os.fsync(file.fileno())
    rows = count_rows(unfinished)
    if rows:
        unfinished.rename(path)
    else:
        unfinished.unlink()
        path.unlink(missing_ok=True)
    return WrittenMonth(table.name, f"{month:%Y-%m}", rows)


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """Keep other runs away from the folder. A run that was killed holds no lock."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise FolderError("Another export is writing to this folder.") from error
        yield


def _read_state(folder: Path) -> ExportState | None:
    path = folder / _STATE
    if not path.exists():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=ExportState)
    except msgspec.DecodeError as error:
        raise FolderError(f"{path} cannot be read. Delete it to export everything again.") from error


def _remove_files(folder: Path) -> None:
    """Remove the files of an earlier export, which can no longer be compared with the database."""
    for table in TABLES:
        for path in folder.glob(f"{table}/month=*/{_FILE}"):
            path.unlink()


def _replace(path: Path, content: bytes) -> None:
    unfinished = _name_unfinished(path)
    with unfinished.open("wb") as file:
        file.write(content)
        os.fsync(file.fileno())
    unfinished.rename(path)


def _name_unfinished(path: Path) -> Path:
    """Return the name of a file while it is written. Readers of `*.parquet` do not see it."""
    return path.with_name(f".{path.name}.unfinished")
