"""Migration 0033: domains of the commit before ask all platforms, and an ended sandbox suggests nothing any more."""

import uuid
from importlib import import_module

import asyncpg

from sightline.db.migrate import migrate
from tests.databases import run_sql, with_database
from tests.db.test_stored_rows import restore

LEFTOVERS = import_module("sightline.db.migrations.versions.0033_first_run").LEFTOVERS
COUNTS = """SELECT (SELECT count(*) FROM prompt_suggestions WHERE status = 'open'),
                   (SELECT count(*) FROM competitors WHERE status = 'suggested'),
                   (SELECT count(*) FROM competitors WHERE status <> 'suggested')"""


async def test_domains_of_the_commit_before_ask_all_platforms_and_leftovers_of_a_sandbox_are_dropped(server_url):
    name = f"test_{uuid.uuid4().hex}"
    await restore(server_url, name)
    connection = await asyncpg.connect(with_database(server_url, name))
    try:
        await migrate(with_database(server_url, name))
        chosen = await connection.fetch("SELECT chosen_platforms, first_week_closed_at FROM domains")
        assert chosen and {tuple(row) for row in chosen} == {(None, None)}
        before = await connection.fetchrow(COUNTS)
        assert before[0] and before[1] and before[2]
        assert await connection.fetchval("SELECT bool_and(answers_source = 'sandbox') FROM scans")
        await connection.execute(LEFTOVERS)
        assert await connection.fetchrow(COUNTS) == before, "it is still a sandbox"
        await connection.execute("UPDATE installation SET sandbox_ended_at = now()")
        await connection.execute("UPDATE workspaces SET plan = 'free'")
        await connection.execute("UPDATE domains SET next_check_at = NULL, made_for_demo = false")
        await connection.execute(
            "UPDATE prompt_suggestions SET scan_id = (SELECT min(id::text)::uuid FROM scans s "
            "WHERE s.workspace_id = prompt_suggestions.workspace_id)"
        )
        await connection.execute(LEFTOVERS)
        assert tuple(await connection.fetchrow(COUNTS)) == (0, 0, before[2])
        due = await connection.fetch("SELECT DISTINCT workspace_id FROM domains WHERE next_check_at IS NOT NULL")
        audited = await connection.fetch("SELECT workspace_id FROM scans WHERE measurement_scope = 'free_audit'")
        assert {row[0] for row in due} == {row[0] for row in audited} and len(audited) == 1
    finally:
        await connection.close()
        await run_sql(server_url, f'DROP DATABASE "{name}" WITH (FORCE)')
