"""All SQL of tracked prompts; suggestions and volumes have their own `queries.py`.

Locks are taken in one order, the workspace before the domain, so that transactions cannot deadlock. The counts of a
domain are updated in the transaction that changes its prompts.
"""

import uuid
from collections.abc import Collection
from datetime import datetime

from sightline.db.engine import Reader, Transaction, columns, to_row, to_row_or_none, to_rows
from sightline.plans.table import Plan
from sightline.prompts.identity import CleanPrompt, PromptIdentity
from sightline.prompts.models import PromptRow, Source, TrackedPrompt

_PROMPT = columns(PromptRow)
_TRACKED = columns(TrackedPrompt)

# Unpinned or not, time of creation, id.
SortKey = tuple[bool, datetime, uuid.UUID]


async def list_prompts(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, after: SortKey | None, limit: int
) -> list[PromptRow]:
    """List active prompts, pinned first, then most recently added."""
    rows = await db.fetch(
        f"""SELECT {_PROMPT} FROM prompts
            WHERE workspace_id = $1 AND domain_id = $2 AND status = 'active'
              AND ($3::boolean IS NULL OR (pinned_at IS NULL) > $3
                   OR ((pinned_at IS NULL) = $3 AND (created_at, id) < ($4::timestamptz, $5::uuid)))
            ORDER BY (pinned_at IS NULL), created_at DESC, id DESC LIMIT $6""",
        workspace_id,
        domain_id,
        *(after or (None, None, None)),
        limit,
    )
    return to_rows(PromptRow, rows)


async def list_tracked_prompts(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[TrackedPrompt]:
    """List the active prompts in the order in which they were added."""
    rows = await db.fetch(
        f"""SELECT {_TRACKED} FROM prompts WHERE workspace_id = $1 AND domain_id = $2 AND status = 'active'
            ORDER BY created_at, id""",
        workspace_id,
        domain_id,
    )
    return to_rows(TrackedPrompt, rows)


async def set_daily_prompts(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, prompt_ids: Collection[uuid.UUID]
) -> None:
    """Make these and only these active prompts the set of the Daily Checks."""
    await tx.execute(
        """UPDATE prompts SET daily = (id = ANY($3::uuid[]))
           WHERE workspace_id = $1 AND domain_id = $2 AND daily <> (id = ANY($3::uuid[]))""",
        workspace_id,
        domain_id,
        list(prompt_ids),
    )


async def find_prompt(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, prompt_id: uuid.UUID
) -> PromptRow | None:
    """Return the record, removed or not."""
    row = await db.fetchrow(
        f"SELECT {_PROMPT} FROM prompts WHERE workspace_id = $1 AND domain_id = $2 AND id = $3",
        workspace_id,
        domain_id,
        prompt_id,
    )
    return to_row_or_none(PromptRow, row)


async def find_prompt_by_identity(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, identity: PromptIdentity
) -> PromptRow | None:
    """Return the record, removed or not."""
    row = await db.fetchrow(
        f"""SELECT {_PROMPT} FROM prompts
            WHERE workspace_id = $1 AND domain_id = $2 AND identity = $3
              AND country_iso_2 IS NOT DISTINCT FROM $4 AND language_code IS NOT DISTINCT FROM $5""",
        workspace_id,
        domain_id,
        identity.identity,
        identity.country_iso_2,
        identity.language_code,
    )
    return to_row_or_none(PromptRow, row)


async def lock_workspace(tx: Transaction, workspace_id: uuid.UUID) -> Plan:
    """Lock the workspace until the transaction ends, and return its plan.

    Two transactions cannot take its last slot.
    """
    return Plan(await tx.fetchval("SELECT plan FROM workspaces WHERE id = $1 FOR NO KEY UPDATE", workspace_id))


async def lock_domain(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> bool:
    """Lock a tracked domain until the transaction ends. Return False when there is none."""
    found = await tx.fetchval(
        """SELECT true FROM domains
           WHERE workspace_id = $1 AND id = $2 AND kind = 'tracked' AND livemode AND status <> 'removed'
           FOR NO KEY UPDATE""",
        workspace_id,
        domain_id,
    )
    return found is not None


async def count_active(db: Reader, workspace_id: uuid.UUID) -> int:
    """Count the active prompts of the workspace. Those of removed domains do not count."""
    count: int = await db.fetchval(
        """SELECT count(*) FROM prompts p JOIN domains d ON d.workspace_id = p.workspace_id AND d.id = p.domain_id
           WHERE p.workspace_id = $1 AND p.status = 'active' AND d.status <> 'removed'""",
        workspace_id,
    )
    return count


async def count_pinned(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> int:
    count: int = await db.fetchval(
        """SELECT count(*) FROM prompts
           WHERE workspace_id = $1 AND domain_id = $2 AND status = 'active' AND pinned_at IS NOT NULL""",
        workspace_id,
        domain_id,
    )
    return count


async def insert_prompt(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    prompt_id: uuid.UUID,
    clean: CleanPrompt,
    source: Source,
    *,
    pinned: bool,
    now: datetime,
) -> PromptRow:
    """Insert an active prompt that is part of the Daily Checks."""
    row = await tx.fetchrow(
        f"""INSERT INTO prompts (workspace_id, id, domain_id, prompt, identity, country_iso_2, language_code, source,
                                 status, pinned_at, daily, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'active', $9, true, $10) RETURNING {_PROMPT}""",
        workspace_id,
        prompt_id,
        domain_id,
        clean.text,
        clean.identity.identity,
        clean.country_iso_2,
        clean.language_code,
        source,
        now if pinned else None,
        now,
    )
    return to_row(PromptRow, row)


async def activate(
    tx: Transaction, workspace_id: uuid.UUID, prompt_id: uuid.UUID, *, pinned_at: datetime | None
) -> PromptRow:
    """Make the record active and part of the Daily Checks again, pinned or not. Everything else stays recorded."""
    row = await tx.fetchrow(
        f"""UPDATE prompts SET status = 'active', removed_at = NULL, pinned_at = $3, daily = true
            WHERE workspace_id = $1 AND id = $2 RETURNING {_PROMPT}""",
        workspace_id,
        prompt_id,
        pinned_at,
    )
    return to_row(PromptRow, row)


async def unpin(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, prompt_id: uuid.UUID
) -> PromptRow | None:
    """Unpin the prompt, which stays in the Daily Checks. Return None when it is not active."""
    row = await tx.fetchrow(
        f"""UPDATE prompts SET pinned_at = NULL
            WHERE workspace_id = $1 AND domain_id = $2 AND id = $3 AND status = 'active' RETURNING {_PROMPT}""",
        workspace_id,
        domain_id,
        prompt_id,
    )
    return to_row_or_none(PromptRow, row)


async def mark_removed(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, prompt_id: uuid.UUID, *, now: datetime
) -> bool:
    """Remove the prompt and its pin. Return False when it was not active."""
    removed = await tx.fetchval(
        """UPDATE prompts SET status = 'removed', removed_at = $4, pinned_at = NULL, daily = false
           WHERE workspace_id = $1 AND domain_id = $2 AND id = $3 AND status = 'active' RETURNING true""",
        workspace_id,
        domain_id,
        prompt_id,
        now,
    )
    return removed is not None


async def delete_cells(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, prompt_id: uuid.UUID) -> None:
    """Remove the prompt from the scoreboard. Its answers and its history stay."""
    await tx.execute(
        "DELETE FROM cells WHERE workspace_id = $1 AND domain_id = $2 AND prompt_id = $3",
        workspace_id,
        domain_id,
        prompt_id,
    )


async def update_prompt_counts(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    """Update the prompt counts that are stored with the domain."""
    await tx.execute(
        """UPDATE domains SET (prompt_count, pinned_count) = (
               SELECT count(*), count(pinned_at) FROM prompts
               WHERE workspace_id = $1 AND domain_id = $2 AND status = 'active')
           WHERE workspace_id = $1 AND id = $2""",
        workspace_id,
        domain_id,
    )
