"""One cell: ask, read, keep. Whatever goes wrong with the platform is an answer that failed, not a job that did."""

import uuid

import msgspec

from sightline.answers.judge import judge_measured_brand
from sightline.db.engine import Database
from sightline.jobs.queue import Job, settle_jobs
from sightline.jobs.retry import Retry
from sightline.kit.clock import Clock
from sightline.kit.crash import crash_point
from sightline.kit.ids import new_id
from sightline.platforms.gate import GateClosed
from sightline.platforms.models import Fault, Outcome, ProviderAnswer, Question
from sightline.scans.models import Prompt, Provenance, ScanAnswer
from sightline.scans.running.cells import CellJob
from sightline.scans.running.checks import Check, Checks
from sightline.scans.running.queries import NewAnswer
from sightline.scans.running.readers import Reader
from sightline.scans.running.reading import Read
from sightline.scans.running.store import AnswerStore
from sightline.scans.stored import decode_record, encode_record, to_record


async def answer_cell(
    db: Database, checks: Checks, reader: Reader, store: AnswerStore, job: Job, cell: CellJob, *, clock: Clock
) -> None:
    """Settles the job in the transaction that keeps the answer. A scan that has ended needs no answer any more."""
    check = await checks.find(cell.workspace_id, cell.scan_id)
    if check is None:
        await settle_jobs(db, [job.id])
        return
    prompt = check.plan.prompts[cell.prompt_index]
    question = Question(prompt.text, prompt.country, prompt.language)
    try:
        outcome = await _ask(check, cell.platform, question)
    except GateClosed:
        raise Retry from None  # this worker stops; another one asks
    if outcome is None:
        await settle_jobs(db, [job.id])
        return
    crash_point("after_provider_answered")
    answer_id = new_id()
    read = await reader.read(str(cell.scan_id), check.plan, cell.prompt_index, str(answer_id), outcome)
    if check.judge is not None and read.status == "ok":
        read = await _judge(check, check.judge, read)
    await store.keep(_to_new_answer(cell, answer_id, prompt, read, outcome.raw, job_id=job.id, clock=clock))


async def _judge(check: Check, platform: str, read: Read) -> Read:
    """The answer has been paid for: whatever becomes of the judge, it is kept."""

    async def ask(question: str) -> str | None:
        try:
            outcome = await check.ask(platform, Question(question))
        except GateClosed:
            return None
        return outcome.answer.text if outcome is not None else None

    record = decode_record(read.record)
    if record.reading is None:
        return read
    judged = await judge_measured_brand(read.text, record.reading, ask=ask)
    if judged is record.reading:
        return read
    return msgspec.structs.replace(read, record=encode_record(msgspec.structs.replace(record, reading=judged)))


async def _ask(check: Check, platform: str, question: Question) -> Outcome | None:
    if platform not in check.desk.ways:
        return _not_connected(platform, question)
    return await check.ask(platform, question)


def _not_connected(platform: str, question: Question) -> Outcome:
    """The operator has taken the platform's credentials away since the scan was accepted."""
    return Outcome(
        platform=platform,
        surface="api",
        vendor="none",
        question=question,
        status="failed",
        answer=ProviderAnswer(),
        model_asked=None,
        cost_usd=None,
        latency_ms=0,
        attempts=0,
        raw=b"",
        fault=Fault("unauthorised", "the platform is not connected any more"),
    )


def _to_new_answer(
    cell: CellJob, answer_id: uuid.UUID, prompt: Prompt, read: Read, raw: bytes, *, job_id: int, clock: Clock
) -> NewAnswer:
    return NewAnswer(
        cell.workspace_id,
        cell.scan_id,
        answer_id,
        cell.prompt_index,
        cell.platform,
        prompt.country,
        read.status,
        read.text,
        read.record,
        raw,
        clock(),
        job_id,
    )


def give_up(cell: CellJob, prompt: Prompt, reason: str, *, clock: Clock) -> NewAnswer:
    """A cell that was never answered, as a failed answer that says why."""
    answer_id = new_id()
    answer = ScanAnswer(
        id=str(answer_id),
        prompt=prompt,
        platform=cell.platform,
        status="failed",
        fault=Fault("timeout", reason),
        provenance=Provenance(surface="api", vendor="none", attempts=0),
    )
    read = Read("failed", "", to_record(answer))
    return _to_new_answer(cell, answer_id, prompt, read, b"", job_id=0, clock=clock)
