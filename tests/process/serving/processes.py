"""Real processes of the product, with ways to stop, kill and query them.

They are forked from a process that has already imported the product: a start spends most of its time on imports. Where
a test gives a `command`, it is started as a user starts it.
"""

import contextlib
import importlib
import json
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import httpx

from sightline.kit import crash

SIGHTLINE = [sys.executable, "-m", "sightline"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def environment(**settings: object) -> dict[str, str]:
    """Return the environment of this process, with these settings of the product and with JSON logs."""
    named = {f"SIGHTLINE_{name.upper()}": str(value) for name, value in settings.items()}
    return {**os.environ, "SIGHTLINE_LOG_FORMAT": "json", **named}


_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["tests.process.serving.preloaded", "tests.process.serving.processes"])


def run(*arguments: str, **settings: object) -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryDirectory() as folder:
        printed = [str(Path(folder) / name) for name in ("stdout", "stderr")]
        process = ForkedProcess(arguments, environment(**settings), *printed)
        try:
            process.wait(90)
        finally:
            process.kill()
        return subprocess.CompletedProcess(arguments, process.returncode, *(Path(file).read_text() for file in printed))


def _run_command(arguments: tuple[str, ...], environment: dict[str, str], *printed: str) -> None:
    """Do what `python -m sightline` does. This runs in the forked process."""
    os.environ.clear()
    os.environ.update(environment)
    importlib.reload(crash)  # it has read the environment already
    for number, file in enumerate(printed, start=1):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), number)
    from sightline.cli.main import app

    app(list(arguments), prog_name="sightline")


class ForkedProcess:
    """A command of the product in a forked process, with the methods of `subprocess.Popen` that tests use."""

    def __init__(self, arguments: Sequence[str], environment: dict[str, str], stdout: str, stderr: str) -> None:
        self._arguments = arguments
        self._process = _FORKS.Process(target=_run_command, args=(tuple(arguments), environment, stdout, stderr))
        self._process.start()

    @property
    def pid(self) -> int | None:
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired(self._arguments, timeout or 0)
        return self.returncode

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        self._process.kill()


def run_json(*arguments: str, **settings: object):
    done = run(*arguments, "--json", **settings)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Running:
    """A running process. Its output goes to a file: nothing reads a pipe, and a full pipe would block it."""

    def __init__(
        self, *arguments: str, command: list[str] | None = None, port: int | None = None, **settings: object
    ) -> None:
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._printed = tempfile.NamedTemporaryFile()  # noqa: SIM115 - closed by kill()
        env = environment(port=self.port, **settings)
        self.process = (
            ForkedProcess(arguments, env, self._printed.name, self._printed.name)
            if command is None
            else subprocess.Popen([*command, *arguments], env=env, stdout=self._printed, stderr=subprocess.STDOUT)
        )

    @property
    def printed(self) -> str:
        """Everything the process has printed so far."""
        return os.pread(self._printed.fileno(), 100_000_000, 0).decode()

    def wait_for_line(self, text: str) -> str:
        """Wait until the process has printed the text, and return the whole output."""
        deadline = time.monotonic() + 90
        while text not in self.printed:
            assert time.monotonic() < deadline and self.process.poll() is None, self.printed
            time.sleep(0.05)
        return self.printed

    def wait_until_listening(self) -> "Running":
        deadline = time.monotonic() + 90
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise AssertionError(f"ended with {self.process.returncode}: {self.printed}")
            with contextlib.suppress(httpx.TransportError):
                httpx.get(f"{self.url}/healthz", timeout=2)
                return self
            time.sleep(0.05)
        raise AssertionError("did not listen in time")

    def stop(self, number: int = signal.SIGTERM) -> str:
        """Ask the process to stop, and return its output."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        self.process.wait(40)
        return self.printed

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self._printed.close()


@contextlib.contextmanager
def running(*arguments: str, command: list[str] | None = None, **settings: object):
    started = Running(*arguments, command=command, **settings)
    try:
        yield started.wait_until_listening()
    finally:
        started.kill()
