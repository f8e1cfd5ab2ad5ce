"""What a backup says about itself, and the one exception of this package."""

from datetime import datetime

import msgspec

FORMAT = 1


class BackupError(Exception):
    """A backup cannot be written, read or restored. The message says why, and what to do."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of `manifest.json` in a backup."""

    format: int
    sightline_version: str
    revision: str
    """The schema of the database, as the number of its newest migration."""
    created_at: datetime
    server_major: int
    program_major: int
    """The major version of the pg_dump that wrote the dump. An older pg_restore cannot read it."""
    tables: dict[str, int]
    """Rows of each table, as `schema.table`. A partitioned table counts once, with all of its partitions."""
    dump_bytes: int
    dump_sha256: str

    @property
    def rows(self) -> int:
        return sum(self.tables.values())


class InstallationKeys(msgspec.Struct, frozen=True):
    """The secret key of an installation, and the former one while it is still accepted."""

    secret_key: str
    secret_key_previous: str | None = None
