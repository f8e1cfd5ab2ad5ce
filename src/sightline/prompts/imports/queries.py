"""SQL of imports."""

import uuid
from collections.abc import Collection, Sequence
from datetime import datetime

from sightline.db.engine import Reader, Transaction, columns, to_rows
from sightline.kit.ids import new_id
from sightline.prompts.identity import PromptIdentity, normalize_text
from sightline.prompts.imports.models import ImportedPrompt
from sightline.prompts.models import PromptRow

_PROMPT = columns(PromptRow)


async def find_prompts_by_identity(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, identities: Collection[str]
) -> dict[PromptIdentity, PromptRow]:
    """Return the records with these texts in every country and language, removed or not."""
    rows = await db.fetch(
        f"SELECT {_PROMPT} FROM prompts WHERE workspace_id = $1 AND domain_id = $2 AND identity = ANY($3::text[])",
        workspace_id,
        domain_id,
        list(identities),
    )
    return {
        PromptIdentity(normalize_text(row.prompt), row.country_iso_2, row.language_code): row
        for row in to_rows(PromptRow, rows)
    }


async def list_active_texts(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[str]:
    """Return the texts of the active prompts, each once, oldest first."""
    rows = await db.fetch(
        """SELECT prompt FROM prompts WHERE workspace_id = $1 AND domain_id = $2 AND status = 'active'
           GROUP BY prompt ORDER BY min(created_at), prompt""",
        workspace_id,
        domain_id,
    )
    return [row[0] for row in rows]


async def insert_prompts(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, asked: Sequence[ImportedPrompt], *, now: datetime
) -> None:
    """Insert active prompts that are part of the Daily Checks."""
    await tx.executemany(
        """INSERT INTO prompts (workspace_id, id, domain_id, prompt, identity, country_iso_2, language_code, source,
                                status, pinned_at, daily, tags, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, 'added_by_you', 'active', $8, true, $9, $10)""",
        [
            (
                workspace_id,
                new_id(),
                domain_id,
                each.prompt.text,
                each.identity.identity,
                each.prompt.country_iso_2,
                each.prompt.language_code,
                now if each.pinned else None,
                list(each.tags),
                now,
            )
            for each in asked
        ],
    )


async def update_prompts(
    tx: Transaction, workspace_id: uuid.UUID, asked: Sequence[tuple[PromptRow, ImportedPrompt]], *, now: datetime
) -> None:
    """Make records active, with the tags of the import in addition to theirs, and pinned if they were or should be."""
    await tx.executemany(
        """UPDATE prompts SET status = 'active', removed_at = NULL, daily = daily OR status = 'removed', tags = $3,
                              pinned_at = coalesce(pinned_at, $4)
           WHERE workspace_id = $1 AND id = $2""",
        [(workspace_id, row.id, sorted({*row.tags, *each.tags}), now if each.pinned else None) for row, each in asked],
    )
