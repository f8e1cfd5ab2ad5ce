"""SQL of the sweeper: scans and cells without a job, and scans that take too long."""

import uuid
from datetime import datetime

from sightline.db.engine import Reader, Transaction
from sightline.scans.jobs import ScanJob
from sightline.scans.running.cells import CellJob
from sightline.scans.states import PATIENT

_SWEEP = 7_410_302_302  # an arbitrary number that no other advisory lock of this database uses


async def claim_sweep_any_workspace(tx: Transaction) -> bool:
    """Return whether this transaction may sweep; at most one does at a time."""
    claimed: bool = await tx.fetchval("SELECT pg_try_advisory_xact_lock($1)", _SWEEP)
    return claimed


async def find_unstarted_any_workspace(db: Reader, *, created_before: datetime) -> list[ScanJob]:
    """Return scans without cells and without a job to start them: pending ones, and those that still need prompts."""
    rows = await db.fetch(
        """SELECT workspace_id, id FROM scans s
           WHERE (status = 'pending' OR status = 'running' AND prompts IS NULL) AND created_at < $1
             AND NOT EXISTS (SELECT FROM jobs WHERE key = 'start:' || s.id AND failed_at IS NULL)""",
        created_before,
    )
    return [ScanJob(*row) for row in rows]


async def find_answered_any_workspace(db: Reader) -> list[ScanJob]:
    """Return running scans that have all their answers and no job to finish them."""
    rows = await db.fetch(
        """SELECT workspace_id, id FROM scans s
            WHERE status = 'running' AND answers_completed + answers_failed = answers_total
              AND NOT EXISTS (SELECT FROM jobs WHERE key = 'finish:' || s.id AND failed_at IS NULL)"""
    )
    return [ScanJob(*row) for row in rows]


async def find_lost_cells_any_workspace(db: Reader) -> list[tuple[str, CellJob]]:
    """Return admitted cells that have neither an answer nor a job, each with the name of its lane.

    The sub-selects make PostgreSQL look up each cell by index: with NOT EXISTS it would read all answers.
    """
    rows = await db.fetch(
        """SELECT l.lane, l.workspace_id, l.scan_id, l.platform, i
           FROM scan_lanes l CROSS JOIN LATERAL generate_series(0, l.admitted - 1) AS i
           WHERE l.settled < l.admitted AND i <> ALL (l.postponed)
             AND (SELECT 1 FROM answers a WHERE a.workspace_id = l.workspace_id AND a.scan_id = l.scan_id
                    AND a.prompt_index = i AND a.platform = l.platform LIMIT 1) IS NULL
             AND (SELECT 1 FROM jobs WHERE key = 'cell:' || l.scan_id || ':' || l.platform || ':' || i
                    AND failed_at IS NULL LIMIT 1) IS NULL
           LIMIT 1000"""
    )
    return [(row[0], CellJob(*row[1:])) for row in rows]


async def find_overdue_any_workspace(
    db: Reader, *, started_before: datetime, patient_before: datetime
) -> list[ScanJob]:
    """Return the scans that have been running for too long. Patient ones may run longer."""
    rows = await db.fetch(
        """SELECT workspace_id, id FROM scans
           WHERE status = 'running' AND started_at < CASE WHEN priority = ANY($3) THEN $2::timestamptz ELSE $1 END""",
        started_before,
        patient_before,
        list(PATIENT),
    )
    return [ScanJob(*row) for row in rows]


async def close_lanes(tx: Transaction, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> list[tuple[str, int]]:
    """Admit all remaining cells of a scan, and return the platform and index of those without an answer."""
    await tx.execute(
        "UPDATE scan_lanes SET admitted = cells, postponed = '{}' WHERE workspace_id = $1 AND scan_id = $2",
        workspace_id,
        scan_id,
    )
    rows = await tx.fetch(
        """SELECT l.platform, i FROM scan_lanes l CROSS JOIN LATERAL generate_series(0, l.cells - 1) AS i
           WHERE l.workspace_id = $1 AND l.scan_id = $2
             AND NOT EXISTS (SELECT 1 FROM answers a WHERE a.workspace_id = $1 AND a.scan_id = $2
                               AND a.platform = l.platform AND a.prompt_index = i)""",
        workspace_id,
        scan_id,
    )
    return [(row[0], row[1]) for row in rows]
