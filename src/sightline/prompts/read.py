"""Reading the tracked prompts of a domain, and how many more fit."""

import uuid
from datetime import datetime

import msgspec

from sightline.db.engine import Reader
from sightline.db.keyset import Slice, cut_page
from sightline.db.keyset import SortKey as Position
from sightline.errors import Problem
from sightline.kit.clock import to_iso
from sightline.plans.table import Plan, PlanTable
from sightline.prompts import queries
from sightline.prompts.limits import MAX_PINNED
from sightline.prompts.models import PromptRow, TrackedPrompt


class PromptUsage(msgspec.Struct, frozen=True):
    """How many prompts the workspace tracks, and pins the domain has, of how many: to be told before a limit bites."""

    prompts: int
    max_prompts: int
    pinned: int
    max_pinned: int = MAX_PINNED


async def list_prompts(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, after: Position | None, page_size: int
) -> Slice[PromptRow]:
    """Active ones, pinned first, then most recently added."""
    start = None if after is None else _read_position(after)
    rows = await queries.list_prompts(db, workspace_id, domain_id, after=start, limit=page_size + 1)
    return cut_page(rows, page_size, _position_of)


async def read_prompt(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, prompt_id: uuid.UUID | None
) -> PromptRow:
    """Removed or not, for its history stays; 404 `not_found` when the domain has no record of it."""
    found = prompt_id and await queries.find_prompt(db, workspace_id, domain_id, prompt_id)
    if not found:
        raise Problem("not_found", "This domain has no such prompt.")
    return found


async def read_prompt_usage(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, plan: Plan, plans: PlanTable
) -> PromptUsage:
    """As it is at this moment. Whoever adds is counted again behind a lock."""
    return PromptUsage(
        await queries.count_active(db, workspace_id),
        plans[plan].tracked_prompts,
        await queries.count_pinned(db, workspace_id, domain_id),
    )


def _position_of(row: PromptRow) -> Position:
    return ("" if row.pinned_at else "unpinned", to_iso(row.created_at), str(row.id))


def _read_position(position: Position) -> queries.SortKey:
    unpinned, created_at, prompt_id = position
    return bool(unpinned), datetime.fromisoformat(created_at), uuid.UUID(prompt_id)


async def list_tracked_prompts(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[TrackedPrompt]:
    """Return every prompt that checks of the domain ask."""
    return await queries.list_tracked_prompts(db, workspace_id, domain_id)


async def count_active_prompts(db: Reader, workspace_id: uuid.UUID) -> int:
    """Return how many prompts of the workspace count against the plan's limit."""
    return await queries.count_active(db, workspace_id)
