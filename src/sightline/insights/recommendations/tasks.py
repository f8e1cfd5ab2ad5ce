"""Recommendations as tasks that people mark as done. Everything that shows or counts them reads them here.

Each Full Check replaces the recommendations, with new ids. So a mark is stored by what the task is about, and a later
scan that finds the same task finds it done.
"""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec
import structlog

from sightline.accounts.models import Actor
from sightline.db.engine import Reader, Transaction
from sightline.errors import Problem, invalid_field
from sightline.insights.findings.schemas import Finding
from sightline.insights.models import DoneMark, DoneMarkRow, RankedRow, StoredRecommendation
from sightline.insights.queries import list_ranked
from sightline.insights.recommendations import queries
from sightline.scoreboard.site_decisions.queries import list_ignored_sites

log = structlog.get_logger()

MAX_SHOWN = 12
"""Open tasks that are shown at first; the rest is shown on demand."""
# A safety limit, far above any real number of tasks for people.
_MAX_TASKS = 1_000
_decode = msgspec.json.Decoder(StoredRecommendation).decode


class RecommendationTask(msgspec.Struct, frozen=True):
    """A row of the latest Full Check. `rank` counts from 1, by the expected effect."""

    key: str
    id: uuid.UUID
    scan_id: uuid.UUID
    rank: int
    found: StoredRecommendation
    done: DoneMark | None

    @property
    def is_open(self) -> bool:
        return self.done is None and self.found.kind != "nothing_significant"


class Tasks(msgspec.Struct, frozen=True):
    """All rows of the latest Full Check by rank. A single row that says there is nothing to do is not a task."""

    rows: Sequence[RecommendationTask]

    @property
    def is_generated(self) -> bool:
        """Return whether there was a Full Check."""
        return bool(self.rows)

    @property
    def open(self) -> list[RecommendationTask]:
        return [task for task in self.rows if task.is_open]

    @property
    def done(self) -> list[RecommendationTask]:
        return [task for task in self.rows if task.done is not None]


def find_mark(found: StoredRecommendation, marks: Mapping[str, DoneMark]) -> DoneMark | None:
    """Return the mark of a task, the one of the task itself first."""
    return next((marks[key] for key in found.mark_keys if key in marks), None)


def put_headline_first(tasks: Sequence[RecommendationTask], findings: Sequence[Finding]) -> list[RecommendationTask]:
    """Return the tasks with those about what the headline reports first, if it is a clear loss of the brand."""
    headline = findings[0] if findings else None
    if headline is None or headline.tier != "clear" or headline.direction != "down" or headline.competitor is not None:
        return list(tasks)
    return sorted(tasks, key=lambda task: not _is_about(task.found, headline))


def _is_about(found: StoredRecommendation, finding: Finding) -> bool:
    """Return whether a task is about the platform that a finding names, or else about its prompt."""
    if finding.platform is not None:
        return found.platforms == (finding.platform,)
    return finding.prompt_id is not None and str(finding.prompt_id) in {prompt.id for prompt in found.prompts}


async def read_tasks(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> Tasks:
    """Return the rows of the latest Full Check, without dismissed ones and listings on sites that people ignore.

    A row that cannot be decoded is left out and logged.
    """
    rows = await list_ranked(db, workspace_id, domain_id, "recommendation", after=None, limit=_MAX_TASKS)
    marks = {mark.subject: mark for mark in await queries.list_done_marks(db, workspace_id, domain_id)}
    ignored = {each.site for each in await list_ignored_sites(db, workspace_id, domain_id)}
    dismissed = {each.subject for each in await queries.list_dismissed(db, workspace_id, domain_id)}
    tasks = [task for row in rows if (task := build_task(row, marks)) is not None and task.key not in dismissed]
    shown = [task for task in tasks if task.found.kind != "get_listed" or task.found.site not in ignored]
    # A site review may have something to do where the answers have not.
    return Tasks([task for task in shown if task.found.kind != "nothing_significant"] or shown)


def build_task(row: RankedRow, marks: Mapping[str, DoneMark]) -> RecommendationTask | None:
    """Build a task from its row; None if the row cannot be decoded."""
    try:
        found = _decode(row.found)
    except msgspec.DecodeError as error:
        log.warning("insight_left_out", kind="StoredRecommendation", scan_id=str(row.scan_id), reason=str(error))
        return None
    return RecommendationTask(
        key=found.key,
        id=row.id,
        scan_id=row.scan_id,
        rank=row.place + 1,
        found=found,
        done=find_mark(found, marks),
    )


async def mark_done(
    tx: Transaction, actor: Actor, domain_id: uuid.UUID, key: str, *, now: datetime, done_at: datetime | None = None
) -> str:
    """Mark a task of the latest Full Check as done, now or at an earlier time; return the key of the mark.

    The mark keeps what is recommended, so that later checks can say whether it worked. Marking again changes the time,
    if one is given, and nothing else. Refused: a time in the future (422), and a task that neither the latest Full
    Check recommends nor anybody has marked (404).
    """
    if done_at is not None and done_at > now:
        raise invalid_field("done_at", "must not be in the future")
    domain_key = (actor.workspace_id, domain_id)
    tasks = await read_tasks(tx, *domain_key)
    task = next((task for task in (*tasks.open, *tasks.done) if task.key == key), None)
    marks = {mark.subject for mark in await queries.list_done_marks(tx, *domain_key)}
    marked = key if key in marks else None if task is None or task.done is None else task.done.subject
    if marked is not None:
        if done_at is not None:
            await queries.update_done_date(tx, *domain_key, marked, done_at=done_at)
        return marked
    if task is None:
        raise Problem("not_found")
    row = DoneMarkRow(
        workspace_id=actor.workspace_id,
        domain_id=domain_id,
        subject=key,
        done_by=actor.user_id,
        done_at=done_at or now,
        scan_id=task.scan_id,
        prompt_ids=[uuid.UUID(prompt.id) for prompt in task.found.prompts],
        recommendation=msgspec.json.encode(task.found),
    )
    await queries.insert_done_mark(tx, row)
    return key


async def mark_open(tx: Transaction, actor: Actor, domain_id: uuid.UUID, key: str) -> None:
    """Remove the mark of a task, if it has one."""
    tasks = await read_tasks(tx, actor.workspace_id, domain_id)
    marks = {task.done.subject for task in tasks.done if task.key == key and task.done is not None}
    for subject in {key, *marks}:
        await queries.delete_done_mark(tx, actor.workspace_id, domain_id, subject)
