"""Storing answers: many in one transaction, each cell once, together with its count and the end of its job.

Answers that arrive while a transaction runs, or soon after, wait for the next one: the busier a worker is, the larger
its batches. An answer that was paid for is not lost when PostgreSQL is away: it waits here until it is back.
"""

import asyncio
from collections.abc import Callable

import asyncpg
import structlog

from sightline.db.engine import Database, DatabaseUnavailable
from sightline.db.loops import run_forever
from sightline.jobs.queue import enqueue_many, settle_jobs
from sightline.kit.crash import crash_point
from sightline.scans.jobs import ScanJob, build_finish_job
from sightline.scans.running.queries import NewAnswer, store_answers_any_workspace

log = structlog.get_logger()

_MAX_BATCH = 200
_OUTAGE_SECONDS = 0.5
# Between two transactions. The first answer after a pause does not wait; a slot at a platform never does.
_SPACING_SECONDS = 0.03

_Waiting = tuple[NewAnswer, asyncio.Future[None]]


class AnswerStore:
    """Stores answers in batches, one transaction at a time."""

    def __init__(self, db: Database, *, when_stored: Callable[[], None]) -> None:
        self._db = db
        self._when_stored = when_stored
        self._waiting: list[_Waiting] = []
        self._arrived = asyncio.Event()

    async def store(self, answer: NewAnswer) -> None:
        """Store the answer. Return when it is safe, or when it turned out to be no longer needed."""
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((answer, stored))
        self._arrived.set()
        await stored

    async def run(self) -> None:
        await run_forever(self._store_next_batch, every=0.0, failure_delay=_OUTAGE_SECONDS)

    async def _store_next_batch(self) -> None:
        await self._arrived.wait()
        loop = asyncio.get_running_loop()
        batch, self._waiting = self._waiting[:_MAX_BATCH], self._waiting[_MAX_BATCH:]
        if not self._waiting:
            self._arrived.clear()
        began = loop.time()
        try:
            await self._store_batch(batch)
        except DatabaseUnavailable as reason:
            log.warning("answers_wait_for_database", answers=len(batch), reason=str(reason))
            self._waiting[:0] = [each for each in batch if not each[1].done()]
            self._arrived.set()
            raise
        await asyncio.sleep(max(0.0, began + _SPACING_SECONDS - loop.time()))

    async def _store_batch(self, batch: list[_Waiting]) -> None:
        while True:
            try:
                await self._write([answer for answer, _ in batch])
                break
            except DatabaseUnavailable:
                raise
            except asyncpg.DeadlockDetectedError:
                log.warning("answers_stored_again", answers=len(batch))  # nothing is wrong with them
            except Exception as error:
                log.exception("answers_not_stored", answers=len(batch))
                if len(batch) == 1:
                    _fail(batch[0][1], error)
                    return
                for one in batch:  # an answer that cannot be stored must not take the others with it
                    await self._store_batch([one])
                return
        for _, stored in batch:
            if not stored.done():
                stored.set_result(None)
        self._when_stored()

    async def _write(self, answers: list[NewAnswer]) -> None:
        async with self._db.transaction() as tx:
            counted = await store_answers_any_workspace(tx, answers)
            await settle_jobs(tx, [answer.job_id for answer in answers if answer.job_id])
            complete = [scan for scan in counted if scan.is_complete]
            jobs = [build_finish_job(ScanJob(scan.workspace_id, scan.scan_id), scan.priority) for scan in complete]
            await enqueue_many(tx, jobs)
            crash_point("before_answers_commit")
        crash_point("after_answers_commit")


def _fail(stored: asyncio.Future[None], error: Exception) -> None:
    if not stored.done():
        stored.set_exception(error)
