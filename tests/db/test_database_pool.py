"""The pool of test databases: no test sees what another one wrote."""

import asyncio

import asyncpg

from tests.databases import DatabasePool, run_sql, with_database


def test_a_released_database_has_the_schema_version_of_the_template(server_url, template):
    pool = DatabasePool(server_url, template)
    name = pool.acquire()
    expected = asyncio.run(_schema_version(with_database(server_url, name)))
    asyncio.run(
        run_sql(with_database(server_url, name), "UPDATE alembic_version SET version_num = 'changed by a test'")
    )
    pool.release(name)
    again = pool.acquire()  # the same one, unless the server has changed it meanwhile
    assert asyncio.run(_schema_version(with_database(server_url, again))) == expected
    pool.release(again)
    pool.close()


async def _schema_version(url):
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval("SELECT version_num FROM alembic_version")
    finally:
        await connection.close()
