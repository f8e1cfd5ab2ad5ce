"""doctor: whether backups are written, how old the newest one is, and why the last one failed."""

import os
import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta

from sightline.backups.models import BackupError
from sightline.backups.schedule import list_backups, read_failure, read_passphrase
from sightline.cli.doctor_findings import Finding, build_finding
from sightline.kit.shell_command import format_command
from sightline.settings import Settings

_TOO_OLD = timedelta(hours=26)  # a day, and time to write a large one
_WHEN = "%d %b %Y %H:%M UTC"


def check_backups(settings: Settings, *, now: datetime) -> Iterator[Finding]:
    """Check the daily backup of an embedded database. Those of your own PostgreSQL are not known here."""
    folder = settings.backup_folder
    if not settings.is_embedded:
        text = "the daily backup covers only the embedded database"
        command = format_command("backup", "/mnt/backups")
        yield _build("note", text, f"Back up your PostgreSQL with its own tools, or run on a schedule: {command}")
        return
    if folder is None:
        yield _build("note", "no daily backup", "Set SIGHTLINE_BACKUP_FOLDER and SIGHTLINE_BACKUP_PASSPHRASE_FILE.")
        return
    try:
        read_passphrase(settings)
    except BackupError as error:
        yield _build("wrong", str(error), "Without it, the secret key cannot be restored. Also keep a copy elsewhere.")
        return
    if failure := read_failure(settings):
        text = f"the backup of {failure.at.strftime(_WHEN)} failed: {failure.reason}"
        yield _build("wrong", text, "Fix the cause. The backup is retried every hour. Earlier backups are kept.")
    if folder.is_dir() and os.access(folder, os.W_OK | os.X_OK):
        yield from _check_folder(settings, now=now)
    elif folder.exists():
        yield _build("wrong", f"{folder} is not a writable folder", "Change its mode or owner.")
    else:
        yield _build("note", f"{folder} does not exist yet; the first backup creates it")


def _check_folder(settings: Settings, *, now: datetime) -> Iterator[Finding]:
    folder = settings.backup_folder
    assert folder is not None
    found = list_backups(folder)
    if not found:
        yield _build("note", f"none in {folder} yet; a worker writes the first one within a minute")
        return
    newest, size = found[0], found[0].path.stat().st_size
    text = f"{len(found)} in {folder}, the newest of {newest.created_at.strftime(_WHEN)} with {size / 1e6:,.1f} MB"
    if now - newest.created_at > _TOO_OLD:
        yield _build("wrong", text, "Make sure that a worker is running, and look for `backup_failed` in its log.")
    else:
        yield _build("fine", text)
    free = shutil.disk_usage(folder).free
    if free < size:
        remedy = "Free some space, lower SIGHTLINE_BACKUP_KEEP, or choose another SIGHTLINE_BACKUP_FOLDER."
        yield _build("wrong", f"{free / 1e6:,.1f} MB are free in {folder}: less than the newest backup", remedy)


def _build(state: str, text: str, remedy: str | None = None) -> Finding:
    return build_finding(state, "Backups", text, remedy)
