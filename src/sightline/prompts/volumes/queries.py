"""All SQL of volumes: which are due, and what was found."""

import uuid
from collections.abc import Sequence
from datetime import datetime

from sightline.db.engine import Reader, Transaction, columns, to_rows
from sightline.prompts.volumes.models import DuePrompt, Estimate


async def list_due(
    db: Reader,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    *,
    now: datetime,
    limit: int,
) -> list[DuePrompt]:
    """List active prompts whose volumes are due, sorted by market."""
    rows = await db.fetch(
        f"""SELECT {columns(DuePrompt, "p")} FROM prompts p
            JOIN domains d ON d.workspace_id = p.workspace_id AND d.id = p.domain_id AND d.status <> 'removed'
            WHERE p.workspace_id = $1 AND p.domain_id = $2 AND p.status = 'active'
              AND (p.volumes_due_at IS NULL OR p.volumes_due_at <= $3)
            ORDER BY p.country_iso_2, p.language_code, p.created_at, p.id LIMIT $4""",
        workspace_id,
        domain_id,
        now,
        limit,
    )
    return to_rows(DuePrompt, rows)


async def store_estimates(
    tx: Transaction, workspace_id: uuid.UUID, found: Sequence[tuple[uuid.UUID, Estimate, datetime]]
) -> None:
    """Store each estimate with the time at which it is due again."""
    await tx.executemany(
        """UPDATE prompts SET ai_search_volume_state = $3, ai_search_volume = $4, volumes_due_at = $5,
               search_volume = CASE WHEN $6 THEN $7 ELSE search_volume END,
               cpc_usd = CASE WHEN $6 THEN $8 ELSE cpc_usd END
           WHERE workspace_id = $1 AND id = $2""",
        [
            (
                workspace_id,
                prompt_id,
                each.state,
                each.ai_search_volume,
                due_at,
                each.searched,
                each.search_volume,
                each.cpc_usd,
            )
            for prompt_id, each, due_at in found
        ],
    )
