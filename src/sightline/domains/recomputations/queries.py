"""All SQL of recomputations."""

import uuid
from collections.abc import Sequence
from datetime import datetime

from sightline.db.engine import Database, Reader, Transaction, columns, to_row_or_none
from sightline.domains.models import Recomputation


async def has_completed_scan(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> bool:
    found: bool = await db.fetchval(
        "SELECT EXISTS (SELECT FROM scans WHERE workspace_id = $1 AND domain_id = $2 AND status = 'completed')",
        workspace_id,
        domain_id,
    )
    return found


async def insert_waiting(
    tx: Transaction,
    workspace_id: uuid.UUID,
    recomputation_id: uuid.UUID,
    domain_id: uuid.UUID,
    reason: str,
    *,
    now: datetime,
) -> bool:
    """Insert a waiting request. Return False when one waits already.

    One that runs does not count, because it may have read the old names.
    """
    inserted = await tx.fetchval(
        """INSERT INTO recomputations (workspace_id, id, domain_id, reason, status, created_at, updated_at)
           VALUES ($1, $2, $3, $4, 'waiting', $5, $5)
           ON CONFLICT (workspace_id, domain_id) WHERE status = 'waiting' DO NOTHING RETURNING true""",
        workspace_id,
        recomputation_id,
        domain_id,
        reason,
        now,
    )
    return inserted is not None


async def read_recomputation(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> Recomputation | None:
    """Return the running recomputation, otherwise the waiting one."""
    row = await db.fetchrow(
        f"""SELECT {columns(Recomputation)} FROM recomputations
            WHERE workspace_id = $1 AND domain_id = $2 AND status IN ('running', 'waiting')
            ORDER BY status LIMIT 1""",
        workspace_id,
        domain_id,
    )
    return to_row_or_none(Recomputation, row)


async def claim_open(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, now: datetime
) -> list[uuid.UUID]:
    rows = await tx.fetch(
        """UPDATE recomputations SET status = 'running', updated_at = $3
           WHERE workspace_id = $1 AND domain_id = $2 AND status IN ('waiting', 'running') RETURNING id""",
        workspace_id,
        domain_id,
        now,
    )
    return [row[0] for row in rows]


async def set_total(
    tx: Transaction, workspace_id: uuid.UUID, ids: Sequence[uuid.UUID], total: int, *, now: datetime
) -> None:
    await tx.execute(
        """UPDATE recomputations SET scans_total = $3, scans_done = 0, scans_expired = 0, updated_at = $4
           WHERE workspace_id = $1 AND id = ANY($2::uuid[])""",
        workspace_id,
        list(ids),
        total,
        now,
    )


async def store_progress(
    db: Database, workspace_id: uuid.UUID, ids: Sequence[uuid.UUID], done: int, expired: int, *, now: datetime
) -> None:
    """Store how many scans are done, and how many of them no longer have answers."""
    await db.execute(
        """UPDATE recomputations SET scans_done = $3, scans_expired = $4, updated_at = $5
           WHERE workspace_id = $1 AND id = ANY($2::uuid[])""",
        workspace_id,
        list(ids),
        done,
        expired,
        now,
    )


async def mark_done(tx: Transaction, workspace_id: uuid.UUID, ids: Sequence[uuid.UUID], *, now: datetime) -> None:
    await tx.execute(
        "UPDATE recomputations SET status = 'done', updated_at = $3 WHERE workspace_id = $1 AND id = ANY($2::uuid[])",
        workspace_id,
        list(ids),
        now,
    )
