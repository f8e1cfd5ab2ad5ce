"""`admission`: choosing the next cells of 100, 1,000 and 10,000 active scans, with a real database."""

import asyncio
import gc
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

import asyncpg
import msgspec

from bench.comparison import Aborted, Target
from bench.engine.targets import to_target
from bench.environment import BenchEnvironment
from bench.plan import Plan
from sightline.db.engine import Database
from sightline.db.migrate import migrate
from sightline.kit.clock import utc_now
from sightline.scans.running.admission import admit
from sightline.scans.running.cells import CellJob

NAME = "admission"
TITLE = "A pass of admission, by active scans: six platforms with 20 free slots each"
SIZES = (100, 1_000, 10_000)
_PLATFORMS = ("chatgpt", "claude", "gemini", "grok", "perplexity", "google_ai_overviews")
_FREE = {f"live.{name}": 20 for name in _PLATFORMS}
_CELLS = sum(_FREE.values())
_PASSES = 30
_WARM_UP = 3
_OF_LARGEST = 0.5
_HOLD_MS = 20.0

# As in the middle of a day: some scans are half done, some have not begun, a few are held, and a tenth of the
# workspaces has half of them.
_LANES = """
INSERT INTO scan_lanes (workspace_id, scan_id, platform, lane, priority, cells, admitted, settled, started_at,
                        resume_at)
SELECT lpad(to_hex((luck * luck * luck * $2)::integer), 32, '0')::uuid, md5('scan' || n)::uuid, platform,
       'live.' || platform, (ARRAY[10, 20, 40])[n % 3 + 1], 60, n % 40, n % 40, now() - n * interval '1 second',
       CASE WHEN n % 25 = 0 THEN now() + interval '5 minutes' END
FROM (SELECT n, ('x' || substr(md5(n::text), 1, 7))::bit(28)::integer / 268435456.0 AS luck
      FROM generate_series(1, $1::integer) n) scans
CROSS JOIN unnest($3::text[]) AS platform"""
_SETTLE = """UPDATE scan_lanes SET settled = settled + 1
             WHERE (workspace_id, scan_id, platform) = ($1, $2, $3) AND settled < admitted"""


class PassFigures(msgspec.Struct, frozen=True):
    """What a pass costs at a number of active scans; medians, but for the hold."""

    scans: int
    workspaces: int
    worker_cpu_ms: float
    database_cpu_ms: float | None
    """None where the kernel does not tell."""
    elapsed_ms: float
    longest_hold_ms: float
    """The longest time for which the worker's event loop did nothing else, in CPU time."""


class AdmissionResult(msgspec.Struct, frozen=True):
    benchmark: str
    title: str
    cells: int
    """Handed out in each pass."""
    figures: list[PassFigures]
    targets: list[Target]


class _Pass(msgspec.Struct, frozen=True):
    worker_cpu: float
    database_cpu: float | None
    elapsed: float
    longest_hold: float

    @property
    def cpu(self) -> float:
        return self.worker_cpu + (self.database_cpu or 0)


class _Installation:
    """A database with so many active scans, and a worker that admits their cells."""

    def __init__(self, db: Database, scans: int) -> None:
        self._db = db
        self._worker_id = uuid.uuid4()
        self._handed_out: list[CellJob] = []
        self.scans = scans
        self.workspaces = 0

    async def fill(self) -> None:
        async with self._db.transaction() as tx:
            await tx.execute("SET LOCAL session_replication_role = replica")  # these lanes have no scans
            await tx.execute(_LANES, self.scans, min(self.scans, 1_000), list(_PLATFORMS))
            await tx.execute("INSERT INTO workers (id, seen_at) VALUES ($1, now())", self._worker_id)
        await self._db.execute("VACUUM (ANALYZE) scan_lanes")
        self.workspaces = await self._db.fetchval("SELECT count(DISTINCT workspace_id) FROM scan_lanes")

    async def run_pass(self) -> _Pass:
        """Admit cells. Then those of the pass before get their answers."""
        pid = await self._db.fetchval("SELECT pg_backend_pid()")
        async with _watch_loop() as holds:
            database_cpu, worker_cpu, began = _read_cpu(pid), time.thread_time(), time.perf_counter()
            jobs = await admit(self._db, self._worker_id, _FREE, clock=utc_now)
            elapsed, worker_cpu = time.perf_counter() - began, time.thread_time() - worker_cpu
            if database_cpu is not None and (now := _read_cpu(pid)) is not None:
                database_cpu = now - database_cpu
        if len(jobs) != _CELLS:
            raise Aborted(f"{len(jobs)} cells were admitted instead of {_CELLS}")
        await self._settle([msgspec.json.decode(job.payload, type=CellJob) for job in jobs])
        return _Pass(worker_cpu, database_cpu, elapsed, max(holds))

    async def _settle(self, handed_out: list[CellJob]) -> None:
        done, self._handed_out = self._handed_out, handed_out
        async with self._db.transaction() as tx:
            await tx.executemany(_SETTLE, [(cell.workspace_id, cell.scan_id, cell.platform) for cell in done])
            await tx.execute("DELETE FROM jobs")


def measure(environment: BenchEnvironment, plan: Plan) -> AdmissionResult:
    return asyncio.run(_measure(environment.database_url, max(3, int(_PASSES * plan.share))))


async def _measure(database_url: str, passes: int) -> AdmissionResult:
    measured: dict[int, list[_Pass]] = {scans: [] for scans in SIZES}
    workspaces = {}
    async with AsyncExitStack() as stack:
        installations = [await stack.enter_async_context(_open(database_url, scans)) for scans in SIZES]
        for each in installations:
            workspaces[each.scans] = each.workspaces
            for _ in range(_WARM_UP):
                await each.run_pass()
        gc.collect()
        gc.freeze()  # what starting has left is not looked through in the middle of a pass
        for _ in range(passes):
            for each in installations:
                measured[each.scans].append(await each.run_pass())
    figures = [_to_figures(scans, workspaces[scans], runs) for scans, runs in measured.items()]
    ratios = [few.cpu / many.cpu for few, many in zip(measured[SIZES[0]], measured[SIZES[-1]], strict=True)]
    holds = [_HOLD_MS / max(each.longest_hold_ms, 0.001) for each in figures]
    targets = [
        to_target(f"{SIZES[0]} scans", f"the CPU time at {SIZES[-1]:,}", _OF_LARGEST, ratios),
        to_target(f"{_HOLD_MS:.0f} ms", "the longest hold of the loop", 1.0, [min(holds)]),
    ]
    return AdmissionResult(NAME, TITLE, _CELLS, figures, targets)


@asynccontextmanager
async def _open(server_url: str, scans: int) -> AsyncIterator[_Installation]:
    name = f"admission_{scans}"
    connection = await asyncpg.connect(server_url)
    await connection.execute(f"CREATE DATABASE {name}")
    await connection.close()
    url = urlsplit(server_url)._replace(path=f"/{name}").geturl()
    await migrate(url)
    db = Database(url, pool_size=1)
    await db.open()
    try:
        installation = _Installation(db, scans)
        await installation.fill()
        yield installation
    finally:
        await db.close()


@asynccontextmanager
async def _watch_loop() -> AsyncIterator[list[float]]:
    """Collect how much CPU time the thread takes between two turns of a task that does nothing."""
    holds = [0.0]

    async def watch() -> None:
        before = time.thread_time()
        while True:
            await asyncio.sleep(0.001)
            now = time.thread_time()
            holds.append(now - before)
            before = now

    task = asyncio.create_task(watch())
    await asyncio.sleep(0)
    try:
        yield holds
    finally:
        task.cancel()


def _read_cpu(pid: int) -> float | None:
    """Return the CPU seconds of a process so far."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    except OSError:
        return None


def _to_figures(scans: int, workspaces: int, passes: list[_Pass]) -> PassFigures:
    database = [each.database_cpu for each in passes if each.database_cpu is not None]
    return PassFigures(
        scans,
        workspaces,
        median(each.worker_cpu for each in passes) * 1000,
        median(database) * 1000 if database else None,
        median(each.elapsed for each in passes) * 1000,
        max(each.longest_hold for each in passes) * 1000,
    )


def print_figures(result: AdmissionResult) -> None:
    print(f"  {result.cells} cells are handed out in each pass.\n")
    print(
        f"  {'scans':>8}{'workspaces':>12}{'worker CPU ms':>15}{'database CPU ms':>17}{'elapsed ms':>12}{'hold ms':>9}"
    )
    for one in result.figures:
        database = "-" if one.database_cpu_ms is None else f"{one.database_cpu_ms:.1f}"
        print(
            f"  {one.scans:>8,}{one.workspaces:>12,}{one.worker_cpu_ms:>10.1f}{database:>10}"
            f"{one.elapsed_ms:>10.1f}{one.longest_hold_ms:>10.1f}"
        )
    print()
