"""Keeping answers: many in one transaction, each cell once, together with its count and the end of its job.

Answers that come while a transaction runs, or soon after, wait for the next one: the busier a worker is the more it
keeps at once.
An answer that was paid for is not given up when PostgreSQL is away: it waits here until it is back.
"""

import asyncio
from collections.abc import Callable

import asyncpg
import structlog

from sightline.db.engine import Database, DatabaseUnavailable
from sightline.jobs.queue import NewJob, enqueue_many, settle_jobs
from sightline.kit.crash import crash_point
from sightline.scans.running.queries import NewAnswer, store_answers_any_workspace
from sightline.scans.stored import ScanJob

log = structlog.get_logger()

FINISH_JOB = "scan.finish"
_MOST_AT_ONCE = 200
_AWAY_SECONDS = 0.5
# From one transaction to the next. The first answer after a while does not wait; a place at a platform never does.
_SPACING_SECONDS = 0.03


def finish_job(scan: ScanJob, priority: int) -> NewJob:
    return NewJob(kind=FINISH_JOB, payload=scan, key=f"finish:{scan.scan_id}", priority=priority)


class AnswerStore:
    def __init__(self, db: Database, *, when_stored: Callable[[], None]) -> None:
        self._db = db
        self._when_stored = when_stored
        self._waiting: list[tuple[NewAnswer, asyncio.Future[None]]] = []
        self._came = asyncio.Event()

    async def keep(self, answer: NewAnswer) -> None:
        """Returns when the answer is safe, or when it turned out to be no longer wanted."""
        kept: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((answer, kept))
        self._came.set()
        await kept

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._came.wait()
            batch, self._waiting = self._waiting[:_MOST_AT_ONCE], self._waiting[_MOST_AT_ONCE:]
            if not self._waiting:
                self._came.clear()
            began = loop.time()
            await self._keep_batch(batch)
            await asyncio.sleep(max(0.0, began + _SPACING_SECONDS - loop.time()))

    async def _keep_batch(self, batch: list[tuple[NewAnswer, asyncio.Future[None]]]) -> None:
        while True:
            try:
                await self._write([answer for answer, _ in batch])
                break
            except DatabaseUnavailable as reason:
                log.warning("answers_wait_for_database", answers=len(batch), reason=str(reason))
                await asyncio.sleep(_AWAY_SECONDS)
            except asyncpg.DeadlockDetectedError:
                log.warning("answers_kept_again", answers=len(batch))  # nothing is wrong with them
            except Exception as error:
                log.exception("answers_not_kept", answers=len(batch))
                if len(batch) == 1:
                    _fail(batch[0][1], error)
                    return
                for one in batch:  # what is wrong with one of them must not cost the others
                    await self._keep_batch([one])
                return
        for _, kept in batch:
            if not kept.done():
                kept.set_result(None)
        self._when_stored()

    async def _write(self, answers: list[NewAnswer]) -> None:
        async with self._db.transaction() as tx:
            counted = await store_answers_any_workspace(tx, answers)
            await settle_jobs(tx, [answer.job_id for answer in answers if answer.job_id])
            whole = [scan for scan in counted if scan.whole]
            await enqueue_many(tx, [finish_job(ScanJob(s.workspace_id, s.scan_id), s.priority) for s in whole])
            crash_point("before_answers_commit")
        crash_point("after_answers_commit")


def _fail(kept: asyncio.Future[None], error: Exception) -> None:
    if not kept.done():
        kept.set_exception(error)
