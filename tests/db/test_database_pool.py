"""The pool of test databases: no test sees what another one wrote."""

import asyncio

import asyncpg

from tests.databases import run_sql, with_database


def test_a_released_database_has_the_schema_version_of_the_template(server_url, databases):
    url = with_database(server_url, name := databases.acquire())
    expected = asyncio.run(_schema_version(url))
    asyncio.run(run_sql(url, "UPDATE alembic_version SET version_num = 'changed by a test'"))
    databases.release(name)
    assert databases.acquire() == name
    assert asyncio.run(_schema_version(url)) == expected
    databases.release(name)


async def _schema_version(url):
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval("SELECT version_num FROM alembic_version")
    finally:
        await connection.close()
