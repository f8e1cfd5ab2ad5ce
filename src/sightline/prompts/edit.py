"""Editing the text of a prompt. Another text is another question, so it starts a history of its own."""

import uuid
from datetime import datetime

from sightline.db.engine import Transaction
from sightline.domains.scoreboard_refresh import enqueue_scoreboard_refresh
from sightline.domains.tracking.queries import update_prompt_counts
from sightline.domains.tracking.read import lock_domain
from sightline.errors import invalid_field
from sightline.kit.ids import new_id
from sightline.prompts import queries
from sightline.prompts.identity import CleanPrompt, clean_prompt, normalize_text
from sightline.prompts.limits import prompt_not_found
from sightline.prompts.models import PromptRow
from sightline.prompts.remove import remove_prompt
from sightline.prompts.volumes.lookup import enqueue_volume_lookup


async def edit_prompt(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    prompt_id: uuid.UUID | None,
    text: str,
    *,
    now: datetime,
) -> PromptRow:
    """Replace an active prompt with one of another text, and return it.

    The old prompt is removed and its history stays. The new one takes over its slot, pin, tags, country and language.
    A text that differs only in case or white space is the same question: the prompt keeps its history. A text that was
    tracked before brings that prompt back.

    Refused: a prompt that is not active (404), an invalid text (422), and a text that is tracked already (422).
    """
    await lock_domain(tx, workspace_id, domain_id)
    old = prompt_id and await queries.find_prompt(tx, workspace_id, domain_id, prompt_id)
    if not old or old.status != "active":
        raise prompt_not_found()
    clean = clean_prompt(text, old.country_iso_2, old.language_code)
    if clean.identity.identity == normalize_text(old.prompt):
        return await queries.set_text(tx, workspace_id, old.id, clean.text)
    known = await queries.find_prompt_by_identity(tx, workspace_id, domain_id, clean.identity)
    if known is not None and known.status == "active":
        raise invalid_field("prompt", "is already tracked, in the same country and language", "tracked")
    await remove_prompt(tx, workspace_id, domain_id, old.id, now=now)
    return await _replace(tx, workspace_id, old, clean, known, now=now)


async def _replace(
    tx: Transaction,
    workspace_id: uuid.UUID,
    old: PromptRow,
    clean: CleanPrompt,
    known: PromptRow | None,
    *,
    now: datetime,
) -> PromptRow:
    if known is None:
        made = await queries.insert_prompt(
            tx, workspace_id, old.domain_id, new_id(), clean, "added_by_you", pinned=False, now=now
        )
    else:
        made = known
        await enqueue_scoreboard_refresh(tx, workspace_id, old.domain_id)  # its history is shown again
    row = await queries.take_over(tx, workspace_id, made.id, old)
    await update_prompt_counts(tx, workspace_id, old.domain_id)
    await enqueue_volume_lookup(tx, workspace_id, old.domain_id)
    return row
