"""Processes of the product, started as an operator starts them, and ways to disturb them."""

import asyncio
import contextlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from chaos import clock_shift
from chaos.clock_shift import ShiftedClock

# The release before ends its worker if a connection is lost while it is given back to the pool; this one does not.
_LOST_CONNECTION = "ConnectionDoesNotExistError"
# Below the ports that systems give to outgoing connections: one of those could take the port of a killed process.
_PORTS = range(20_000, 32_000)


def free_port() -> int:
    while True:
        port = secrets.choice(_PORTS)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class Process:
    """A process that is restarted whenever it ends, until `end` is called. Ends without a cause are recorded."""

    def __init__(self, name: str, command: str, environment: Mapping[str, str], logs: Path) -> None:
        self.name = name
        self.source: Path | None = None
        """The folder of the package to run from the next start on. None: the current source."""
        clock = logs / f"{name}.clock"
        self.clock = ShiftedClock(clock)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = logs / f"{name}.log"
        self.fell: list[int] = []
        self._command = [sys.executable, "-P", clock_shift.__file__, str(clock), command]
        self._environment = {**environment, "SIGHTLINE_PORT": str(self.port)}
        self._child: subprocess.Popen[bytes] | None = None
        self._runs_release_before = False
        self._log_start = 0
        self._struck = False
        self.pause = 0.3
        """The seconds before a restart."""

    def start(self) -> None:
        environment = self._environment if self.source is None else self._environment | {"PYTHONPATH": str(self.source)}
        with self.log.open("ab") as log:
            self._log_start = log.tell()
            self._child = subprocess.Popen(self._command, env=environment, stdout=log, stderr=log)
        self._runs_release_before = self.source is not None
        self._struck = False

    async def keep_running(self) -> None:
        while True:
            if self._child is None:
                self.start()
            elif (code := self._child.poll()) is not None:
                if not self._struck and not (self._runs_release_before and lost_connection(self.log, self._log_start)):
                    self.fell.append(code)
                await asyncio.sleep(self.pause)
                self.start()
            await asyncio.sleep(0.05)

    def kill(self) -> None:
        if self._child is not None:
            self._struck = True
            self._child.kill()

    def freeze(self) -> None:
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def ask_to_end(self) -> None:
        """Send SIGTERM, as an operator does, so that running work is finished."""
        self._struck = True
        self._signal(signal.SIGTERM)

    def wait(self, seconds: float | None = None) -> None:
        if self._child is not None:
            self._child.wait(seconds)

    def end(self) -> None:
        if self._child is not None:
            self._child.kill()
        self.wait()

    def _signal(self, number: int) -> None:
        if self._child is not None and self._child.poll() is None:
            os.kill(self._child.pid, number)


def lost_connection(log: Path, start: int) -> bool:
    """Return whether the worker whose log begins at `start` broke because it lost its connection to PostgreSQL.

    Whatever else ends a process may mean that the new schema is too new for it.
    """
    broken = [line for line in log.read_bytes()[start:].splitlines() if b'"worker_broken"' in line]
    return bool(broken) and json.loads(broken[-1])["exception"][-1]["exc_type"] == _LOST_CONNECTION
