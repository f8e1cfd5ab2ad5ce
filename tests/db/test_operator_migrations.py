"""Migrations 0026, 0027 and 0035 on rows of the commit before: who operates, what is paused, and what is new."""

import uuid

import asyncpg

from sightline.db.migrate import migrate
from tests.databases import run_sql, with_database
from tests.db.test_stored_rows import restore


async def test_people_pauses_and_costs_of_the_commit_before_stay_as_they_were(server_url):
    name = f"test_{uuid.uuid4().hex}"
    await restore(server_url, name)
    connection = await asyncpg.connect(with_database(server_url, name))
    try:
        assert await connection.fetchval("SELECT array_agg(platform) FROM platform_pauses") == ["grok"]
        people = await connection.fetch("SELECT id, email, name, password_hash, created_at FROM users ORDER BY id")
        workspaces = await connection.fetch("SELECT id, timezone FROM workspaces ORDER BY id")
        assert people and workspaces
        await migrate(with_database(server_url, name))
        same = "SELECT id, email, name, password_hash, created_at FROM users ORDER BY id"
        assert await connection.fetch(same) == people
        assert await connection.fetch("SELECT id, timezone FROM workspaces ORDER BY id") == workspaces
        assert await connection.fetchval("SELECT bool_and(timezone IS NULL) FROM users")
        # 0026: nobody becomes an operator by the migration.
        assert await connection.fetchval("SELECT count(*) FROM operators") == 0
        assert await connection.fetchval("SELECT bool_and(first_operator_at IS NULL) FROM installation")
        # 0027: a pause from before was an operator's, and no month's end may undo it.
        pauses = await connection.fetch("SELECT platform, reason FROM platform_pauses")
        assert [tuple(row) for row in pauses] == [("grok", "operator")]
        for table in ("platform_credentials", "platform_options", "kept_forms", "platform_failures"):
            assert await connection.fetchval(f"SELECT count(*) FROM {table}") == 0
    finally:
        await connection.close()
        await run_sql(server_url, f'DROP DATABASE "{name}" WITH (FORCE)')
