"""Saving an import: all of its prompts, or none."""

import uuid
from collections.abc import Sequence
from datetime import datetime

from sightline.audit.record import record_audit
from sightline.db.engine import Transaction
from sightline.domains.scoreboard_refresh import enqueue_scoreboard_refresh
from sightline.domains.tracking.queries import update_prompt_counts
from sightline.errors import Problem, invalid_fields
from sightline.plans.table import PlanTable
from sightline.prompts import queries
from sightline.prompts.imports.models import ImportedPrompt
from sightline.prompts.imports.plan import ImportPlan, plan_import
from sightline.prompts.limits import lock_workspace_and_domain
from sightline.prompts.models import PromptRow
from sightline.prompts.volumes.lookup import enqueue_volume_lookup


async def save_import(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    asked: Sequence[ImportedPrompt],
    plans: PlanTable,
    *,
    now: datetime,
) -> ImportPlan:
    """Store every prompt of the import, and return what was done.

    A prompt that the domain has, or had, becomes active and gets the tags of the import; none is unpinned and no tag is
    removed. The same import again changes nothing. Refused: more prompts or pins than the limits allow (409), and more
    than ten tags of a prompt (422).
    """
    locked = await lock_workspace_and_domain(tx, workspace_id, domain_id, plans)
    made = await plan_import(tx, workspace_id, domain_id, asked, max_prompts=locked.limit, finds_similar=False)
    _refuse_faults(made)
    kept = [(each.record, each.asked) for each in made.prompts if each.state != "repeated"]
    inserted = [asked for row, asked in kept if row is None]
    changed = [(row, asked) for row, asked in kept if row is not None and _changes(row, asked)]
    if not inserted and not changed:
        return made
    await queries.insert_prompts(tx, workspace_id, domain_id, inserted, now=now)
    await queries.update_prompts(tx, workspace_id, changed, now=now)
    await update_prompt_counts(tx, workspace_id, domain_id)
    await enqueue_volume_lookup(tx, workspace_id, domain_id)
    await record_audit(
        tx, workspace_id, "prompts_imported", domain_id=domain_id, added=len(inserted), changed=len(changed)
    )
    if made.count("restored"):
        await enqueue_scoreboard_refresh(tx, workspace_id, domain_id)  # their history is shown again
    return made


def _changes(row: PromptRow, asked: ImportedPrompt) -> bool:
    """Return whether the import changes anything about a record."""
    is_pinned_now = asked.pinned and row.pinned_at is None
    return row.status != "active" or is_pinned_now or not set(asked.tags) <= set(row.tags)


def _refuse_faults(made: ImportPlan) -> None:
    usage = made.usage
    if made.exceeds_prompts:
        raise Problem("prompt_limit_reached", current=usage.prompts, limit=usage.max_prompts)
    if made.exceeds_pins:
        raise Problem("pin_limit_reached", current=usage.pinned, limit=usage.max_pinned)
    if made.faults:
        raise invalid_fields(
            *((f"prompts[{(fault.line or 1) - 1}].tags", fault.message, "limit") for fault in made.faults)
        )
