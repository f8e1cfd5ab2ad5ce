"""SQL of edited prompts."""

import uuid

from sightline.db.engine import Reader, Transaction, columns, to_row, to_row_or_none
from sightline.prompts.models import PromptRow

_PROMPT = columns(PromptRow)


async def set_text(tx: Transaction, workspace_id: uuid.UUID, prompt_id: uuid.UUID, text: str) -> PromptRow:
    """Change the spelling of the text. Its identity must stay the same."""
    row = await tx.fetchrow(
        f"UPDATE prompts SET prompt = $3 WHERE workspace_id = $1 AND id = $2 RETURNING {_PROMPT}",
        workspace_id,
        prompt_id,
        text,
    )
    return to_row(PromptRow, row)


async def take_over(tx: Transaction, workspace_id: uuid.UUID, prompt_id: uuid.UUID, old: PromptRow) -> PromptRow:
    """Make the prompt active in the place of another one: with its pin and its tags."""
    row = await tx.fetchrow(
        f"""UPDATE prompts SET status = 'active', removed_at = NULL, daily = true, pinned_at = $3, tags = $4,
                              replaces = $5
            WHERE workspace_id = $1 AND id = $2 RETURNING {_PROMPT}""",
        workspace_id,
        prompt_id,
        old.pinned_at,
        old.tags,
        old.id,
    )
    return to_row(PromptRow, row)


async def find_replacement(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, prompt_id: uuid.UUID
) -> PromptRow | None:
    """Return the active prompt that took the place of this one, the newest if there are several."""
    row = await db.fetchrow(
        f"""SELECT {_PROMPT} FROM prompts
            WHERE workspace_id = $1 AND domain_id = $2 AND replaces = $3 AND status = 'active'
            ORDER BY created_at DESC LIMIT 1""",
        workspace_id,
        domain_id,
        prompt_id,
    )
    return to_row_or_none(PromptRow, row)
