"""The path of one answer, from the claimed job to the stored row: ask, analyze, store.

Whatever goes wrong at the platform fails the answer, not the job. A job is settled in the transaction that stores its
answer, so a crash leaves both or neither. An answer that was paid for is not lost while PostgreSQL is away.
"""

import asyncio
import random
from datetime import datetime

import msgspec
import structlog
from prometheus_client import Counter

from sightline.db.engine import Database, DatabaseUnavailable
from sightline.db.failures import TransactionConflict, is_outage
from sightline.db.loops import run_forever
from sightline.jobs.queue import Job, end_job, enqueue, settle_jobs
from sightline.jobs.retry import Retry
from sightline.kit.backoff import backoff
from sightline.kit.clock import Clock
from sightline.kit.crash import crash_point
from sightline.kit.ids import new_id
from sightline.kit.tracing import current_traceparent
from sightline.platforms.costs.call_log import CallLog
from sightline.platforms.gate import GateClosed
from sightline.platforms.models import OUTAGES, Question
from sightline.scans.jobs import ScanJob, build_finish_job
from sightline.scans.payloads.write import PayloadWriter
from sightline.scans.running.analyzers import Analyzer
from sightline.scans.running.cells import CellJob
from sightline.scans.running.queries import NewAnswer, delete_task, store_answers_any_workspace, store_postponed
from sightline.scans.running.running_scans import RunningScan
from sightline.scans.running.tasks import ask_later

log = structlog.get_logger()

_MAX_BATCH = 200
_OUTAGE_SECONDS = 0.5
_CONFLICTS = 5  # after so many deadlocks in a row, one more attempt is the last
CONFLICT_SECONDS = 0.1
# The least time between two transactions, so that answers form batches. Calls to platforms do not wait for it.
_SPACING_SECONDS = 0.03
_STORED = Counter("sightline_answers_stored", "Answers that this worker stored, by status.", ["platform", "status"])


async def answer_cell(
    db: Database,
    scan: RunningScan | None,
    analyzer: Analyzer,
    store: "AnswerStore",
    job: Job,
    cell: CellJob,
    *,
    clock: Clock,
) -> None:
    """Answer a cell. A scan that has ended no longer needs an answer: the job is settled and nothing is asked.

    A scheduled check waits for a platform that is down: the cell is admitted again later. While a
    platform works on a task, the job waits in the queue.
    """
    if scan is None:
        await settle_jobs(db, [job.id])
        return
    prompt = scan.plan.prompts[cell.prompt_index]
    question, tasks = Question(prompt.text, prompt.country, prompt.language), scan.clients.find_task_mode(cell.platform)
    try:
        if tasks is None:
            outcome = await scan.ask(cell.platform, question)
        else:
            outcome = await ask_later(db, scan, tasks, cell, question, clock=clock)
    except GateClosed:
        raise Retry from None  # this worker stops; another one asks
    if outcome is None:
        await settle_jobs(db, [job.id])
        return
    if tasks is None and outcome.fault is not None and outcome.fault.kind in OUTAGES and scan.is_patient(clock()):
        await postpone_cell(db, cell, job, now=clock())
        return
    crash_point("after_provider_answered")
    answer_id = new_id()
    analyzed = await analyzer.analyze(str(cell.scan_id), scan.plan, cell.prompt_index, str(answer_id), outcome)
    await store.store(NewAnswer(cell, answer_id, prompt.country, analyzed, clock(), outcome.raw, job.id))
    if tasks is not None:
        await delete_task(db, cell)


async def postpone_cell(db: Database, cell: CellJob, job: Job, *, now: datetime) -> None:
    """End the job of a cell that is asked again later. Nothing changes when another worker has taken over the job."""
    async with db.transaction() as tx:
        if await end_job(tx, job):
            await store_postponed(tx, cell, now=now)


class _Waiting(msgspec.Struct):
    """An answer that is not stored yet, and the trace of its job."""

    answer: NewAnswer
    stored: asyncio.Future[None]
    traceparent: str | None


class AnswerStore:
    """Stores answers: each cell once, together with its count and the end of its job.

    Answers that arrive while a transaction runs, or soon after, are stored together in the next one: the busier a
    worker is, the larger its batches.
    """

    def __init__(self, db: Database, calls: CallLog, payloads: PayloadWriter) -> None:
        self._db = db
        self._calls = calls
        self._payloads = payloads
        self._waiting: list[_Waiting] = []
        self._arrived = asyncio.Event()

    async def store(self, answer: NewAnswer) -> None:
        """Store the answer. Return when it is safe, or when it turned out to be no longer needed."""
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(answer, stored, current_traceparent()))
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
            log.debug("answer_storage_delayed", answers=len(batch), reason=str(reason))
            self._waiting[:0] = [each for each in batch if not each.stored.done()]
            self._arrived.set()
            raise
        await asyncio.sleep(max(0.0, began + _SPACING_SECONDS - loop.time()))

    async def _store_batch(self, batch: list[_Waiting]) -> None:
        try:
            await self._write_despite_conflicts(batch)
        except Exception as error:
            if is_outage(error):
                raise
            log.exception("answers_not_stored", answers=len(batch))
            if len(batch) == 1:
                if not batch[0].stored.done():
                    batch[0].stored.set_exception(error)
                return
            for one in batch:  # an answer that cannot be stored must not take the others with it
                await self._store_batch([one])
            return
        for each in batch:
            if not each.stored.done():
                each.stored.set_result(None)

    async def _write_despite_conflicts(self, batch: list[_Waiting]) -> None:
        """Write the answers. After a deadlock, nothing is wrong with them: they are written again, a few times."""
        for attempt in range(_CONFLICTS):
            try:
                return await self._write(batch)
            except TransactionConflict as reason:
                log.warning("answers_stored_again", answers=len(batch), reason=str(reason))
            chance = random.random()  # noqa: S311 - workers that collided must not collide again
            await asyncio.sleep(backoff(CONFLICT_SECONDS, doublings=attempt, jitter=(0.5, 1.5), chance=chance))
        return await self._write(batch)

    async def _write(self, batch: list[_Waiting]) -> None:
        """Store answers, count them, end their jobs, and enqueue the end of scans that now have all of theirs.

        The calls that led to them are counted in the same transaction. Payloads that are stored elsewhere are written
        first, and only once however often the transaction fails: a payload without an answer is harmless.
        """
        answers = await self._payloads.write([each.answer for each in batch])
        for each, answer in zip(batch, answers, strict=True):
            each.answer = answer
        crash_point("after_payloads_written")
        traces = {each.answer.cell.scan_id: each.traceparent for each in batch}
        batches = self._calls.close_batch()
        async with self._db.transaction() as tx:
            counted = await store_answers_any_workspace(tx, answers)
            await settle_jobs(tx, [answer.job_id for answer in answers if answer.job_id])
            complete = [scan for scan in counted if scan.is_complete]
            jobs = [
                msgspec.structs.replace(
                    build_finish_job(ScanJob(scan.workspace_id, scan.scan_id), scan.priority),
                    traceparent=traces.get(scan.scan_id),
                )
                for scan in complete
            ]
            await enqueue(tx, *jobs)
            await self._calls.write(tx, batches)
            crash_point("before_answers_commit")
        self._calls.confirm(batches)
        for answer in answers:
            _STORED.labels(answer.cell.platform, answer.analyzed.status).inc()
        crash_point("after_answers_commit")
