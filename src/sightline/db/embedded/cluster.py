"""One PostgreSQL cluster on disk: creating, starting and stopping it. Callers hold the start lock."""

import os
import secrets
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from . import application_role, config
from .account import SystemAccount
from .binaries import Binaries
from .errors import EmbeddedError
from .nameless_user import name_user
from .orphans import stop_orphaned_servers
from .postmaster import (
    APPLICATION_ROLE,
    DATABASE,
    PORT,
    SUPERUSER,
    PingResult,
    is_running,
    ping,
    process_exists,
    read_postmaster,
)

_POLL_SECONDS = 0.05
# A pid that no system assigns.
_UNUSED_PID = 2**31 - 1
# Messages while the processes of a killed server are still ending.
_TRANSIENT_ERRORS = ("is still in use", "already exists")
_STOP_SECONDS = 60
_FIRST_WITH_BUILTIN_LOCALES = 17


def read_major(cluster: Path) -> int | None:
    try:
        return int((cluster / "PG_VERSION").read_text().split(".")[0])
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise EmbeddedError(f"{cluster / 'PG_VERSION'} cannot be read ({error}): the cluster is damaged.") from error


@dataclass(frozen=True)
class Cluster:
    path: Path
    account: SystemAccount
    binaries: Binaries

    @property
    def identity(self) -> bytes | None:
        return config.read_identity(self.path)

    @property
    def socket_dir(self) -> Path:
        """Return the socket folder of the running server, or of the next one that is started."""
        postmaster = read_postmaster(self.path)
        return postmaster.socket_dir if postmaster else config.choose_socket_dir(self.path)

    def is_running(self) -> bool:
        postmaster = read_postmaster(self.path)
        return postmaster is not None and is_running(self.path, postmaster)

    def has_crashed(self) -> bool:
        """Return whether a server left its pid file behind: one that was stopped removes it, a killed one cannot."""
        postmaster = read_postmaster(self.path)
        return postmaster is not None and not is_running(self.path, postmaster)

    def create_if_missing(self) -> None:
        """Create the cluster in a scratch folder and rename it, so that an existing cluster is always complete."""
        if self.path.exists():
            if read_major(self.path) is None:
                raise EmbeddedError(f"{self.path} is not a PostgreSQL cluster. Move it away and try again.")
            return
        stop_orphaned_servers(self.path, self.account)
        for leftover in self.path.parent.glob(f"{self.path.name}.new-*"):
            shutil.rmtree(leftover, ignore_errors=True)
        # A new name each time: the initdb of a killed process may still be writing.
        scratch = self.path.with_name(f"{self.path.name}.new-{secrets.token_hex(4)}")
        self.account.make_dir(scratch)
        try:
            self._initdb(scratch)
            original = (scratch / "postgresql.conf").read_text()
            self.account.write(scratch / "postgresql.conf", f"{original}\n{config.INCLUDE}\n")
            self.account.make_dir(scratch / config.FILE.parent)
            scratch.rename(self.path)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def ensure_running(self, deadline: float) -> bool:
        """Wait until a session on our database can be opened. Return whether the server was started for it."""
        started = is_set_up = False
        while True:
            answer = ping(self.socket_dir)
            if answer is PingResult.READY and (is_set_up or not started):
                return started
            if answer in {PingResult.READY, PingResult.NO_DATABASE, PingResult.NO_ROLE}:
                # Also after each start: an earlier version may have used the cluster in between.
                if is_set_up:
                    raise EmbeddedError(f"pg_hba.conf does not admit the role {APPLICATION_ROLE} to {DATABASE}.")
                self._set_up_database()
                is_set_up = True
            elif time.monotonic() >= deadline:
                raise EmbeddedError(f"PostgreSQL is not ready in time; it may be recovering. {self._log_report()}")
            elif answer is PingResult.NOT_READY or self.is_running():
                time.sleep(_POLL_SECONDS)
            else:
                started = self._start(deadline) or started

    def stop(self) -> None:
        if not self.is_running():
            return
        done = self._pg_ctl("stop", "-m", "fast", "-t", str(_STOP_SECONDS))
        if done and self.is_running():
            raise EmbeddedError(f"PostgreSQL does not stop: {done} {self._log_report()}")

    def _initdb(self, folder: Path) -> None:
        command = [
            *("-D", str(folder), "--username", SUPERUSER, "--encoding=UTF8", "--data-checksums"),
            *("--auth-local=trust", "--auth-host=reject", "--no-instructions"),
            *(["--no-sync"] if config.is_fast() else []),
        ]
        complaint = ""
        with name_user(self.account) as variables:
            for locale in self._locales():
                done = self.account.run(self.binaries.program("initdb"), *command, *locale, variables=variables)
                if done.returncode == 0:
                    return
                complaint = (done.stderr or done.stdout).strip()
        raise EmbeddedError(f"PostgreSQL cannot make its cluster for {self.path}: {complaint}")

    def _locales(self) -> Iterator[list[str]]:
        """Yield locales that order by code point with UTF-8 letters: built in since 17, otherwise the system's."""
        if self.binaries.major >= _FIRST_WITH_BUILTIN_LOCALES:
            yield ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
        else:
            yield ["--locale=C.UTF-8"]
            yield ["--locale=C"]

    def _set_up_database(self) -> None:
        """Create the database and the application's role where they are missing, as the superuser."""
        connect = ("-h", self.socket_dir, "-U", SUPERUSER)
        if ping(self.socket_dir, role=SUPERUSER) is PingResult.NO_DATABASE:
            done = self.account.run(self.binaries.program("createdb"), *connect, "--maintenance-db=postgres", DATABASE)
            # An operator who started PostgreSQL by hand holds no lock and may have created it meanwhile.
            if done.returncode and ping(self.socket_dir, role=SUPERUSER) is PingResult.NO_DATABASE:
                raise EmbeddedError(f"The database {DATABASE} cannot be made: {done.stderr.strip()}")
        psql = (
            self.binaries.program("psql"),
            *connect,
            "-d",
            DATABASE,
            "-X",
            "-w",
            "-q",
            "-1",
            "-v",
            "ON_ERROR_STOP=1",
        )
        done = self.account.run(*psql, "-f", "-", text=application_role.SCRIPT)
        if done.returncode:
            raise EmbeddedError(f"The role of the service cannot be set up: {done.stderr.strip()}")

    def _start(self, deadline: float) -> bool:
        """Start the server once. Return False after a transient failure."""
        stop_orphaned_servers(self.path, self.account)
        socket_dir = config.choose_socket_dir(self.path)
        config.ensure_private(socket_dir, self.account)
        self.account.write(self.path / config.FILE, config.render(socket_dir))
        self._invalidate_lock_files(socket_dir)
        seconds = max(1, round(deadline - time.monotonic()))
        script = 'mkdir -p log && : >log/startup.log && exec "$@"'
        pg_ctl = (self.binaries.program("pg_ctl"), "-D", self.path, "-w", "-s", "-t", str(seconds))
        command = (*pg_ctl, "-l", self.path / "log" / "startup.log", "start")
        done = self.account.run("/bin/sh", "-c", script, "sh", *command, cwd=self.path)
        if done.returncode == 0:
            return True
        report = self._log_report()
        if self.is_running() or any(trouble in report for trouble in _TRANSIENT_ERRORS):
            time.sleep(_POLL_SECONDS)
            return False
        raise EmbeddedError(f"PostgreSQL does not start. {done.stderr.strip()} {report}")

    def _invalidate_lock_files(self, socket_dir: Path) -> None:
        """Make the files of a killed server look stale although its pid exists: as a zombie or as another program.

        They are not removed: PostgreSQL finds in the first one the shared memory that old processes may still use.
        """
        for file in (self.path / "postmaster.pid", socket_dir / f".s.PGSQL.{PORT}.lock"):
            try:
                pid, _, rest = os.fsdecode(file.read_bytes()).partition("\n")
            except FileNotFoundError:
                continue
            if pid.isdigit() and process_exists(int(pid)):
                self.account.write(file, f"{_UNUSED_PID}\n{rest}")

    def _pg_ctl(self, *arguments: str) -> str:
        """Run pg_ctl and return its error message, empty on success."""
        done = self.account.run(self.binaries.program("pg_ctl"), "-D", self.path, "-w", "-s", *arguments)
        return done.stderr.strip() or "pg_ctl failed." if done.returncode else ""

    def _log_report(self) -> str:
        """Return the last lines of the log, including the file from before the log collector started."""
        logs = sorted((self.path / "log").glob("*.log"), key=lambda log: log.stat().st_mtime)
        lines = [line for log in logs[-2:] for line in log.read_text(errors="replace").splitlines()[-6:]]
        return f"The log in {self.path / 'log'} ends:\n" + "\n".join(lines)
