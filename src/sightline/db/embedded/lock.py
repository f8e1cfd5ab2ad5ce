"""File locks between processes. The kernel releases them when a process dies, so nothing needs cleaning up."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import EmbeddedError

_POLL_SECONDS = 0.02


@contextmanager
def exclusive(path: Path, timeout: float) -> Iterator[None]:
    """Hold the lock exclusively. Raises after `timeout` seconds of waiting."""
    fd = _open(path)
    try:
        deadline = time.monotonic() + timeout
        while not try_exclusive(fd):
            if time.monotonic() >= deadline:
                raise EmbeddedError(
                    f"Another process has held {path} for more than {timeout:g} s while it starts or stops PostgreSQL. "
                    "Wait for it, or end it, and try again."
                )
            time.sleep(_POLL_SECONDS)
        yield
    finally:
        os.close(fd)


def share(path: Path) -> int:
    """Take the lock shared, and return the file descriptor that holds it until it is closed."""
    fd = _open(path)
    fcntl.flock(fd, fcntl.LOCK_SH)
    return fd


def try_exclusive(fd: int) -> bool:
    """Make the lock exclusive if no other process holds it. A shared lock may be lost when this fails."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _open(path: Path) -> int:
    """Open a lock file, creating it if needed. It belongs to the owner of its folder, even if root creates it.

    Python opens files close-on-exec: a lock that PostgreSQL inherited would count as a user forever. Links are not
    followed, because root may work in a folder of another user.
    """
    try:
        try:
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        except FileExistsError:
            return os.open(path, os.O_RDWR | os.O_NOFOLLOW)
    except PermissionError as error:
        raise EmbeddedError(
            f"{path} belongs to another user: {error.strerror}. Run as the same user as before."
        ) from error
    except OSError as error:
        raise EmbeddedError(f"The lock file {path} cannot be opened: {error.strerror}.") from error
    if os.geteuid() == 0:
        folder = path.parent.stat()
        os.fchown(fd, folder.st_uid, folder.st_gid)
    return fd
