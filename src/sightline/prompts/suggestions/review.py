"""Prompts that we propose, until somebody decides. Finding and ranking them is in `insights/` and `onboarding/`."""

import uuid
from collections.abc import Sequence
from datetime import datetime

from sightline.db.engine import Reader, Transaction
from sightline.errors import Problem
from sightline.plans.table import PlanTable
from sightline.prompts.add import add_unpinned
from sightline.prompts.identity import CleanPrompt
from sightline.prompts.limits import lock_domain, lock_workspace_and_domain
from sightline.prompts.models import PromptRow
from sightline.prompts.suggestions import queries
from sightline.prompts.suggestions.models import NewSuggestion, SuggestionRow

_MOST_SHOWN = 100


async def store_suggestions(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, found: Sequence[NewSuggestion], *, now: datetime
) -> None:
    """Proposes what is new. What is or was tracked is left out, and so is what was decided before: running twice, or
    after each Full Check, proposes nothing a second time."""
    await queries.insert_suggestions(tx, workspace_id, domain_id, found, now=now)


async def list_suggestions(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, limit: int = _MOST_SHOWN
) -> list[SuggestionRow]:
    """Open ones, best first."""
    return await queries.list_open(db, workspace_id, domain_id, limit=limit)


async def accept_suggestion(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    suggestion_id: uuid.UUID | None,
    plans: PlanTable,
    *,
    now: datetime,
) -> PromptRow:
    """Tracks it from now on, unpinned, as `suggested`; it takes a slot unless the domain has its record already.
    404 when it is not open, 409 at the limit: then it stays open."""
    locked = await lock_workspace_and_domain(tx, workspace_id, domain_id, plans)
    row = await _decide(tx, workspace_id, domain_id, suggestion_id, "accepted", now=now)
    clean = CleanPrompt(row.prompt, row.country_iso_2, row.language_code)
    (added,) = await add_unpinned(tx, locked, [clean], "suggested", now=now)
    return added


async def dismiss_suggestion(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, suggestion_id: uuid.UUID | None, *, now: datetime
) -> SuggestionRow:
    """It is not proposed again. 404 when it is not open."""
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
