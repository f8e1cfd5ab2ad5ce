"""Recommendations as tasks that people mark as done.

Each Full Check replaces the recommendations, with new ids. So a mark is stored by what the task is about, and a later
scan that finds the same task finds it done.
"""

import hashlib
import uuid
from collections.abc import Sequence
from datetime import datetime

import msgspec

from sightline.accounts.models import Actor
from sightline.db.engine import Reader, Transaction
from sightline.errors import Problem
from sightline.insights import queries
from sightline.insights.models import DoneMark, StoredRecommendation
from sightline.insights.schemas import Recommendation, to_recommendation

# Far more than there are: each is a task for a person.
_MAX_TASKS = 1_000


class RecommendationTask(msgspec.Struct, frozen=True):
    key: str
    place: int
    """The position among all recommendations of the scan, in the order of the rules."""
    recommendation: Recommendation
    done: DoneMark | None


class Tasks(msgspec.Struct, frozen=True):
    """Open and done tasks in the order of the rules; `is_generated` is False before the first Full Check."""

    is_generated: bool
    open: Sequence[RecommendationTask]
    done: Sequence[RecommendationTask]


def task_key(found: Recommendation | StoredRecommendation) -> str:
    """Return a key that is the same for the same kind of task about the same subject in every scan.

    The subject is hashed, because URLs can be of any length.
    """
    subject = msgspec.json.encode((found.prompt_id, found.subject))
    return f"{found.kind}-{hashlib.sha256(subject).hexdigest()[:32]}"


async def read_tasks(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> Tasks:
    """Return the tasks of the latest Full Check. The notice that there is nothing to do is not a task."""
    rows = await queries.list_ranked(db, workspace_id, domain_id, "recommendation", after=None, limit=_MAX_TASKS)
    marks = {mark.subject: mark for mark in await queries.list_done_marks(db, workspace_id, domain_id)}
    found = [(row.place, to_recommendation(row)) for row in rows]
    tasks = [
        RecommendationTask(key := task_key(each), place, each, marks.get(key))
        for place, each in found
        if each.kind != "nothing_significant"
    ]
    return Tasks(
        is_generated=bool(rows),
        open=[task for task in tasks if task.done is None],
        done=[task for task in tasks if task.done is not None],
    )


async def mark_done(tx: Transaction, actor: Actor, domain_id: uuid.UUID, key: str, *, now: datetime) -> None:
    """Mark a task of the latest Full Check as done; marking twice changes nothing. Refused: an unknown task (404)."""
    tasks = await read_tasks(tx, actor.workspace_id, domain_id)
    if key not in {task.key for task in (*tasks.open, *tasks.done)}:
        raise Problem("not_found")
    await queries.insert_done_mark(tx, actor.workspace_id, domain_id, key, actor.user_id, now=now)


async def mark_open(tx: Transaction, actor: Actor, domain_id: uuid.UUID, key: str) -> None:
    """Remove the mark of a task, if it has one."""
    await queries.delete_done_mark(tx, actor.workspace_id, domain_id, key)


async def exclude_done(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, found: Sequence[StoredRecommendation]
) -> tuple[StoredRecommendation, ...]:
    marks = {mark.subject for mark in await queries.list_done_marks(db, workspace_id, domain_id)}
    return tuple(each for each in found if task_key(each) not in marks)
