"""Servers that outlived their cluster: somebody removed or moved the data directory below them.

PostgreSQL notices within a minute and ends. Until then it is a danger to a new cluster at the same path: it finds most
files from its working directory, which is gone, but `pg_control` by its full path, and would write over the new one.
"""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from .account import Account
from .errors import EmbeddedError
from .postmaster import is_running_pid

_POLL_SECONDS = 0.01
_STOP_SECONDS = 10


def stop_orphaned_servers(cluster: Path, account: Account) -> None:
    """End the servers of removed clusters at this path, and refuse to go on beside one that was moved away.

    Only where /proc tells; elsewhere PostgreSQL's own check of its lock file has to do.
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
            continue  # it ended meanwhile
        if program.rpartition(b"/")[2] == b"postgres" and arguments[:2] == [b"-D", os.fsencode(cluster)]:
            yield int(process.name)


def _working_directory(pid: int, account: Account) -> str | None:
    """Where the process works; None if it sees other files than we do, as in a container with paths of its own.

    Asked as the account, for root in a container may not look at the processes of others.
    """
    look = f"readlink /proc/{pid}/ns/mnt && readlink /proc/{pid}/cwd"
    mounts, _, folder = account.run("/bin/sh", "-c", look).stdout.partition("\n")
    ours = str(Path("/proc/self/ns/mnt").readlink())
    return folder.removesuffix("\n") if folder and mounts == ours else None


def _stop(pid: int) -> None:
    deadline = time.monotonic() + _STOP_SECONDS
    with suppress(ProcessLookupError):
        # Immediate mode: no checkpoint, for that is what would write to the new cluster.
        os.kill(pid, signal.SIGQUIT)
        while is_running_pid(pid):
            time.sleep(_POLL_SECONDS)
            if time.monotonic() >= deadline:
                os.kill(pid, signal.SIGKILL)
