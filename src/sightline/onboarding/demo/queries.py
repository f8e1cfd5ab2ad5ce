"""SQL of the demonstration."""

import uuid
from datetime import datetime

from sightline.db.engine import Reader, Transaction, columns, to_row_or_none
from sightline.onboarding.demo.models import Demonstration


async def is_in_setup(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> bool:
    status: str | None = await db.fetchval(
        "SELECT status FROM domains WHERE workspace_id = $1 AND id = $2", workspace_id, domain_id
    )
    return status == "setup"


async def find_anchor(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> datetime | None:
    anchor: datetime | None = await db.fetchval(
        "SELECT anchor_at FROM domains WHERE workspace_id = $1 AND id = $2 AND status = 'active'",
        workspace_id,
        domain_id,
    )
    return anchor


async def has_scan_on_day(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, day: datetime) -> bool:
    """Return whether a scan was created within 24 hours from this time."""
    found: bool = await db.fetchval(
        """SELECT EXISTS (SELECT FROM scans WHERE workspace_id = $1 AND domain_id = $2
                            AND created_at >= $3 AND created_at < $3 + interval '1 day')""",
        workspace_id,
        domain_id,
        day,
    )
    return found


async def list_unprocessed(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[uuid.UUID]:
    """Return completed scans that were never processed because their process died, oldest first."""
    rows = await db.fetch(
        """SELECT s.id FROM scans s JOIN scan_results r ON r.workspace_id = s.workspace_id AND r.scan_id = s.id
           WHERE s.workspace_id = $1 AND s.domain_id = $2 AND s.status = 'completed' AND r.board IS NULL
           ORDER BY s.completed_at, s.id""",
        workspace_id,
        domain_id,
    )
    return [row[0] for row in rows]


async def find_demonstration(db: Reader, workspace_id: uuid.UUID) -> Demonstration | None:
    row = await db.fetchrow(
        f"SELECT {columns(Demonstration)} FROM demonstrations WHERE workspace_id = $1", workspace_id
    )
    return to_row_or_none(Demonstration, row)


async def save_demonstration(tx: Transaction, workspace_id: uuid.UUID, made: Demonstration) -> None:
    """Store the demonstration, replacing an older one whose domain is no longer tracked."""
    await tx.execute(
        """INSERT INTO demonstrations (workspace_id, shown_in, domain_id, created_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (workspace_id) DO UPDATE SET shown_in = EXCLUDED.shown_in, domain_id = EXCLUDED.domain_id,
               created_at = EXCLUDED.created_at, completed_at = NULL""",
        workspace_id,
        made.shown_in,
        made.domain_id,
        made.created_at,
    )


async def mark_demonstration_complete(
    tx: Transaction, workspace_id: uuid.UUID, created_at: datetime, *, now: datetime
) -> None:
    await tx.execute(
        """UPDATE demonstrations SET completed_at = $3
           WHERE workspace_id = $1 AND created_at = $2 AND completed_at IS NULL""",
        workspace_id,
        created_at,
        now,
    )


async def count_processed(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> int:
    """Count the completed scans that have been processed."""
    count: int = await db.fetchval(
        """SELECT count(*) FROM scans s JOIN scan_results r ON r.workspace_id = s.workspace_id AND r.scan_id = s.id
           WHERE s.workspace_id = $1 AND s.domain_id = $2 AND r.board IS NOT NULL""",
        workspace_id,
        domain_id,
    )
    return count


async def is_tracked(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> bool:
    found: bool = await db.fetchval(
        """SELECT EXISTS (SELECT FROM domains
                          WHERE workspace_id = $1 AND id = $2 AND kind = 'tracked' AND status <> 'removed')""",
        workspace_id,
        domain_id,
    )
    return found
