"""Migrating a database to the newest schema. Forward only; an advisory lock admits one process at a time."""

from typing import TYPE_CHECKING

from sightline.db.connect import connect
from sightline.db.engine import Reader
from sightline.db.failures import UNAVAILABLE, SchemaMissing, SchemaTooOld, to_unavailable
from sightline.db.migrations.before_baseline import bring_to_baseline
from sightline.db.revision import MIGRATIONS, find_missing, read_revision

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection
    from sqlalchemy.exc import DBAPIError

# The key of an advisory lock; nothing else in this database uses it.
_LOCK = 7_410_302_214


async def require_schema(db: Reader) -> None:
    """Raise `SchemaMissing` unless the schema is the newest or, during the rollout of the next version, a newer one."""
    _require_newest(await db.fetchval("SELECT version_num FROM alembic_version"))


async def is_schema_current(db: Reader) -> bool:
    try:
        await require_schema(db)
    except SchemaMissing:
        return False
    return True


async def migrate(database_url: str) -> None:
    """Run the missing migrations. Concurrent callers wait, and then find nothing to do. A newer schema is kept.

    Raise `SchemaTooOld` if the schema is older than the last one before the baseline.
    """
    try:
        await require_newest(database_url)
    except SchemaTooOld:
        raise
    except SchemaMissing:
        await _run_alembic(database_url)


async def require_newest(database_url: str) -> None:
    """Raise `SchemaMissing` as `require_schema` does, on a session of its own."""
    connection = await connect(database_url)
    try:
        _require_newest(await read_revision(connection))
    except UNAVAILABLE as error:
        raise to_unavailable(error) from error
    finally:
        await connection.close()


def _require_newest(revision: str | None) -> None:
    if missing := find_missing(revision):
        raise missing


async def _run_alembic(database_url: str, revision: str = "head") -> None:
    # Imported here: SQLAlchemy and Alembic take half a second to load, and most starts migrate nothing.
    from sqlalchemy.exc import DBAPIError
    from sqlalchemy.ext.asyncio import create_async_engine
    from sqlalchemy.pool import NullPool

    # asyncpg parses the address, because SQLAlchemy does not support `sslmode`.
    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=lambda: connect(database_url), poolclass=NullPool
    )
    try:
        async with engine.connect() as connection:
            await connection.run_sync(_upgrade, revision)
    except DBAPIError as error:
        raise _find_failure(error) from error
    finally:
        await engine.dispose()


def _find_failure(error: "DBAPIError") -> Exception:
    """Return what asyncpg raised below SQLAlchemy, if it means that the database cannot be used; else the error."""
    cause = error.orig.__cause__ if error.orig else None
    return to_unavailable(cause) if isinstance(cause, UNAVAILABLE) else error


def _upgrade(connection: "Connection", revision: str) -> None:
    from alembic import command  # as above: heavy, and rarely needed
    from alembic.config import Config
    from sqlalchemy import text

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    connection.execute(text("SELECT pg_advisory_lock(:lock)"), {"lock": _LOCK})
    connection.commit()
    try:
        bring_to_baseline(connection)
        command.upgrade(config, revision)
        connection.commit()
    finally:
        connection.rollback()  # nothing else runs in the transaction of a migration that failed
        connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": _LOCK})
        connection.commit()
