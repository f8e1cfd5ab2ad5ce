"""The settings of the cluster, in a file inside it, so that a plain `pg_ctl start` uses them too."""

import hashlib
import os
import re
import stat
from pathlib import Path

from .account import SystemAccount
from .errors import EmbeddedError
from .postmaster import PORT

FILE = Path("conf.d", "sightline.conf")
INCLUDE = "include_dir = 'conf.d'"
# A socket path has at most 107 bytes on Linux and 103 on macOS.
_MAX_SOCKET_LENGTH = 103

_SETTINGS = f"""\
# Sightline rewrites this file at each start.
# Put your own settings next to it, in a file whose name sorts after this one.
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
# One file for each day of the week, emptied when its day comes again, so there is at most a week of logs.
log_filename = 'postgresql-%u.log'
log_rotation_age = '1d'
log_rotation_size = 0
log_truncate_on_rotation = on
# The details of an error can hold values of a row, such as an e-mail address.
log_error_verbosity = terse
"""
_FAST = """\
# SIGHTLINE_EMBEDDED_FAST: for tests only, a power failure may destroy the data.
fsync = off
full_page_writes = off
"""


def is_fast() -> bool:
    return os.environ.get("SIGHTLINE_EMBEDDED_FAST") == "1"


def render(socket_dir: Path) -> str:
    return _SETTINGS.format(socket_dir=socket_dir) + (_FAST if is_fast() else "")


def read_identity(cluster: Path) -> bytes | None:
    """Return the number that initdb gave to the cluster. It differs for a later cluster at the same path."""
    try:
        with (cluster / "global" / "pg_control").open("rb") as file:
            return file.read(8)
    except OSError:
        return None


def choose_socket_dir(cluster: Path) -> Path:
    """Return `socket/` in the cluster, or a folder in /tmp where that path is too long or needs quoting.

    The name depends on path and identity: the same after each restart, another for a new cluster at the same path.
    TMPDIR is ignored, because all processes must choose the same folder.
    """
    inside = cluster / "socket"
    fits = len(os.fsencode(inside / f".s.PGSQL.{PORT}")) <= _MAX_SOCKET_LENGTH
    if fits and re.fullmatch(r"[\w./+-]+", str(inside), re.ASCII):
        return inside
    digest = hashlib.sha256(os.fsencode(cluster) + b"\0" + (read_identity(cluster) or b"")).hexdigest()
    return Path("/tmp", f"sightline-{digest[:20]}")  # noqa: S108 - made private and verified by ensure_private


def ensure_private(folder: Path, account: SystemAccount) -> None:
    """Create the folder, or verify that it belongs to the account: in /tmp the name may be taken."""
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
