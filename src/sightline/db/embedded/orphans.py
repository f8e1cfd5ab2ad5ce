"""Orphaned servers: their data directory was removed or moved while they ran.

PostgreSQL notices within a minute and stops. Until then it endangers a new cluster at the same path: it finds most
files through its working directory, which is gone, but `pg_control` by its full path, and would overwrite the new one.
"""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from .account import SystemAccount
from .errors import EmbeddedError
from .postmaster import is_running_pid

_POLL_SECONDS = 0.01
_STOP_SECONDS = 10


def stop_orphaned_servers(cluster: Path, account: SystemAccount) -> None:
    """Stop the servers of removed clusters at this path, and refuse to continue next to a moved one.

    This needs /proc; elsewhere PostgreSQL's own check of its lock file has to suffice.
    """
    for pid in _servers_started_on(cluster):
        folder = _working_directory(pid, account)
        if folder == f"{cluster} (deleted)":
            _stop(pid)
        elif folder not in (str(cluster), None):
            raise EmbeddedError(
                f"A PostgreSQL that was started for {cluster} still runs (pid {pid}), though its files are now in "
                f"{folder}. It would damage a new database here. End it with `kill -QUIT {pid}` and try again."
            )


def _servers_started_on(cluster: Path) -> Iterator[int]:
    for process in Path("/proc").glob("[0-9]*"):
        try:
            program, *arguments = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue  # it has ended
        if program.rpartition(b"/")[2] == b"postgres" and arguments[:2] == [b"-D", os.fsencode(cluster)]:
            yield int(process.name)


def _working_directory(pid: int, account: SystemAccount) -> str | None:
    """Return the working directory, or None when the process sees other files, as in a container.

    The account asks, because root in a container may not inspect processes of other users.
    """
    script = f"readlink /proc/{pid}/ns/mnt && readlink /proc/{pid}/cwd"
    mounts, _, folder = account.run("/bin/sh", "-c", script).stdout.partition("\n")
    ours = str(Path("/proc/self/ns/mnt").readlink())
    return folder.removesuffix("\n") if folder and mounts == ours else None


def _stop(pid: int) -> None:
    deadline = time.monotonic() + _STOP_SECONDS
    with suppress(ProcessLookupError):
        # Immediate mode: a checkpoint would write to the new cluster.
        os.kill(pid, signal.SIGQUIT)
        while is_running_pid(pid):
            time.sleep(_POLL_SECONDS)
            if time.monotonic() >= deadline:
                os.kill(pid, signal.SIGKILL)
