"""Answering one cell: ask, analyze, store. Whatever goes wrong at the platform fails the answer, not the job."""

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
from sightline.scans.models import Provenance, ScanAnswer, ScanPrompt
from sightline.scans.running.analysis import AnalyzedAnswer
from sightline.scans.running.analyzers import Analyzer
from sightline.scans.running.cells import CellJob
from sightline.scans.running.queries import NewAnswer
from sightline.scans.running.running_scans import RunningScan, RunningScans
from sightline.scans.running.store import AnswerStore
from sightline.scans.stored import decode_record, encode_record, to_record


async def answer_cell(
    db: Database,
    running: RunningScans,
    analyzer: Analyzer,
    store: AnswerStore,
    job: Job,
    cell: CellJob,
    *,
    clock: Clock,
) -> None:
    """Answer a cell, and settle its job in the transaction that stores the answer.

    A scan that has ended needs no answer any more: its job is settled and nothing is asked.
    """
    scan = await running.find(cell.workspace_id, cell.scan_id)
    if scan is None:
        await settle_jobs(db, [job.id])
        return
    prompt = scan.plan.prompts[cell.prompt_index]
    question = Question(prompt.text, prompt.country, prompt.language)
    try:
        outcome = await _ask(scan, cell.platform, question)
    except GateClosed:
        raise Retry from None  # this worker stops; another one asks
    if outcome is None:
        await settle_jobs(db, [job.id])
        return
    crash_point("after_provider_answered")
    answer_id = new_id()
    analyzed = await analyzer.analyze(str(cell.scan_id), scan.plan, cell.prompt_index, str(answer_id), outcome)
    if scan.judge is not None and analyzed.status == "ok":
        analyzed = await _judge(scan, scan.judge, analyzed)
    await store.store(_to_new_answer(cell, answer_id, prompt, analyzed, outcome.raw, job_id=job.id, clock=clock))


async def _judge(scan: RunningScan, platform: str, analyzed: AnalyzedAnswer) -> AnalyzedAnswer:
    """Let the judge score the sentiment of an answer. If it fails, the answer stays as it is: it has been paid for."""

    async def ask(question: str) -> str | None:
        try:
            outcome = await scan.ask(platform, Question(question))
        except GateClosed:
            return None
        return outcome.answer.text if outcome is not None else None

    record = decode_record(analyzed.record)
    if record.analysis is None:
        return analyzed
    judged = await judge_measured_brand(analyzed.text, record.analysis, ask=ask)
    if judged is record.analysis:
        return analyzed
    return msgspec.structs.replace(analyzed, record=encode_record(msgspec.structs.replace(record, analysis=judged)))


async def _ask(scan: RunningScan, platform: str, question: Question) -> Outcome | None:
    if platform not in scan.clients.connectors:
        return _not_connected(platform, question)
    return await scan.ask(platform, question)


def _not_connected(platform: str, question: Question) -> Outcome:
    """Build a failed outcome: the operator has removed the platform's credentials since the scan was accepted."""
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
    cell: CellJob,
    answer_id: uuid.UUID,
    prompt: ScanPrompt,
    analyzed: AnalyzedAnswer,
    raw: bytes,
    *,
    job_id: int,
    clock: Clock,
) -> NewAnswer:
    return NewAnswer(
        cell.workspace_id,
        cell.scan_id,
        answer_id,
        cell.prompt_index,
        cell.platform,
        prompt.country,
        analyzed.status,
        analyzed.text,
        analyzed.record,
        raw,
        clock(),
        job_id,
    )


def build_unanswered(cell: CellJob, prompt: ScanPrompt, reason: str, *, clock: Clock) -> NewAnswer:
    """Build the failed answer of a cell that was never answered, with the reason."""
    answer_id = new_id()
    answer = ScanAnswer(
        id=str(answer_id),
        prompt=prompt,
        platform=cell.platform,
        status="failed",
        fault=Fault("timeout", reason),
        provenance=Provenance(surface="api", vendor="none", attempts=0),
    )
    analyzed = AnalyzedAnswer("failed", "", to_record(answer))
    return _to_new_answer(cell, answer_id, prompt, analyzed, b"", job_id=0, clock=clock)
