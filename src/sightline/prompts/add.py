"""Adding prompts that are not pinned: many at once when a domain is set up, or one that we suggested."""

import uuid
from collections.abc import Sequence
from datetime import datetime

from sightline.db.engine import Transaction
from sightline.domains.refresh import want_refresh
from sightline.kit.ids import new_id
from sightline.plans.table import PlanTable
from sightline.prompts import queries
from sightline.prompts.identity import CleanPrompt, clean_prompt
from sightline.prompts.models import NewPrompt, PromptRow, Source
from sightline.prompts.slots import Held, hold, require_slots
from sightline.prompts.volumes import want_volumes


async def add_prompts_at_setup(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    given: Sequence[NewPrompt],
    plans: PlanTable,
    *,
    now: datetime,
) -> list[PromptRow]:
    """All of them or none: 422 names the one at fault, 409 `prompt_limit_reached` says how many fit.

    Twins among them count once. Nothing is pinned; whatever the domain tracks already stays as it is.
    """
    cleaned = [
        clean_prompt(each.prompt, each.country_iso_2, each.language_code, at=f"prompts[{place}].")
        for place, each in enumerate(given)
    ]
    held = await hold(tx, workspace_id, domain_id, plans)
    distinct = {clean.identity: clean for clean in reversed(cleaned)}
    return await add_unpinned(tx, held, list(reversed(distinct.values())), "added_by_you", now=now)


async def add_unpinned(
    tx: Transaction, held: Held, prompts: Sequence[CleanPrompt], source: Source, *, now: datetime
) -> list[PromptRow]:
    """Distinct prompts, in the order given. A record that exists is made active again and takes no new slot."""
    workspace_id, domain_id = held.workspace_id, held.domain_id
    known = [await queries.find_prompt_by_identity(tx, workspace_id, domain_id, each.identity) for each in prompts]
    await require_slots(tx, held, known.count(None))
    added = []
    for clean, record in zip(prompts, known, strict=True):
        if record is None:
            row = await queries.insert_prompt(
                tx, workspace_id, domain_id, new_id(), clean, source, pinned=False, now=now
            )
        elif record.status == "active":
            row = record
        else:
            row = await queries.activate(tx, workspace_id, record.id, pinned_at=None)
        added.append(row)
    await queries.recount(tx, workspace_id, domain_id)
    await want_volumes(tx, workspace_id, domain_id)
    if any(record is not None and record.status != "active" for record in known):
        await want_refresh(tx, workspace_id, domain_id)  # what is known of them is shown again
    return added
