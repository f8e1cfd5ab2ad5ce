"""Reading the tracked prompts of a domain, and how many the plan allows."""

import uuid
from datetime import datetime

import msgspec

from sightline.db.engine import Reader
from sightline.db.keyset import Slice, cut_page
from sightline.db.keyset import SortKey as Position
from sightline.errors import Problem
from sightline.kit.clock import to_iso
from sightline.prompts import queries
from sightline.prompts.limits import MAX_PINNED
from sightline.prompts.models import PromptRow


class PromptUsage(msgspec.Struct, frozen=True):
    """How many prompts the workspace tracks and how many pins the domain has, with both limits."""

    prompts: int
    max_prompts: int
    pinned: int
    max_pinned: int = MAX_PINNED


async def list_prompts(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, after: Position | None, page_size: int
) -> Slice[PromptRow]:
    """List active prompts, pinned first, then most recently added."""
    start = None if after is None else _parse_position(after)
    rows = await queries.list_prompts(db, workspace_id, domain_id, after=start, limit=page_size + 1)
    return cut_page(rows, page_size, _to_position)


async def read_prompt(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, prompt_id: uuid.UUID | None
) -> PromptRow:
    """Return a prompt, removed or not, because its history stays. Refused: an unknown one (404)."""
    found = prompt_id and await queries.find_prompt(db, workspace_id, domain_id, prompt_id)
    if not found:
        raise Problem("not_found", "This domain has no such prompt.")
    return found


async def read_prompt_usage(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, max_prompts: int
) -> PromptUsage:
    """Return the usage at this moment. Adding a prompt counts again under a lock."""
    return PromptUsage(
        await queries.count_active_prompts(db, workspace_id),
        max_prompts,
        await queries.count_pinned(db, workspace_id, domain_id),
    )


def _to_position(row: PromptRow) -> Position:
    return ("" if row.pinned_at else "unpinned", to_iso(row.created_at), str(row.id))


def _parse_position(position: Position) -> queries.SortKey:
    unpinned, created_at, prompt_id = position
    return bool(unpinned), datetime.fromisoformat(created_at), uuid.UUID(prompt_id)
