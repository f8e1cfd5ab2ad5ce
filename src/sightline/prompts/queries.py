"""All SQL of prompts; that of suggestions is in `suggestion_queries`, that of volumes in `volume_queries`.

Locks are taken in one order, the workspace before the domain, so that no two can wait for each other. The counts of a
domain are counted anew in the transaction that changes them.
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

# Whether it is unpinned, when it was added, its id.
SortKey = tuple[bool, datetime, uuid.UUID]


async def list_prompts(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, after: SortKey | None, limit: int
) -> list[PromptRow]:
    """Pinned first, then most recently added."""
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
    """What a check may ask, in the order in which it was added."""
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
    """These and only these prompts are in the set of the Daily Checks from now on; one that was removed is not."""
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
    """Removed ones too: a record is never deleted."""
    row = await db.fetchrow(
        f"SELECT {_PROMPT} FROM prompts WHERE workspace_id = $1 AND domain_id = $2 AND id = $3",
        workspace_id,
        domain_id,
        prompt_id,
    )
    return to_row_or_none(PromptRow, row)


async def find_prompt_by_identity(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, known_by: PromptIdentity
) -> PromptRow | None:
    """Removed ones too."""
    row = await db.fetchrow(
        f"""SELECT {_PROMPT} FROM prompts
            WHERE workspace_id = $1 AND domain_id = $2 AND identity = $3
              AND country_iso_2 IS NOT DISTINCT FROM $4 AND language_code IS NOT DISTINCT FROM $5""",
        workspace_id,
        domain_id,
        known_by.identity,
        known_by.country_iso_2,
        known_by.language_code,
    )
    return to_row_or_none(PromptRow, row)


async def lock_workspace(tx: Transaction, workspace_id: uuid.UUID) -> Plan:
    """Holds the workspace until the transaction ends, so that two cannot take its last slot; its plan as it is now."""
    return Plan(await tx.fetchval("SELECT plan FROM workspaces WHERE id = $1 FOR NO KEY UPDATE", workspace_id))


async def lock_domain(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> bool:
    """Holds a tracked domain until the transaction ends; False when there is none."""
    found = await tx.fetchval(
        """SELECT true FROM domains
           WHERE workspace_id = $1 AND id = $2 AND kind = 'tracked' AND livemode AND status <> 'removed'
           FOR NO KEY UPDATE""",
        workspace_id,
        domain_id,
    )
    return found is not None


async def count_active(db: Reader, workspace_id: uuid.UUID) -> int:
    """Of all domains of the workspace; those of a removed domain are asked no more."""
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
    """Active, and in the set of the Daily Checks."""
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
    """Active and in the set of the Daily Checks again, pinned or not. It keeps everything else that is recorded."""
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
    """It stays in the set of the Daily Checks. None when it is not active."""
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
    """Frees its pin with it. False when it was not active."""
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
    """Takes a prompt off the scoreboard. Its answers and its history stay."""
    await tx.execute(
        "DELETE FROM cells WHERE workspace_id = $1 AND domain_id = $2 AND prompt_id = $3",
        workspace_id,
        domain_id,
        prompt_id,
    )


async def update_prompt_counts(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    """Makes the domain's own figures true again."""
    await tx.execute(
        """UPDATE domains SET (prompt_count, pinned_count) = (
               SELECT count(*), count(pinned_at) FROM prompts
               WHERE workspace_id = $1 AND domain_id = $2 AND status = 'active')
           WHERE workspace_id = $1 AND id = $2""",
        workspace_id,
        domain_id,
    )
