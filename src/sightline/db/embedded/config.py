"""The settings of the cluster, in a file inside it, so that a plain `pg_ctl start` does the same as we do."""

import hashlib
import os
import re
import stat
from pathlib import Path

from .account import Account
from .errors import EmbeddedError
from .postmaster import PORT

FILE = Path("conf.d", "sightline.conf")
INCLUDE = "include_dir = 'conf.d'"
# A socket path has room for 107 bytes on Linux, for 103 on macOS.
_LONGEST_SOCKET = 103

_SETTINGS = f"""\
# Sightline writes this file anew at each start.
# Settings of your own go beside it, in a file that comes later in the alphabet.
listen_addresses = ''
port = {PORT}
unix_socket_directories = '{{socket_dir}}'
unix_socket_permissions = 0700
cluster_name = 'sightline'
max_connections = 100
shared_buffers = '128MB'
wal_compression = on
timezone = 'UTC'
lc_messages = 'C'
logging_collector = on
log_directory = 'log'
log_timezone = 'UTC'
# One file for each day of the week, emptied when its day comes again: a week of logs, no more.
log_filename = 'postgresql-%u.log'
log_rotation_age = '1d'
log_rotation_size = 0
log_truncate_on_rotation = on
"""
_FAST = """\
# SIGHTLINE_EMBEDDED_FAST: for tests only, a power cut may destroy the data.
fsync = off
full_page_writes = off
"""


def is_fast() -> bool:
    return os.environ.get("SIGHTLINE_EMBEDDED_FAST") == "1"


def render(socket_dir: Path) -> str:
    return _SETTINGS.format(socket_dir=socket_dir) + (_FAST if is_fast() else "")


def read_identity(cluster: Path) -> bytes | None:
    """The number that initdb gave to the cluster: tells it from a later one at the same path, as an inode would not."""
    try:
        with (cluster / "global" / "pg_control").open("rb") as file:
            return file.read(8)
    except OSError:
        return None


def choose_socket_dir(cluster: Path) -> Path:
    """`socket/` in the cluster; a folder in /tmp where that path is too long or would need quoting.

    Its name depends on path and identity: the same after each restart, another for a new cluster at the same path.
    TMPDIR is not asked, for all processes must come to the same answer.
    """
    inside = cluster / "socket"
    is_short = len(os.fsencode(inside / f".s.PGSQL.{PORT}")) <= _LONGEST_SOCKET
    if is_short and re.fullmatch(r"[\w./+-]+", str(inside), re.ASCII):
        return inside
    digest = hashlib.sha256(os.fsencode(cluster) + b"\0" + (read_identity(cluster) or b"")).hexdigest()
    return Path("/tmp", f"sightline-{digest[:20]}")  # noqa: S108 - made private and verified by ensure_private


def ensure_private(folder: Path, account: Account) -> None:
    """Make the folder, or see that it is truly the account's own: in /tmp anybody may have taken the name before us."""
    try:
        account.make_dir(folder)
    except FileExistsError:
        status = folder.lstat()
        private = stat.S_ISDIR(status.st_mode) and status.st_uid == account.uid and not status.st_mode & 0o077
        if not private:
            raise EmbeddedError(
                f"{folder}, where the socket of PostgreSQL has to be, belongs to somebody else or is open to others. "
                "Remove it, or choose a data directory with a shorter path."
            ) from None
