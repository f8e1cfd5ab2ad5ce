"""The worker: fetches jobs, runs their handlers side by side, and lets go of each when its effect is safe.

The queue, its order and its states are PgQueuer's. How jobs are run is ours, because of what has to hold here: a worker
that is told to stop gives back at once what it has not begun and after a grace period what it has; nothing is lost
while PostgreSQL is away; and a kind of work is fetched only as far as there is room for it.
"""

import asyncio
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import timedelta

import asyncpg
import msgspec
import structlog

from sightline.db.engine import Database, DatabaseUnavailable
from sightline.jobs.queue import CHANNEL, Ending, Job, Part, beat, claim_jobs, end_jobs, free_stale_jobs, put_back
from sightline.jobs.retry import MOST_ATTEMPTS, Retry, pause_before

log = structlog.get_logger()

_BATCH = 64  # of one kind
_IDLE_SECONDS = 1.0  # deferred jobs are noticed by looking, and so is everything when a notification is lost
_SPACING_SECONDS = 0.02  # from one look at the queue to the next: what changes meanwhile is one change
_AWAY_SECONDS = 0.5
_IS_END = '"operation" : "delete"'  # in what the library's trigger says


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """How jobs of one kind are done. A handler may run twice for one job, and has to bear it."""

    handle: Callable[[Job], Awaitable[None]]
    room: Callable[[], int] = lambda: _BATCH
    """How many more would be begun now."""
    part: Callable[[], Part | None] = lambda: None
    """Where several workers do this work: what is this one's. None when it is the only one."""
    settles: bool = False
    """The handler takes the job out of the queue itself, in the transaction of its effect."""


class Worker:
    def __init__(
        self,
        db: Database,
        database_url: str,
        works: Mapping[str, Work],
        *,
        heartbeat: float,
        grace: float,
        on_stopping: Callable[[], None] = lambda: None,
    ) -> None:
        self.id = uuid.uuid4()
        self._db = db
        self._database_url = database_url
        self._works = works
        self._heartbeat = heartbeat
        self._grace = grace
        self._on_stopping = on_stopping
        self._running: dict[int, asyncio.Task[None]] = {}
        self._ended: list[tuple[int, Ending]] = []
        self._writing = asyncio.Lock()
        self._winding_up = False
        self._wake = asyncio.Event()
        self._more_may_wait = True

    async def run(self, stopping: asyncio.Event) -> None:
        """Until `stopping` is set; then nothing is left running here, and nothing is claimed by this worker."""
        around = [asyncio.create_task(_keep_up(task)) for task in (self._listen, self._beat, self._write_endings)]
        stopped = asyncio.create_task(self._wake_when(stopping))
        try:
            while not stopping.is_set():
                await self._look(stopping)
            await self._wind_up()
        finally:
            for task in (*around, stopped):
                task.cancel()
            await asyncio.gather(*around, stopped, return_exceptions=True)

    async def _wake_when(self, stopping: asyncio.Event) -> None:
        await stopping.wait()
        self._wake.set()

    # Fetching

    async def _look(self, stopping: asyncio.Event) -> None:
        self._wake.clear()
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            again = await self._fetch()
        except DatabaseUnavailable as reason:
            log.warning("worker_waits_for_database", reason=str(reason))
            await asyncio.sleep(_AWAY_SECONDS)
            return
        except Exception:
            log.exception("worker_could_not_fetch")
            await asyncio.sleep(_AWAY_SECONDS)
            return
        if again:
            await asyncio.sleep(0)
            return
        if not stopping.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), _IDLE_SECONDS)
        await asyncio.sleep(max(0.0, began + _SPACING_SECONDS - loop.time()))

    async def _fetch(self) -> bool:
        """Whether there are more that could be fetched at once."""
        rooms = {kind: min(_BATCH, room) for kind, work in self._works.items() if (room := work.room()) > 0}
        self._more_may_wait = True
        if not rooms:
            return False
        parts = {kind: part for kind in rooms if (part := self._works[kind].part()) is not None}
        claim = await claim_jobs(self._db, self.id, rooms, parts)
        found = Counter(job.kind for job in claim.jobs)
        # What was left to others is taken after all when there is more room here.
        self._more_may_wait = bool(claim.left) or any(
            found[kind] >= rooms.get(kind, 0) for kind in self._works if kind not in parts
        )
        for job in claim.jobs:
            if job.id not in self._running:  # else a late heartbeat of ours let us take it a second time
                task = asyncio.create_task(self._carry_out(job))
                self._running[job.id] = task
        return any(count == rooms[kind] for kind, count in found.items())

    # Carrying out

    async def _carry_out(self, job: Job) -> None:
        work = self._works[job.kind]
        try:
            await work.handle(job)
        except Retry as again:
            await self._put_back(job, again.delay)
        except asyncio.CancelledError:
            await self._put_back(job, 0)
        except Exception as error:
            waits = isinstance(error, DatabaseUnavailable)
            if not waits:
                log.exception("job_failed", kind=job.kind, job=job.id, attempts=job.attempts)
            if job.attempts + 1 >= MOST_ATTEMPTS and not waits:
                self._ended.append((job.id, "failed"))  # held, not thrown away: somebody has to look
            else:
                await self._put_back(job, pause_before(job.attempts + 1))
        else:
            if not work.settles:
                self._ended.append((job.id, "successful"))
        finally:
            self._running.pop(job.id, None)
            if self._more_may_wait:
                self._wake.set()  # there is room for one of them now

    async def _put_back(self, job: Job, delay: float) -> None:
        """As soon as there is a database. A worker that stops leaves it to its heartbeat, when another takes it."""
        while True:
            try:
                await put_back(self._db, job.id, timedelta(seconds=delay))
            except DatabaseUnavailable:
                if self._winding_up:
                    log.warning("job_left_to_its_heartbeat", job=job.id)
                    return
                await asyncio.sleep(_AWAY_SECONDS)
            else:
                self._wake.set()
                return

    async def _write_endings(self) -> None:
        """Many at once: whatever has ended since the last time."""
        while True:
            await asyncio.sleep(0.02)
            if self._ended and not await self._flush_endings():
                await asyncio.sleep(_AWAY_SECONDS)

    async def _flush_endings(self) -> bool:
        """Whether they are written. Not interrupted: a worker that stops waits for what is being written."""
        async with self._writing:
            ended = list(self._ended)
            if not ended:
                return True
            try:
                await end_jobs(self._db, ended)
            except DatabaseUnavailable:
                return False
            del self._ended[: len(ended)]
            return True

    # Staying alive

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._heartbeat / 4)
            ids = [*self._running, *(job_id for job_id, _ in self._ended)]
            with suppress(DatabaseUnavailable):
                if ids:
                    await beat(self._db, ids)
                await free_stale_jobs(self._db, heartbeat=timedelta(seconds=self._heartbeat))

    async def _listen(self) -> None:
        """Notifications make it quick; without them the worker looks once a second."""
        while True:
            lost = asyncio.Event()
            try:
                connection = await asyncpg.connect(self._database_url, timeout=5)
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                await asyncio.sleep(_AWAY_SECONDS)
                continue
            try:
                connection.add_termination_listener(lambda _, lost=lost: lost.set())
                await connection.add_listener(CHANNEL, self._note_change)
                self._wake.set()
                await lost.wait()
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                pass
            finally:
                connection.terminate()

    def _note_change(self, _: object, __: int, ___: str, change: object) -> None:
        """A job that has ended leaves nothing to fetch; there are as many of these as of new ones."""
        if _IS_END not in str(change):
            self._wake.set()

    # Stopping

    async def _wind_up(self) -> None:
        self._winding_up = True
        self._on_stopping()
        running = set(self._running.values())
        if running:
            _, late = await asyncio.wait(running, timeout=self._grace)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        await self._flush_endings()


async def _keep_up(task: Callable[[], Awaitable[None]]) -> None:
    """None of them ends by itself. A surprise in one is told and not its end: jobs must not lose their heartbeat."""
    while True:
        try:
            await task()
        except Exception:
            log.exception("worker_surprised", task=task.__name__)
            await asyncio.sleep(_AWAY_SECONDS)
