"""Verifying a backup by reading all of it, without a database."""

import asyncio
from pathlib import Path

import msgspec

from sightline.backups.archive import Archive, open_archive
from sightline.backups.models import InstallationKeys, Manifest
from sightline.backups.passphrase import open_keys
from sightline.backups.programs import find_programs, run_program
from sightline.kit.child_environment import build_child_environment


class VerifiedBackup(msgspec.Struct, frozen=True):
    manifest: Manifest
    keys: InstallationKeys | None
    """None if no passphrase was given: then neither the key nor the origin of the manifest is verified."""


async def verify_backup(path: Path, passphrase: str | None) -> VerifiedBackup:
    """Read the whole file, let pg_restore read the whole dump, and open the key if the passphrase is given."""
    with open_archive(path) as archive:
        keys = None
        if passphrase is not None:
            sealed, manifest = archive.keys_document, archive.manifest_document
            keys = await asyncio.to_thread(open_keys, sealed, passphrase, manifest)
        await verify_dump(archive)
        return VerifiedBackup(archive.manifest, keys)


async def verify_dump(archive: Archive) -> None:
    """Compare the whole dump with its checksum, and let pg_restore read it. Raises `BackupError` if it is damaged."""
    programs = find_programs(archive.manifest.program_major)
    command = (programs.command("pg_restore"), "--file=/dev/null")
    async with run_program(command, build_child_environment()) as pg_restore:
        for chunk in archive.read_dump():
            await pg_restore.write(chunk)
        await pg_restore.finish()
