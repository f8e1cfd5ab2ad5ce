"""`ledger`: the export of a long ledger over HTTP, compared with PostgreSQL's own COPY of the same rows."""

import time
import uuid
from collections.abc import Awaitable, Callable
from functools import partial
from statistics import median
from typing import Any

import aiohttp
import asyncpg
import msgspec

from bench.comparison import Aborted, Target
from bench.engine.customers import Account, open_account
from bench.engine.installation import run_limited, running_api
from bench.engine.targets import to_target
from bench.environment import BenchEnvironment
from bench.ledger.fill import fill_ledger
from bench.ledger.memory import Memory, watch_memory
from bench.plan import Plan
from sightline.db.engine import Database

NAME = "ledger"
TITLE = "GET /api/v1/console/credits/ledger.csv, beside COPY of the same rows"
_ROWS = 1_000_000
_OF_COPY = 0.4
_MEGABYTES = 50
_LIMIT_SECONDS = 900
_KEPT = 1_000
_COPY = """SELECT id, created_at, reason, delta, scan_id, payment_reference, description FROM credit_entries
    WHERE workspace_id = $1 AND livemode ORDER BY created_at DESC, id DESC"""


class LedgerResult(msgspec.Struct, frozen=True):
    benchmark: str
    title: str
    rows: int
    megabytes: dict[str, float]
    """What was sent."""
    rss_before: float | None
    """Megabytes of the API's process before its first export; None where there is no /proc."""
    rss_growth: float | None
    """The most that it had during any export, beyond that."""
    targets: list[Target]
    throughput: dict[str, list[float]]
    """Rows per second."""


class _Export:
    """Counts what arrives and keeps its two ends, to see that both ways send the same rows."""

    def __init__(self) -> None:
        self._began = time.perf_counter()
        self._head = self._tail = b""
        self.bytes = 0
        self.rows = -1  # the first line is the heading
        self.seconds = 0.0

    async def take(self, data: bytes) -> None:
        self.bytes += len(data)
        self.rows += data.count(b"\n")
        if len(self._head) < _KEPT:
            self._head += data[:_KEPT]
        self._tail = data[-_KEPT:] if len(data) >= _KEPT else (self._tail + data)[-_KEPT:]

    def end(self) -> "_Export":
        self.seconds = time.perf_counter() - self._began
        return self

    def ends(self) -> tuple[bytes, bytes]:
        """Return the ids of the first and of the last row."""
        return self._head.splitlines()[1].partition(b",")[0], self._tail.splitlines()[-1].partition(b",")[0]


Way = Callable[[], Awaitable[_Export]]


def measure(environment: BenchEnvironment, plan: Plan) -> LedgerResult:
    rows = int(_ROWS * plan.share)
    with running_api(environment, {}) as (api, port):
        return run_limited(_measure(environment.database_url, port, api.pid, rows, plan), _LIMIT_SECONDS, api)


async def _measure(database_url: str, port: int, api_pid: int, rows: int, plan: Plan) -> LedgerResult:
    account = await _open_account(database_url)
    await fill_ledger(database_url, account.workspace_id, rows)
    connection = await asyncpg.connect(database_url, server_settings={"timezone": "UTC"})
    try:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=None)) as session:
            url = f"http://127.0.0.1:{port}/api/v1/console/credits"
            headers = {"X-API-Key": account.key, "Accept-Encoding": "identity"}
            async with session.get(f"{url}/balance", headers=headers) as response:
                response.raise_for_status()
            ways: dict[str, Way] = {
                "export": partial(_export, session, f"{url}/ledger.csv", headers),
                "copy": partial(_copy, connection, account.workspace_id),
            }
            async with watch_memory(api_pid) as memory:
                # The first round is a warm-up: its speed is left out, its memory counts.
                done = [await _run_round(ways, rows, number) for number in range(max(2, plan.rounds // 3) + 1)]
    finally:
        connection.terminate()
    speed = {name: [one[name].rows / one[name].seconds for one in done[1:]] for name in ways}
    megabytes = {name: done[0][name].bytes / 1e6 for name in ways}
    return _to_result(rows, speed, megabytes, memory)


async def _run_round(ways: dict[str, Way], rows: int, number: int) -> dict[str, _Export]:
    """Run each way once, in alternating order."""
    done = {name: await ways[name]() for name in (reversed(ways) if number % 2 else ways)}
    for name, export in done.items():
        if export.rows != rows:
            raise Aborted(f"{name} sent {export.rows} rows instead of {rows}")
    if done["export"].ends() != done["copy"].ends():
        raise Aborted(f"export and COPY differ: {done['export'].ends()} and {done['copy'].ends()}")
    return done


async def _open_account(database_url: str) -> Account:
    db = Database(database_url, pool_size=1)
    await db.open()
    try:
        return await open_account(db)
    finally:
        await db.close()


async def _export(session: aiohttp.ClientSession, url: str, headers: dict[str, str]) -> _Export:
    export = _Export()
    async with session.get(url, headers=headers) as response:
        if response.status != 200:
            raise Aborted(f"the export was answered with {response.status}: {(await response.text())[:600]}")
        async for data in response.content.iter_any():
            await export.take(data)
    return export.end()


async def _copy(connection: "asyncpg.Connection[Any]", workspace_id: uuid.UUID) -> _Export:
    export = _Export()
    await connection.copy_from_query(_COPY, workspace_id, output=export.take, format="csv", header=True, timeout=300)
    return export.end()


def _to_result(rows: int, speed: dict[str, list[float]], megabytes: dict[str, float], memory: Memory) -> LedgerResult:
    ratios = [ours / copy for ours, copy in zip(speed["export"], speed["copy"], strict=True)]
    targets = [to_target("export", "COPY", _OF_COPY, ratios)]
    growth = None if memory.before is None else memory.most - memory.before
    if growth is not None:
        targets.append(to_target(f"{_MEGABYTES} MB", "the API's growth", 1.0, [_MEGABYTES / max(growth, 0.1)]))
    return LedgerResult(NAME, TITLE, rows, megabytes, memory.before, growth, targets, speed)


def print_figures(result: LedgerResult) -> None:
    print(f"  {result.rows:,} rows\n\n  {'':<10}{'rows/s':>12}{'seconds':>10}{'MB':>8}")
    for name, figures in result.throughput.items():
        speed = median(figures)
        print(f"  {name:<10}{speed:>12,.0f}{result.rows / speed:>10.2f}{result.megabytes[name]:>8.0f}")
    print(f"\n  Medians over {len(result.throughput['export'])} alternating rounds.")
    if result.rss_before is not None and result.rss_growth is not None:
        print(
            f"  The API's process had {result.rss_before:.0f} MB before the first export, and at most "
            f"{result.rss_growth:.1f} MB more during any.\n"
        )
