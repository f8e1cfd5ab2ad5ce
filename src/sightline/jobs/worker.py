"""The worker: claims jobs, runs their handlers concurrently, and ends each job when its effect is safe.

The queue, its order and its states are PgQueuer's. How jobs are run is our own code, because it has to guarantee more:
a worker that is told to stop gives back at once what it has not begun, and after a grace period what it has; nothing is
lost while PostgreSQL is away; and a kind of job is claimed only as far as the worker has capacity for it.
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
from sightline.db.loops import run_forever
from sightline.jobs.queue import (
    CHANNEL,
    Job,
    JobOutcome,
    WorkerShare,
    claim_jobs,
    end_jobs,
    free_stale_jobs,
    put_back,
    renew_heartbeats,
)
from sightline.jobs.retry import DEFAULT_RETRY, Retry, RetryRule

log = structlog.get_logger()

_BATCH = 64  # of one kind
_IDLE_SECONDS = 1.0  # deferred jobs are noticed by polling, and so is everything when a notification is lost
_SPACING_SECONDS = 0.02  # between two polls of the queue: changes in the meantime count as one
_OUTAGE_SECONDS = 0.5
_OUTCOME_SECONDS = 0.02
_DELETE_NOTICE = '"operation" : "delete"'  # part of the notification that PgQueuer's trigger sends


class JobHandler(msgspec.Struct, frozen=True, kw_only=True):
    """How jobs of one kind are run. A handler may run twice for one job and has to tolerate it."""

    handle: Callable[[Job], Awaitable[None]]
    capacity: Callable[[], int] = lambda: _BATCH
    """How many more jobs would be begun now."""
    share: Callable[[], WorkerShare | None] = lambda: None
    """This worker's share where several workers run this kind; None when it is the only one."""
    settles: bool = False
    """The handler removes the job from the queue itself, in the transaction of its effect."""
    retry: RetryRule = DEFAULT_RETRY


class Worker:
    """Runs the jobs of the given kinds until it is told to stop."""

    def __init__(
        self,
        db: Database,
        database_url: str,
        handlers: Mapping[str, JobHandler],
        *,
        heartbeat: float,
        grace: float,
        on_stopping: Callable[[], None] = lambda: None,
    ) -> None:
        self.id = uuid.uuid4()
        self._db = db
        self._database_url = database_url
        self._handlers = handlers
        self._heartbeat = heartbeat
        self._grace = grace
        self._on_stopping = on_stopping
        self._running: dict[int, asyncio.Task[None]] = {}
        self._ended: list[tuple[int, JobOutcome]] = []
        self._writing = asyncio.Lock()
        self._is_stopping = False
        self._wake = asyncio.Event()
        self._more_may_wait = True

    async def run(self, stopping: asyncio.Event) -> None:
        """Run jobs until `stopping` is set. Afterwards nothing runs here and nothing is claimed by this worker."""
        loops = [
            self._forever(self._listen, every=0.0),
            self._forever(self._renew_heartbeats, every=self._heartbeat / 4, wait_first=True),
            self._forever(self._write_outcomes, every=_OUTCOME_SECONDS, wait_first=True),
            self._wake_when(stopping),
        ]
        tasks = [asyncio.create_task(loop) for loop in loops]
        try:
            await run_forever(
                lambda: self._poll(stopping),
                every=0.0,
                failure_event="worker_could_not_fetch",
                failure_delay=_OUTAGE_SECONDS,
                until=stopping,
            )
            await self._stop()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _forever(self, step: Callable[[], Awaitable[None]], *, every: float, wait_first: bool = False) -> None:
        """Repeat a step. An unexpected error is logged and does not end it: jobs must not lose their heartbeat."""
        await run_forever(
            step,
            every=every,
            failure_event=f"worker_failed_to{step.__name__}",
            failure_delay=_OUTAGE_SECONDS,
            wait_first=wait_first,
        )

    async def _wake_when(self, stopping: asyncio.Event) -> None:
        await stopping.wait()
        self._wake.set()

    # Fetching

    async def _poll(self, stopping: asyncio.Event) -> None:
        """Fetch what there is capacity for, then wait until something may have changed."""
        self._wake.clear()
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            more_to_fetch = await self._fetch()
        except DatabaseUnavailable as reason:
            log.warning("worker_waits_for_database", reason=str(reason))
            raise
        if more_to_fetch:
            return
        if not stopping.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), _IDLE_SECONDS)
        await asyncio.sleep(max(0.0, began + _SPACING_SECONDS - loop.time()))

    async def _fetch(self) -> bool:
        """Claim jobs and begin them. Return whether more could be fetched at once."""
        capacities = {
            kind: min(_BATCH, capacity)
            for kind, handler in self._handlers.items()
            if (capacity := handler.capacity()) > 0
        }
        self._more_may_wait = True
        if not capacities:
            return False
        shares = {kind: share for kind in capacities if (share := self._handlers[kind].share()) is not None}
        claim = await claim_jobs(self._db, self.id, capacities, shares)
        claimed = Counter(job.kind for job in claim.jobs)
        # Jobs that were left to other workers are claimed after all when this worker gets more capacity.
        self._more_may_wait = bool(claim.left) or any(
            claimed[kind] >= capacities.get(kind, 0) for kind in self._handlers if kind not in shares
        )
        for job in claim.jobs:
            if job.id not in self._running:  # otherwise a late heartbeat of ours let us claim it a second time
                task = asyncio.create_task(self._run_job(job))
                self._running[job.id] = task
        return any(count == capacities[kind] for kind, count in claimed.items())

    # Running jobs

    async def _run_job(self, job: Job) -> None:
        handler = self._handlers[job.kind]
        try:
            await handler.handle(job)
        except Retry as retry:
            await self._put_back(job, retry.delay)
        except asyncio.CancelledError:
            await self._put_back(job, 0)
        except DatabaseUnavailable:
            await self._put_back(job, handler.retry.delay_before(job.attempts + 1))
        except Exception:
            log.exception("job_failed", kind=job.kind, job=job.id, attempts=job.attempts)
            if handler.retry.is_exhausted(job.attempts + 1):
                self._ended.append((job.id, "failed"))  # held, not deleted: an operator has to look at it
            else:
                await self._put_back(job, handler.retry.delay_before(job.attempts + 1))
        else:
            if not handler.settles:
                self._ended.append((job.id, "successful"))
        finally:
            self._running.pop(job.id, None)
            if self._more_may_wait:
                self._wake.set()  # there is capacity for one of them now

    async def _put_back(self, job: Job, delay: float) -> None:
        """Return the job to the queue as soon as there is a database.

        A worker that stops meanwhile leaves the job to its heartbeat; another worker takes it when that has run out.
        """
        while True:
            try:
                await put_back(self._db, job.id, timedelta(seconds=delay))
            except DatabaseUnavailable:
                if self._is_stopping:
                    log.warning("job_left_to_its_heartbeat", job=job.id)
                    return
                await asyncio.sleep(_OUTAGE_SECONDS)
            else:
                self._wake.set()
                return

    async def _write_outcomes(self) -> None:
        """Write the outcomes of all jobs that have ended since the last time.

        It holds a lock, so that a worker that stops waits for what is being written.
        """
        async with self._writing:
            ended = list(self._ended)
            if ended:
                await end_jobs(self._db, ended)
                del self._ended[: len(ended)]

    # Staying alive

    async def _renew_heartbeats(self) -> None:
        ids = [*self._running, *(job_id for job_id, _ in self._ended)]
        if ids:
            await renew_heartbeats(self._db, ids)
        await free_stale_jobs(self._db, heartbeat=timedelta(seconds=self._heartbeat))

    async def _listen(self) -> None:
        """Wake the worker on notifications until the connection is lost. Without them it polls once a second."""
        lost = asyncio.Event()
        try:
            connection = await asyncpg.connect(self._database_url, timeout=5)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise DatabaseUnavailable(str(error)) from error
        try:
            connection.add_termination_listener(lambda _: lost.set())
            await connection.add_listener(CHANNEL, self._note_change)
            self._wake.set()
            await lost.wait()
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            pass
        finally:
            connection.terminate()

    def _note_change(self, _: object, __: int, ___: str, change: object) -> None:
        """Wake up for a new job. A deleted one leaves nothing to fetch, and there are as many of these."""
        if _DELETE_NOTICE not in str(change):
            self._wake.set()

    # Stopping

    async def _stop(self) -> None:
        self._is_stopping = True
        self._on_stopping()
        running = set(self._running.values())
        if running:
            _, late = await asyncio.wait(running, timeout=self._grace)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        with suppress(DatabaseUnavailable):
            await self._write_outcomes()
