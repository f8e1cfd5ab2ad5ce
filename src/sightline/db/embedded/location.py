"""The location of the cluster of a data directory, its owner, and the locks of those who use it.

`postgres` in the data directory is a link to the cluster, whose folder has a name that is never used again: a server
whose folder was removed while it ran cannot harm a later cluster. The folder is in the data directory or, if we are
root and PostgreSQL's account cannot reach it there, in root's store (ADR 47).
"""

import fcntl
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from .account import DATABASE_HINT, EmbeddedError, SystemAccount, ensure_helper, find_account


class ClusterLocation(NamedTuple):
    link: Path
    cluster: Path
    account: SystemAccount


def make_data_dir(data_dir: Path) -> None:
    """Create the data directory if it is missing. Existing folders keep their mode."""
    try:
        data_dir.mkdir(parents=True)
        data_dir.chmod(0o711 if is_root() else 0o700)  # the helper account must pass through root's
    except FileExistsError:
        return
    except OSError as error:
        raise EmbeddedError(f"The data directory {data_dir} cannot be created: {error.strerror}.") from error


def find_location(data_dir: Path) -> ClusterLocation | None:
    """Return the location of an existing cluster, without creating or changing anything."""
    link = data_dir / "postgres"
    try:
        owner, uid = link.lstat().st_uid, link.stat().st_uid
    except FileNotFoundError as error:
        if link.is_symlink():
            raise EmbeddedError(
                f"The database {link.readlink()}, to which {link} refers, does not exist. Restore it, or remove {link} "
                "to start with an empty database."
            ) from error
        return None
    except PermissionError as error:
        raise EmbeddedError(f"{link} cannot be reached: {error.strerror}. Run as the user who created it.") from error
    if uid == 0:
        raise EmbeddedError(f"{link} belongs to root, and PostgreSQL refuses root. Move it or change its owner.")
    if is_root() and owner not in (0, uid):
        raise EmbeddedError(f"{link} belongs to another user than the database to which it refers. Remove one of them.")
    return ClusterLocation(link, link.resolve(), find_account(uid))


def choose_location(data_dir: Path) -> ClusterLocation:
    """Return the location of the cluster, choosing one if it does not exist. The caller holds the start lock."""
    former = data_dir / "postgres.location"  # what a version before the link left behind
    if is_root() and former.exists():
        (data_dir / "postgres").symlink_to(_find_store() / "clusters" / former.read_text().strip() / "postgres")
        former.unlink()
    found = find_location(data_dir)
    account = found.account if found else ensure_helper() if is_root() else find_account(os.geteuid())
    if not is_root() and not account.is_us:
        raise EmbeddedError(f"{data_dir / 'postgres'} belongs to {account.name}. Run as {account.name} or as root.")
    home = found.cluster.parent if found else data_dir
    if is_root() and not found and not account.can_enter(home):
        home = prepare_store()
    if not account.can_enter(home):
        raise EmbeddedError(
            f"PostgreSQL must run as {account.name}, which may not pass through to {home}. "
            f"Let others search the folders on the way (chmod o+x). {DATABASE_HINT}"
        )
    if any(sign in str(home) for sign in '"$`\\\n'):  # initdb and pg_ctl put it between double quotes for a shell
        raise EmbeddedError(f"PostgreSQL's tools cannot use the path {str(home)!r}: choose one without \" $ ` and \\.")
    return found or ClusterLocation(data_dir / "postgres", home / f"postgres-{secrets.token_hex(8)}", account)


def prepare_store() -> Path:
    """Return root's store, creating it if it is missing. An existing folder keeps its mode: it may not be ours."""
    store = _find_store()
    if not store.exists():
        store.mkdir(parents=True, exist_ok=True)
        store.chmod(0o755)  # whatever the umask
    return store


def _find_store() -> Path:
    return Path(os.environ.get("SIGHTLINE_ROOT_STORE", "/var/lib/sightline")).resolve()


def is_root() -> bool:
    return os.geteuid() == 0


@contextmanager
def lock_exclusively(path: Path, timeout: float) -> Iterator[None]:
    """Hold the lock exclusively. Raises after `timeout` seconds of waiting."""
    fd = open_lock(path)
    try:
        deadline = time.monotonic() + timeout
        while not try_exclusive(fd):
            if time.monotonic() >= deadline:
                raise EmbeddedError(
                    f"Another process has held {path} for more than {timeout:g} s while it starts or stops PostgreSQL. "
                    "Wait for it, or end it, and try again."
                )
            time.sleep(0.02)
        yield
    finally:
        os.close(fd)


def try_exclusive(fd: int) -> bool:
    """Make the lock exclusive if no other process holds it. A shared lock may be lost when this fails."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def open_lock(path: Path, *, shared: bool = False) -> int:
    """Open a lock file, creating it if needed. Links are not followed: root may work in a folder of another user.

    Python opens files close-on-exec: a lock that PostgreSQL inherited would count as a user forever.
    """
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise EmbeddedError(
            f"The lock file {path} cannot be opened ({error.strerror}). Run as the same user as before."
        ) from error
    if shared:
        fcntl.flock(fd, fcntl.LOCK_SH)
    return fd
