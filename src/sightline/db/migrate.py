"""Migrating a database to the newest schema. Forward only; an advisory lock admits one process at a time."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import asyncpg

from sightline.db.connect import connect
from sightline.db.engine import Reader, SchemaMissing

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

_MIGRATIONS = Path(__file__).parent / "migrations"
# The key of an advisory lock; nothing else in this database uses it.
_LOCK = 7_410_302_214


class SchemaOutdated(Exception):
    """The database has an older schema than this version needs. Nothing was changed."""


@cache
def newest_revision() -> str:
    """Return the newest revision by file name, without importing Alembic: most starts have nothing to do."""
    return max(file.name.partition("_")[0] for file in (_MIGRATIONS / "versions").glob("[0-9]*_*.py"))


async def read_revision(connection: "asyncpg.Connection[asyncpg.Record]") -> str | None:
    """Return the schema revision of the database, or None when it has none."""
    if await connection.fetchval("SELECT to_regclass('alembic_version')") is None:
        return None
    revision: str | None = await connection.fetchval("SELECT version_num FROM alembic_version")
    return revision


async def is_schema_current(db: Reader) -> bool:
    """Return whether the schema is the newest or, while the next version is being rolled out, a newer one."""
    try:
        revision: str | None = await db.fetchval("SELECT version_num FROM alembic_version")
    except SchemaMissing:
        return False
    return revision is not None and revision >= newest_revision()


async def migrate(database_url: str) -> None:
    """Run the missing migrations. Concurrent callers wait, and then find nothing to do. A newer schema is kept."""
    if not await _is_current(database_url):
        await _run_alembic(database_url)


async def require_newest(database_url: str) -> None:
    if not await _is_current(database_url):
        raise SchemaOutdated(f"The database does not have the schema {newest_revision()}. Run: sightline migrate")


async def _is_current(database_url: str) -> bool:
    connection = await connect(database_url)
    try:
        revision = await read_revision(connection)
        return revision is not None and revision >= newest_revision()
    finally:
        await connection.close()


async def _run_alembic(database_url: str, revision: str = "head") -> None:
    # Imported here: SQLAlchemy and Alembic take half a second to load, and most starts migrate nothing.
    from sqlalchemy.ext.asyncio import create_async_engine
    from sqlalchemy.pool import NullPool

    # asyncpg parses the address, because SQLAlchemy does not support `sslmode`.
    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=lambda: connect(database_url), poolclass=NullPool
    )
    try:
        async with engine.connect() as connection:
            await connection.run_sync(_upgrade, revision)
    finally:
        await engine.dispose()


def _upgrade(connection: "Connection", revision: str) -> None:
    from alembic import command  # as above: heavy, and rarely needed
    from alembic.config import Config
    from sqlalchemy import text

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.attributes["connection"] = connection
    connection.execute(text("SELECT pg_advisory_lock(:lock)"), {"lock": _LOCK})
    connection.commit()
    try:
        command.upgrade(config, revision)
        connection.commit()
    finally:
        connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": _LOCK})
        connection.commit()
