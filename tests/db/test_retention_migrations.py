"""Migrations 0040 to 0042: scans of the commit before have their answers, and no index of names yet."""

import uuid

import asyncpg

from sightline.db.migrate import migrate
from tests.databases import run_sql, with_database
from tests.db.test_stored_rows import restore


async def test_stored_scans_still_have_their_answers(server_url):
    name = f"test_{uuid.uuid4().hex}"
    await restore(server_url, name)
    connection = await asyncpg.connect(with_database(server_url, name))
    try:
        scans, recomputations = [
            await connection.fetch(f"SELECT * FROM {table} ORDER BY id") for table in ("scans", "recomputations")
        ]
        await migrate(with_database(server_url, name))
        migrated = await connection.fetch("SELECT * FROM scans ORDER BY id")
        assert len(scans) > 3 and [tuple(row)[: len(scans[0])] for row in migrated] == [tuple(row) for row in scans]
        assert {row["answers_expired_at"] for row in migrated} == {None}
        indexes = await connection.fetch("SELECT name_index FROM scan_results")
        assert {row[0] for row in indexes} == {None}, "the first rename reads all answers, and makes the index"
        counted = await connection.fetch("SELECT scans_expired FROM recomputations")
        assert [row[0] for row in counted] == [0] * len(recomputations)
    finally:
        await connection.close()
        await run_sql(server_url, f'DROP DATABASE "{name}" WITH (FORCE)')
