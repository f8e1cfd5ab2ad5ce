"""Files that appear when they are complete, and that only their owner can read."""

import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sightline.backups.models import BackupError

_SUFFIX = ".partial"
_ABANDONED_SECONDS = 3_600


@contextmanager
def draft_file(path: Path, *, replace: bool = False) -> Iterator[Path]:
    """Yield a new, private file that becomes `path` at the end. If the caller fails, no file is left behind.

    An existing file is refused without `replace`.
    """
    if path.exists() and not replace:
        raise BackupError(f"{path} already exists. Choose another name.")
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}{_SUFFIX}")
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        yield draft
        draft.replace(path)
        sync_to_disk(path.parent)
    finally:
        draft.unlink(missing_ok=True)


def write_private(path: Path, content: str, *, replace: bool = False) -> None:
    """Write a small file in one step."""
    try:
        with draft_file(path, replace=replace) as draft:
            draft.write_text(content)
            sync_to_disk(draft)
    except OSError as error:
        raise BackupError(f"{path} cannot be written: {error.strerror}.") from error


def sync_to_disk(path: Path) -> None:
    """Wait until a file, or the list of files in a folder, is on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def delete_drafts(folder: Path) -> None:
    """Delete what killed processes left behind. A file that was written to lately may still be in use."""
    for path in folder.glob(f".*{_SUFFIX}"):
        with suppress(FileNotFoundError):
            if time.time() - path.stat().st_mtime > _ABANDONED_SECONDS:
                path.unlink()
