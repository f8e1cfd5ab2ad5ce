"""A pool of test databases: copies of a migrated template that are emptied and used again.

Creating and warming up a database takes longer than most tests. Rows that a test leaves behind are deleted; a database
that it changed in another way (tables, triggers, statistics, open connections) is dropped.
"""

import asyncio
import uuid
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, Self
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from sightline.db.engine import Database

_MAX_USES = 60  # deleted rows still take space
_USER_OIDS = 16_384
# The versions of all tables, columns, triggers, constraints and functions, and whether statistics exist.
_FINGERPRINT = f"""
SELECT sum(part)::text FROM (
    SELECT hash_record_extended(ROW('c'::text, oid, xmin, relkind = 'r' AND reltuples > 0), 0)
    FROM pg_class WHERE oid >= {_USER_OIDS}
    UNION ALL SELECT hash_record_extended(ROW('a'::text, attrelid, attnum, xmin), 0)
    FROM pg_attribute WHERE attrelid >= {_USER_OIDS}
    UNION ALL SELECT hash_record_extended(ROW('t'::text, oid, xmin), 0) FROM pg_trigger WHERE oid >= {_USER_OIDS}
    UNION ALL SELECT hash_record_extended(ROW('k'::text, oid, xmin), 0) FROM pg_constraint WHERE oid >= {_USER_OIDS}
    UNION ALL SELECT hash_record_extended(ROW('p'::text, oid, xmin), 0) FROM pg_proc WHERE oid >= {_USER_OIDS}
) AS parts (part)
"""
_TABLES = f"""
SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'r' AND c.oid >= {_USER_OIDS}
"""
_SEQUENCES = """
SELECT format('%I.%I', schemaname, sequencename), coalesce(last_value, start_value), last_value IS NOT NULL
FROM pg_sequences
"""
_SEEDS = "SELECT jsonb_agg(to_jsonb(seed))::text FROM {table} AS seed"
_INSERT_SEEDS = """
INSERT INTO {table} OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_recordset(NULL::{table}, $1::text::jsonb)
"""
_COUNT = "SELECT count(*) FROM pg_stat_activity WHERE pid = ANY($1::integer[])"
_OTHERS = """
FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND pid <> ALL($1::integer[])
"""


def with_database(url: str, database: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{database}"))


async def run_sql(url: str, *statements: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


class DatabaseState(NamedTuple):
    """The state of a database after its creation."""

    fingerprint: str
    delete_rows: str
    """One statement for all tables and sequences: PostgreSQL plans it once for each connection."""
    seeds: dict[str, str]
    """Rows that the migrations have inserted, by table, as JSON."""

    @classmethod
    async def of(cls, connection: asyncpg.Connection) -> Self:
        tables = [row[0] for row in await connection.fetch(_TABLES)]
        seeds = {table: await connection.fetchval(_SEEDS.format(table=table)) for table in tables}
        deletes = ", ".join(f"delete_{number} AS (DELETE FROM {table})" for number, table in enumerate(tables))
        resets = ", ".join(
            f"setval('{name}', {value}, {str(is_called).lower()})"
            for name, value, is_called in await connection.fetch(_SEQUENCES)
        )
        return cls(
            await connection.fetchval(_FINGERPRINT),
            f"WITH {deletes} SELECT {resets}",
            {table: rows for table, rows in seeds.items() if rows is not None},
        )

    async def restore(self, connection: asyncpg.Connection) -> None:
        await connection.fetch(self.delete_rows)
        for table, rows in self.seeds.items():
            await connection.fetch(_INSERT_SEEDS.format(table=table), rows)


class DatabasePool:
    """The databases of one test process, each with an open connection that empties it after a test.

    The connections of the application stay open from one test of a module to the next. A new connection reads the
    catalog of all tables and plans all statements first, which takes longer than most tests.
    """

    def __init__(self, server_url: str, template: str) -> None:
        self._server_url = server_url
        self._template = template
        self._initial_state: DatabaseState | None = None
        self._ready: list[str] = []
        self._uses: Counter[str] = Counter()
        self._connections: dict[str, asyncpg.Connection] = {}
        self._idle: dict[str, asyncpg.Pool] = {}
        self._loop = asyncio.new_event_loop()  # outlives the loops of the test modules

    def acquire(self) -> str:
        name = self._ready.pop() if self._ready else self._loop.run_until_complete(self._make())
        self._uses[name] += 1
        return name

    async def _make(self) -> str:
        name = f"test_{uuid.uuid4().hex}"
        await run_sql(self._server_url, f'CREATE DATABASE "{name}" TEMPLATE "{self._template}" STRATEGY FILE_COPY')
        if self._initial_state is None:
            self._initial_state = await DatabaseState.of(await self._connect(name))
        return name

    @asynccontextmanager
    async def open(self, url: str) -> AsyncIterator[Database]:
        """Open one of the databases as the application does, with the connections of the test before, if it has any."""
        name = urlsplit(url).path.removeprefix("/")
        db = Database(url, pool_size=5)
        db.pool = self._idle.pop(name, None)
        if db.pool is None:
            await db.open()
        yield db
        if db.pool is None or db.pool.is_closing() or db.count_connections()[0]:
            await db.close()
        else:
            self._idle[name] = db.pool

    async def close_connections(self) -> None:
        for pool in self._idle.values():
            await pool.close()
        self._idle.clear()

    def _list_idle(self, name: str) -> list[int]:
        """Return the server's processes that wait for the next test."""
        pool: Any = self._idle.get(name)
        return [each._con.get_server_pid() for each in pool._holders if each.is_connected()] if pool else []

    def release(self, name: str) -> None:
        if self._uses[name] < _MAX_USES and self._loop.run_until_complete(self._reset(name)):
            self._ready.append(name)
        else:
            self._loop.run_until_complete(self._drop(name))

    def close(self) -> None:
        self._loop.run_until_complete(self._drop(*{*self._ready, *self._connections}))
        self._ready.clear()
        self._loop.close()

    async def _connect(self, name: str) -> asyncpg.Connection:
        connection = self._connections.get(name)
        if connection is None or connection.is_closed():  # a test may have cut it
            connection = await asyncpg.connect(
                with_database(self._server_url, name),
                server_settings={"session_replication_role": "replica"},  # no triggers, no foreign keys
            )
            self._connections[name] = connection
        return connection

    async def _drop(self, *names: str) -> None:
        for name in names:
            if pool := self._idle.pop(name, None):
                pool.terminate()
            if connection := self._connections.pop(name, None):
                connection.terminate()
        await run_sql(self._server_url, *(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)' for name in names))

    async def _reset(self, name: str) -> bool:
        """Delete all rows. Return whether the database is then as it was created."""
        assert self._initial_state is not None
        try:
            connection = await self._connect(name)
            idle = self._list_idle(name)
            if await connection.fetchval(_COUNT, idle) < len(idle):  # the test has cut some of them
                self._idle.pop(name).terminate()
                idle = []
            await connection.fetch(f"SELECT pg_terminate_backend(pid) {_OTHERS}", idle)
            if await connection.fetchval(_FINGERPRINT) != self._initial_state.fingerprint:
                return False
            await self._initial_state.restore(connection)
            return await _is_alone(connection, idle)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            return False


async def _is_alone(connection: asyncpg.Connection, idle: list[int]) -> bool:
    for _ in range(50):
        if await connection.fetchval(f"SELECT count(*) {_OTHERS}", idle) == 0:
            return True
        await asyncio.sleep(0.02)
    return False
