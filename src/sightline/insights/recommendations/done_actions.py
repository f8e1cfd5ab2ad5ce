"""The actions that people marked as done, whether or not the latest Full Check still recommends them."""

import uuid
from collections.abc import Sequence
from datetime import datetime

import msgspec

from sightline.db.engine import Reader
from sightline.db.keyset import Slice, SortKey, cut_page
from sightline.errors import Problem
from sightline.insights.models import DoneMark, RankedRow, StoredRecommendation
from sightline.insights.recommendations import queries
from sightline.insights.recommendations.effects import ActionEffect, read_effects
from sightline.insights.recommendations.tasks import RecommendationTask, build_task, read_tasks
from sightline.kit.clock import to_iso
from sightline.kit.structs import convert_struct


class MarkedAction(msgspec.Struct, frozen=True, kw_only=True):
    """A done action as it was recommended. `mark.subject` is its key."""

    mark: DoneMark
    found: StoredRecommendation
    still_recommended: bool
    """Whether the latest Full Check recommends it again."""


class DoneAction(MarkedAction, frozen=True, kw_only=True):
    """A done action, and what it changed."""

    effect: ActionEffect


async def list_done_actions(
    db: Reader,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    *,
    after: SortKey | None = None,
    page_size: int,
    until: datetime | None = None,
) -> Slice[DoneAction]:
    """Return done actions, the latest first. Effects are measured from the Full Checks completed by `until`."""
    marked = await _list_marked(db, workspace_id, domain_id)
    page = cut_page([each for each in marked if after is None or _is_after(each.mark, after)], page_size, _get_sort_key)
    effects = await read_effects(db, workspace_id, domain_id, [each.mark for each in page.rows], until=until)
    return page.map(lambda each: convert_struct(DoneAction, each, effect=effects[each.mark.subject]))


async def _list_marked(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[MarkedAction]:
    """Return what people marked as done, the latest first.

    A mark from before recommendations were kept with it is left out once no check finds its task again: nobody knows
    what it was about.
    """
    tasks = await read_tasks(db, workspace_id, domain_id)
    current = {task.done.subject: task for task in reversed(tasks.done) if task.done is not None}
    return [
        MarkedAction(mark=mark, found=found, still_recommended=mark.subject in current)
        for mark in await queries.list_done_marks(db, workspace_id, domain_id)
        if (found := _find_recommendation(mark, current)) is not None
    ]


def _find_recommendation(mark: DoneMark, current: dict[str, RecommendationTask]) -> StoredRecommendation | None:
    if mark.recommendation is not None and mark.scan_id is not None:
        task = build_task(RankedRow(mark.scan_id, mark.scan_id, 0, mark.recommendation), {})
        if task is not None:
            return task.found
    return current[mark.subject].found if mark.subject in current else None


def _get_sort_key(action: MarkedAction) -> SortKey:
    return (to_iso(action.mark.done_at), action.mark.subject)


def _is_after(mark: DoneMark, after: SortKey) -> bool:
    done_at, subject = to_iso(mark.done_at), mark.subject
    return done_at < after[0] or (done_at == after[0] and subject > after[1])


async def read_done_action(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, key: str) -> DoneAction:
    """Return one done action. Refused: an action that is not marked (404)."""
    marked = await _list_marked(db, workspace_id, domain_id)
    found = next((each for each in marked if each.mark.subject == key), None)
    if found is None:
        raise Problem("not_found")
    effects = await read_effects(db, workspace_id, domain_id, [found.mark])
    return convert_struct(DoneAction, found, effect=effects[key])


async def list_watched_actions(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, scan_id: uuid.UUID, until: datetime, limit: int
) -> Sequence[DoneAction]:
    """Return the actions whose effect this Full Check measures: those without a final result before it."""
    done = await list_done_actions(db, workspace_id, domain_id, page_size=limit, until=until)
    return [action for action in done.rows if _is_watched(action, scan_id)]


def _is_watched(action: DoneAction, scan_id: uuid.UUID) -> bool:
    checks = action.effect.checks
    return bool(checks.later) and checks.later[-1] == scan_id
