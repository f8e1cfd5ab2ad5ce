"""The migration of sign-ins: sessions of the commit before end after seven idle days, like new ones."""

import uuid
from datetime import timedelta

import asyncpg

from sightline.db.migrate import migrate
from tests.databases import run_sql, with_database
from tests.db.test_stored_rows import restore

DAYS = timedelta(days=1)


async def test_sessions_of_the_commit_before_end_when_they_are_idle(server_url):
    name = f"test_{uuid.uuid4().hex}"
    await restore(server_url, name)
    connection = await asyncpg.connect(with_database(server_url, name))
    try:
        ((digest, user_id, signed_in, expires_at),) = await connection.fetch(
            "SELECT digest, user_id, created_at, expires_at FROM sessions"
        )
        assert expires_at - signed_in == 14 * DAYS
        insert = "INSERT INTO sessions (digest, user_id, created_at, seen_at, expires_at) VALUES ($1, $2, $3, $4, $5)"
        await connection.execute(insert, b"in use", user_id, signed_in, signed_in + 5 * DAYS, expires_at)
        await connection.execute(insert, b"ends soon", user_id, signed_in, signed_in + 13 * DAYS, expires_at)
        await migrate(with_database(server_url, name))
        after = dict(await connection.fetch("SELECT digest, expires_at FROM sessions"))
        seen = await connection.fetchval("SELECT coalesce(seen_at, created_at) FROM sessions WHERE digest = $1", digest)
        assert after == {
            digest: seen + 7 * DAYS,
            b"in use": signed_in + 12 * DAYS,
            b"ends soon": expires_at,
        }
    finally:
        await connection.close()
        await run_sql(server_url, f'DROP DATABASE "{name}" WITH (FORCE)')
