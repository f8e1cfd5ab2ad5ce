"""Removing a prompt: it leaves the list and the scoreboard and is asked no more. What was measured stays in history."""

import uuid
from datetime import datetime

from sightline.db.engine import Transaction
from sightline.domains.scoreboard_refresh import enqueue_scoreboard_refresh
from sightline.errors import Problem
from sightline.prompts import queries
from sightline.prompts.limits import lock_domain


async def remove_prompt(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, prompt_id: uuid.UUID | None, *, now: datetime
) -> uuid.UUID:
    """Frees its slot and its pin. 404 `not_found` when it is not an active tracked prompt of the domain."""
    await lock_domain(tx, workspace_id, domain_id)
    if prompt_id is None or not await queries.mark_removed(tx, workspace_id, domain_id, prompt_id, now=now):
        raise Problem("not_found", "This is no active prompt of the domain.")
    await queries.delete_cells(tx, workspace_id, domain_id, prompt_id)
    await queries.update_prompt_counts(tx, workspace_id, domain_id)
    await enqueue_scoreboard_refresh(tx, workspace_id, domain_id)
    return prompt_id
