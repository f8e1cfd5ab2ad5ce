"""Actions that people dismissed with a reason: no later Full Check recommends them again, until they are restored."""

import uuid
from datetime import datetime

import msgspec

from sightline.accounts.models import Actor
from sightline.db.engine import Reader, Transaction
from sightline.db.keyset import Slice, SortKey, cut_page
from sightline.errors import Problem, invalid_field
from sightline.insights.models import DismissedAction
from sightline.insights.recommendations import queries
from sightline.insights.recommendations.tasks import read_tasks
from sightline.kit.clock import to_iso


async def dismiss_action(
    tx: Transaction, actor: Actor, domain_id: uuid.UUID, key: str, reason: str, *, now: datetime
) -> DismissedAction:
    """Dismiss an action of the latest Full Check. Dismissing again changes the reason.

    Refused: a reason without text (422), and an action that the latest Full Check does not recommend (404).
    """
    cleaned = " ".join(reason.split())
    if not cleaned:
        raise invalid_field("reason", "must not be empty", "required")
    at = (tx, actor.workspace_id, domain_id)
    task = next((task for task in (await read_tasks(*at)).rows if task.key == key), None)
    if task is not None:
        found = msgspec.json.encode(task.found)
        await queries.insert_dismissal(*at, key, cleaned, actor.user_id, found, now=now)
    elif not await queries.change_dismissal(*at, key, cleaned):
        raise Problem("not_found")
    return next(each for each in await queries.list_dismissed(*at) if each.subject == key)


async def restore_action(tx: Transaction, actor: Actor, domain_id: uuid.UUID, key: str) -> None:
    """Let Full Checks recommend an action again. Nothing changes for one that is not dismissed."""
    await queries.delete_dismissal(tx, actor.workspace_id, domain_id, key)


async def list_dismissed_actions(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, after: SortKey | None, page_size: int
) -> Slice[DismissedAction]:
    """Return the dismissed actions, the latest first."""
    rows = await queries.list_dismissed(db, workspace_id, domain_id)
    left = [row for row in rows if after is None or _is_after(row, after)]
    return cut_page(left[: page_size + 1], page_size, lambda row: (to_iso(row.dismissed_at), row.subject))


def _is_after(row: DismissedAction, after: SortKey) -> bool:
    dismissed_at = to_iso(row.dismissed_at)
    return dismissed_at < after[0] or (dismissed_at == after[0] and row.subject > after[1])
