"""Restoring a backup into a database: all of it in one transaction, then the migrations that are newer."""

import asyncio
from pathlib import Path

import asyncpg

from sightline.backups import queries
from sightline.backups.archive import Archive, open_archive
from sightline.backups.connection import open_connection
from sightline.backups.models import BackupError, Manifest
from sightline.backups.programs import RunningProgram, find_programs, run_program, split_password
from sightline.db.migrate import migrate, newest_revision
from sightline.kit.child_environment import build_child_environment
from sightline.kit.crash import crash_point

# PostgreSQL 17 introduced this setting, and pg_restore writes it for older servers, too.
_NEW_SETTING, _FIRST_WITH_SETTING = b"SET transaction_timeout = 0;\n", 17
# PostgreSQL notices only after a moment that a killed program, such as an interrupted restore, is gone.
_ATTEMPTS, _SECONDS_BETWEEN_ATTEMPTS = 50, 0.2


async def restore_database(url: str, path: Path, *, replace: bool) -> Manifest:
    """Fill an empty database, or with `replace` one whose contents are deleted in the same transaction.

    Refuses a database that others use. Until everything is there and counted, nothing has changed; so an
    interrupted restore can be started again.
    """
    with open_archive(path) as archive:
        require_known_schema(archive.manifest)
        major = await _require_target(url, replace=replace)
        await _fill(url, archive, replace=replace, server_major=major)
        return archive.manifest


async def complete_restore(url: str) -> None:
    """Migrate the restored database to the newest schema, and collect the statistics that a dump does not have."""
    await migrate(url)
    async with open_connection(url) as connection:
        await queries.analyze(connection)


def require_known_schema(manifest: Manifest) -> None:
    if manifest.revision > newest_revision():
        raise BackupError(
            f"The backup has the schema {manifest.revision} of Sightline {manifest.sightline_version}, and this "
            f"version knows {newest_revision()} at most. Restore it with the version that wrote it, or a newer one."
        )


async def _require_target(url: str, *, replace: bool) -> int:
    """Return the major version of the server if its database may be filled."""
    async with open_connection(url) as connection:
        found = await queries.count_relations(connection)
        if found and not replace:
            raise BackupError(
                f"The database is not empty: it has {found} tables. Restore into an empty one, or add --replace, which "
                "deletes what is there."
            )
        await _wait_for_other_sessions(connection)
        return connection.get_server_version().major


async def _wait_for_other_sessions(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Wait until nobody else uses the database. Raises `BackupError` if somebody still does after ten seconds."""
    for _ in range(_ATTEMPTS):
        if not await queries.count_other_sessions(connection):
            return
        await asyncio.sleep(_SECONDS_BETWEEN_ATTEMPTS)
    raise BackupError("Other programs use the database. Stop `serve`, `api` and `worker` first.")


async def _fill(url: str, archive: Archive, *, replace: bool, server_major: int) -> None:
    """Let pg_restore write SQL and psql run it. If the COMMIT does not arrive, PostgreSQL rolls back."""
    programs = find_programs(archive.manifest.program_major)
    address, environment = split_password(url)
    reader = (programs.command("pg_restore"), "--file=-", "--no-owner", "--no-privileges")
    runner = (programs.command("psql"), "--no-psqlrc", "--quiet", "--no-password", "--set=ON_ERROR_STOP=1", address)
    async with (
        run_program(runner, environment, reads=False) as psql,
        run_program(reader, build_child_environment()) as pg_restore,
    ):
        await psql.write(b"BEGIN;\n" + (queries.DROP_ALL.encode() if replace else b""))
        await _pass_on(archive, pg_restore, psql, server_major)
        crash_point("before_restore_commit")
        await psql.write(queries.compare_counts(archive.manifest.tables).encode() + b"COMMIT;\n")
        await psql.finish()


async def _pass_on(archive: Archive, pg_restore: RunningProgram, psql: RunningProgram, server_major: int) -> None:
    """Pass the dump through pg_restore to psql. Raises `BackupError` if any of it is damaged."""
    feeding = asyncio.create_task(_feed(archive, pg_restore))
    try:
        chunk = await pg_restore.read()
        if server_major < _FIRST_WITH_SETTING:
            chunk = chunk.replace(_NEW_SETTING, b"", 1)
        while chunk:
            await psql.write(chunk)
            chunk = await pg_restore.read()
        await feeding
        await pg_restore.finish()
    finally:
        feeding.cancel()
        await asyncio.gather(feeding, return_exceptions=True)


async def _feed(archive: Archive, pg_restore: RunningProgram) -> None:
    try:
        for chunk in archive.read_dump():
            await pg_restore.write(chunk)
    finally:
        pg_restore.end_input()
