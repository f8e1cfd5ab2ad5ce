"""Brings a database to the newest schema. Forward only; one process at a time, by an advisory lock."""

import asyncio
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.engine import Connection
from sqlalchemy.engine.url import make_url
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

_HERE = Path(__file__).parent / "migrations"
# Any number that nothing else in this database uses.
_LOCK = 7_410_302_214


def newest_revision() -> str:
    head = ScriptDirectory(str(_HERE)).get_current_head()
    assert head is not None, "the package holds no migration"
    return head


async def migrate(database_url: str, revision: str = "head") -> None:
    """Runs what is missing. Safe to call from many processes at once: the others wait, then find nothing to do."""
    url = make_url(database_url).set(drivername="postgresql+asyncpg")
    engine = create_async_engine(url, poolclass=NullPool)
    try:
        async with engine.connect() as connection:
            await connection.run_sync(_upgrade, revision)
    finally:
        await engine.dispose()


def migrate_sync(database_url: str) -> None:
    asyncio.run(migrate(database_url))


def _upgrade(connection: Connection, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(_HERE))
    config.attributes["connection"] = connection
    connection.execute(text("SELECT pg_advisory_lock(:lock)"), {"lock": _LOCK})
    connection.commit()
    try:
        command.upgrade(config, revision)
        connection.commit()
    finally:
        connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": _LOCK})
        connection.commit()
