"""Adding prompts to a tracked domain: one by a person, many at setup, or an accepted suggestion.

A record is never duplicated, and never moved to another country or language.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime

from sightline.db.engine import Transaction
from sightline.domains.scoreboard_refresh import enqueue_scoreboard_refresh
from sightline.domains.tracking.queries import update_prompt_counts
from sightline.errors import Problem, invalid_field
from sightline.kit.ids import new_id, parse_id
from sightline.plans.table import PlanTable
from sightline.prompts import queries
from sightline.prompts.identity import CleanPrompt, clean_prompt, normalize_text
from sightline.prompts.limits import LockedDomain, lock_workspace_and_domain, require_free_pin, require_slots
from sightline.prompts.models import NewPrompt, PromptRow, Source
from sightline.prompts.pin import pin_record
from sightline.prompts.schemas import PromptInput
from sightline.prompts.volumes.lookup import enqueue_volume_lookup


async def add_prompt(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    payload: PromptInput,
    plans: PlanTable,
    *,
    now: datetime,
) -> PromptRow:
    """Add a prompt and pin it.

    A new prompt becomes active and takes a slot of the workspace. A prompt that the domain has, or had, becomes
    active and pinned, and takes no slot. A prompt that is already pinned stays as it is.

    Refused: an unknown `existing_id` (404), invalid fields (422), another language than the record has, and one pin
    or slot too many (409).
    """
    locked = await lock_workspace_and_domain(tx, workspace_id, domain_id, plans)
    named = None if payload.existing_id is None else await _find_named(tx, locked, payload.existing_id)
    clean = clean_prompt(payload.prompt, payload.country_iso_2, payload.language_code)
    if named is not None:
        _require_same(named, clean)
    elif clean.language_code is None:
        raise invalid_field("language_code", "is required for a new prompt", "required")
    known = named or await queries.find_prompt_by_identity(tx, workspace_id, domain_id, clean.identity)
    if known is not None:
        return await pin_record(tx, workspace_id, known, now=now)
    await require_free_pin(tx, workspace_id, domain_id)
    await require_slots(tx, locked)
    made = await queries.insert_prompt(
        tx, workspace_id, domain_id, new_id(), clean, "added_by_you", pinned=True, now=now
    )
    await update_prompt_counts(tx, workspace_id, domain_id)
    await enqueue_volume_lookup(tx, workspace_id, domain_id)
    return made


async def add_prompts_at_setup(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    prompts: Sequence[NewPrompt],
    plans: PlanTable,
    *,
    now: datetime,
) -> list[PromptRow]:
    """Add prompts without pinning them: all of them or none.

    Duplicates count once, and prompts that the domain already tracks stay as they are. Refused: an invalid prompt
    (422, with its field) and more prompts than the plan allows (409 `prompt_limit_reached`).
    """
    cleaned = [
        clean_prompt(each.prompt, each.country_iso_2, each.language_code, at=f"prompts[{place}].")
        for place, each in enumerate(prompts)
    ]
    locked = await lock_workspace_and_domain(tx, workspace_id, domain_id, plans)
    distinct = {clean.identity: clean for clean in reversed(cleaned)}
    return await add_unpinned(tx, locked, list(reversed(distinct.values())), "added_by_you", now=now)


async def add_unpinned(
    tx: Transaction, locked: LockedDomain, prompts: Sequence[CleanPrompt], source: Source, *, now: datetime
) -> list[PromptRow]:
    """Add distinct prompts in the given order. A record that exists becomes active and takes no slot."""
    workspace_id, domain_id = locked.workspace_id, locked.domain_id
    known = [await queries.find_prompt_by_identity(tx, workspace_id, domain_id, each.identity) for each in prompts]
    await require_slots(tx, locked, known.count(None))
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
    await update_prompt_counts(tx, workspace_id, domain_id)
    await enqueue_volume_lookup(tx, workspace_id, domain_id)
    if any(record is not None and record.status != "active" for record in known):
        await enqueue_scoreboard_refresh(tx, workspace_id, domain_id)  # their history is shown again
    return added


async def _find_named(tx: Transaction, locked: LockedDomain, existing_id: str) -> PromptRow:
    """Return the record, removed or not. A malformed id is treated as unknown."""
    prompt_id = parse_id(existing_id)
    found = prompt_id and await queries.find_prompt(tx, locked.workspace_id, locked.domain_id, prompt_id)
    if not found:
        raise Problem("not_found", "`existing_id` is not the id of a prompt of this domain.")
    return found


def _require_same(named: PromptRow, sent: CleanPrompt) -> None:
    """Refuse another text than the record has, and another language where one is sent.

    The country is not compared: the record keeps its own.
    """
    if normalize_text(named.prompt) != sent.identity.identity:
        raise invalid_field("prompt", "is not the text of the prompt that `existing_id` names", "mismatch")
    if sent.language_code is not None and sent.language_code != named.language_code:
        recorded = named.language_code or "no language"
        raise Problem(
            "language_conflict",
            f"The prompt already exists in {recorded}, and its language cannot be changed.",
            language_code=named.language_code,
        )
