"""Tagging many prompts at once."""

import uuid
from collections.abc import Sequence

from sightline.audit.record import record_audit
from sightline.db.engine import Transaction
from sightline.domains.tracking.read import lock_domain
from sightline.errors import invalid_field
from sightline.prompts import queries
from sightline.prompts.limits import prompt_not_found
from sightline.prompts.tags.names import MAX_TAGS, require_tags


async def change_tags(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    prompt_ids: Sequence[uuid.UUID | None],
    *,
    add: Sequence[str] = (),
    remove: Sequence[str] = (),
) -> None:
    """Add tags to active prompts and remove others: for all of the prompts, or for none.

    Adding a tag that a prompt has, or removing one that it lacks, changes nothing. Refused: an invalid tag and more
    than ten tags of one prompt (422), and a prompt that is not active (404).
    """
    added, removed = require_tags("add", add), require_tags("remove", remove)
    await lock_domain(tx, workspace_id, domain_id)
    wanted = {prompt_id for prompt_id in prompt_ids if prompt_id is not None}
    known = await queries.list_tags_of_prompts(tx, workspace_id, domain_id, wanted)
    if len(known) < len(set(prompt_ids)):
        raise prompt_not_found()
    changed = {prompt_id: sorted({*tags, *added}.difference(removed)) for prompt_id, tags in known.items()}
    if any(len(tags) > MAX_TAGS for tags in changed.values()):
        raise invalid_field("add", f"a prompt has at most {MAX_TAGS} tags", "limit")
    for prompt_id, tags in changed.items():
        if tags != known[prompt_id]:
            await queries.set_tags(tx, workspace_id, prompt_id, tags)
    await record_audit(tx, workspace_id, "prompts_tagged", domain_id=domain_id, prompts=len(changed))


async def set_tags(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, prompt_id: uuid.UUID | None, tags: Sequence[str]
) -> None:
    """Give an active prompt these tags and no others. Refused: what `change_tags` refuses."""
    cleaned = require_tags("tags", tags)
    await lock_domain(tx, workspace_id, domain_id)
    if prompt_id is None or not await queries.list_tags_of_prompts(tx, workspace_id, domain_id, {prompt_id}):
        raise prompt_not_found()
    await queries.set_tags(tx, workspace_id, prompt_id, cleaned)
