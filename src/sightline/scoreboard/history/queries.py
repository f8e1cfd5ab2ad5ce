"""SQL of past scans. It reads prompt scans and stored boards, never answers."""

import uuid
from collections.abc import Sequence
from datetime import datetime

from sightline.db.engine import Reader, Transaction, columns, to_rows
from sightline.scans.models import AnswersSource
from sightline.scoreboard.market import drop_market_point
from sightline.scoreboard.models import ImportedDomain, ImportedWeek, LatestScans, PromptAnswers, PromptScanRow

_PROMPT_SCAN = columns(PromptScanRow)
_IMPORTED_WEEK = columns(ImportedWeek)


async def list_latest_prompt_scans(db: Reader, prompt: PromptAnswers, latest: LatestScans) -> list[PromptScanRow]:
    """Return the latest scans of a prompt, newest first."""
    rows = await db.fetch(
        f"""SELECT {_PROMPT_SCAN} FROM prompt_checks
            WHERE workspace_id = $1 AND domain_id = $2 AND prompt_id = $3 AND answers_source = $4
              AND ($6::text IS NULL OR scope = $6) AND ($7::timestamptz IS NULL OR completed_at > $7)
              AND ($8::timestamptz IS NULL OR completed_at < $8)
            ORDER BY completed_at DESC, scan_id DESC LIMIT $5""",
        *prompt,
        *latest,
    )
    return to_rows(PromptScanRow, rows)


async def list_prompt_scans_before(
    db: Reader, prompt: PromptAnswers, at: tuple[datetime, uuid.UUID], *, limit: int
) -> list[PromptScanRow]:
    """Return the scans of a prompt before a position, nearest first."""
    rows = await db.fetch(
        f"""SELECT {_PROMPT_SCAN} FROM prompt_checks
            WHERE workspace_id = $1 AND domain_id = $2 AND prompt_id = $3 AND answers_source = $4
              AND (completed_at, scan_id) < ($5, $6)
            ORDER BY completed_at DESC, scan_id DESC LIMIT $7""",
        *prompt,
        *at,
        limit,
    )
    return to_rows(PromptScanRow, rows)


async def list_prompt_scans_from(
    db: Reader, prompt: PromptAnswers, at: tuple[datetime, uuid.UUID], *, limit: int
) -> list[PromptScanRow]:
    """Return the scans of a prompt at a position and after it, nearest first."""
    rows = await db.fetch(
        f"""SELECT {_PROMPT_SCAN} FROM prompt_checks
            WHERE workspace_id = $1 AND domain_id = $2 AND prompt_id = $3 AND answers_source = $4
              AND (completed_at, scan_id) >= ($5, $6)
            ORDER BY completed_at, scan_id LIMIT $7""",
        *prompt,
        *at,
        limit,
    )
    return to_rows(PromptScanRow, rows)


async def list_trend_points(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, source: AnswersSource, *, since: datetime
) -> list[bytes]:
    """Return the stored trend points, oldest first. Daily Checks have no market figures, whatever is stored."""
    rows = await db.fetch(
        """SELECT r.point, s.measurement_scope FROM scans s
           JOIN scan_results r ON r.workspace_id = s.workspace_id AND r.scan_id = s.id
           WHERE s.workspace_id = $1 AND s.domain_id = $2 AND s.created_at > $4 AND s.status = 'completed'
             AND s.answers_source = $3 AND r.point IS NOT NULL
           ORDER BY s.completed_at, s.id""",
        workspace_id,
        domain_id,
        source,
        since,
    )
    return [drop_market_point(point) if scope == "daily_check" else point for point, scope in rows]


async def list_full_check_points(
    db: Reader, workspace_id: uuid.UUID, domains: Sequence[tuple[uuid.UUID, AnswersSource]], *, since: datetime
) -> list[tuple[uuid.UUID, bytes]]:
    """Return the trend points of all checks but Daily Checks, each with its domain, oldest first."""
    rows = await db.fetch(
        """SELECT s.domain_id, r.point FROM unnest($2::uuid[], $3::text[]) AS d (domain_id, answers_source)
           JOIN scans s ON s.workspace_id = $1 AND s.domain_id = d.domain_id AND s.answers_source = d.answers_source
           JOIN scan_results r ON r.workspace_id = s.workspace_id AND r.scan_id = s.id
           WHERE s.created_at > $4 AND s.status = 'completed' AND s.measurement_scope <> 'daily_check'
             AND r.point IS NOT NULL
           ORDER BY s.completed_at, s.id""",
        workspace_id,
        [domain_id for domain_id, _ in domains],
        [source for _, source in domains],
        since,
    )
    return [(row[0], row[1]) for row in rows]


async def list_trend_boards(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, source: AnswersSource, *, since: datetime
) -> list[tuple[datetime, bytes]]:
    """Return when each Full Check was completed and its board without prompts and sources, oldest first.

    Prompts and sources are adjacent in the stored JSON and most of its size, so the database cuts them out. Quotation
    marks inside texts are escaped, so a text never contains either key.
    """
    rows = await db.fetch(
        """SELECT s.completed_at,
                  substring(r.board for position('"prompts":['::bytea in r.board) - 1)
                  || substring(r.board from position('"competitors":['::bytea in r.board))
           FROM scans s JOIN scan_results r ON r.workspace_id = s.workspace_id AND r.scan_id = s.id
           WHERE s.workspace_id = $1 AND s.domain_id = $2 AND s.answers_source = $3 AND s.created_at > $4
             AND s.status = 'completed' AND s.measurement_scope = 'full_check' AND r.board IS NOT NULL
           ORDER BY s.completed_at, s.id""",
        workspace_id,
        domain_id,
        source,
        since,
    )
    return [(row[0], row[1]) for row in rows]


async def list_latest_full_checks(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, source: AnswersSource, *, limit: int
) -> list[tuple[uuid.UUID, datetime]]:
    """Return the id and the completion time of the latest Full Checks, newest first."""
    rows = await db.fetch(
        """SELECT id, completed_at FROM scans
           WHERE workspace_id = $1 AND domain_id = $2 AND answers_source = $3 AND status = 'completed'
             AND measurement_scope = 'full_check'
           ORDER BY created_at DESC, id DESC LIMIT $4""",
        workspace_id,
        domain_id,
        source,
        limit,
    )
    return [(row[0], row[1]) for row in rows]


async def list_prompt_scans_of(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, scan_ids: list[uuid.UUID]
) -> list[PromptScanRow]:
    """Return what these scans say of each prompt of the domain."""
    rows = await db.fetch(
        f"""SELECT {_PROMPT_SCAN} FROM prompt_checks
            WHERE workspace_id = $1 AND scan_id = ANY($3::uuid[]) AND domain_id = $2""",
        workspace_id,
        domain_id,
        scan_ids,
    )
    return to_rows(PromptScanRow, rows)


async def find_first_check(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> datetime | None:
    """Return when the first check of a domain was completed. After the sandbox only live checks count."""
    first: datetime | None = await db.fetchval(
        """SELECT min(completed_at) FROM scans
           WHERE workspace_id = $1 AND domain_id = $2 AND status = 'completed'
             AND (answers_source = 'live' OR EXISTS (SELECT FROM installation WHERE sandbox_ended_at IS NULL))""",
        workspace_id,
        domain_id,
    )
    return first


async def list_imported_weeks(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[ImportedWeek]:
    """Return the imported weeks of a domain, oldest first."""
    rows = await db.fetch(
        f"SELECT {_IMPORTED_WEEK} FROM imported_weeks WHERE workspace_id = $1 AND domain_id = $2 ORDER BY first_day",
        workspace_id,
        domain_id,
    )
    return to_rows(ImportedWeek, rows)


async def insert_imported_weeks(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, weeks: Sequence[ImportedWeek]
) -> None:
    await tx.executemany(
        f"""INSERT INTO imported_weeks (workspace_id, domain_id, {_IMPORTED_WEEK})
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)""",
        [
            (
                workspace_id,
                domain_id,
                each.first_day,
                each.last_day,
                each.file_name,
                each.platforms,
                each.figures,
                each.kept_at,
            )
            for each in weeks
        ],
    )


async def delete_imported_weeks(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    await tx.execute("DELETE FROM imported_weeks WHERE workspace_id = $1 AND domain_id = $2", workspace_id, domain_id)


async def list_imported_domains(db: Reader, workspace_id: uuid.UUID) -> list[ImportedDomain]:
    """Return the tracked domains of a workspace that have an imported history."""
    rows = await db.fetch(
        """SELECT d.id, d.domain, d.client_id, min(w.file_name), min(w.first_day), max(w.last_day), count(*)
           FROM imported_weeks w JOIN domains d ON d.workspace_id = w.workspace_id AND d.id = w.domain_id
           WHERE w.workspace_id = $1 AND d.removed_at IS NULL
           GROUP BY d.id, d.domain, d.client_id ORDER BY d.domain""",
        workspace_id,
    )
    return [ImportedDomain(*row) for row in rows]
