"""Attaching to the embedded server, restarting it after a crash, and releasing it. The last user stops it."""

import os
import time
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from . import location
from .account import has_helper
from .binaries import Binaries, find_binaries, make_reachable
from .cluster import Cluster, read_major
from .errors import EmbeddedError
from .lock import exclusive, share, try_exclusive
from .postmaster import APPLICATION_ROLE, DATABASE, PORT, SUPERUSER, PingResult, is_running, ping, read_postmaster
from .root_store import RootStore

_RELEASE_SECONDS = 60


class EmbeddedServer:
    """One use of the server. `url` stays the same across restarts."""

    url: str
    superuser_url: str
    """For tools that create and drop databases. The service itself never uses it."""
    started: bool
    account: str | None
    """The system account that PostgreSQL runs as, if it is not ours."""
    created_account: bool
    """Whether this start created the account."""

    def __init__(
        self,
        data_dir: Path,
        cluster: Cluster,
        users: int,
        *,
        started: bool,
        start_timeout: float,
        created_account: bool = False,
    ) -> None:
        place = f"@/{DATABASE}?host={quote(str(cluster.socket_dir))}&port={PORT}"
        self.url, self.superuser_url = (f"postgresql://{role}{place}" for role in (APPLICATION_ROLE, SUPERUSER))
        self.started = started
        self.account = None if cluster.account.is_us else cluster.account.name
        self.created_account = created_account
        self._cluster = cluster
        self._identity = cluster.identity
        self._start_lock = data_dir / "start.lock"
        self._users: int | None = users
        self._start_timeout = start_timeout

    def restart_if_crashed(self) -> bool:
        """Start PostgreSQL again if it was killed. One that was stopped on purpose stays stopped.

        Costs a few file reads when all is well. Returns True only in the process that did the restart.
        """
        if self._users is None or self._is_replaced() or not self._cluster.has_crashed():
            return False
        deadline = time.monotonic() + self._start_timeout
        with exclusive(self._start_lock, self._start_timeout):
            return self._cluster.has_crashed() and self._cluster.ensure_running(deadline)

    def release(self) -> None:
        """Release the server, and stop it if nobody else uses it. Calling it again changes nothing."""
        users, self._users = self._users, None
        if users is None:
            return
        # Without a data directory there is nobody to wait for: no process can reach the server.
        has_data_dir = self._start_lock.parent.exists()
        try:
            with exclusive(self._start_lock, _RELEASE_SECONDS) if has_data_dir else nullcontext():
                if try_exclusive(users) and not self._is_replaced():
                    self._cluster.stop()
        finally:
            os.close(users)

    def _is_replaced(self) -> bool:
        """Return whether another cluster, or none, is now at the path: then it is not ours to touch."""
        return self._cluster.identity != self._identity


@dataclass(frozen=True)
class ClusterStatus:
    """The status that `sightline doctor` shows. None stands for what does not exist or was not found."""

    cluster: Path | None
    binaries: Path | None
    version: str | None
    running: bool
    pid: int | None
    helper_user: str | None


def attach(data_dir: Path, *, start_timeout: float = 60) -> EmbeddedServer:
    """Return when the database of this data directory is usable, creating and starting it if needed.

    Raises `EmbeddedError`, and never changes the mode or the owner of a folder that it did not create.
    """
    data_dir = data_dir.resolve()
    deadline = time.monotonic() + start_timeout
    location.make_data_dir(data_dir)
    had_helper = has_helper()
    with exclusive(data_dir / "start.lock", start_timeout):
        cluster = _open_cluster(data_dir)
        cluster.create_if_missing()
        started = cluster.ensure_running(deadline)
        users = share(data_dir / "users.lock")
    if os.geteuid() == 0:
        RootStore.from_environment().sweep()
    return EmbeddedServer(
        data_dir,
        cluster,
        users,
        started=started,
        start_timeout=start_timeout,
        created_account=has_helper() and not had_helper,
    )


def describe(data_dir: Path) -> ClusterStatus:
    """Return the status without creating, starting or changing anything."""
    data_dir = data_dir.resolve()
    found = location.find_location(data_dir)
    account = found.account if found else location.expected_account()
    binaries = _find_binaries_or_none(read_major(found.cluster) if found else None)
    postmaster = read_postmaster(found.cluster) if found else None
    running = (
        found is not None
        and postmaster is not None
        and is_running(found.cluster, postmaster)
        and ping(postmaster.socket_dir) is not PingResult.NO_ANSWER
    )
    return ClusterStatus(
        cluster=found.cluster if found else None,
        binaries=binaries.folder if binaries else None,
        version=binaries.version if binaries else None,
        running=running,
        pid=postmaster.pid if postmaster and running else None,
        helper_user=account.name if account and not account.is_us else None,
    )


def _open_cluster(data_dir: Path) -> Cluster:
    where = location.choose_location(data_dir)
    binaries = find_binaries(read_major(where.cluster))
    if not where.account.is_us:
        binaries = make_reachable(binaries, where.account, RootStore.from_environment())
    return Cluster(where.cluster, where.account, binaries)


def _find_binaries_or_none(major: int | None) -> Binaries | None:
    try:
        return find_binaries(major)
    except EmbeddedError:
        return None
