"""The file of a backup: a zip archive with the dump, the manifest and the sealed key.

`unzip` and `pg_restore` of PostgreSQL can read it without Sightline. The dump is compressed already, so it is stored
as it is.
"""

import hashlib
import re
import struct
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import msgspec

from sightline.backups.models import FORMAT, BackupError, Manifest
from sightline.backups.programs import CHUNK_BYTES

DUMP, MANIFEST, KEYS = "database.dump", "manifest.json", "secret_key.json"
_MAX_DOCUMENT_BYTES = 1_048_576
# What `zipfile` raises, depending on which byte is wrong.
_DAMAGES = (zipfile.BadZipFile, EOFError, OSError, RuntimeError, ValueError, struct.error)
_TABLE_NAME = re.compile(r"[a-z_][a-z0-9_]*\.[a-z_][a-z0-9_]*")


class Archive:
    """An existing backup, opened for reading. Its manifest is valid; its dump may still be damaged."""

    def __init__(self, file: zipfile.ZipFile) -> None:
        self._file = file
        self.manifest_document = self._read_document(MANIFEST)
        self.keys_document = self._read_document(KEYS)
        self.manifest = _decode_manifest(self.manifest_document)
        if self._find(DUMP).compress_type != zipfile.ZIP_STORED:
            raise BackupError(f"{DUMP} in the backup is compressed again: the file was not written by Sightline.")

    def read_dump(self) -> Iterator[bytes]:
        """Yield the dump. Raises `BackupError` at its end if it is not the one that the manifest describes."""
        digest, size = hashlib.sha256(), 0
        try:
            with self._file.open(DUMP) as dump:
                while chunk := dump.read(CHUNK_BYTES):
                    digest.update(chunk)
                    size += len(chunk)
                    yield chunk
        except _DAMAGES as error:
            raise BackupError(f"The dump in the backup is damaged: {error}.") from error
        if (size, digest.hexdigest()) != (self.manifest.dump_bytes, self.manifest.dump_sha256):
            raise BackupError("The dump in the backup is damaged: its checksum does not match the manifest.")

    def _find(self, name: str) -> zipfile.ZipInfo:
        try:
            return self._file.getinfo(name)
        except KeyError:
            raise BackupError(f"The file is not a Sightline backup: {name} is missing.") from None

    def _read_document(self, name: str) -> bytes:
        if self._find(name).file_size > _MAX_DOCUMENT_BYTES:
            raise BackupError(f"{name} in the backup is too large.")
        try:
            return self._file.read(name)
        except _DAMAGES as error:
            raise BackupError(f"{name} in the backup is damaged: {error}.") from error


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """Open a backup. Refuses a file that is not a backup, and one of a format that this version does not know."""
    try:
        file = zipfile.ZipFile(path)
    except OSError as error:
        raise BackupError(f"{path} cannot be read: {error.strerror or error}.") from error
    except _DAMAGES as error:
        raise BackupError(f"{path} is not a backup, or is incomplete: {error}.") from error
    with file:
        yield Archive(file)


@contextmanager
def create_archive(path: Path) -> Iterator[zipfile.ZipFile]:
    with zipfile.ZipFile(path, "w") as file:
        yield file


@contextmanager
def open_dump_writer(file: zipfile.ZipFile) -> Iterator[IO[bytes]]:
    with file.open(zipfile.ZipInfo(DUMP), "w", force_zip64=True) as dump:
        yield dump


def write_document(file: zipfile.ZipFile, name: str, document: bytes) -> None:
    file.writestr(zipfile.ZipInfo(name), document)


def _decode_manifest(document: bytes) -> Manifest:
    try:
        found = msgspec.json.decode(document, type=dict[str, msgspec.Raw])
        format_number = msgspec.json.decode(found.get("format", msgspec.Raw(b"0")), type=int)
        if format_number != FORMAT:
            raise BackupError(
                f"The backup has the format {format_number}, and this version of Sightline reads format {FORMAT}. "
                "Use the version that wrote it, or a newer one."
            )
        manifest = msgspec.json.decode(document, type=Manifest)
    except msgspec.MsgspecError as error:
        raise BackupError(f"The manifest of the backup cannot be read: {error}.") from error
    for name in manifest.tables:
        if not _TABLE_NAME.fullmatch(name):
            raise BackupError(f"The manifest of the backup names the table {name!r}, which cannot exist.")
    return manifest
