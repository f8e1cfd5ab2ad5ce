"""SQL of done recommendations and of the checks that measure their effect."""

import uuid
from collections.abc import Sequence
from datetime import datetime

import msgspec

from sightline.db.engine import Reader, Transaction, columns, to_rows
from sightline.insights.models import DismissedAction, DoneMark, DoneMarkRow
from sightline.metrics.effect import FullCheckTime
from sightline.scans.models import AnswersSource


async def list_done_marks(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[DoneMark]:
    """Return the marks, those of the latest actions first."""
    rows = await db.fetch(
        """SELECT m.subject, u.name, m.done_at, m.scan_id, m.prompt_ids, m.recommendation
           FROM recommendation_marks m JOIN users u ON u.id = m.done_by
           WHERE m.workspace_id = $1 AND m.domain_id = $2 ORDER BY m.done_at DESC, m.subject""",
        workspace_id,
        domain_id,
    )
    return to_rows(DoneMark, rows)


async def list_marked_domains(db: Reader, workspace_id: uuid.UUID) -> set[uuid.UUID]:
    """Return the domains with actions that people marked as done."""
    rows = await db.fetch("SELECT DISTINCT domain_id FROM recommendation_marks WHERE workspace_id = $1", workspace_id)
    return {row[0] for row in rows}


async def insert_done_mark(tx: Transaction, mark: DoneMarkRow) -> None:
    """Insert a mark, unless the task is marked already."""
    await tx.execute(
        f"""INSERT INTO recommendation_marks ({columns(DoneMarkRow)}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT (workspace_id, domain_id, subject) DO NOTHING""",
        *msgspec.structs.astuple(mark),
    )


async def update_done_date(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, subject: str, *, done_at: datetime
) -> None:
    await tx.execute(
        """UPDATE recommendation_marks SET done_at = $4
           WHERE workspace_id = $1 AND domain_id = $2 AND subject = $3""",
        workspace_id,
        domain_id,
        subject,
        done_at,
    )


async def delete_done_mark(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, subject: str) -> None:
    await tx.execute(
        "DELETE FROM recommendation_marks WHERE workspace_id = $1 AND domain_id = $2 AND subject = $3",
        workspace_id,
        domain_id,
        subject,
    )


async def list_dismissed(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[DismissedAction]:
    """Return the dismissed actions, the latest first."""
    rows = await db.fetch(
        """SELECT d.subject, d.reason, u.name, d.dismissed_at, d.recommendation
           FROM dismissed_recommendations d JOIN users u ON u.id = d.dismissed_by
           WHERE d.workspace_id = $1 AND d.domain_id = $2 ORDER BY d.dismissed_at DESC, d.subject""",
        workspace_id,
        domain_id,
    )
    return to_rows(DismissedAction, rows)


async def insert_dismissal(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    subject: str,
    reason: str,
    user_id: uuid.UUID,
    recommendation: bytes,
    *,
    now: datetime,
) -> None:
    await tx.execute(
        """INSERT INTO dismissed_recommendations
               (workspace_id, domain_id, subject, reason, dismissed_by, dismissed_at, recommendation)
           VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT (workspace_id, domain_id, subject) DO UPDATE SET reason = $4""",
        workspace_id,
        domain_id,
        subject,
        reason,
        user_id,
        now,
        recommendation,
    )


async def change_dismissal(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, subject: str, reason: str
) -> bool:
    """Change the reason; return False if the action is not dismissed."""
    changed = await tx.fetchval(
        """UPDATE dismissed_recommendations SET reason = $4
           WHERE workspace_id = $1 AND domain_id = $2 AND subject = $3 RETURNING true""",
        workspace_id,
        domain_id,
        subject,
        reason,
    )
    return changed is not None


async def delete_dismissal(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, subject: str) -> None:
    await tx.execute(
        "DELETE FROM dismissed_recommendations WHERE workspace_id = $1 AND domain_id = $2 AND subject = $3",
        workspace_id,
        domain_id,
        subject,
    )


async def list_full_checks(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, source: AnswersSource, *, until: datetime | None
) -> list[FullCheckTime]:
    """Return the Full Checks whose findings by prompt are stored."""
    rows = await db.fetch(
        """SELECT s.id, s.completed_at FROM scans s
           WHERE s.workspace_id = $1 AND s.domain_id = $2 AND s.status = 'completed' AND s.answers_source = $3
             AND s.measurement_scope = 'full_check' AND ($4::timestamptz IS NULL OR s.completed_at <= $4)
             AND EXISTS (SELECT FROM prompt_checks c WHERE c.workspace_id = s.workspace_id AND c.scan_id = s.id)""",
        workspace_id,
        domain_id,
        source,
        until,
    )
    return to_rows(FullCheckTime, rows)


async def list_prompt_scans_of(
    db: Reader, workspace_id: uuid.UUID, scan_ids: Sequence[uuid.UUID]
) -> list[tuple[uuid.UUID, uuid.UUID, bytes]]:
    """Return the scan, the prompt and the stored facts of each prompt in these scans."""
    rows = await db.fetch(
        """SELECT scan_id, prompt_id, cells FROM prompt_checks
           WHERE workspace_id = $1 AND scan_id = ANY($2::uuid[]) ORDER BY scan_id, prompt_id""",
        workspace_id,
        scan_ids,
    )
    return [(row[0], row[1], row[2]) for row in rows]


async def list_tracked_prompts(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> set[uuid.UUID]:
    """Return the ids of the prompts that are tracked now."""
    rows = await db.fetch(
        "SELECT id FROM prompts WHERE workspace_id = $1 AND domain_id = $2 AND status = 'active'",
        workspace_id,
        domain_id,
    )
    return {row[0] for row in rows}


async def list_prompt_texts(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID
) -> list[tuple[uuid.UUID, str, str | None]]:
    """Return the id, text and country of each prompt that is or was tracked."""
    rows = await db.fetch(
        "SELECT id, prompt, country_iso_2 FROM prompts WHERE workspace_id = $1 AND domain_id = $2",
        workspace_id,
        domain_id,
    )
    return [(row[0], row[1], row[2]) for row in rows]
