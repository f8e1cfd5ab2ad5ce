"""Restoring a backup into a database: all of it in one transaction, then the migrations that are newer."""

import asyncio
import time
from pathlib import Path

import asyncpg

from sightline.backups import queries
from sightline.backups.archive import Archive, open_archive
from sightline.backups.connection import open_connection
from sightline.backups.dump_script import DumpScript, TableRows
from sightline.backups.models import BackupError, Manifest
from sightline.backups.programs import RunningProgram, find_programs, run_program
from sightline.backups.verify import verify_dump
from sightline.db.migrate import migrate
from sightline.db.migrations.before_baseline import explain_too_old
from sightline.db.revision import newest_revision
from sightline.kit.child_environment import build_child_environment
from sightline.kit.crash import crash_point

# PostgreSQL 17 introduced this setting, and pg_restore writes it for older servers, too.
_NEW_SETTING, _FIRST_WITH_SETTING = "SET transaction_timeout = 0;\n", 17
# PostgreSQL notices only after a moment that a killed program, such as an interrupted restore, is gone.
_PATIENCE, _SECONDS_BETWEEN_ATTEMPTS = 10.0, 0.2


async def restore_database(
    url: str, path: Path, *, replace: bool, expected: Manifest | None = None, patience: float = _PATIENCE
) -> Manifest:
    """Fill an empty database, or with `replace` one whose contents are deleted in the same transaction.

    Refuses a damaged file before the database is touched, one whose manifest is not the `expected` one, and a
    database that others still use after `patience` seconds. Until everything is there and counted, nothing has
    changed, whatever SQL the file has; so an interrupted restore can be started again.
    """
    with open_archive(path) as archive:
        require_known_schema(archive.manifest)
        if expected is not None and archive.manifest != expected:
            raise BackupError(f"{path} was changed while it was restored.")
        await verify_dump(archive)
        major = await _require_target(url, replace=replace, patience=patience)
        await fill_database(url, archive, replace=replace, server_major=major)
        return archive.manifest


async def complete_restore(url: str) -> None:
    """Migrate the restored database to the newest schema, and collect the statistics that a dump does not have."""
    await migrate(url)
    async with open_connection(url) as connection:
        await queries.analyze(connection)


def require_known_schema(manifest: Manifest) -> None:
    if too_old := explain_too_old(manifest.revision):
        raise BackupError(f"The backup is too old: {too_old}.")
    if manifest.revision > newest_revision():
        raise BackupError(
            f"The backup has the schema {manifest.revision} of Sightline {manifest.sightline_version}, and this "
            f"version knows {newest_revision()} at most. Restore it with the version that wrote it, or a newer one."
        )


async def require_unprivileged_role(url: str) -> None:
    """Refuse a role that can run programs on the machine of the database.

    SQL of a backup that no passphrase has verified must not have this right.
    """
    async with open_connection(url) as connection:
        if await queries.may_run_programs(connection):
            raise BackupError(
                "Without the passphrase, Sightline cannot tell whether the backup was changed, and the database role "
                "in use may run programs on the database server. Restore into a database whose owner is not a "
                "superuser and not a member of pg_execute_server_program."
            )


async def _require_target(url: str, *, replace: bool, patience: float) -> int:
    """Return the major version of the server if its database may be filled."""
    async with open_connection(url) as connection:
        found = await queries.count_relations(connection)
        if found and not replace:
            raise BackupError(
                f"The database is not empty: it has {found} tables. Restore into an empty one, or add --replace, which "
                "deletes what is there."
            )
        await _wait_for_other_sessions(connection, patience)
        return connection.get_server_version().major


async def _wait_for_other_sessions(connection: "asyncpg.Connection[asyncpg.Record]", patience: float) -> None:
    """Wait until nobody else uses the database. Raises `BackupError` if somebody still does after `patience`."""
    until = time.monotonic() + patience
    while await queries.count_other_sessions(connection):
        if time.monotonic() >= until:
            raise BackupError("Other programs use the database. Stop `serve`, `api` and `worker` first.")
        await asyncio.sleep(_SECONDS_BETWEEN_ATTEMPTS)


async def fill_database(url: str, archive: Archive, *, replace: bool, server_major: int) -> None:
    """Run the script of pg_restore in one transaction. If anything fails before the COMMIT, PostgreSQL rolls back."""
    programs = find_programs(archive.manifest.program_major)
    reader = (programs.command("pg_restore"), "--file=-", "--no-owner", "--no-privileges")
    async with (
        open_connection(url) as connection,
        connection.transaction(),
        run_program(reader, build_child_environment()) as pg_restore,
    ):
        if replace:
            await connection.execute(queries.DROP_ALL)
        await _run_dump(connection, archive, pg_restore, server_major)
        await connection.execute(queries.compare_counts(archive.manifest.tables))
        crash_point("before_restore_commit")


async def _run_dump(
    connection: "asyncpg.Connection[asyncpg.Record]", archive: Archive, pg_restore: RunningProgram, server_major: int
) -> None:
    """Pass the dump through pg_restore to PostgreSQL. Raises `BackupError` if any of it is damaged."""
    feeding = asyncio.create_task(_feed(archive, pg_restore))
    try:
        await _run_script(connection, DumpScript(pg_restore.read), server_major)
        await feeding
        await pg_restore.finish()
    finally:
        feeding.cancel()
        await asyncio.gather(feeding, return_exceptions=True)


async def _run_script(connection: "asyncpg.Connection[asyncpg.Record]", script: DumpScript, server_major: int) -> None:
    rows: TableRows | None
    sql, rows = await script.read_sql()
    if server_major < _FIRST_WITH_SETTING:
        sql = sql.replace(_NEW_SETTING, "", 1)
    while True:
        await connection.execute(queries.confine(sql))
        if rows is None:
            return
        await connection.copy_to_table(
            rows.table, schema_name=rows.schema, columns=rows.columns or None, source=script.read_rows()
        )
        sql, rows = await script.read_sql()


async def _feed(archive: Archive, pg_restore: RunningProgram) -> None:
    try:
        for chunk in archive.read_dump():
            await pg_restore.write(chunk)
    finally:
        pg_restore.end_input()
