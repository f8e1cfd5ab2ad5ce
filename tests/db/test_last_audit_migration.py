"""Migration 0036: domains of the commit before know when their audit was completed."""

import uuid

import asyncpg

from sightline.db.migrate import migrate
from tests.databases import run_sql, with_database
from tests.db.test_stored_rows import restore


async def test_domains_of_the_commit_before_know_their_audit(server_url):
    name = f"test_{uuid.uuid4().hex}"
    await restore(server_url, name)
    connection = await asyncpg.connect(with_database(server_url, name))
    try:
        await migrate(with_database(server_url, name))
        stored = await connection.fetch("SELECT id, last_audit_at FROM domains WHERE last_audit_at IS NOT NULL")
        audits = await connection.fetch(
            """SELECT domain_id, completed_at FROM scans
               WHERE measurement_scope = 'free_audit' AND status = 'completed'"""
        )
        assert len(audits) == 1 and list(map(tuple, stored)) == list(map(tuple, audits))
    finally:
        await connection.close()
        await run_sql(server_url, f'DROP DATABASE "{name}" WITH (FORCE)')
