"""All SQL of tracked prompts; suggestions and volumes have their own `queries.py`.

Locks are taken in one order, the workspace before the domain, so that transactions cannot deadlock. The counts of a
domain are updated in the transaction that changes its prompts.
"""

import uuid
from collections.abc import Collection, Sequence
from datetime import datetime

import msgspec

from sightline.db.engine import Reader, Transaction, columns, to_row, to_row_or_none, to_rows
from sightline.kit.ids import new_id
from sightline.plans.table import Plan
from sightline.prompts.identity import CleanPrompt, PromptIdentity, normalize_text
from sightline.prompts.imports.models import ImportedPrompt
from sightline.prompts.models import PromptRow, PromptStatistics, Source, TrackedPrompt

_PROMPT = columns(PromptRow)
_TRACKED = columns(TrackedPrompt)

# Unpinned or not, time of creation, id.
SortKey = tuple[bool, datetime, uuid.UUID]


async def search_prompts(
    db: Reader,
    workspace_id: uuid.UUID,
    domain_ids: Collection[uuid.UUID],
    words: Sequence[str],
    *,
    near: uuid.UUID | None,
    limit: int,
) -> list[PromptRow]:
    """List active prompts of these domains that contain every word, in lower case, those of one domain first."""
    rows = await db.fetch(
        f"""SELECT {_PROMPT} FROM prompts p
            WHERE p.workspace_id = $1 AND p.status = 'active'
              AND (SELECT bool_and(position(word IN lower(p.prompt)) > 0) FROM unnest($2::text[]) AS word)
              AND p.domain_id = ANY($5::uuid[])
            ORDER BY (p.domain_id = $3) DESC NULLS LAST, p.prompt, p.id LIMIT $4""",
        workspace_id,
        list(words),
        near,
        limit,
        list(domain_ids),
    )
    return to_rows(PromptRow, rows)


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


async def count_active_prompts(db: Reader, workspace_id: uuid.UUID) -> int:
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


async def mark_all_removed(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, now: datetime) -> None:
    await tx.execute(
        """UPDATE prompts SET status = 'removed', removed_at = $3, pinned_at = NULL, daily = false
           WHERE workspace_id = $1 AND domain_id = $2 AND status = 'active'""",
        workspace_id,
        domain_id,
        now,
    )


# Edited prompts


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


# Tags


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


# Imports


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


# What checks found


async def update_streaks(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    prompt_ids: Sequence[uuid.UUID],
    source: str,
) -> None:
    """Update when each prompt was last asked, and for how many scans in a row its answers lack something.

    They do not cite the brand (metrics 1.9), or they name no brand at all. A scan without valid answers neither counts
    nor ends a streak; one from before names were recorded ends the second streak.
    """
    await tx.execute(
        """UPDATE prompts p SET
               last_scanned_at = seen.last,
               consecutive_uncited = (
                   SELECT count(*) FROM prompt_checks c
                   WHERE c.workspace_id = $1 AND c.domain_id = $2 AND c.prompt_id = p.id AND c.valid > 0
                     AND c.answers_source = $4
                     AND (seen.cited IS NULL OR c.completed_at > seen.cited)),
               consecutive_unnamed = (
                   SELECT count(*) FROM prompt_checks c
                   WHERE c.workspace_id = $1 AND c.domain_id = $2 AND c.prompt_id = p.id AND c.valid > 0
                     AND c.answers_source = $4
                     AND (seen.named IS NULL OR c.completed_at > seen.named))
           FROM (SELECT prompt_id, max(completed_at) AS last,
                        max(completed_at) FILTER (WHERE cited AND answers_source = $4) AS cited,
                        max(completed_at) FILTER (WHERE named IS NOT FALSE AND answers_source = $4) AS named
                 FROM prompt_checks
                 WHERE workspace_id = $1 AND domain_id = $2 AND prompt_id = ANY($3::uuid[]) GROUP BY prompt_id) seen
           WHERE p.workspace_id = $1 AND p.domain_id = $2 AND p.id = seen.prompt_id""",
        workspace_id,
        domain_id,
        list(prompt_ids),
        source,
    )


async def list_active_prompt_ids(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[uuid.UUID]:
    rows = await db.fetch(
        "SELECT id FROM prompts WHERE workspace_id = $1 AND domain_id = $2 AND status = 'active'",
        workspace_id,
        domain_id,
    )
    return [row[0] for row in rows]


async def store_statistics(
    tx: Transaction, workspace_id: uuid.UUID, found: Sequence[PromptStatistics], *, period_end: datetime
) -> None:
    """Store the statistics, unless a refresh that began later has already stored its own."""
    await tx.executemany(
        """UPDATE prompts SET period_end = $3, sentiment = $4, co_mentioned_brands = $5, named_share = $6
           WHERE workspace_id = $1 AND id = $2 AND (period_end IS NULL OR period_end <= $3)""",
        [
            (
                workspace_id,
                each.prompt_id,
                period_end,
                msgspec.json.encode(each.sentiment),
                list(each.co_mentioned_brands),
                each.named_share,
            )
            for each in found
        ],
    )
