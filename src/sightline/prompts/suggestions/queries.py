"""All SQL of suggestions. A decided one stays stored, so that it is not suggested again."""

import uuid
from collections.abc import Sequence
from datetime import datetime

from sightline.db.engine import Reader, Transaction, columns, to_row_or_none, to_rows
from sightline.kit.ids import new_id
from sightline.prompts.identity import normalize_text
from sightline.prompts.suggestions.models import NewSuggestion, SuggestionRow

_SUGGESTION = columns(SuggestionRow)

# Priority, time of creation, id.
SortKey = tuple[float, datetime, uuid.UUID]


async def insert_suggestions(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, found: Sequence[NewSuggestion], *, now: datetime
) -> None:
    """Insert suggestions, except those that are or were tracked or suggested before."""
    await tx.executemany(
        """INSERT INTO prompt_suggestions (workspace_id, id, domain_id, scan_id, prompt, identity, language_code,
                                           country_iso_2, priority, origin, origin_subjects, origin_answers,
                                           status, created_at)
           SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'open', $13
           WHERE NOT EXISTS (
               SELECT FROM prompts WHERE workspace_id = $1 AND domain_id = $3 AND identity = $6
                  AND country_iso_2 IS NOT DISTINCT FROM $8 AND language_code IS NOT DISTINCT FROM $7)
           ON CONFLICT DO NOTHING""",
        [
            (
                workspace_id,
                new_id(),
                domain_id,
                each.scan_id,
                each.prompt.strip(),
                normalize_text(each.prompt),
                each.language_code,
                each.country_iso_2,
                each.priority,
                each.origin,
                list(each.origin_subjects),
                each.origin_answers,
                now,
            )
            for each in found
        ],
    )


async def list_open(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, after: SortKey | None, limit: int
) -> list[SuggestionRow]:
    """List open suggestions, best first, except those that were added in another way since."""
    rows = await db.fetch(
        f"""SELECT {_SUGGESTION} FROM prompt_suggestions s
            WHERE workspace_id = $1 AND domain_id = $2 AND status = 'open' AND NOT EXISTS (
                SELECT FROM prompts p
                WHERE p.workspace_id = $1 AND p.domain_id = $2 AND p.identity = s.identity AND p.status = 'active'
                  AND p.country_iso_2 IS NOT DISTINCT FROM s.country_iso_2
                  AND p.language_code IS NOT DISTINCT FROM s.language_code)
              AND ($3::double precision IS NULL
                   OR (priority, created_at, id) < ($3, $4::timestamptz, $5::uuid))
            ORDER BY priority DESC, created_at DESC, id DESC LIMIT $6""",
        workspace_id,
        domain_id,
        *(after or (None, None, None)),
        limit,
    )
    return to_rows(SuggestionRow, rows)


async def decide(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    suggestion_id: uuid.UUID,
    status: str,
    *,
    now: datetime,
) -> SuggestionRow | None:
    """Set the status of an open suggestion. Return None when it is not open: it is decided once."""
    row = await tx.fetchrow(
        f"""UPDATE prompt_suggestions SET status = $4, decided_at = $5
            WHERE workspace_id = $1 AND domain_id = $2 AND id = $3 AND status = 'open' RETURNING {_SUGGESTION}""",
        workspace_id,
        domain_id,
        suggestion_id,
        status,
        now,
    )
    return to_row_or_none(SuggestionRow, row)


async def delete_open(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    await tx.execute(
        "DELETE FROM prompt_suggestions WHERE workspace_id = $1 AND domain_id = $2 AND status = 'open'",
        workspace_id,
        domain_id,
    )
