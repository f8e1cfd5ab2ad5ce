"""The migration to ended access: links of people who had left end, and keys that were revoked are on record."""

import uuid

import asyncpg

from sightline.api_keys.format import digest_key
from sightline.db.migrate import migrate
from tests.databases import run_sql, with_database
from tests.db.test_stored_rows import IDS, OLD, WORKSPACE, restore


async def test_rows_of_the_commit_before_are_migrated(server_url):
    name = f"test_{uuid.uuid4().hex}"
    await restore(server_url, name)
    connection = await asyncpg.connect(with_database(server_url, name))
    try:
        gone = uuid.uuid4()
        await connection.execute(
            "INSERT INTO users (id, email, name, password_hash, created_at) VALUES ($1, 'g@x.com', '', '', now())", gone
        )
        shares = "SELECT count(*) FROM report_shares WHERE revoked_at IS NULL AND "
        open_links = await connection.fetchval(f"{shares} shared_by <> $1", gone)
        await connection.execute(
            """INSERT INTO report_shares (workspace_id, id, report_id, digest, shared_by, created_at, expires_at)
               VALUES ($1, gen_random_uuid(), $2, 'x', $3, now(), now() + interval '30 days')""",
            WORKSPACE,
            uuid.UUID(IDS["report"]),
            gone,
        )
        revoked, kept = (digest_key(OLD["keys"][each]) for each in ("live", "data"))
        await connection.execute("UPDATE api_keys SET revoked_at = now() WHERE digest = $1", revoked)
        await migrate(with_database(server_url, name))
        assert await connection.fetchval(f"{shares} shared_by = $1", gone) == 0
        assert await connection.fetchval(f"{shares} shared_by <> $1", gone) == open_links > 0
        recorded = {row[0] for row in await connection.fetch("SELECT subject FROM ended_access WHERE is_over")}
        assert f"credential {revoked.hex()}" in recorded and f"credential {kept.hex()}" not in recorded
    finally:
        await connection.close()
        await run_sql(server_url, f'DROP DATABASE "{name}" WITH (FORCE)')
