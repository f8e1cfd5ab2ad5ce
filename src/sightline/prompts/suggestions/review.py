"""Storing suggested prompts, and accepting or dismissing them."""

import uuid
from collections.abc import Sequence
from datetime import datetime

from sightline.db.engine import Reader, Transaction
from sightline.db.keyset import Slice, SortKey, cut_page
from sightline.domains.tracking.read import lock_domain
from sightline.errors import Problem
from sightline.kit.clock import to_iso
from sightline.plans.table import PlanTable
from sightline.prompts.add import add_unpinned
from sightline.prompts.identity import CleanPrompt
from sightline.prompts.limits import lock_workspace_and_domain
from sightline.prompts.models import PromptRow
from sightline.prompts.suggestions import queries
from sightline.prompts.suggestions.models import NewSuggestion, SuggestionRow

_MAX_LISTED = 100


async def store_suggestions(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, found: Sequence[NewSuggestion], *, now: datetime
) -> None:
    """Store new suggestions.

    Prompts that are or were tracked, and suggestions that were decided before, are left out. Storing the same ones
    twice changes nothing.
    """
    await queries.insert_suggestions(tx, workspace_id, domain_id, found, now=now)


async def list_suggestions(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, limit: int = _MAX_LISTED
) -> list[SuggestionRow]:
    """List open suggestions, best first."""
    return await queries.list_open(db, workspace_id, domain_id, after=None, limit=limit)


async def list_suggestions_page(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, after: SortKey | None, page_size: int
) -> Slice[SuggestionRow]:
    """List open suggestions page by page, best first."""
    start = None if after is None else (float(after[0]), datetime.fromisoformat(after[1]), uuid.UUID(after[2]))
    rows = await queries.list_open(db, workspace_id, domain_id, after=start, limit=page_size + 1)
    return cut_page(rows, page_size, lambda row: (repr(row.priority), to_iso(row.created_at), str(row.id)))


async def accept_suggestion(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    suggestion_id: uuid.UUID | None,
    plans: PlanTable,
    *,
    now: datetime,
) -> PromptRow:
    """Track the suggested prompt, unpinned. It takes a slot unless the domain has its record.

    Refused: a suggestion that is not open (404), and one prompt too many (409); then it stays open.
    """
    locked = await lock_workspace_and_domain(tx, workspace_id, domain_id, plans)
    row = await _decide(tx, workspace_id, domain_id, suggestion_id, "accepted", now=now)
    clean = CleanPrompt(row.prompt, row.country_iso_2, row.language_code)
    (added,) = await add_unpinned(tx, locked, [clean], "suggested", now=now)
    return added


async def dismiss_suggestion(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, suggestion_id: uuid.UUID | None, *, now: datetime
) -> SuggestionRow:
    """Dismiss a suggestion, which is never made again. Refused: one that is not open (404)."""
    await lock_domain(tx, workspace_id, domain_id)
    return await _decide(tx, workspace_id, domain_id, suggestion_id, "dismissed", now=now)


async def _decide(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    suggestion_id: uuid.UUID | None,
    status: str,
    *,
    now: datetime,
) -> SuggestionRow:
    found = suggestion_id and await queries.decide(tx, workspace_id, domain_id, suggestion_id, status, now=now)
    if not found:
        raise Problem("not_found", "This suggestion is not open.")
    return found
