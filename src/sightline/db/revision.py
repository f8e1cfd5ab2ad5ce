"""The revision of the schema: the one that a database has, and the newest one that this version knows."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sightline.db.failures import SchemaMissing, SchemaTooOld
from sightline.db.migrations.before_baseline import explain_too_old

if TYPE_CHECKING:
    import asyncpg

MIGRATIONS = Path(__file__).parent / "migrations"


@cache
def newest_revision() -> str:
    """Return the newest revision by file name, without importing Alembic: most starts have nothing to do."""
    return max(file.name.partition("_")[0] for file in (MIGRATIONS / "versions").glob("[0-9]*_*.py"))


async def read_revision(connection: "asyncpg.Connection[asyncpg.Record]") -> str | None:
    """Return the schema revision of the database, or None when it has none."""
    if await connection.fetchval("SELECT to_regclass('alembic_version')") is None:
        return None
    revision: str | None = await connection.fetchval("SELECT version_num FROM alembic_version")
    return revision


def find_missing(revision: str | None) -> SchemaMissing | None:
    """Return what is wrong with a database that has this revision, unless it is the newest one or newer."""
    if revision is None:
        return SchemaMissing("the database has no schema yet")
    if too_old := explain_too_old(revision):
        return SchemaTooOld(f"the database is too old: {too_old}")
    if revision < newest_revision():
        return SchemaMissing(f"the database has the schema {revision}, and this version needs {newest_revision()}")
    return None
