"""A sandbox check from its beginning to its end inside of one transaction, at a time of one's choice.

For worlds that are made up whole: nobody else ever sees the check unfinished, so no worker takes it up, and no sweeper
finds that it should have ended weeks ago. Its answers come from the sandbox, inside of this process: no transaction is
held over the network.
"""

import asyncio
from datetime import datetime, timedelta

from sightline.answers.names import Lexicon
from sightline.db.engine import Transaction
from sightline.jobs.queue import drop_job
from sightline.kit.ids import new_id
from sightline.platforms.models import Question
from sightline.scans.here import Desk
from sightline.scans.queries import find_scan, move_scan
from sightline.scans.running import queries
from sightline.scans.running.checks import plan_of
from sightline.scans.running.finish import complete_scan, follow_job
from sightline.scans.running.queries import NewAnswer
from sightline.scans.running.reading import Ended, conclude, read_cell
from sightline.scans.states import ScanStatus
from sightline.scans.stored import ScanRow

_BATCH = 500
_TAKES = timedelta(minutes=2)


async def run_at_once(tx: Transaction, pending: ScanRow, desk: Desk, *, base_url: str, now: datetime) -> ScanRow:
    """The completed scan. The jobs that others would do it by are taken out of the queue."""
    assert desk.source == pending.answers_source == "sandbox"
    await drop_job(tx, f"start:{pending.id}")
    scan = await move_scan(
        tx, pending.workspace_id, pending.id, from_=ScanStatus.PENDING, to=ScanStatus.RUNNING, now=now
    )
    assert scan is not None  # made in this transaction
    plan, ended = plan_of(scan, desk.uncited), now + _TAKES
    answers = await _ask_all(scan, desk, answered_at=ended)
    for first in range(0, len(answers), _BATCH):
        await queries.store_answers_any_workspace(tx, answers[first : first + _BATCH])
    rows = await queries.read_answers(tx, scan.workspace_id, scan.id)
    concluded = await asyncio.to_thread(conclude, plan, rows, Ended.of(scan))
    await complete_scan(tx, scan, concluded, base_url=base_url, now=ended)
    await drop_job(tx, str(follow_job(scan).key))
    completed = await find_scan(tx, scan.workspace_id, scan.id)
    assert completed is not None
    return completed


async def _ask_all(scan: ScanRow, desk: Desk, *, answered_at: datetime) -> list[NewAnswer]:
    plan = plan_of(scan, desk.uncited)
    lexicon = Lexicon(plan.tracked)
    answers = []
    for index, prompt in enumerate(plan.prompts):
        for platform in plan.platforms:
            outcome = await desk.ask(platform, Question(prompt.text, prompt.country, prompt.language))
            answer_id = new_id()
            read = read_cell(outcome, plan, index, lexicon, str(answer_id))
            answers.append(
                NewAnswer(
                    scan.workspace_id,
                    scan.id,
                    answer_id,
                    index,
                    platform,
                    prompt.country,
                    read.status,
                    read.text,
                    read.record,
                    outcome.raw,
                    answered_at,
                    0,
                )
            )
    return answers
