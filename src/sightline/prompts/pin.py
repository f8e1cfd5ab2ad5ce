"""Pinning and unpinning tracked prompts."""

import uuid
from datetime import datetime

from sightline.db.engine import Transaction
from sightline.domains.scoreboard_refresh import enqueue_scoreboard_refresh
from sightline.domains.tracking.queries import update_prompt_counts
from sightline.domains.tracking.read import lock_domain
from sightline.prompts import queries
from sightline.prompts.limits import prompt_not_found, require_free_pin
from sightline.prompts.models import PromptRow
from sightline.prompts.volumes.lookup import enqueue_volume_lookup


async def pin_prompt(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, prompt_id: uuid.UUID | None, *, now: datetime
) -> PromptRow:
    """Pin an active prompt. Refused: one that is not active (404), and an eleventh pin (409)."""
    await lock_domain(tx, workspace_id, domain_id)
    found = prompt_id and await queries.find_prompt(tx, workspace_id, domain_id, prompt_id)
    if not found or found.status != "active":
        raise prompt_not_found()
    return await pin_record(tx, workspace_id, found, now=now)


async def unpin_prompt(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, prompt_id: uuid.UUID | None
) -> PromptRow:
    """Unpin an active prompt, which stays tracked. Refused: one that is not active (404)."""
    await lock_domain(tx, workspace_id, domain_id)
    found = prompt_id and await queries.unpin(tx, workspace_id, domain_id, prompt_id)
    if not found:
        raise prompt_not_found()
    await update_prompt_counts(tx, workspace_id, domain_id)
    return found


async def pin_record(tx: Transaction, workspace_id: uuid.UUID, known: PromptRow, *, now: datetime) -> PromptRow:
    """Make the record active and pinned. The caller has locked the domain."""
    if known.pinned_at is not None:
        return known
    await require_free_pin(tx, workspace_id, known.domain_id)
    pinned = await queries.activate(tx, workspace_id, known.id, pinned_at=now)
    await update_prompt_counts(tx, workspace_id, known.domain_id)
    if known.status != "active":
        await enqueue_volume_lookup(tx, workspace_id, known.domain_id)
        await enqueue_scoreboard_refresh(tx, workspace_id, known.domain_id)  # its history is shown again
    return pinned
