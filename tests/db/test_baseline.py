"""The baseline, and databases from before it: 0047 is brought to it, and older ones are refused."""

import subprocess
import uuid
from datetime import timedelta

import asyncpg
import pytest

from scripts.schema import SQL, read_schema, write_sql
from sightline.backups.programs import find_programs
from sightline.db.failures import SchemaTooOld
from sightline.db.migrate import migrate
from sightline.db.revision import newest_revision
from tests.databases import run_sql, with_database
from tests.db.test_stored_rows import restore

HOUR = timedelta(hours=1)


@pytest.fixture
async def old_url(server_url):
    """Return the address of a database with the schema 0047, and rows of an older commit."""
    name = f"test_{uuid.uuid4().hex}"
    await restore(server_url, name)
    yield with_database(server_url, name)
    await run_sql(server_url, f'DROP DATABASE "{name}" WITH (FORCE)')


async def test_the_file_describes_the_newest_schema(database_url):
    connection = await asyncpg.connect(database_url)
    try:
        schema = await read_schema(connection)
    finally:
        await connection.close()
    assert write_sql(schema) == SQL.read_text(), "run: make schema"


async def test_a_database_from_before_the_baseline_gets_the_same_schema(old_url, database_url):
    await migrate(old_url)
    assert await dump_schema(old_url) == await dump_schema(database_url)


async def dump_schema(url: str) -> str:
    """Return what pg_dump says of the schema. Partitions of a month are created at different times, so they go."""
    connection = await asyncpg.connect(url)
    months = await connection.fetch(
        "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname ~ '_[0-9]{4}_[0-9]{2}$'"
    )
    for (month,) in months:
        await connection.execute(f"DROP TABLE {month}")
    major = connection.get_server_version().major
    await connection.close()
    pg_dump = find_programs(major).command("pg_dump")
    done = subprocess.run((pg_dump, "--schema-only", "--no-owner", url), capture_output=True, text=True, check=True)
    return "\n".join(line for line in done.stdout.splitlines() if not line.startswith(("\\", "--")))


async def test_unused_links_from_before_the_first_user_end_with_the_first_owner(old_url):
    connection = await asyncpg.connect(old_url)
    try:
        user_id, first = await connection.fetchrow("SELECT id, created_at FROM users ORDER BY created_at LIMIT 1")
        insert = "INSERT INTO bootstrap_tokens (digest, created_at, expires_at, used_by) VALUES ($1, $2, $3, $4)"
        for digest, created_at, used_by in (
            (b"used", first - HOUR, user_id),
            (b"unused", first - HOUR, None),
            (b"later", first + HOUR, None),
        ):
            await connection.execute(insert, digest, created_at, first + 24 * HOUR, used_by)
        await migrate(old_url)
        ended = await connection.fetch("SELECT digest FROM bootstrap_tokens WHERE first_owner_only")
        assert [row[0] for row in ended] == [b"unused"]
        assert await connection.fetchval("SELECT version_num FROM alembic_version") == newest_revision()
    finally:
        await connection.close()


async def test_bringing_a_database_to_the_baseline_is_one_transaction(old_url):
    """Here the last statement fails."""
    await run_sql(old_url, "ALTER TABLE alembic_version ADD CHECK (version_num = '0047')")
    with pytest.raises(Exception, match="violates check constraint"):
        await migrate(old_url)
    connection = await asyncpg.connect(old_url)
    columns = "SELECT count(*) FROM pg_attribute WHERE attname = 'first_owner_only'"
    assert await connection.fetchval(columns) == 0
    await connection.close()


async def test_an_older_database_is_refused_and_left_as_it_is(old_url):
    await run_sql(old_url, "UPDATE alembic_version SET version_num = '0046'")
    with pytest.raises(SchemaTooOld, match=r"schema 0046.*First migrate it with commit 3a5c66f1c12c"):
        await migrate(old_url)
    connection = await asyncpg.connect(old_url)
    assert await connection.fetchval("SELECT version_num FROM alembic_version") == "0046"
    await connection.close()
