"""Questions that a platform answers later, in its task mode: each is posted once, and fetched when it is done.

A row is stored before the question is posted, and the id of the task afterwards. A worker that dies in between leaves a
row without an id: the task is then looked for by its tag, and never posted again. While a task waits, so does the job
of its cell, in the queue: it holds no slot of the platform and none of a worker.
"""

import random
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NoReturn

import msgspec
import structlog

from sightline.db.engine import Database
from sightline.jobs.retry import Retry
from sightline.kit.clock import Clock
from sightline.kit.crash import crash_point
from sightline.kit.ids import new_id
from sightline.platforms.gate import GateClosed
from sightline.platforms.models import (
    OUTAGES,
    AnswerLater,
    Fault,
    HttpReply,
    Outcome,
    PlatformFault,
    Question,
    TaskMode,
)
from sightline.scans.running import queries
from sightline.scans.running.cells import CellJob, PlatformTask
from sightline.scans.running.running_scans import RunningScan

log = structlog.get_logger()

FIRST_WAIT = 20.0
NEXT_WAIT = 30.0
LATER_WAIT = 60.0
_SOON = timedelta(minutes=10)
LOST_AFTER = timedelta(minutes=30)
"""A task whose id is unknown, and that is not among those that are done for so long, is given up."""
_UNKNOWN = frozenset({"timeout", "unavailable", "malformed"})
"""Faults after which nobody knows whether the question was accepted."""


async def ask_later(
    db: Database, scan: RunningScan, mode: TaskMode, cell: CellJob, question: Question, *, clock: Clock
) -> Outcome | None:
    """Return the outcome of a task that is done; None when the scan is stopped.

    Where the operator wants no tasks, the question is answered at once, unless it was posted before.

    Raises `Retry` until then, and `GateClosed` when the worker stops before anything was sent.
    """
    task = await queries.find_task(db, cell)
    if task is None and not scan.clients.posts_tasks(cell.platform):
        return await scan.ask(cell.platform, question)
    if task is None:
        return await _post(db, scan, mode, cell, question, clock=clock)
    if (task_id := task.task_id) is None:
        return await _find_again(db, scan, mode, cell, question, task, now=clock())
    try:
        outcome = await scan.ask(
            cell.platform, question, request=lambda _, connection: mode.fetch(task_id, connection), parse=mode.parse
        )
    except AnswerLater:
        _wait(NEXT_WAIT if clock() - task.posted_at < _SOON else LATER_WAIT)
    if outcome is None:
        return None
    if outcome.fault is not None and outcome.fault.kind in OUTAGES:
        _wait(LATER_WAIT)  # the answer is paid for, and stays there
    return msgspec.structs.replace(outcome, cost_usd=task.cost_usd)


async def _post(
    db: Database, scan: RunningScan, mode: TaskMode, cell: CellJob, question: Question, *, clock: Clock
) -> Outcome | None:
    """Post the question once. What was refused is an outcome; what nobody knows is looked for later."""
    tag = str(new_id())
    if not await queries.insert_task(db, cell, tag, now=clock()):
        _wait(FIRST_WAIT)  # another worker posts it
    crash_point("before_task_posted")
    try:
        outcome = await scan.ask(
            cell.platform,
            question,
            request=lambda asked, connection: mode.post(asked, connection, tag),
            parse=mode.parse,
            is_repeated=False,
        )
    except GateClosed:
        await queries.delete_task(db, cell)
        raise
    except AnswerLater as accepted:
        crash_point("after_task_posted")
        await queries.store_task_id(db, cell, accepted.task_id, accepted.cost_usd)
        _wait(FIRST_WAIT)
    if outcome is None or (outcome.fault is not None and outcome.fault.kind in _UNKNOWN):
        log.warning("task_not_confirmed", scan_id=str(cell.scan_id), platform=cell.platform)
        _wait(LATER_WAIT)
    await queries.delete_task(db, cell)
    if outcome.fault is not None and outcome.fault.kind == "rate_limited":
        _wait(NEXT_WAIT)
    return outcome


async def _find_again(
    db: Database,
    scan: RunningScan,
    mode: TaskMode,
    cell: CellJob,
    question: Question,
    task: PlatformTask,
    *,
    now: datetime,
) -> Outcome | None:
    """Look for a task among those that are done, by its tag."""
    try:
        outcome = await scan.ask(
            cell.platform,
            question,
            request=lambda _, connection: mode.list_done(connection),
            parse=_find_by_tag(mode.find_tag, task.tag),
            is_repeated=False,
        )
    except AnswerLater as found:
        await queries.store_task_id(db, cell, found.task_id, None)
        raise Retry from None
    if outcome is not None and now - task.posted_at <= LOST_AFTER:
        _wait(LATER_WAIT)
    message = "it is not known whether the platform accepted the question, so it was not posted again"
    return outcome and msgspec.structs.replace(outcome, fault=Fault("timeout", message))


def _find_by_tag(find_tag: Callable[[HttpReply, str], str | None], tag: str) -> Callable[..., NoReturn]:
    def parse(reply: HttpReply, *_: object) -> NoReturn:
        if (task_id := find_tag(reply, tag)) is not None:
            raise AnswerLater(task_id)
        raise PlatformFault("unavailable", "the task is not done")

    return parse


def _wait(seconds: float) -> NoReturn:
    """Let the job wait in the queue, a little longer than others that wait for the same."""
    raise Retry(seconds * random.uniform(1.0, 1.2))  # noqa: S311 - spreads requests
