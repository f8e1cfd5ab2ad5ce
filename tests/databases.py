"""A pool of test databases: copies of a migrated template that are emptied and used again.

Creating and warming up a database takes longer than most tests. Rows that a test leaves behind are deleted; a database
that it changed in another way (tables, triggers, statistics, open connections) is dropped.
"""

import asyncio
import io
import uuid
from collections import Counter
from typing import NamedTuple, Self
from urllib.parse import urlsplit, urlunsplit

import asyncpg

_MAX_USES = 60  # deleted rows still take space
_USER_OIDS = 16_384
# The versions of all tables, columns, triggers, constraints and functions, and whether statistics exist.
_FINGERPRINT = f"""
SELECT md5(string_agg(part, '|' ORDER BY part)) FROM (
    SELECT 'c' || oid || ':' || xmin || ':' || (relkind = 'r' AND reltuples > 0) FROM pg_class WHERE oid >= {_USER_OIDS}
    UNION ALL SELECT 'a' || attrelid || ':' || attnum || ':' || xmin FROM pg_attribute WHERE attrelid >= {_USER_OIDS}
    UNION ALL SELECT 't' || oid || ':' || xmin FROM pg_trigger WHERE oid >= {_USER_OIDS}
    UNION ALL SELECT 'k' || oid || ':' || xmin FROM pg_constraint WHERE oid >= {_USER_OIDS}
    UNION ALL SELECT 'p' || oid || ':' || xmin FROM pg_proc WHERE oid >= {_USER_OIDS}
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
_OTHERS = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


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
    tables: list[str]
    seeds: dict[str, bytes]
    """Rows that the migrations have inserted, by table."""
    sequences: list[tuple[str, int, bool]]

    @classmethod
    async def of(cls, connection: asyncpg.Connection) -> Self:
        tables = [row[0] for row in await connection.fetch(_TABLES)]
        seeds = {}
        for table in tables:
            if await connection.fetchval(f"SELECT EXISTS (SELECT FROM {table})"):
                content = io.BytesIO()
                await connection.copy_from_query(f"SELECT * FROM {table}", output=content, format="binary")
                seeds[table] = content.getvalue()
        sequences = [tuple(row) for row in await connection.fetch(_SEQUENCES)]
        return cls(await connection.fetchval(_FINGERPRINT), tables, seeds, sequences)

    async def restore(self, connection: asyncpg.Connection) -> None:
        async with connection.transaction():
            await connection.execute("SET LOCAL session_replication_role = replica")  # no triggers, no foreign keys
            await connection.execute(";".join(f"DELETE FROM {table}" for table in self.tables))
            for table, content in self.seeds.items():
                schema, name = table.split(".")
                await connection.copy_to_table(name, schema_name=schema, source=io.BytesIO(content), format="binary")
            await connection.executemany("SELECT setval($1::text::regclass, $2, $3)", self.sequences)


class DatabasePool:
    """The databases of one test process."""

    def __init__(self, server_url: str, template: str) -> None:
        self._server_url = server_url
        self._template = template
        self._initial_state: DatabaseState | None = None
        self._ready: list[str] = []
        self._uses: Counter[str] = Counter()

    def acquire(self) -> str:
        name = self._ready.pop() if self._ready else asyncio.run(self._make())
        self._uses[name] += 1
        return name

    async def _make(self) -> str:
        name = f"test_{uuid.uuid4().hex}"
        await run_sql(self._server_url, f'CREATE DATABASE "{name}" TEMPLATE "{self._template}" STRATEGY FILE_COPY')
        if self._initial_state is None:
            connection = await asyncpg.connect(with_database(self._server_url, name))
            try:
                self._initial_state = await DatabaseState.of(connection)
            finally:
                await connection.close()
        return name

    def release(self, name: str) -> None:
        if self._uses[name] < _MAX_USES and asyncio.run(self._reset(name)):
            self._ready.append(name)
        else:
            asyncio.run(run_sql(self._server_url, f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'))

    def close(self) -> None:
        statements = [f'DROP DATABASE "{name}" WITH (FORCE)' for name in self._ready]
        self._ready.clear()
        asyncio.run(run_sql(self._server_url, *statements))

    async def _reset(self, name: str) -> bool:
        """Delete all rows. Return whether the database is then as it was created."""
        assert self._initial_state is not None
        try:
            connection = await asyncpg.connect(with_database(self._server_url, name))
        except (OSError, asyncpg.PostgresError):
            return False
        try:
            await connection.execute(f"SELECT pg_terminate_backend(pid) {_OTHERS}")
            if await connection.fetchval(_FINGERPRINT) != self._initial_state.fingerprint:
                return False
            await self._initial_state.restore(connection)
            return await _is_alone(connection)
        except (OSError, asyncpg.PostgresError):
            return False
        finally:
            await connection.close()


async def _is_alone(connection: asyncpg.Connection) -> bool:
    for _ in range(50):
        if await connection.fetchval(f"SELECT count(*) {_OTHERS}") == 0:
            return True
        await asyncio.sleep(0.02)
    return False
