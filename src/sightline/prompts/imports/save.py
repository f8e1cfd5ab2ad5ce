"""Saving an import: all of its prompts, or none."""

import uuid
from collections.abc import Sequence
from datetime import datetime

from sightline.db.engine import Transaction
from sightline.domains.scoreboard_refresh import enqueue_scoreboard_refresh
from sightline.errors import Problem, invalid_fields
from sightline.plans.table import Plan, PlanTable
from sightline.prompts import queries as prompt_queries
from sightline.prompts.imports import queries
from sightline.prompts.imports.models import ImportedPrompt
from sightline.prompts.imports.plan import ImportPlan, plan_import
from sightline.prompts.limits import lock_workspace_and_domain
from sightline.prompts.volumes.lookup import enqueue_volume_lookup


async def save_import(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    asked: Sequence[ImportedPrompt],
    plan: Plan,
    plans: PlanTable,
    *,
    now: datetime,
) -> ImportPlan:
    """Store every prompt of the import, and return what was done.

    A prompt that the domain has, or had, becomes active and gets the tags of the import; none is unpinned and no tag is
    removed. The same import again changes nothing. Refused: more prompts or pins than the limits allow (409), and more
    than ten tags of a prompt (422).
    """
    await lock_workspace_and_domain(tx, workspace_id, domain_id, plans)
    made = await plan_import(tx, workspace_id, domain_id, asked, plan, plans, finds_similar=False)
    _refuse_faults(made)
    kept = [each.asked for each in made.prompts if each.state != "repeated"]
    records = [(made.known.get(each.prompt.identity), each) for each in kept]
    await queries.insert_prompts(tx, workspace_id, domain_id, [each for row, each in records if row is None], now=now)
    for row, each in records:
        if row is not None:
            await queries.update_prompt(tx, workspace_id, row, each, now=now)
    await prompt_queries.update_prompt_counts(tx, workspace_id, domain_id)
    await enqueue_volume_lookup(tx, workspace_id, domain_id)
    if made.count("restored"):
        await enqueue_scoreboard_refresh(tx, workspace_id, domain_id)  # their history is shown again
    return made


def _refuse_faults(made: ImportPlan) -> None:
    usage = made.usage
    if made.exceeds_prompts:
        raise Problem("prompt_limit_reached", made.faults[0].message, current=usage.prompts, limit=usage.max_prompts)
    if made.exceeds_pins:
        raise Problem("pin_limit_reached", made.faults[0].message, current=usage.pinned, limit=usage.max_pinned)
    if made.faults:
        raise invalid_fields(
            *((f"prompts[{(fault.line or 1) - 1}].tags", fault.message, "limit") for fault in made.faults)
        )
