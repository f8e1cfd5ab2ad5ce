"""A simulated scan: a sandbox scan that runs from start to end in one transaction, at a time that the caller chooses.

For demonstration data. No other process ever sees the scan unfinished, so no worker picks it up, and the sweeper does
not end it for having started weeks ago. Its answers come from the sandbox in this process, so the transaction is not
held across network calls.
"""

import asyncio
from datetime import datetime, timedelta

from sightline.db.engine import Transaction
from sightline.jobs.queue import drop_job
from sightline.kit.ids import new_id
from sightline.platforms.models import Question
from sightline.scans.jobs import ScanJob, build_follow_job, build_start_job
from sightline.scans.platform_clients import PlatformClients
from sightline.scans.queries import find_scan, move_scan
from sightline.scans.running import queries
from sightline.scans.running.analysis import AnswerAnalyzer, ScanContext, summarize_answers
from sightline.scans.running.cells import CellJob
from sightline.scans.running.finish import complete_scan
from sightline.scans.running.queries import NewAnswer
from sightline.scans.running.running_scans import build_plan
from sightline.scans.states import ScanStatus
from sightline.scans.stored import ScanRow

_BATCH = 500
_DURATION = timedelta(minutes=2)


async def run_simulated_scan(tx: Transaction, pending: ScanRow, clients: PlatformClients, *, now: datetime) -> ScanRow:
    """Run a scan of a tracked domain and return it completed.

    The jobs with which a worker would run it are removed from the queue.
    """
    assert clients.source == pending.answers_source == "sandbox" and pending.measurement_scope != "console_check"
    job = ScanJob(pending.workspace_id, pending.id)
    await drop_job(tx, str(build_start_job(job, pending.priority).key))
    scan = await move_scan(
        tx, pending.workspace_id, pending.id, from_=ScanStatus.PENDING, to=ScanStatus.RUNNING, now=now
    )
    assert scan is not None  # made in this transaction
    plan, ended = build_plan(scan, clients.uncited), now + _DURATION
    answers = await _ask_all(scan, clients, answered_at=ended)
    for first in range(0, len(answers), _BATCH):
        await queries.store_answers_any_workspace(tx, answers[first : first + _BATCH])
    rows = await queries.read_answers(tx, scan.workspace_id, scan.id)
    summary = await asyncio.to_thread(summarize_answers, plan, rows, ScanContext.from_row(scan))
    await complete_scan(tx, scan, summary, now=ended)
    await drop_job(tx, str(build_follow_job(job, scan.priority).key))
    completed = await find_scan(tx, scan.workspace_id, scan.id)
    assert completed is not None
    return completed


async def _ask_all(scan: ScanRow, clients: PlatformClients, *, answered_at: datetime) -> list[NewAnswer]:
    plan = build_plan(scan, clients.uncited)
    analyzer = AnswerAnalyzer()
    answers = []
    for index, prompt in enumerate(plan.prompts):
        for platform in plan.platforms:
            outcome = await clients.ask(platform, Question(prompt.text, prompt.country, prompt.language))
            answer_id = new_id()
            analyzed = analyzer.analyze(str(scan.id), plan, index, str(answer_id), outcome)
            cell = CellJob(scan.workspace_id, scan.id, platform, index)
            answers.append(NewAnswer(cell, answer_id, prompt.country, analyzed, answered_at, outcome.raw))
    return answers
