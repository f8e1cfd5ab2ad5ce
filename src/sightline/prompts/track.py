"""Adding and pinning. A record is never duplicated and never moved to another country or language."""

import uuid
from datetime import datetime

from sightline.db.engine import Transaction
from sightline.domains.refresh import want_refresh
from sightline.errors import Problem, invalid_field
from sightline.kit.ids import new_id, parse_id
from sightline.plans.table import PlanTable
from sightline.prompts import queries
from sightline.prompts.identity import CleanPrompt, clean_prompt, identity_of
from sightline.prompts.models import PromptRow
from sightline.prompts.schemas import PromptInput
from sightline.prompts.slots import Held, hold, hold_domain, require_pin, require_slots
from sightline.prompts.volumes import want_volumes


async def add_prompt(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    given: PromptInput,
    plans: PlanTable,
    *,
    now: datetime,
) -> PromptRow:
    """A new prompt becomes active and pinned, and takes a slot of the workspace. One that the domain has, or had,
    is made active and pinned, and takes none. One that is pinned already stays as it is.

    Refuses an unknown `existing_id` (404), bad fields (422), another language than the record's, and a pin or a slot
    too many (409).
    """
    held = await hold(tx, workspace_id, domain_id, plans)
    named = None if given.existing_id is None else await _find_named(tx, held, given.existing_id)
    clean = clean_prompt(given.prompt, given.country_iso_2, given.language_code)
    if named is not None:
        _require_same(named, clean)
    elif clean.language_code is None:
        raise invalid_field("language_code", "is required for a new prompt", "required")
    known = named or await queries.find_prompt_by_identity(tx, workspace_id, domain_id, clean.identity)
    if known is not None:
        return await _pin(tx, workspace_id, known, now=now)
    await require_pin(tx, workspace_id, domain_id)
    await require_slots(tx, held)
    made = await queries.insert_prompt(
        tx, workspace_id, domain_id, new_id(), clean, "added_by_you", pinned=True, now=now
    )
    await queries.recount(tx, workspace_id, domain_id)
    await want_volumes(tx, workspace_id, domain_id)
    return made


async def pin_prompt(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, prompt_id: uuid.UUID | None, *, now: datetime
) -> PromptRow:
    """Pins an active prompt: 404 when it is not, 409 when the domain has ten pins."""
    await hold_domain(tx, workspace_id, domain_id)
    found = prompt_id and await queries.find_prompt(tx, workspace_id, domain_id, prompt_id)
    if not found or found.status != "active":
        raise Problem("not_found")
    return await _pin(tx, workspace_id, found, now=now)


async def unpin_prompt(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, prompt_id: uuid.UUID | None
) -> PromptRow:
    """Frees its pin; it is tracked as before. 404 when it is not an active prompt."""
    await hold_domain(tx, workspace_id, domain_id)
    found = prompt_id and await queries.unpin(tx, workspace_id, domain_id, prompt_id)
    if not found:
        raise Problem("not_found")
    await queries.recount(tx, workspace_id, domain_id)
    return found


async def _find_named(tx: Transaction, held: Held, existing_id: str) -> PromptRow:
    """The record, removed or not; a malformed id is an unknown one."""
    prompt_id = parse_id(existing_id)
    found = prompt_id and await queries.find_prompt(tx, held.workspace_id, held.domain_id, prompt_id)
    if not found:
        raise Problem("not_found", "`existing_id` names no prompt of this domain.")
    return found


def _require_same(named: PromptRow, sent: CleanPrompt) -> None:
    """The text must be the record's, and so must a language, where one is sent. The country is not asked: it stays."""
    if identity_of(named.prompt) != sent.identity.identity:
        raise invalid_field("prompt", "is not the text of the prompt that `existing_id` names", "mismatch")
    if sent.language_code is not None and sent.language_code != named.language_code:
        recorded = named.language_code or "no language"
        raise Problem(
            "language_conflict",
            f"The prompt is recorded in {recorded}. A record is never reassigned to another language.",
            language_code=named.language_code,
        )


async def _pin(tx: Transaction, workspace_id: uuid.UUID, known: PromptRow, *, now: datetime) -> PromptRow:
    if known.pinned_at is not None:
        return known
    await require_pin(tx, workspace_id, known.domain_id)
    pinned = await queries.activate(tx, workspace_id, known.id, pinned_at=now)
    await queries.recount(tx, workspace_id, known.domain_id)
    if known.status != "active":
        await want_volumes(tx, workspace_id, known.domain_id)
        await want_refresh(tx, workspace_id, known.domain_id)  # what is known of it is shown again
    return pinned
