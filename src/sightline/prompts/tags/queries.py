"""SQL of tags."""

import uuid
from collections.abc import Collection

from sightline.db.engine import Reader, Transaction


async def list_tags_of_prompts(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, prompt_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, list[str]]:
    """Return the tags of those of the prompts that are active."""
    rows = await db.fetch(
        """SELECT id, tags FROM prompts
           WHERE workspace_id = $1 AND domain_id = $2 AND id = ANY($3::uuid[]) AND status = 'active'""",
        workspace_id,
        domain_id,
        list(prompt_ids),
    )
    return {row[0]: row[1] for row in rows}


async def set_tags(tx: Transaction, workspace_id: uuid.UUID, prompt_id: uuid.UUID, tags: Collection[str]) -> None:
    await tx.execute(
        "UPDATE prompts SET tags = $3 WHERE workspace_id = $1 AND id = $2", workspace_id, prompt_id, list(tags)
    )


async def list_tags_by_prompt(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> dict[uuid.UUID, list[str]]:
    """Return the tags of every active prompt that has any."""
    rows = await db.fetch(
        """SELECT id, tags FROM prompts
           WHERE workspace_id = $1 AND domain_id = $2 AND status = 'active' AND tags <> '{}'""",
        workspace_id,
        domain_id,
    )
    return {row[0]: row[1] for row in rows}
