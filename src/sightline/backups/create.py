"""Writing a backup: one snapshot of the database and the sealed key, in one file that appears when it is verified."""

import asyncio
import hashlib
import zipfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path

import msgspec

from sightline import __version__
from sightline.backups import queries
from sightline.backups.archive import KEYS, MANIFEST, create_archive, open_dump_writer, write_document
from sightline.backups.connection import open_connection
from sightline.backups.files import draft_file, sync_to_disk
from sightline.backups.models import FORMAT, BackupError, InstallationKeys, Manifest
from sightline.backups.passphrase import seal_keys
from sightline.backups.programs import Programs, find_programs, run_program, split_password
from sightline.backups.verify import VerifiedBackup, verify_backup
from sightline.db.revision import read_revision

_DUMP_OPTIONS = (
    "--format=custom",
    "--compress=6",  # gzip: every pg_restore reads it
    "--no-owner",
    "--no-privileges",
    "--no-unlogged-table-data",
    "--lock-wait-timeout=60s",
    "--no-password",
)


class _Snapshot(msgspec.Struct, frozen=True):
    name: str
    revision: str
    server_major: int
    tables: dict[str, int]


async def create_backup(
    url: str, path: Path, keys: InstallationKeys, passphrase: str, *, now: datetime
) -> VerifiedBackup:
    """Write a backup to `path`, which must not exist, and read it back. A failure leaves no file behind."""
    try:
        with draft_file(path) as draft:
            with create_archive(draft) as archive:
                await _write(url, archive, keys, passphrase, now=now)
            await asyncio.to_thread(sync_to_disk, draft)
            return await verify_backup(draft, passphrase)
    except OSError as error:
        raise BackupError(f"{path} cannot be written: {error.strerror or error}.") from error


async def _write(url: str, archive: zipfile.ZipFile, keys: InstallationKeys, passphrase: str, *, now: datetime) -> None:
    async with _open_snapshot(url) as snapshot:
        programs = find_programs(snapshot.server_major)
        size, digest = await _write_dump(url, archive, programs, snapshot)
    manifest = msgspec.json.format(
        msgspec.json.encode(
            Manifest(
                format=FORMAT,
                sightline_version=__version__,
                revision=snapshot.revision,
                created_at=now,
                server_major=snapshot.server_major,
                program_major=programs.major,
                tables=snapshot.tables,
                dump_bytes=size,
                dump_sha256=digest,
            )
        )
    )
    write_document(archive, MANIFEST, manifest)
    write_document(archive, KEYS, await asyncio.to_thread(seal_keys, keys, passphrase, manifest))


@asynccontextmanager
async def _open_snapshot(url: str) -> AsyncIterator[_Snapshot]:
    """Count everything in one snapshot, and keep it open for pg_dump."""
    async with open_connection(url) as connection, connection.transaction(isolation="repeatable_read", readonly=True):
        revision = await read_revision(connection)
        if revision is None:
            raise BackupError("The database is empty: there is nothing to back up.")
        yield _Snapshot(
            await queries.export_snapshot(connection),
            revision,
            connection.get_server_version().major,
            await queries.count_rows(connection),
        )


async def _write_dump(url: str, archive: zipfile.ZipFile, programs: Programs, snapshot: _Snapshot) -> tuple[int, str]:
    """Write what pg_dump prints. Return its size and its SHA-256."""
    address, environment = split_password(url)
    command = (programs.command("pg_dump"), *_DUMP_OPTIONS, f"--snapshot={snapshot.name}", f"--dbname={address}")
    digest, size = hashlib.sha256(), 0
    async with run_program(command, environment) as pg_dump:
        with open_dump_writer(archive) as dump:
            while chunk := await pg_dump.read():
                dump.write(chunk)
                digest.update(chunk)
                size += len(chunk)
        await pg_dump.finish()
    return size, digest.hexdigest()
