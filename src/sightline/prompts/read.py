"""Reading the tracked prompts of a domain."""

import uuid
from datetime import datetime

from sightline.db.engine import Reader
from sightline.db.keyset import Slice, cut_page
from sightline.db.keyset import SortKey as Position
from sightline.kit.clock import to_iso
from sightline.prompts import queries
from sightline.prompts.models import PromptRow


async def list_prompts(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, after: Position | None, page_size: int
) -> Slice[PromptRow]:
    """Active ones, pinned first, then most recently added."""
    start = None if after is None else _read_position(after)
    rows = await queries.list_prompts(db, workspace_id, domain_id, after=start, limit=page_size + 1)
    return cut_page(rows, page_size, _position_of)


def _position_of(row: PromptRow) -> Position:
    return ("" if row.pinned_at else "unpinned", to_iso(row.created_at), str(row.id))


def _read_position(position: Position) -> queries.SortKey:
    unpinned, created_at, prompt_id = position
    return bool(unpinned), datetime.fromisoformat(created_at), uuid.UUID(prompt_id)
