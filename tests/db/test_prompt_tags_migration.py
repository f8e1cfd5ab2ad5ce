"""The migration of tags: prompts of the commit before have none, and replace none."""

import uuid

import asyncpg

from sightline.db.migrate import migrate
from tests.databases import run_sql, with_database
from tests.db.test_stored_rows import restore


async def test_prompts_of_the_commit_before_have_no_tags(server_url):
    name = f"test_{uuid.uuid4().hex}"
    await restore(server_url, name)
    connection = await asyncpg.connect(with_database(server_url, name))
    try:
        before = await connection.fetch("SELECT id, prompt, status FROM prompts ORDER BY id")
        assert before
        await migrate(with_database(server_url, name))
        assert await connection.fetch("SELECT id, prompt, status FROM prompts ORDER BY id") == before
        assert await connection.fetchval("SELECT bool_and(tags = '{}' AND replaces IS NULL) FROM prompts")
    finally:
        await connection.close()
        await run_sql(server_url, f'DROP DATABASE "{name}" WITH (FORCE)')
