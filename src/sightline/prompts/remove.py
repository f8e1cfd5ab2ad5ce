"""Removing a prompt, or a tracked domain with all of its prompts. What was measured stays in their history."""

import uuid
from datetime import datetime

from sightline.accounts.queries import lock_workspace
from sightline.audit.record import record_audit
from sightline.db.engine import Transaction
from sightline.domains.scoreboard_refresh import enqueue_scoreboard_refresh
from sightline.domains.tracking.queries import mark_removed, update_prompt_counts
from sightline.domains.tracking.read import lock_domain
from sightline.errors import Problem
from sightline.prompts import queries
from sightline.prompts.limits import prompt_not_found


async def remove_prompt(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, prompt_id: uuid.UUID | None, *, now: datetime
) -> uuid.UUID:
    """Remove an active prompt, which frees its slot and its pin. Refused: any other prompt (404)."""
    await lock_domain(tx, workspace_id, domain_id)
    if prompt_id is None or not await queries.mark_removed(tx, workspace_id, domain_id, prompt_id, now=now):
        raise prompt_not_found()
    await update_prompt_counts(tx, workspace_id, domain_id)
    await enqueue_scoreboard_refresh(tx, workspace_id, domain_id)
    return prompt_id


async def remove_tracked_domain(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID | None, *, now: datetime
) -> uuid.UUID:
    """Stop tracking the domain. A scan that is pending or running still ends, and all history stays.

    Its prompts are removed with it: they take no slots, and a new setup chooses its own.
    """
    await lock_workspace(tx, workspace_id)  # before the domain, as everywhere, to avoid deadlocks
    if domain_id is None or not await mark_removed(tx, workspace_id, domain_id, now=now):
        raise Problem("domain_not_found")
    await queries.mark_all_removed(tx, workspace_id, domain_id, now=now)
    await record_audit(tx, workspace_id, "domain_removed", domain_id=domain_id)
    return domain_id
