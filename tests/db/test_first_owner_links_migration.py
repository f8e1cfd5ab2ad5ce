"""Migration 0048 on rows of the commit before: unused links from before the first user end with the first owner."""

import uuid
from datetime import timedelta

import asyncpg

from sightline.db.migrate import migrate
from tests.databases import run_sql, with_database
from tests.db.test_stored_rows import restore

HOUR = timedelta(hours=1)


async def test_unused_links_of_the_commit_before_end_if_they_were_made_before_the_first_user(server_url):
    name = f"test_{uuid.uuid4().hex}"
    await restore(server_url, name)
    connection = await asyncpg.connect(with_database(server_url, name))
    try:
        user_id, first = await connection.fetchrow("SELECT id, created_at FROM users ORDER BY created_at LIMIT 1")
        insert = "INSERT INTO bootstrap_tokens (digest, created_at, expires_at, used_by) VALUES ($1, $2, $3, $4)"
        for digest, created_at, used_by in (
            (b"used", first - HOUR, user_id),
            (b"unused", first - HOUR, None),
            (b"later", first + HOUR, None),
        ):
            await connection.execute(insert, digest, created_at, first + 24 * HOUR, used_by)
        await migrate(with_database(server_url, name))
        ended = await connection.fetch("SELECT digest FROM bootstrap_tokens WHERE first_owner_only")
        assert [row[0] for row in ended] == [b"unused"]
        # A process of the commit before names no such column.
        await connection.execute(insert, b"new", first + HOUR, first + 24 * HOUR, None)
    finally:
        await connection.close()
        await run_sql(server_url, f'DROP DATABASE "{name}" WITH (FORCE)')
