"""SQL of retention. It works for every workspace at once; what belongs to one scan names its workspace first."""

import uuid
from collections.abc import Sequence
from datetime import datetime

from sightline.db.engine import Reader, Transaction
from sightline.db.installation import store_fact
from sightline.tables.queries import delete_answer_rows

# An arbitrary number that no other advisory lock of this database uses.
_RETENTION = 7_410_302_306

# Recomputing reads the answers of a scan for a while: they are kept until it is done.
_UNUSED = """completed_at IS NOT NULL AND NOT EXISTS (
    SELECT FROM recomputations r WHERE r.workspace_id = s.workspace_id AND r.domain_id = s.domain_id
      AND r.status = 'running')"""


async def claim_retention_any_workspace(tx: Transaction) -> bool:
    """Return whether this transaction may remove answers; at most one does at a time."""
    claimed: bool = await tx.fetchval("SELECT pg_try_advisory_xact_lock($1)", _RETENTION)
    return claimed


async def hold_retention_any_workspace(tx: Transaction) -> None:
    """Wait until nobody is removing answers, and keep others from starting until this transaction ends."""
    await tx.execute("SELECT pg_advisory_xact_lock_shared($1)", _RETENTION)


async def list_partitions(db: Reader, table: str) -> list[str]:
    """Return the names of the partitions of a table, the oldest month first."""
    rows = await db.fetch(
        """SELECT child.relname::text FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid
           WHERE inhparent = $1::text::regclass ORDER BY child.relname""",
        table,
    )
    return [row[0] for row in rows]


async def has_partition(db: Reader, partition: str) -> bool:
    found: bool = await db.fetchval("SELECT to_regclass($1) IS NOT NULL", partition)
    return found


async def drop_partition(tx: Transaction, partition: str) -> None:
    """Drop a partition. It locks the whole table for a moment; if it cannot get the lock, it is tried later."""
    await tx.execute("SET LOCAL lock_timeout = '2s'")
    await tx.execute(f"DROP TABLE IF EXISTS {partition}")


# Answers


async def mark_expired_any_workspace(
    tx: Transaction, *, since: uuid.UUID, before: uuid.UUID, limit: int, now: datetime
) -> list[tuple[uuid.UUID, uuid.UUID, uuid.UUID]]:
    """Mark ended scans of a period, the oldest first, and return (workspace, domain, scan) of each.

    The indexes of their words and their rows in tables are deleted, their answers are not. The caller has claimed
    retention, so none of them begins to be recomputed meanwhile.
    """
    rows = await tx.fetch(
        f"""UPDATE scans SET answers_expired_at = $4 WHERE (workspace_id, id) IN (
                SELECT s.workspace_id, s.id FROM scans s
                WHERE s.id >= $1 AND s.id < $2 AND s.answers_expired_at IS NULL AND {_UNUSED}
                ORDER BY s.id LIMIT $3)
            RETURNING workspace_id, domain_id, id""",
        since,
        before,
        limit,
        now,
    )
    await drop_copies(tx, [(row[0], row[2]) for row in rows])
    return [tuple(row) for row in rows]


async def drop_copies(tx: Transaction, scans: Sequence[tuple[uuid.UUID, uuid.UUID]]) -> None:
    """Delete the indexes of the words of answers that are gone, and their rows in tables."""
    await delete_answer_rows(tx, scans)
    await tx.execute(
        """UPDATE scan_results r SET name_index = NULL
           FROM unnest($1::uuid[], $2::uuid[]) AS t (workspace_id, scan_id)
           WHERE r.workspace_id = t.workspace_id AND r.scan_id = t.scan_id AND r.name_index IS NOT NULL""",
        [workspace_id for workspace_id, _ in scans],
        [scan_id for _, scan_id in scans],
    )


async def has_answers_any_workspace(db: Reader, *, since: uuid.UUID, before: uuid.UUID) -> bool:
    """Return whether any scan of a period is not marked: its answers are in the database."""
    found: bool = await db.fetchval(
        "SELECT EXISTS (SELECT FROM scans WHERE id >= $1 AND id < $2 AND answers_expired_at IS NULL)", since, before
    )
    return found


async def mark_scan_expired(tx: Transaction, workspace_id: uuid.UUID, scan_id: uuid.UUID, *, now: datetime) -> None:
    """Mark a scan, and delete the index of the words of its answers and their rows in tables."""
    await tx.execute(
        """UPDATE scans SET answers_expired_at = $3
           WHERE workspace_id = $1 AND id = $2 AND answers_expired_at IS NULL""",
        workspace_id,
        scan_id,
        now,
    )
    await drop_copies(tx, [(workspace_id, scan_id)])


async def is_expired(tx: Transaction, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> bool:
    """Return whether the answers of a scan are gone. If they are not, they stay until the transaction ends."""
    found: bool = await tx.fetchval(
        "SELECT answers_expired_at IS NOT NULL FROM scans WHERE workspace_id = $1 AND id = $2 FOR SHARE",
        workspace_id,
        scan_id,
    )
    return found


async def delete_answers(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, scan_id: uuid.UUID) -> None:
    """Delete the answers of a scan that is marked, with everything that belongs to one answer."""
    of_scan = "workspace_id = $1 AND scan_id = $2"
    await tx.execute(f"DELETE FROM answer_facts WHERE {of_scan} AND domain_id = $3", workspace_id, scan_id, domain_id)
    await tx.execute(f"DELETE FROM answer_payloads WHERE {of_scan}", workspace_id, scan_id)
    await tx.execute(f"DELETE FROM answers WHERE {of_scan}", workspace_id, scan_id)


async def list_expired_checks(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, scan_ids: Sequence[uuid.UUID] | None
) -> list[datetime]:
    """Return the end times of a domain's checks whose answers are gone, among the given checks or all."""
    rows = await db.fetch(
        """SELECT completed_at FROM scans
           WHERE workspace_id = $1 AND domain_id = $2 AND answers_expired_at IS NOT NULL AND answers_sealed_at IS NULL
             AND status = 'completed'
             AND measurement_scope <> 'console_check' AND ($3::uuid[] IS NULL OR id = ANY($3))
           ORDER BY completed_at""",
        workspace_id,
        domain_id,
        None if scan_ids is None else list(scan_ids),
    )
    return [row[0] for row in rows]


# Payloads


async def list_payload_scans_any_workspace(
    db: Reader, *, before: uuid.UUID, limit: int
) -> list[tuple[uuid.UUID, uuid.UUID]]:
    """Return (workspace, scan) of scans before `before` whose payloads have not been removed, the oldest first.

    It ends at the first scan that is still active.
    """
    rows = await db.fetch(
        """SELECT s.workspace_id, s.id FROM scans s
           WHERE s.id < $1 AND s.answers_expired_at IS NULL
             AND s.id > (SELECT coalesce(payloads_removed_to, '00000000-0000-0000-0000-000000000000') FROM installation)
             AND s.id < coalesce((SELECT min(id::text)::uuid FROM scans WHERE status IN ('pending', 'running')), $1)
           ORDER BY s.id LIMIT $2""",
        before,
        limit,
    )
    return [(row[0], row[1]) for row in rows]


async def delete_payloads(tx: Transaction, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> None:
    """Delete the payloads of a scan, and record that retention has come this far."""
    await tx.execute("DELETE FROM answer_payloads WHERE workspace_id = $1 AND scan_id = $2", workspace_id, scan_id)
    await store_fact(tx, "payloads_removed_to", scan_id)
