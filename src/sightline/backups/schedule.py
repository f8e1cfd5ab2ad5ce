"""The daily backup of an installation with an embedded database: when it is due, and which ones are kept."""

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import structlog
from prometheus_client import Gauge

from sightline.backups.create import create_backup
from sightline.backups.files import delete_drafts, write_private
from sightline.backups.key_file import read_keys
from sightline.backups.models import BackupError
from sightline.backups.passphrase import require_passphrase
from sightline.settings import Settings

log = structlog.get_logger()

_NAME = re.compile(r"sightline-(\d{8}T\d{6}Z)\.backup")
_STAMP = "%Y%m%dT%H%M%SZ"
_FAILURE = "backup_failure.json"
_RETRY = timedelta(hours=1)
_LAST_SUCCESS = Gauge(
    "sightline_backup_last_success_timestamp_seconds",
    "Time of the newest scheduled backup, in seconds since 1970; 0 if there is none.",
    ["schedule"],  # without a schedule there is no series, so nothing can be overdue
)


class StoredBackup(msgspec.Struct, frozen=True):
    path: Path
    created_at: datetime


class BackupFailure(msgspec.Struct, frozen=True):
    """Why the last scheduled backup failed, stored in the data directory until one succeeds."""

    at: datetime
    reason: str


class BackupSchedule:
    """Backs up once a day. It runs in every worker, and the first one does the work."""

    def __init__(self, settings: Settings, url: str) -> None:
        self._settings, self._url = settings, url
        self._retry_at: datetime | None = None

    async def back_up_if_due(self, *, now: datetime) -> None:
        """Write a backup if the last one is older than the last scheduled hour. A failure is tried again in an hour."""
        folder = self._settings.backup_folder
        if folder is None or not self._settings.is_embedded or (self._retry_at is not None and now < self._retry_at):
            return
        try:
            with _lock(folder) as is_ours:
                _record_newest(folder, now=now)
                if is_ours and is_due(folder, self._settings.backup_hour, now=now):
                    await self._back_up(folder, now=now)
        except (BackupError, OSError) as error:
            self._retry_at = now + _RETRY
            log.error(  # noqa: TRY400 - the reason says it all
                "backup_failed", reason=str(error), next_attempt=self._retry_at.isoformat()
            )
            _record_failure(self._settings, BackupFailure(now, str(error)))

    async def _back_up(self, folder: Path, *, now: datetime) -> None:
        delete_drafts(folder)
        path = folder / name_backup(now)
        backup = await create_backup(
            self._url, path, read_keys(self._settings), read_passphrase(self._settings), now=now
        )
        (self._settings.data_dir / _FAILURE).unlink(missing_ok=True)
        _record_newest(folder, now=now)
        deleted = delete_old_backups(folder, keep=self._settings.backup_keep)
        log.info("backup_written", file=str(path), rows=backup.manifest.rows, deleted=deleted)


def name_backup(now: datetime) -> str:
    return f"sightline-{now.astimezone(UTC).strftime(_STAMP)}.backup"


def read_passphrase(settings: Settings) -> str:
    """Return the passphrase that the settings give, by value or by file."""
    if settings.backup_passphrase is not None:
        return require_passphrase(settings.backup_passphrase.get_secret_value())
    if settings.backup_passphrase_file is not None:
        return read_passphrase_file(settings.backup_passphrase_file)
    raise BackupError("Set SIGHTLINE_BACKUP_PASSPHRASE_FILE or SIGHTLINE_BACKUP_PASSPHRASE: it seals the secret key.")


def read_passphrase_file(path: Path) -> str:
    """Return the first line of a file."""
    try:
        lines = path.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BackupError(f"The passphrase cannot be read from {path}: {error}.") from error
    return require_passphrase(lines[0] if lines else "")


def list_backups(folder: Path) -> list[StoredBackup]:
    """List the backups in a folder that have the name of a scheduled one, newest first."""
    found = []
    for path in folder.iterdir():
        if match := _NAME.fullmatch(path.name):
            with suppress(ValueError):
                found.append(StoredBackup(path, datetime.strptime(match.group(1), _STAMP).replace(tzinfo=UTC)))
    return sorted(found, key=lambda backup: backup.created_at, reverse=True)


def is_due(folder: Path, hour: int, *, now: datetime) -> bool:
    """Return whether no backup was written since the last scheduled hour (UTC)."""
    scheduled = now.astimezone(UTC).replace(hour=hour, minute=0, second=0, microsecond=0)
    if scheduled > now:
        scheduled -= timedelta(days=1)
    # A backup dated in the future was written while the clock was ahead, and does not count.
    return not any(scheduled <= backup.created_at <= now for backup in list_backups(folder))


def _record_newest(folder: Path, *, now: datetime) -> None:
    """Report the newest backup to Prometheus. One dated in the future would hide missing ones."""
    times = (backup.created_at.timestamp() for backup in list_backups(folder) if backup.created_at <= now)
    _LAST_SUCCESS.labels("daily").set(max(times, default=0))


def delete_old_backups(folder: Path, *, keep: int) -> int:
    """Delete all but the newest backups, and return how many were deleted."""
    old = list_backups(folder)[keep:]
    for backup in old:
        backup.path.unlink(missing_ok=True)
    return len(old)


def read_failure(settings: Settings) -> BackupFailure | None:
    try:
        return msgspec.json.decode((settings.data_dir / _FAILURE).read_bytes(), type=BackupFailure)
    except (OSError, msgspec.MsgspecError):
        return None


def _record_failure(settings: Settings, failure: BackupFailure) -> None:
    """Store the failure for `sightline doctor`, unless even that fails, as on a full disk."""
    with suppress(BackupError):
        write_private(settings.data_dir / _FAILURE, msgspec.json.encode(failure).decode(), replace=True)


@contextmanager
def _lock(folder: Path) -> Iterator[bool]:
    """Yield whether this process may write scheduled backups now. The kernel releases the lock with the process."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        yield False
    else:
        yield True
    finally:
        os.close(descriptor)
