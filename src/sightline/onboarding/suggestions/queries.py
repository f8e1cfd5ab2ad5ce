"""All SQL of suggested prompts at the set-up."""

import uuid
from datetime import date, datetime, timedelta

from sightline.db.engine import Reader, Transaction, columns, to_row_or_none
from sightline.onboarding.suggestions.models import SavedSuggestions, SuggestionJob
from sightline.scans.suggest import SuggestedPrompts

_SAVED = columns(SavedSuggestions)


async def claim_request(tx: Transaction, job: SuggestionJob, *, stale_before: datetime, now: datetime) -> bool:
    """Record a request. Return False if the same one waits for its answer, or was answered by a platform.

    Of concurrent callers, one gets True.
    """
    claimed = await tx.fetchval(
        """INSERT INTO setup_suggestions AS s (workspace_id, domain_id, digest, requested_at) VALUES ($1, $2, $3, $5)
           ON CONFLICT (workspace_id, domain_id, digest) DO UPDATE SET
               requested_at = $5, prompts = NULL, note = NULL, from_templates = 0
           WHERE s.prompts IS NULL AND s.requested_at < $4 OR cardinality(s.prompts) = s.from_templates
           RETURNING true""",
        job.workspace_id,
        job.domain_id,
        job.input.digest,
        stale_before,
        now,
    )
    return claimed is not None


async def count_request(tx: Transaction, workspace_id: uuid.UUID, day: date, *, limit: int) -> bool:
    """Count a request of the day. Return False at the limit: nothing is counted then."""
    if limit == 0:
        return False
    counted = await tx.fetchval(
        """INSERT INTO suggestion_days AS d (workspace_id, day, requests) VALUES ($1, $2, 1)
           ON CONFLICT (workspace_id, day) DO UPDATE SET requests = d.requests + 1 WHERE d.requests < $3
           RETURNING true""",
        workspace_id,
        day,
        limit,
    )
    return counted is not None


async def find_suggestions(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, digest: bytes
) -> SavedSuggestions | None:
    row = await db.fetchrow(
        f"SELECT {_SAVED} FROM setup_suggestions WHERE workspace_id = $1 AND domain_id = $2 AND digest = $3",
        workspace_id,
        domain_id,
        digest,
    )
    return to_row_or_none(SavedSuggestions, row)


async def save_suggestions(db: Reader, job: SuggestionJob, suggested: SuggestedPrompts) -> None:
    """Save the answer to a request. A request that is answered already stays as it is."""
    await db.fetchval(
        """UPDATE setup_suggestions SET prompts = $4, language = $5, note = $6, from_templates = $7
           WHERE workspace_id = $1 AND domain_id = $2 AND digest = $3 AND prompts IS NULL RETURNING true""",
        job.workspace_id,
        job.domain_id,
        job.input.digest,
        list(suggested.prompts),
        suggested.language,
        suggested.note,
        suggested.from_templates,
    )


async def has_worker(db: Reader) -> bool:
    found: bool = await db.fetchval("SELECT EXISTS (SELECT FROM workers WHERE seen_at > now() - interval '1 minute')")
    return found


async def delete_old_suggestions_any_workspace(tx: Transaction, *, now: datetime) -> None:
    """Delete counts of past days, and suggestions that nobody has used for a month."""
    await tx.execute("DELETE FROM suggestion_days WHERE day < $1", now.date() - timedelta(days=1))
    await tx.execute("DELETE FROM setup_suggestions WHERE requested_at < $1", now - timedelta(days=30))
