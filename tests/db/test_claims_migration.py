"""Migration 0016: claims of the commit before become free soon, unless their requests are renewed."""

import uuid
from datetime import UTC, datetime

import asyncpg
import pytest

from sightline.db.migrate import migrate
from sightline.errors import Problem
from sightline.idempotency.claims import claim_or_replay
from sightline.idempotency.models import IdempotencyClaim, KeyScope
from tests.databases import run_sql, with_database
from tests.db.test_stored_rows import restore

SCOPE = KeyScope(uuid.UUID(int=1), uuid.UUID(int=2), "POST", "/x", "k")


async def test_a_claim_of_the_commit_before_becomes_free(server_url):
    name = f"test_{uuid.uuid4().hex}"
    await restore(server_url, name)
    connection = await asyncpg.connect(with_database(server_url, name))
    now = datetime.now(UTC)

    async def claim():
        return await claim_or_replay(connection, SCOPE, b"", lease=3600, retention=86_400, now=now)

    try:
        await connection.execute(
            """INSERT INTO idempotency_keys
                   (workspace_id, subject, method, path_hash, key, body_hash, claim, claimed_at)
               VALUES ($1, $2, 'POST', sha256('/x'), 'k', sha256(''), gen_random_uuid(), $3)""",
            SCOPE.workspace_id,
            SCOPE.subject,
            now,
        )
        await migrate(with_database(server_url, name))
        with pytest.raises(Problem, match="idempotency_in_progress"):
            await claim()  # its process may still run during the upgrade
        await connection.execute("UPDATE idempotency_keys SET renewed_at = renewed_at - interval '15 seconds'")
        assert isinstance(await claim(), IdempotencyClaim)
    finally:
        await connection.close()
        await run_sql(server_url, f'DROP DATABASE "{name}" WITH (FORCE)')
