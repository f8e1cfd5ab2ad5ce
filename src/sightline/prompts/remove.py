"""Removing a prompt. It is no longer tracked or shown; what was measured stays in its history."""

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
    """Remove an active prompt, which frees its slot and its pin. Refused: any other prompt (404)."""
    await lock_domain(tx, workspace_id, domain_id)
    if prompt_id is None or not await queries.mark_removed(tx, workspace_id, domain_id, prompt_id, now=now):
        raise Problem("not_found", "This domain has no such active prompt.")
    await queries.delete_cells(tx, workspace_id, domain_id, prompt_id)
    await queries.update_prompt_counts(tx, workspace_id, domain_id)
    await enqueue_scoreboard_refresh(tx, workspace_id, domain_id)
    return prompt_id
