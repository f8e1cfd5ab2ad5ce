"""The connection pool, which fails fast while PostgreSQL is unavailable."""

import asyncio
import enum
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from typing import Any, Protocol, TypeVar, cast, get_type_hints

import asyncpg
import msgspec

from sightline.db.connect import connect, split_hosts
from sightline.db.failures import UNAVAILABLE, DatabaseUnavailable, SchemaMissing, to_unavailable
from sightline.db.revision import find_missing, read_revision
from sightline.kit.security_log import hold_security_events

__all__ = [
    "Database",
    "DatabaseUnavailable",
    "Reader",
    "SchemaMissing",
    "Transaction",
    "columns",
    "to_row",
    "to_rows",
]

_OTHER_SCHEMA = (asyncpg.UndefinedTableError, asyncpg.UndefinedColumnError, asyncpg.UndefinedFunctionError)
_PRIMARY_MAY_HAVE_MOVED = (TimeoutError, asyncpg.ReadOnlySQLTransactionError)
# How long a statement that failed because the disk was full is remembered.
_FULL_SECONDS = 60.0
_RELEASE_SECONDS = 2.0
_KEPT_STATEMENTS = 100  # prepared statements of one connection
# After a failure to connect, callers fail immediately for this long instead of each waiting for a connection. A server
# that hangs is tried less often than one that refuses, because each try costs a whole timeout.
_BREAK_SECONDS = 0.5
_BREAK_SECONDS_WHEN_HANGING = 5.0

Row = TypeVar("Row", bound=msgspec.Struct)


class Reader(Protocol):
    """The interface that a reading query needs: a pool or a transaction."""

    async def fetch(self, query: str, *args: Any) -> list[Any]: ...
    async def fetchrow(self, query: str, *args: Any) -> Any: ...
    async def fetchval(self, query: str, *args: Any) -> Any: ...


class Transaction(Reader, Protocol):
    """The interface that a writing query needs. The caller at the edge commits it."""

    async def execute(self, query: str, *args: Any) -> str: ...
    async def executemany(self, command: str, args: Any) -> None: ...


async def skip_reset(_: "asyncpg.Connection[Any]") -> None:
    """Skip the reset of a connection: nothing outlives its transaction, and it saves a round trip."""


class Database:
    """An asyncpg pool that opens lazily, implements `Reader` and fails fast while PostgreSQL is unavailable.

    Only a failure to connect makes it fail fast. A statement that fails, for instance because somebody else holds a
    lock for too long, concerns its own caller alone.
    """

    def __init__(
        self,
        url: str,
        *,
        pool_size: int,
        statement_timeout: float = 10,
        lock_timeout: float = 5,
        connect_timeout: float = 3,
        keeps_statements: bool = True,
    ) -> None:
        """Choose the limits. Without `keeps_statements` each statement is prepared again, as PgBouncer requires."""
        self.url = url
        self._has_many_hosts = len(split_hosts(url)) > 1
        self.pool_size = pool_size
        self._statement_timeout = statement_timeout
        self._lock_timeout = lock_timeout
        self._connect_timeout = connect_timeout
        self._kept_statements = _KEPT_STATEMENTS if keeps_statements else 0
        self.pool: asyncpg.Pool[Any] | None = None
        self._broken_until = 0.0
        self._broken_by = ""
        self._is_probing = False
        self._full_until = 0.0

    @property
    def is_full(self) -> bool:
        """Return whether a statement has failed in the last minute because the disk is full. Reads may still work."""
        return time.monotonic() < self._full_until

    def count_connections(self) -> tuple[int, int]:
        """Return how many connections are in use, and how many are idle."""
        if self.pool is None:
            return 0, 0
        idle = self.pool.get_idle_size()
        return self.pool.get_size() - idle, idle

    async def open(self) -> None:
        self.pool = await asyncpg.create_pool(
            self.url,
            min_size=0,  # starting without a database is allowed: reads then come from saved copies
            max_size=self.pool_size,
            timeout=self._connect_timeout,
            command_timeout=self._statement_timeout,
            max_inactive_connection_lifetime=300,
            init=self._set_lock_timeout,
            connect=cast("Any", connect),
            reset=skip_reset,
            statement_cache_size=self._kept_statements,
            server_settings={"timezone": "UTC"},
        )

    async def _set_lock_timeout(self, connection: "asyncpg.Connection[Any]") -> None:
        """Limit the wait for a lock, by a statement, because PgBouncer refuses connections with this setting."""
        await connection.execute(f"SET lock_timeout = {round(self._lock_timeout * 1000)}")

    async def close(self) -> None:
        if self.pool is not None:
            try:
                await asyncio.wait_for(self.pool.close(), timeout=5)
            except TimeoutError:
                self.pool.terminate()
            self.pool = None

    async def _acquire(self) -> "tuple[asyncpg.Pool[Any], Any]":
        """Return the pool and one of its connections, which the caller releases."""
        if self.pool is None:
            raise DatabaseUnavailable("the pool is not open")
        if time.monotonic() < self._broken_until:
            raise DatabaseUnavailable(f"PostgreSQL could not be reached a moment ago: {self._broken_by}")
        pool = self.pool
        try:
            return pool, await pool.acquire()
        except DatabaseUnavailable as failure:
            self._break(failure)
            raise
        except UNAVAILABLE as failure:
            unavailable = to_unavailable(failure)
            unavailable.__cause__ = failure
            self._break(unavailable)
            raise unavailable from failure

    def _break(self, failure: DatabaseUnavailable) -> None:
        is_hanging = isinstance(failure.__cause__, TimeoutError)
        pause = _BREAK_SECONDS_WHEN_HANGING if is_hanging else _BREAK_SECONDS
        self._broken_until = time.monotonic() + pause
        self._broken_by = str(failure)

    async def _fail(self, failure: Exception) -> DatabaseUnavailable:
        """Return the exception for a failed statement. After a timeout, find out first whether PostgreSQL hangs."""
        if isinstance(failure, asyncpg.DiskFullError):
            self._full_until = time.monotonic() + _FULL_SECONDS
        if self._has_many_hosts and self.pool is not None and isinstance(failure, _PRIMARY_MAY_HAVE_MOVED):
            await self.pool.expire_connections()  # idle ones to the former primary are useless
        if isinstance(failure, TimeoutError) and not self._is_probing:
            self._is_probing = True
            try:
                connection = await connect(self.url, timeout=self._connect_timeout)
                connection.terminate()
            except DatabaseUnavailable as unreachable:
                self._break(unreachable)
            finally:
                self._is_probing = False
        return to_unavailable(failure)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        pool, connection = await self._acquire()
        try:
            with hold_security_events():
                async with connection.transaction():
                    yield connection
        except UNAVAILABLE as failure:
            raise await self._fail(failure) from failure
        except _OTHER_SCHEMA as failure:
            await _require_schema(connection, failure)
            raise
        finally:
            await _release(pool, connection)

    async def _run_single(self, method: str, query: str, args: tuple[Any, ...], **options: Any) -> Any:
        """Run one statement in its own transaction."""
        pool, connection = await self._acquire()
        try:
            return await getattr(connection, method)(query, *args, **options)
        except UNAVAILABLE as failure:
            raise await self._fail(failure) from failure
        except _OTHER_SCHEMA as failure:
            await _require_schema(connection, failure)
            raise
        finally:
            await _release(pool, connection)

    async def fetch(self, query: str, *args: Any) -> list[Any]:
        rows: list[Any] = await self._run_single("fetch", query, args)
        return rows

    async def fetchrow(self, query: str, *args: Any) -> Any:
        return await self._run_single("fetchrow", query, args)

    async def fetchval(self, query: str, *args: Any) -> Any:
        return await self._run_single("fetchval", query, args)

    async def execute(self, query: str, *args: Any) -> str:
        status: str = await self._run_single("execute", query, args)
        return status

    async def copy(self, query: str, *args: Any, **options: Any) -> bytes:
        """Return the rows of a query as PostgreSQL writes them for COPY. Options are those of `copy_from_query`."""
        written = bytearray()

        async def write(chunk: bytes) -> None:
            written.extend(chunk)

        await self._run_single("copy_from_query", query, args, output=write, **options)
        return bytes(written)


async def _require_schema(connection: Any, failure: Exception) -> None:
    """Raise `SchemaMissing` if a statement failed because the database has no schema yet, or an older one."""
    if missing := find_missing(await read_revision(connection)):
        raise missing from failure


async def _release(pool: "asyncpg.Pool[Any]", connection: Any) -> None:
    """Give a connection back. One that does not end its last statement in time is closed."""
    with suppress(*UNAVAILABLE):
        await pool.release(connection, timeout=_RELEASE_SECONDS)


def columns(model: type[msgspec.Struct], table: str = "") -> str:
    """Return the SELECT list of a row model, so that rows unpack by position."""
    prefix = f"{table}." if table else ""
    return ", ".join(prefix + name for name in model.__struct_fields__)


@cache
def _enum_fields(model: type[msgspec.Struct]) -> tuple[tuple[int, type[enum.Enum]], ...]:
    hints = get_type_hints(model)
    return tuple(
        (place, hint)
        for place, name in enumerate(model.__struct_fields__)
        if isinstance(hint := hints[name], type) and issubclass(hint, enum.Enum)
    )


def to_row(model: type[Row], record: Any) -> Row:
    """Convert a record to its row model by position, and text to the enums that the model declares."""
    enums = _enum_fields(model)
    if not enums:
        return model(*record)
    values = list(record)
    for place, kind in enums:
        values[place] = kind(values[place])
    return model(*values)


def to_row_or_none(model: type[Row], record: Any) -> Row | None:
    return None if record is None else to_row(model, record)


def to_rows(model: type[Row], records: list[Any]) -> list[Row]:
    return [to_row(model, record) for record in records]
