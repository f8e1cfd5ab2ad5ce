"""Where sealed months are, and reading them with DuckDB, within limits of memory and time. It needs the extra `sealed`.

The address of a file is `<workspace>/sealed/<table>/<month>-<seal>.parquet`. A query sees the files of one workspace
alone, as views that are named like the tables.
"""

import asyncio
import threading
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from functools import cached_property
from importlib.util import find_spec
from typing import Any

import structlog

from sightline.db.engine import Reader
from sightline.errors import Problem
from sightline.kit.shell_command import format_install
from sightline.scans.payloads.object_store import PayloadFolder, PayloadStores, StoreUnavailable, open_local_folder
from sightline.scans.sealed import queries
from sightline.scans.sealed.parquet import SealedTable
from sightline.settings import Settings

log = structlog.get_logger()

SEALED_PROBLEMS = ("sealed_months_unavailable", "sealed_reader_missing")
"""Why answers that are sealed cannot be read, in addition to `answers_expired`."""

_PACKAGES = ("duckdb", "fsspec", "obstore", "pyarrow")
_MEMORY = "512MB"  # of one query
SECONDS = 20.0
_QUERIES = 2  # at a time, in one process
_SCHEME = "sealed"


class SealedMonths:
    """The sealed months of all workspaces."""

    def __init__(self, open_folders: Callable[[], Sequence[PayloadFolder]]) -> None:
        self._open_folders = open_folders
        self._threads = ThreadPoolExecutor(_QUERIES, "sealed")

    @cached_property
    def folders(self) -> Sequence[PayloadFolder]:
        """Return where months are: they are written to the first folder, and read from each. Opened when needed."""
        return self._open_folders()

    @property
    def fault(self) -> str | None:
        """Return why months cannot be sealed or read here, or None if they can."""
        if not has_packages():
            return f"Sealed months need packages. Install them with: {format_install('sightline-ai[sealed]')}"
        if not self.folders:
            return "Sealed months need a folder or a bucket: set SIGHTLINE_PAYLOAD_STORE."
        return None

    def require_reader(self) -> None:
        """Refuse where the packages or the folders are missing (503)."""
        if not has_packages():
            raise Problem("sealed_reader_missing")
        if not self.folders:
            raise Problem("sealed_months_unavailable")

    async def fetch(
        self,
        db: Reader,
        workspace_id: uuid.UUID,
        scan_ids: Sequence[uuid.UUID],
        tables: Sequence[SealedTable],
        sql: str,
        parameters: Sequence[Any] = (),
    ) -> list[Any]:
        """Run a query over the tables of the months of these scans.

        Refused: 410 if files are gone, 503 without the packages, while the store is away, or if it takes too long.
        """
        self.require_reader()
        months = sorted({find_month(scan_id) for scan_id in scan_ids})
        sealed = await queries.list_sealed_months(db, workspace_id, months)
        views: dict[str, list[str]] = {}
        try:
            for each in sealed:
                for name in tables:
                    views.setdefault(name, []).append(await self._locate(build_path(each, name)))
        except StoreUnavailable:
            raise Problem("sealed_months_unavailable", "The store of sealed months does not respond.") from None
        if not views:
            raise Problem("answers_expired")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._query, views, sql, list(parameters))

    async def read_file(self, path: str) -> AsyncIterator[bytes]:
        """Yield a file in chunks. Refused like a query."""
        self.require_reader()
        for folder in self.folders:
            if await folder.has_file(path):
                async for chunk in folder.read_chunks(path):
                    yield chunk
                return
        raise Problem("answers_expired")

    async def _locate(self, path: str) -> str:
        """Return what DuckDB opens: a path of this machine, or an address of the file system that reads a bucket."""
        for number, folder in enumerate(self.folders):
            if await folder.has_file(path):
                return folder.find_place(path) or f"{_SCHEME}://{number}/{path}"
        raise Problem("answers_expired")

    def _query(self, views: dict[str, list[str]], sql: str, parameters: list[Any]) -> list[Any]:
        import duckdb

        with duckdb.connect(config={"memory_limit": _MEMORY, "threads": 1, "temp_directory": ""}) as connection:
            if any(path.startswith(f"{_SCHEME}://") for paths in views.values() for path in paths):
                connection.register_filesystem(self._build_file_system())
            timer = threading.Timer(SECONDS, connection.interrupt)
            timer.start()
            try:
                for name, paths in views.items():
                    listed = ", ".join("'" + path.replace("'", "''") + "'" for path in paths)
                    connection.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet([{listed}])")
                return connection.execute(sql, parameters).fetchall()
            except (duckdb.InterruptException, duckdb.OutOfMemoryException):
                message = "Reading the sealed months took too long or too much memory. Choose fewer checks."
                raise Problem("sealed_months_unavailable", message) from None
            except (duckdb.IOException, duckdb.InvalidInputException):
                log.exception("sealed_months_not_read")
                message = "The sealed months cannot be read at the moment: a file is damaged, or its store is away."
                raise Problem("sealed_months_unavailable", message) from None
            finally:
                timer.cancel()

    def _build_file_system(self) -> Any:
        """Return what DuckDB reads parts of a bucket's files with."""
        import fsspec

        folders = self.folders

        class BucketFiles(fsspec.AbstractFileSystem):  # type: ignore[misc]
            protocol: str = _SCHEME
            cachable = False

            def open(self, path: str, _mode: str = "rb", **_: Any) -> Any:
                number, _slash, name = path.removeprefix(f"{_SCHEME}://").partition("/")
                return folders[int(number)].open_file(name)

            def info(self, path: str, **_: Any) -> dict[str, Any]:
                return {"name": path, "size": self.open(path).size, "type": "file"}

            def glob(self, path: str, **_: Any) -> list[str]:
                return [path]

            def created(self, _path: str) -> datetime:
                return datetime.fromtimestamp(0, UTC)

            modified = created

        return BucketFiles()


def has_packages() -> bool:
    return all(find_spec(name) is not None for name in _PACKAGES)


def open_sealed_months(settings: Settings, stores: PayloadStores) -> SealedMonths:
    """Open the stores of payloads. With payloads in an embedded database, sealed months are in the data directory."""

    def open_folders() -> list[PayloadFolder]:
        current = stores.current
        if current is None and settings.is_embedded:
            current = open_local_folder(settings.data_dir / "sealed")
        return [each for each in (current, stores.former) if each is not None]

    return SealedMonths(open_folders)


def build_path(sealed: queries.SealedMonth, name: str) -> str:
    return f"{sealed.workspace_id}/sealed/{name}/{sealed.month:%Y-%m}-{sealed.seal}.parquet"


def find_month(scan_id: uuid.UUID) -> date:
    """Return the first day of the month (UTC) in which a UUIDv7 was made."""
    return datetime.fromtimestamp((scan_id.int >> 80) / 1000, UTC).date().replace(day=1)
