"""When the database counts as unavailable: after a failure to connect, never after a failed statement."""

import asyncio
from contextlib import asynccontextmanager

import asyncpg
import pytest

from sightline.db import engine
from sightline.db.application_name import add_application_name
from sightline.db.engine import Database, DatabaseUnavailable, SchemaMissing
from sightline.db.failures import TransactionConflict


@asynccontextmanager
async def open_database(url, **options):
    db = Database(url, pool_size=3, **options)
    await db.open()
    try:
        yield db
    finally:
        await db.close()


@asynccontextmanager
async def run_silent_server():
    """Listen on a port, accept every connection and never answer: PostgreSQL that hangs."""
    writers = []
    server = await asyncio.start_server(lambda _, writer: writers.append(writer), "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        for writer in writers:
            writer.close()
        server.close()
        await server.wait_closed()


async def test_a_statement_that_times_out_is_no_outage(installation, database_url):
    async with (
        open_database(database_url, statement_timeout=0.2) as db,
        installation.db.transaction() as tx,
    ):
        await tx.execute("LOCK TABLE workspaces IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(DatabaseUnavailable):
            await db.fetchval("SELECT count(*) FROM workspaces")
        with pytest.raises(DatabaseUnavailable):
            async with db.transaction() as waiting:
                await waiting.fetchval("SELECT count(*) FROM workspaces")
        assert await db.fetchval("SELECT 1") == 1, "others are not concerned"


async def test_a_wait_for_a_lock_ends_before_the_statement_and_is_no_outage(installation, database_url):
    async with (
        open_database(database_url, lock_timeout=0.05, statement_timeout=30) as db,
        installation.db.transaction() as tx,
    ):
        await tx.execute("LOCK TABLE workspaces IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(DatabaseUnavailable, match="lock timeout"):
            await db.fetchval("SELECT count(*) FROM workspaces")
        assert await db.fetchval("SELECT 1") == 1, "others are not concerned"
        assert await db.fetchval("SHOW lock_timeout") == "50ms"
    assert await installation.db.fetchval("SHOW lock_timeout") == "5s"


async def test_a_failure_in_the_block_of_a_transaction_is_no_outage(database_url):
    async with open_database(database_url) as db:
        with pytest.raises(DatabaseUnavailable):
            async with db.transaction():
                raise OSError("something else that the block did")
        assert await db.fetchval("SELECT 1") == 1


async def test_a_connection_that_is_lost_while_it_is_given_back_does_no_harm(database_url, monkeypatch):
    """A worker of the release before ended when PostgreSQL fell at this moment: chaos found it with seed 78."""

    async def fall(connection):
        await connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    # The connection has to break between the end of its transaction and its return to the pool.
    monkeypatch.setattr(engine, "skip_reset", fall)
    async with open_database(database_url) as db:
        async with db.transaction() as tx:
            assert await tx.fetchval("SELECT 1") == 1
        assert await db.fetchval("SELECT 1") == 1


async def test_after_a_failed_connection_callers_fail_immediately():
    async with run_silent_server() as port:
        url = f"postgresql://nobody@127.0.0.1:{port}/none?sslmode=disable"
        async with open_database(url, connect_timeout=0.1) as db:
            with pytest.raises(DatabaseUnavailable):
                await db.fetchval("SELECT 1")
            with pytest.raises(DatabaseUnavailable, match="a moment ago"):
                await db.fetchval("SELECT 1")


async def test_a_statement_that_times_out_because_the_server_hangs_is_an_outage(database_url, monkeypatch):
    async with (
        run_silent_server() as port,
        open_database(database_url, statement_timeout=0.2, connect_timeout=0.1) as db,
    ):
        assert await db.fetchval("SELECT 1") == 1
        # From here on the server takes connections and says nothing, as one that is stopped does.
        # A server that is stopped would stop other tests.
        monkeypatch.setattr(db, "url", f"postgresql://nobody@127.0.0.1:{port}/none?sslmode=disable")
        with pytest.raises(DatabaseUnavailable):
            await db.fetchval("SELECT pg_sleep(1)")
        with pytest.raises(DatabaseUnavailable, match="a moment ago"):
            await db.fetchval("SELECT 1")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("postgresql://me@db/sightline", "postgresql://me@db/sightline?application_name=sightline%20worker"),
        ("postgresql:///s?host=/run&port=1", "postgresql:///s?host=/run&port=1&application_name=sightline%20worker"),
        ("postgresql://db/s?application_name=x&a=b", "postgresql://db/s?a=b&application_name=sightline%20worker"),
    ],
)
def test_a_database_url_names_the_process(url, expected):
    assert add_application_name(url, "sightline worker") == expected


@pytest.mark.parametrize("query", ["SELECT 1 FROM no_such_table", "SELECT no_such_column FROM workspaces"])
async def test_an_older_schema_is_named_and_a_bug_is_not_taken_for_one(installation, query):
    with pytest.raises(asyncpg.PostgresError):
        await installation.db.fetchval(query)
    await installation.db.execute("UPDATE alembic_version SET version_num = '0001'")
    with pytest.raises(SchemaMissing, match="has the schema 0001"):
        await installation.db.fetchval(query)
    with pytest.raises(SchemaMissing, match="has the schema 0001"):
        async with installation.db.transaction() as tx:
            await tx.fetchval(query)


async def test_a_deadlock_concerns_its_transaction_alone(installation):
    with pytest.raises(TransactionConflict, match="deadlock detected"):
        await installation.db.execute("DO $$ BEGIN RAISE 'deadlock detected' USING ERRCODE = '40P01'; END $$")
    assert await installation.db.fetchval("SELECT 1") == 1
