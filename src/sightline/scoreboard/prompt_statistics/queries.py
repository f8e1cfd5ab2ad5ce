"""SQL of prompt statistics, which are columns of `prompts`."""

import uuid
from collections.abc import Sequence
from datetime import datetime

import msgspec

from sightline.db.engine import Reader, Transaction
from sightline.scans.models import AnswersSource
from sightline.scoreboard.prompt_statistics.summarize import PromptStatistics


async def update_streaks(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    prompt_ids: Sequence[uuid.UUID],
    source: AnswersSource,
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
