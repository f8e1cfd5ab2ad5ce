"""Recommendations that somebody has marked as done.

Each Full Check writes recommendations anew, under new ids. So a mark is kept by what a recommendation is about: a check
that still finds the same task finds it done. Undoing a mark brings the task back.
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

# Many more than there are: one of them is a task for a person.
_MAX_TASKS = 1_000


class Task(msgspec.Struct, frozen=True):
    key: str
    place: int
    """In the order of the rules, among all of the check."""
    recommendation: Recommendation
    done: DoneMark | None


class Tasks(msgspec.Struct, frozen=True):
    """Both in the order of the rules. `is_drawn`: a Full Check has been looked through for them."""

    is_drawn: bool
    open: Sequence[Task]
    done: Sequence[Task]


def task_key(found: Recommendation | StoredRecommendation) -> str:
    """The same for the same kind of task about the same thing, whichever check it was found in.

    Hashed, for addresses of pages have any length.
    """
    subject = msgspec.json.encode((found.prompt_id, found.subject))
    return f"{found.kind}-{hashlib.sha256(subject).hexdigest()[:32]}"


async def read_tasks(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> Tasks:
    """All of the latest Full Check. The line that says that there is nothing to do is no task."""
    rows = await queries.list_ranked(db, workspace_id, domain_id, "recommendation", after=None, limit=_MAX_TASKS)
    marks = {mark.subject: mark for mark in await queries.list_done_marks(db, workspace_id, domain_id)}
    found = [(row.place, to_recommendation(row)) for row in rows]
    tasks = [
        Task(key := task_key(each), place, each, marks.get(key))
        for place, each in found
        if each.kind != "nothing_significant"
    ]
    return Tasks(
        is_drawn=bool(rows),
        open=[task for task in tasks if task.done is None],
        done=[task for task in tasks if task.done is not None],
    )


async def mark_done(tx: Transaction, actor: Actor, domain_id: uuid.UUID, key: str, *, now: datetime) -> None:
    """Twice changes nothing. What the latest Full Check does not recommend cannot be marked."""
    tasks = await read_tasks(tx, actor.workspace_id, domain_id)
    if key not in {task.key for task in (*tasks.open, *tasks.done)}:
        raise Problem("not_found")
    await queries.insert_done_mark(tx, actor.workspace_id, domain_id, key, actor.user_id, now=now)


async def mark_open(tx: Transaction, actor: Actor, domain_id: uuid.UUID, key: str) -> None:
    """Twice changes nothing; that which never was marked is as open as before."""
    await queries.delete_done_mark(tx, actor.workspace_id, domain_id, key)


async def exclude_done(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, found: Sequence[StoredRecommendation]
) -> tuple[StoredRecommendation, ...]:
    marks = {mark.subject for mark in await queries.list_done_marks(db, workspace_id, domain_id)}
    return tuple(each for each in found if task_key(each) not in marks)
