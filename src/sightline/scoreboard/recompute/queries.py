"""SQL of recomputing stored scans."""

import uuid
from collections.abc import Sequence

from sightline.answers.analyze import EXTRACTOR_VERSION
from sightline.db.engine import Reader, columns, to_rows
from sightline.metrics.registry import METRICS_VERSION
from sightline.scans.stored import AnswerRow, Scope


async def list_completed_scan_ids(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, scopes: Sequence[Scope]
) -> list[uuid.UUID]:
    """Return the ids of completed scans, oldest first."""
    rows = await db.fetch(
        """SELECT id FROM scans
           WHERE workspace_id = $1 AND domain_id = $2 AND status = 'completed' AND measurement_scope = ANY($3::text[])
           ORDER BY completed_at, id""",
        workspace_id,
        domain_id,
        list(scopes),
    )
    return [row[0] for row in rows]


async def list_outdated_domains_any_workspace(
    db: Reader, *, scopes: Sequence[Scope], limit: int
) -> list[tuple[uuid.UUID, uuid.UUID]]:
    """Return the domains for which no recomputation waits or runs and one is needed.

    They have results of another version, or answers from before facts of answers were stored.
    """
    rows = await db.fetch(
        """SELECT board.workspace_id, board.domain_id FROM scoreboards AS board
           WHERE EXISTS (
               SELECT FROM scans AS scan JOIN scan_results AS result
                 ON result.workspace_id = scan.workspace_id AND result.scan_id = scan.id
               WHERE scan.workspace_id = board.workspace_id AND scan.domain_id = board.domain_id
                 AND scan.status = 'completed' AND scan.measurement_scope = ANY($1::text[])
                 AND scan.answers_expired_at IS NULL
                 AND ((result.metrics_version, result.extractor_version) <> ($2, $3)
                      OR result.board IS NOT NULL AND NOT result.has_facts)
           ) AND NOT EXISTS (
               SELECT FROM recomputations AS open WHERE open.workspace_id = board.workspace_id
                 AND open.domain_id = board.domain_id AND open.status IN ('waiting', 'running')
           )
           ORDER BY board.domain_id LIMIT $4""",
        list(scopes),
        METRICS_VERSION,
        EXTRACTOR_VERSION,
        limit,
    )
    return [(row[0], row[1]) for row in rows]


async def find_name_index(db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> bytes | None:
    index: bytes | None = await db.fetchval(
        "SELECT name_index FROM scan_results WHERE workspace_id = $1 AND scan_id = $2", workspace_id, scan_id
    )
    return index


async def list_short_answers(
    db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID, *, max_length: int, limit: int
) -> list[AnswerRow]:
    """Return valid answers of at most so many characters, in the order of the prompts."""
    rows = await db.fetch(
        f"""SELECT {columns(AnswerRow)} FROM answers
            WHERE workspace_id = $1 AND scan_id = $2 AND status = 'ok' AND length(text) <= $3
            ORDER BY prompt_index, platform LIMIT $4""",
        workspace_id,
        scan_id,
        max_length,
        limit,
    )
    return to_rows(AnswerRow, rows)
