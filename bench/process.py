"""A server under test as a child process: started, asked for its CPU time, stopped."""

import http.client
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from bench.environment import BenchEnvironment

_START_SECONDS = 30
_STOP_SECONDS = 30


class ServerFailed(Exception):
    pass


class Server(msgspec.Struct, frozen=True):
    name: str
    port: int
    pid: int

    def cpu_seconds(self) -> float | None:
        """Return user and system time so far; None without /proc."""
        try:
            stat = Path(f"/proc/{self.pid}/stat").read_text()
        except OSError:
            return None
        fields = stat.rpartition(")")[2].split()  # the name before it may hold spaces
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def get(self, path: str, headers: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
        """Send one request outside any measurement."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", path, headers=headers)
            response = connection.getresponse()
            return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
        finally:
            connection.close()


@contextmanager
def running(name: str, module: str, environment: BenchEnvironment, *, profile: Path | None = None) -> Iterator[Server]:
    log = environment.folder / f"{name}.log"
    with log.open("wb") as stderr:
        child = subprocess.Popen(
            [sys.executable, "-m", "bench.serve", module, *([str(profile)] if profile else [])],
            env=environment.variables,
            stdout=subprocess.PIPE,
            stderr=stderr,  # a file, as the log of a service usually is
        )
    try:
        assert child.stdout is not None
        server = Server(name, _read_port(child.stdout.readline(), name, log), child.pid)
        _wait_until_listening(server, log)
        yield server
    finally:
        child.terminate()
        try:
            child.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def _read_port(line: bytes, name: str, log: Path) -> int:
    if not line.strip().isdigit():
        raise ServerFailed(f"the server {name!r} did not start:\n{log.read_text()[-2000:]}")
    return int(line)


def _wait_until_listening(server: Server, log: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while True:
        try:
            server.get("/", {})
        except OSError as error:
            if time.monotonic() > deadline:
                raise ServerFailed(f"{server.name!r} does not answer:\n{log.read_text()[-2000:]}") from error
            time.sleep(0.05)
        else:
            return
