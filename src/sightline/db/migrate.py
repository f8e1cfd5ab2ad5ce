"""Brings a database to the newest schema. Forward only; one process at a time, by an advisory lock."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import asyncpg

from sightline.db.engine import Reader

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

_HERE = Path(__file__).parent / "migrations"
# Any number that nothing else in this database uses.
_LOCK = 7_410_302_214


class SchemaOutdated(Exception):
    """The database has an older schema than this version needs; nothing was done."""


@cache
def newest_revision() -> str:
    """By the files' names (0001_house.py), without waking Alembic: most starts find nothing to do."""
    return max(file.name.partition("_")[0] for file in (_HERE / "versions").glob("[0-9]*_*.py"))


async def read_revision(connection: "asyncpg.Connection[asyncpg.Record]") -> str | None:
    """The schema that a database has; None when it has none yet."""
    if await connection.fetchval("SELECT to_regclass('alembic_version')") is None:
        return None
    revision: str | None = await connection.fetchval("SELECT version_num FROM alembic_version")
    return revision


async def is_schema_current(db: Reader) -> bool:
    """Return whether the schema is the newest or, while the next version is being rolled out, a newer one."""
    revision: str = await db.fetchval("SELECT version_num FROM alembic_version")
    return revision >= newest_revision()


async def migrate(database_url: str) -> None:
    """Runs what is missing. Safe to call from many processes at once: the others wait, then find nothing to do."""
    if not await _is_newest(database_url):
        await _run_alembic(database_url)


async def require_newest(database_url: str) -> None:
    if not await _is_newest(database_url):
        raise SchemaOutdated(f"The database does not have the schema {newest_revision()}. Run: sightline migrate")


async def _is_newest(database_url: str) -> bool:
    connection = await asyncpg.connect(database_url)
    try:
        return await read_revision(connection) == newest_revision()
    finally:
        await connection.close()


async def _run_alembic(database_url: str) -> None:
    from sqlalchemy.ext.asyncio import create_async_engine
    from sqlalchemy.pool import NullPool

    # asyncpg reads the address itself: SQLAlchemy's reading of it knows no `sslmode`.
    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(database_url), poolclass=NullPool
    )
    try:
        async with engine.connect() as connection:
            await connection.run_sync(_upgrade)
    finally:
        await engine.dispose()


def _upgrade(connection: "Connection") -> None:
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import text

    config = Config()
    config.set_main_option("script_location", str(_HERE))
    config.attributes["connection"] = connection
    connection.execute(text("SELECT pg_advisory_lock(:lock)"), {"lock": _LOCK})
    connection.commit()
    try:
        command.upgrade(config, "head")
        connection.commit()
    finally:
        connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": _LOCK})
        connection.commit()
