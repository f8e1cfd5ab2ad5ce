"""The pool of connections, and the one place that knows what "the database is down" looks like."""

import asyncio
import enum
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import Any, Protocol, TypeVar, get_type_hints

import asyncpg
import msgspec

# What asyncpg and the operating system raise when PostgreSQL is stopped, starting, unreachable or shut down under us.
_UNAVAILABLE = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # PostgreSQL has said goodbye on an idle connection, and the end of it is on its way
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
)
# After a failure, callers are told at once for this long, instead of each waiting for a connection of its own.
# A PostgreSQL that hangs is asked less often than one that refuses: finding out costs a whole time-out.
_BREAK_SECONDS = 0.5
_BREAK_SECONDS_WHEN_HANGING = 5.0

Row = TypeVar("Row", bound=msgspec.Struct)


class DatabaseUnavailable(Exception):
    """PostgreSQL cannot be reached now. Reads may be answered from a saved copy; writes are refused."""


class Reader(Protocol):
    """What a reading query needs: a pool or a transaction will do."""

    async def fetch(self, query: str, *args: Any) -> list[Any]: ...
    async def fetchrow(self, query: str, *args: Any) -> Any: ...
    async def fetchval(self, query: str, *args: Any) -> Any: ...


class Transaction(Reader, Protocol):
    """A writing query needs one of these; it commits at the edge, with everything else of the request."""

    async def execute(self, query: str, *args: Any) -> str: ...
    async def executemany(self, command: str, args: Any) -> None: ...


async def _skip_reset(_: "asyncpg.Connection[Any]") -> None:
    """Nothing of ours outlives its transaction on a connection, so there is nothing to reset (and one trip less)."""


class Database:
    """An asyncpg pool that opens lazily, speaks the `Reader` protocol and fails fast while PostgreSQL is away."""

    def __init__(self, url: str, *, pool_size: int, statement_timeout: float = 10) -> None:
        self._url = url
        self._pool_size = pool_size
        self._statement_timeout = statement_timeout
        self._pool: asyncpg.Pool[Any] | None = None
        self._broken_until = 0.0

    async def open(self) -> None:
        self._pool = await asyncpg.create_pool(
            self._url,
            min_size=0,  # starting without a database is allowed: reads then come from saved copies
            max_size=self._pool_size,
            timeout=3,
            command_timeout=self._statement_timeout,
            max_inactive_connection_lifetime=300,
            reset=_skip_reset,
            server_settings={"application_name": "sightline", "timezone": "UTC"},
        )

    async def close(self) -> None:
        if self._pool is not None:
            try:
                await asyncio.wait_for(self._pool.close(), timeout=5)
            except TimeoutError:
                self._pool.terminate()
            self._pool = None

    def _usable_pool(self) -> "asyncpg.Pool[Any]":
        if self._pool is None:
            raise DatabaseUnavailable("the pool is not open")
        if time.monotonic() < self._broken_until:
            raise DatabaseUnavailable("PostgreSQL did not answer a moment ago")
        return self._pool

    def _unavailable(self, failure: Exception) -> DatabaseUnavailable:
        pause = _BREAK_SECONDS_WHEN_HANGING if isinstance(failure, TimeoutError) else _BREAK_SECONDS
        self._broken_until = time.monotonic() + pause
        return DatabaseUnavailable(str(failure) or type(failure).__name__)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        try:
            async with self._usable_pool().acquire() as connection, connection.transaction():
                yield connection
        except _UNAVAILABLE as failure:
            raise self._unavailable(failure) from failure

    async def _run_alone(self, method: str, query: str, args: tuple[Any, ...]) -> Any:
        """One statement in a transaction of its own."""
        try:
            return await getattr(self._usable_pool(), method)(query, *args)
        except _UNAVAILABLE as failure:
            raise self._unavailable(failure) from failure

    async def fetch(self, query: str, *args: Any) -> list[Any]:
        rows: list[Any] = await self._run_alone("fetch", query, args)
        return rows

    async def fetchrow(self, query: str, *args: Any) -> Any:
        return await self._run_alone("fetchrow", query, args)

    async def fetchval(self, query: str, *args: Any) -> Any:
        return await self._run_alone("fetchval", query, args)

    async def execute(self, query: str, *args: Any) -> str:
        status: str = await self._run_alone("execute", query, args)
        return status


def columns(model: type[msgspec.Struct], table: str = "") -> str:
    """The SELECT list of a row model, so that rows unpack by position."""
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
    """A record as its row model, by position; text becomes the enum that the model names."""
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
