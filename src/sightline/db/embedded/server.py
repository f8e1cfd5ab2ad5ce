"""One PostgreSQL cluster, and its uses: each process attaches and releases it, and the last one stops the server."""

import hashlib
import os
import re
import shutil
import socket
import stat
import struct
import time
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from . import location
from .account import EmbeddedError, SystemAccount, find_helper, name_user
from .binaries import Binaries, find_binaries, make_reachable

PORT = 5432
DATABASE = "sightline"
SUPERUSER = "sightline"  # created by initdb, and used only to create the rest
APPLICATION_ROLE = "sightline_app"
_POLL_SECONDS = 0.05
_TIMEOUT = 60  # seconds to start, to stop, and to wait for others who do
_UNUSED_PID = 2**31 - 1  # no system assigns it
# Messages while the processes of a killed server are still ending.
_TRANSIENT_ERRORS = ("is still in use", "already exists")
_MAX_SOCKET_LENGTH = 103  # in bytes, on macOS; 107 on Linux
_SETTINGS_FILE = Path("conf.d", "sightline.conf")
_FAST = "fsync = off\nfull_page_writes = off\n"  # for tests only: a power failure may destroy the data
# The service owns its database and everything in it, but is no superuser (ADR 47). One statement in each line.
_ROLE_AND_DATABASE = f"""\
CREATE ROLE {APPLICATION_ROLE} LOGIN
CREATE DATABASE {DATABASE} OWNER {APPLICATION_ROLE}
"""


def ping(socket_dir: Path) -> bool | None:
    """Return whether the server is ready for a session on our database. None: nobody answers. Uses no subprocess."""
    options = f"user\0{APPLICATION_ROLE}\0database\0{DATABASE}\0application_name\0sightline start\0\0".encode()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(2)
        try:
            connection.connect(str(socket_dir / f".s.PGSQL.{PORT}"))
            connection.sendall(struct.pack("!II", 8 + len(options), 3 << 16) + options)
            with connection.makefile("rb") as stream:
                kind, length = struct.unpack("!cI", stream.read(5))
                message = stream.read(length - 4)
        except (OSError, struct.error):
            return None
    # A server that starts, recovers or stops refuses with 57P. Another refusal, such as too many connections, is fine.
    return kind != b"E" or b"\0C57P" not in message


class Postmaster(NamedTuple):
    """The contents of `postmaster.pid`. The file outlives a server that was killed."""

    cluster: Path
    pid: int
    socket_dir: Path

    def is_running(self) -> bool:
        """Return whether the pid is still the server of this cluster, not dead, a zombie or reused."""
        with suppress(PermissionError):
            try:
                os.kill(self.pid, 0)
            except ProcessLookupError:
                return False
        try:
            name, _, state = Path(f"/proc/{self.pid}/stat").read_text().partition("(")[2].rpartition(") ")
        except OSError:
            return True  # not every system has /proc
        try:  # PostgreSQL works in its data directory
            return not state.startswith(("Z", "X")) and self.cluster.samefile(f"/proc/{self.pid}/cwd")
        except OSError:  # root in a container may not inspect other users' processes
            return name == "postgres"


def read_postmaster(cluster: Path) -> Postmaster | None:
    try:
        lines = os.fsdecode((cluster / "postmaster.pid").read_bytes()).splitlines()
        # The file is written in two steps: pid and paths first, the socket in the fifth line a moment later.
        return Postmaster(cluster, int(lines[0]), Path("".join(lines[4:5]) or cluster / "socket"))
    except (OSError, ValueError, IndexError):
        return None


def read_major(cluster: Path) -> int | None:
    try:
        return int((cluster / "PG_VERSION").read_text().split(".")[0]) if cluster.exists() else None
    except (OSError, ValueError) as error:
        raise EmbeddedError(f"{cluster} is not a PostgreSQL cluster, or is damaged: {error}.") from error


class Cluster(NamedTuple):
    """A cluster on disk. Callers of the methods that change it hold the start lock."""

    path: Path
    account: SystemAccount
    binaries: Binaries

    @property
    def socket_dir(self) -> Path:
        """Return the socket folder of the running server, or of the next one that is started.

        It is in the cluster, or in /tmp if that path is too long or needs quoting. TMPDIR is ignored, because all
        processes must choose the same folder.
        """
        if postmaster := read_postmaster(self.path):
            return postmaster.socket_dir
        inside = self.path / "socket"
        fits = len(os.fsencode(inside / f".s.PGSQL.{PORT}")) <= _MAX_SOCKET_LENGTH
        if fits and re.fullmatch(r"[\w./+-]+", str(inside), re.ASCII):
            return inside
        digest = hashlib.sha256(os.fsencode(self.path)).hexdigest()
        return Path("/tmp", f"sightline-{digest[:20]}")  # noqa: S108 - created or verified by _make_socket_dir

    def is_running(self) -> bool | None:
        """Return whether the server runs. None: it was stopped, and removed its pid file, which a killed one cannot."""
        return (postmaster := read_postmaster(self.path)) and postmaster.is_running()

    def create(self) -> None:
        """Create the cluster with the role and the database of the service. A failure leaves nothing behind."""
        # Both locales order by code point with UTF-8 letters. The first one exists since PostgreSQL 17.
        builtin = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
        initdb = [
            *(self.binaries.program("initdb"), "-D", self.path, "--username", SUPERUSER, "--encoding=UTF8"),
            *("--data-checksums", "--auth-local=trust", "--auth-host=reject", "--no-instructions"),
            *(builtin if self.binaries.major >= 17 else ["--locale=C.UTF-8"]),
            *(["--no-sync"] if os.environ.get("SIGHTLINE_EMBEDDED_FAST") else []),
        ]
        alone = [self.binaries.program("postgres"), "--single", "-D", self.path, "-c", "exit_on_error=on", "postgres"]
        self.account.make_dir(self.path)
        try:
            with name_user(self.account) as variables:
                failure = f"PostgreSQL cannot create its cluster {self.path}"
                self.account.run(*initdb, variables=variables, failure=failure)
                self.account.run(*alone, text=_ROLE_AND_DATABASE, variables=variables, failure=failure)
            original = (self.path / "postgresql.conf").read_text()
            self.account.write(self.path / "postgresql.conf", f"{original}\ninclude_dir = 'conf.d'\n")
            self.account.make_dir(self.path / _SETTINGS_FILE.parent)
        except BaseException:
            shutil.rmtree(self.path, ignore_errors=True)
            raise

    def ensure_running(self) -> bool:
        """Wait until a session on our database can be opened. Return whether the server was started for it."""
        started, deadline = False, time.monotonic() + _TIMEOUT
        while not (is_ready := ping(self.socket_dir)):
            if time.monotonic() >= deadline:
                raise EmbeddedError(f"PostgreSQL is not ready in time; it may be recovering. {self._log_report()}")
            if is_ready is False or self.is_running():
                time.sleep(_POLL_SECONDS)
            else:
                started = self._start() or started
        return started

    def _start(self) -> bool:
        """Start the server once. Return False after a transient failure."""
        self._invalidate_lock_files()
        self._make_socket_dir()
        settings = Path(__file__).with_name("postgresql.conf").read_text().format(socket_dir=self.socket_dir)
        fast = _FAST if os.environ.get("SIGHTLINE_EMBEDDED_FAST") else ""
        self.account.write(self.path / _SETTINGS_FILE, settings + fast)
        script = 'cd "$1" && mkdir -p log && : >log/startup.log && shift && exec "$@"'
        pg_ctl = (self.binaries.program("pg_ctl"), "-D", self.path, "-w", "-s", "-t", _TIMEOUT)
        command = (*pg_ctl, "-l", self.path / "log" / "startup.log", "start")
        done = self.account.run("/bin/sh", "-c", script, "sh", self.path, *command)
        if done.returncode == 0:
            return True
        report = self._log_report()
        if not self.is_running() and not any(trouble in report for trouble in _TRANSIENT_ERRORS):
            raise EmbeddedError(f"PostgreSQL does not start. {done.stderr.strip()} {report}")
        time.sleep(_POLL_SECONDS)
        return False

    def _make_socket_dir(self) -> None:
        """Create the folder, or verify that it belongs to the account: in /tmp the name may be taken."""
        try:
            self.account.make_dir(self.socket_dir)
        except FileExistsError:
            found = self.socket_dir.lstat()
            if not stat.S_ISDIR(found.st_mode) or found.st_uid != self.account.uid or found.st_mode & 0o077:
                raise EmbeddedError(
                    f"{self.socket_dir}, where the socket of PostgreSQL must be, belongs to another user or is open to "
                    "others. Remove it, or choose a data directory with a shorter path."
                ) from None

    def _invalidate_lock_files(self) -> None:
        """Make the files of a killed server look stale although its pid exists: as a zombie or as another program.

        The first one is not removed: PostgreSQL finds in it the shared memory that old processes may still use.
        """
        (self.socket_dir / f".s.PGSQL.{PORT}.lock").unlink(missing_ok=True)
        if read_postmaster(self.path):
            _, _, rest = os.fsdecode((self.path / "postmaster.pid").read_bytes()).partition("\n")
            self.account.write(self.path / "postmaster.pid", f"{_UNUSED_PID}\n{rest}")

    def stop(self) -> None:
        pg_ctl = (self.binaries.program("pg_ctl"), "-D", self.path, "-w", "-s", "-m", "fast", "-t", _TIMEOUT)
        if self.is_running() and (done := self.account.run(*pg_ctl, "stop")).returncode and self.is_running():
            raise EmbeddedError(f"PostgreSQL does not stop: {done.stderr.strip()} {self._log_report()}")

    def _log_report(self) -> str:
        """Return the last lines of the log, including the file from before the log collector started."""
        logs = sorted((self.path / "log").glob("*.log"), key=lambda log: log.stat().st_mtime)
        lines = [line for log in logs[-2:] for line in log.read_text(errors="replace").splitlines()[-6:]]
        return f"The log in {self.path / 'log'} ends:\n" + "\n".join(lines)


class EmbeddedServer:
    """One use of the server. `url` stays the same across restarts."""

    def __init__(self, data_dir: Path, cluster: Cluster, users: int, *, started: bool) -> None:
        place = f"@/{DATABASE}?host={quote(str(cluster.socket_dir))}&port={PORT}"
        self.url = f"postgresql://{APPLICATION_ROLE}{place}"
        self.superuser_url = f"postgresql://{SUPERUSER}{place}"  # for tools that create and drop databases
        self.started = started
        self.account = None if cluster.account.is_us else cluster.account.name  # that PostgreSQL runs as
        self._cluster = cluster
        self._start_lock = data_dir / "start.lock"
        self._users: int | None = users

    def restart_if_crashed(self) -> bool:
        """Start PostgreSQL again if it was killed, not if it was stopped. Return True only in the process that did."""
        if self._users is None or self._cluster.is_running() is not False:
            return False
        with location.lock_exclusively(self._start_lock, _TIMEOUT):
            return self._cluster.is_running() is False and self._cluster.ensure_running()

    def release(self) -> None:
        """Release the server, and stop it if nobody else uses it. Calling it again changes nothing."""
        users, self._users = self._users, None
        if users is None:
            return
        exists = self._start_lock.parent.exists()  # otherwise PostgreSQL notices that its folder is gone, and stops
        try:
            with location.lock_exclusively(self._start_lock, _TIMEOUT) if exists else nullcontext():
                if location.try_exclusive(users):
                    self._cluster.stop()
        finally:
            os.close(users)


def attach(data_dir: Path) -> EmbeddedServer:
    """Return when the database of this data directory is usable, creating and starting it if needed.

    Raises `EmbeddedError`, and never changes the mode or the owner of a folder that it did not create.
    """
    data_dir = data_dir.resolve()
    location.make_data_dir(data_dir)
    with location.lock_exclusively(data_dir / "start.lock", _TIMEOUT):
        where = location.choose_location(data_dir)
        binaries = find_binaries(read_major(where.cluster))
        if not where.account.is_us:
            binaries = make_reachable(binaries, where.account, location.prepare_store)
        cluster = Cluster(where.cluster, where.account, binaries)
        if not where.cluster.exists():
            cluster.create()
            # Relative in the data directory, which may be moved.
            where.link.symlink_to(where.cluster.name if where.cluster.parent == data_dir else where.cluster)
        started = cluster.ensure_running()
        users = location.open_lock(where.cluster / "users.lock", shared=True)
    return EmbeddedServer(data_dir, cluster, users, started=started)


class ClusterStatus(NamedTuple):
    """The status that `sightline doctor` shows. None stands for what does not exist or was not found."""

    cluster: Path | None
    binaries: Binaries | None
    pid: int | None
    helper_user: str | None
    running: bool


def describe(data_dir: Path) -> ClusterStatus:
    """Return the status without creating, starting or changing anything."""
    found = location.find_location(data_dir.resolve())
    cluster = found.cluster if found else None
    account = found.account if found else find_helper() if location.is_root() else None
    binaries = None
    with suppress(EmbeddedError):
        binaries = find_binaries(read_major(cluster) if cluster else None)
    postmaster = read_postmaster(cluster) if cluster else None
    pid = postmaster.pid if postmaster and postmaster.is_running() and ping(postmaster.socket_dir) is not None else None
    helper = account.name if account and not account.is_us else None
    return ClusterStatus(cluster, binaries, pid, helper, running=pid is not None)
