"""The worker: claims jobs, runs their handlers concurrently, and ends each job when its effect is safe.

A worker that is told to stop gives back at once what it has not begun, and after a grace period what it has. Nothing is
lost while PostgreSQL is unavailable, and a kind of job is claimed only as far as the worker has capacity for it.
"""

import asyncio
import random
import time
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import timedelta
from functools import partial

import asyncpg
import msgspec
import structlog

from sightline.db.engine import Database, DatabaseUnavailable
from sightline.db.failures import is_outage
from sightline.db.loops import run_forever
from sightline.jobs import queue, workers
from sightline.jobs.failures import describe_failure
from sightline.jobs.job_metrics import Outcome, count_run
from sightline.jobs.queue import CHANNEL, Job
from sightline.jobs.retry import DEFAULT_RETRY, Retry, RetryRule
from sightline.jobs.shares import share_places
from sightline.kit.backoff import backoff
from sightline.kit.tracing import start_span

log = structlog.get_logger()

_BATCH = 64  # of one kind
IDLE_SECONDS = 1.0  # deferred jobs are noticed by polling, and so is everything when a notification is lost
_SPACING_SECONDS = 0.05  # between two polls of the queue: changes in the meantime count as one
_OUTAGE_SECONDS = 0.5
_SESSION_CHECK_SECONDS = 5.0


Admit = Callable[[uuid.UUID, Mapping[str, int]], Awaitable[list[Job]]]
"""Creates jobs for a worker, up to its capacity for each kind. The worker starts them at once."""


class JobHandler(msgspec.Struct, frozen=True, kw_only=True):
    """How jobs of one kind are run. A handler may run twice for one job and has to tolerate it."""

    handle: Callable[[Job], Awaitable[None]]
    capacity: Callable[[], int] = lambda: _BATCH
    """How many more jobs can start now."""
    shared: bool = False
    """The capacity is shared evenly between the shares of the jobs."""
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
        timeout: float,
        grace: float,
        admit: Admit,
        on_stopping: Callable[[], None] = lambda: None,
    ) -> None:
        self.id = uuid.uuid4()
        self._db = db
        self._database_url = database_url
        self._handlers = handlers
        self._timeout = timeout
        self._grace = grace
        self._admit = admit
        self._on_stopping = on_stopping
        self._has_session = asyncio.Event()
        self._running: dict[int, asyncio.Task[None]] = {}
        self._running_by_share: dict[str, Counter[str]] = {kind: Counter() for kind in handlers}
        self._is_stopping = False
        self._wake = asyncio.Event()
        self._more_may_wait = True
        self._is_share_full = False
        self._claim_is_unconfirmed = False

    async def run(self, stopping: asyncio.Event) -> None:
        """Run jobs until `stopping` is set. Afterwards nothing runs here and nothing is claimed by this worker."""
        loop = partial(run_forever, failure_delay=_OUTAGE_SECONDS)
        loops = [
            loop(self._listen, every=0.0, failure_event="worker_could_not_listen"),
            loop(self._report_alive, every=workers.REPORT_SECONDS, failure_event="worker_could_not_report"),
        ]
        tasks = [asyncio.create_task(each) for each in (stopping.wait(), *loops)]
        tasks[0].add_done_callback(lambda _: self._wake.set())
        try:
            poll = partial(self._poll, stopping)
            await loop(poll, every=0.0, failure_event="worker_could_not_claim", until=stopping)
            await self._stop()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            with suppress(DatabaseUnavailable):
                await workers.sign_off(self._db, self.id)

    def note_capacity(self) -> None:
        """Claim further jobs soon, if some were left in the queue because there was no capacity."""
        if self._more_may_wait:
            self._wake.set()

    async def _poll(self, stopping: asyncio.Event) -> None:
        """Claim and start what there is capacity for, then wait until something may have changed."""
        self._wake.clear()
        loop = asyncio.get_running_loop()
        began = loop.time()
        await self._claim()
        if not stopping.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), IDLE_SECONDS)
        await asyncio.sleep(max(0.0, began + _SPACING_SECONDS - loop.time()))

    async def _claim(self) -> None:
        """Claim waiting jobs, admit new ones, and start them all."""
        left = Counter({kind: min(_BATCH, handler.capacity()) for kind, handler in self._handlers.items()})
        self._more_may_wait = True
        if self._claim_is_unconfirmed:
            await queue.put_back_others(self._db, self.id, list(self._running))
        self._claim_is_unconfirmed = True
        for claim in (self._claim_waiting, self._admit):
            jobs = await claim(self.id, +left)
            left.subtract(job.kind for job in jobs)
            for job in jobs:
                if job.id not in self._running:  # otherwise we were declared dead, and have reclaimed our own job
                    self._running[job.id] = asyncio.create_task(self._run_job(job))
                    self._running_by_share[job.kind][job.share] += 1
                self._wake.set()  # there may be more of a kind than fits into a batch
        self._claim_is_unconfirmed = False
        self._more_may_wait = self._is_share_full or min(left.values()) <= 0

    async def _claim_waiting(self, worker_id: uuid.UUID, capacities: Mapping[str, int]) -> list[Job]:
        self._is_share_full = False
        shared = [kind for kind in capacities if self._handlers[kind].shared]
        jobs = await queue.claim_jobs(
            self._db, worker_id, {kind: count for kind, count in capacities.items() if kind not in shared}
        )
        for kind in shared:
            jobs += await self._claim_shared(worker_id, kind, capacities[kind])
        return jobs

    async def _claim_shared(self, worker_id: uuid.UUID, kind: str, at_most: int) -> list[Job]:
        waiting = await queue.list_waiting_shares(self._db, kind, limit=at_most)
        free = self._handlers[kind].capacity()
        places = share_places(waiting, self._running_by_share[kind], free, at_most=at_most)
        self._is_share_full |= sum(places.values()) < sum(each.count for each in waiting)
        return await queue.claim_shares(self._db, worker_id, kind, places) if places else []

    async def _run_job(self, job: Job) -> None:
        handler = self._handlers[job.kind]
        began = time.perf_counter()
        outcome: Outcome = "put_back"
        try:
            delay = await self._handle(handler, job)
            if delay is not None:
                await self._put_back(job, delay)
            else:
                outcome = "done"
                if not handler.settles:
                    await self._once_reachable(lambda: queue.end_job(self._db, job), job)
        except asyncio.CancelledError:
            await self._put_back(job, 0)
        except Exception as error:
            if is_outage(error):
                await self._put_back(job, handler.retry.delay_before(job.attempts + 1))
            else:
                log.exception("job_failed", kind=job.kind, job=job.id, attempts=job.attempts)
                outcome = "held" if handler.retry.is_exhausted(job.attempts + 1) else "failed"
                await self._fail(handler, job, describe_failure(error))
        finally:
            count_run(job.kind, outcome, time.perf_counter() - began)
            self._running.pop(job.id, None)
            running = self._running_by_share[job.kind]
            running[job.share] -= 1
            if not running[job.share]:
                del running[job.share]
            self.note_capacity()

    async def _handle(self, handler: JobHandler, job: Job) -> float | None:
        """Run the handler, and return the delay after which it wants its job back, if it does."""
        about: dict[str, str | int] = {"sightline.job.id": job.id, "sightline.job.attempts": job.attempts}
        with start_span(f"job {job.kind}", "consumer", parent=job.traceparent, attributes=about):
            try:
                await handler.handle(job)
            except Retry as retry:
                return retry.delay
        return None

    async def _fail(self, handler: JobHandler, job: Job, failure: str) -> None:
        if handler.retry.is_exhausted(job.attempts + 1):
            await self._once_reachable(lambda: queue.give_up(self._db, job, failure), job)
        else:
            await self._put_back(job, handler.retry.delay_before(job.attempts + 1), failure)

    async def _put_back(self, job: Job, delay: float, failure: str | None = None) -> None:
        await self._once_reachable(lambda: queue.put_back(self._db, job, timedelta(seconds=delay), failure), job)
        self._wake.set()

    async def _once_reachable(self, write: Callable[[], Awaitable[object]], job: Job) -> None:
        """Write the outcome of a job as soon as there is a database.

        A worker that stops meanwhile leaves the job behind; another one takes it over.
        """
        while True:
            try:
                await write()
            except DatabaseUnavailable:
                if not self._is_stopping:  # spread, because this may also be a deadlock of two workers
                    await asyncio.sleep(backoff(_OUTAGE_SECONDS, jitter=(0.5, 1.5), chance=random.random()))  # noqa: S311
                    continue
                log.warning("job_left_behind", job=job.id)
            return

    async def _report_alive(self) -> None:
        await self._has_session.wait()  # without it, others would take a slow start for a dead worker
        await workers.report_alive(self._db, self.id, timeout=self._timeout)

    async def _listen(self) -> None:
        """Hold the worker's session and wake up for new jobs until the connection is lost."""
        lost = asyncio.Event()
        session = await workers.open_session(self._database_url, self.id)
        self._has_session.set()
        try:
            session.add_termination_listener(lambda _: lost.set())
            await session.add_listener(CHANNEL, lambda *_: self._wake.set())
            self._wake.set()
            while not lost.is_set():
                with suppress(TimeoutError):
                    await asyncio.wait_for(lost.wait(), _SESSION_CHECK_SECONDS)
                if not lost.is_set():  # a machine that is gone closes no connection
                    await session.fetchval("SELECT 1", timeout=_SESSION_CHECK_SECONDS)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            pass
        finally:
            session.terminate()

    async def _stop(self) -> None:
        self._is_stopping = True
        self._on_stopping()
        running = set(self._running.values())
        if running:
            _, late = await asyncio.wait(running, timeout=self._grace)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
