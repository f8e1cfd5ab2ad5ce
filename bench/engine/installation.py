"""The product as an operator runs it: `sightline api` and `sightline worker` as child processes."""

import asyncio
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeVar

import aiohttp
import asyncpg
import msgspec
import uvloop

from bench.comparison import Aborted
from bench.engine.cpu import tree_cpu_seconds
from bench.environment import BenchEnvironment
from bench.process import ServerFailed
from sightline.db.engine import DatabaseUnavailable

_START_SECONDS = 120
_STOP_SECONDS = 30

T = TypeVar("T")


class Child(msgspec.Struct, frozen=True):
    name: str
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def cpu_seconds(self) -> float | None:
        return tree_cpu_seconds(self.pid)


@contextmanager
def running_child(
    name: str, environment: BenchEnvironment, *command: str, settings: Mapping[str, str] | None = None
) -> Iterator[Child]:
    """Run a child process during the block, then terminate it, and kill it if it does not end."""
    log = environment.folder / f"{name}.log"
    with log.open("ab") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", *command],
            env={**environment.variables, **(settings or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if name.startswith("fake") else file,
            stderr=file,  # a file, like the log of a service
        )
    try:
        yield Child(name, process, log)
    finally:
        process.terminate()
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()


@contextmanager
def running_fake(name: str, environment: BenchEnvironment, *command: str) -> Iterator[tuple[Child, int]]:
    """Run a fake server of the benchmark, which prints its port."""
    with running_child(f"fake-{name}", environment, *command) as child:
        assert child.process.stdout is not None
        line = child.process.stdout.readline().strip()
        if not line.isdigit():
            raise ServerFailed(f"the server {name!r} did not start:\n{_tail(child.log)}")
        yield child, int(line)


@contextmanager
def running_api(
    environment: BenchEnvironment, settings: Mapping[str, str], *, command: Literal["api", "serve"] = "api"
) -> Iterator[tuple[Child, int]]:
    """Run the API and the pages; with `serve`, the worker in the same process, too."""
    port = _free_port()
    api_settings = {**settings, "SIGHTLINE_PORT": str(port)}
    with running_child(command, environment, "sightline", command, settings=api_settings) as child:
        deadline = time.monotonic() + _START_SECONDS
        while not _is_healthy(port):
            if child.has_ended or time.monotonic() > deadline:
                raise ServerFailed(f"`sightline {command}` did not start:\n{_tail(child.log)}")
            time.sleep(0.1)
        yield child, port


@contextmanager
def running_worker(
    environment: BenchEnvironment, settings: Mapping[str, str], *, number: int = 1, profile: Path | None = None
) -> Iterator[Child]:
    """Run a worker, which may not be ready yet: see `wait_for_workers`."""
    command = ("sightline", "worker") if profile is None else ("bench.engine.profiled", str(profile))
    with running_child(f"worker-{number}", environment, *command, settings=settings) as child:
        yield child


def wait_for_workers(environment: BenchEnvironment, *workers: Child) -> None:
    """Wait until each worker has its share of every platform's calls, so that startup is not measured."""
    try:
        uvloop.run(_wait_for_workers(environment.database_url, workers))
    except TimeoutError:
        raise ServerFailed(_explain(f"the workers are not ready after {_START_SECONDS} seconds", workers)) from None


async def _wait_for_workers(database_url: str, workers: Sequence[Child]) -> None:
    connection = await asyncpg.connect(database_url)
    try:
        async with asyncio.timeout(_START_SECONDS):
            while not await _are_ready(connection, len(workers)):
                if any(worker.has_ended for worker in workers):
                    raise ServerFailed(_explain("a worker did not start", workers))
                await asyncio.sleep(0.1)
            await asyncio.sleep(1)  # a worker's one-time startup work
    finally:
        connection.terminate()


async def _are_ready(connection: Any, wanted: int) -> bool:
    rows = await connection.fetch(
        """SELECT count(*), max(slots) - min(slots) FROM platform_leases
           WHERE slots > 0 AND worker_id IN (SELECT id FROM workers) GROUP BY lane"""
    )
    alive = await connection.fetchval("SELECT count(*) FROM workers")
    # The shares are equal once a worker that was alone has released what belongs to the others.
    return alive == wanted and bool(rows) and all(row[0] == wanted and row[1] <= 1 for row in rows)


def run_limited(work: Coroutine[Any, Any, T], seconds: float, *children: Child) -> T:
    """Run a part of a benchmark with a time limit. An error shows the ends of the logs."""
    try:
        return uvloop.run(_watch(work, seconds, children))
    except TimeoutError:
        reason = f"not done after {seconds:.0f} seconds"
    except (aiohttp.ClientError, asyncpg.PostgresError, DatabaseUnavailable, OSError) as error:
        reason = f"{type(error).__name__}: {error}"
    raise Aborted(_explain(reason, children))


async def _watch(work: Coroutine[Any, Any, T], seconds: float, children: Sequence[Child]) -> T:
    """Await the work, and abort early if one of the processes has ended."""
    task = asyncio.create_task(work)
    try:
        async with asyncio.timeout(seconds):
            while not task.done():
                await asyncio.wait([task], timeout=0.5)
                if not task.done() and any(child.has_ended for child in children):
                    raise Aborted(_explain("a process has ended", children))
        return task.result()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def _explain(reason: str, children: Sequence[Child]) -> str:
    return "\n".join([reason, *(f"--- {child.name}\n{_tail(child.log)}" for child in children)])


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


def _is_healthy(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as response:
            return bool(response.status == 200)
    except (OSError, urllib.error.URLError):
        return False


def _tail(log: Path) -> str:
    return log.read_text(errors="replace")[-1500:] if log.exists() else ""
