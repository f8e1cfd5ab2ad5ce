"""SQL of changes: bounds, changed units and removed rows."""

import uuid
from collections.abc import Sequence

from sightline.db.engine import Reader, Transaction, to_rows
from sightline.tables.models import Bound, ChangedUnit, TableRead

# A transaction id means something in one database of one cluster, until the cluster is restored to an earlier point or
# the table is made again from a backup.
_DATABASE = """(SELECT system_identifier FROM pg_control_system()) || '.'
    || (SELECT timeline_id FROM pg_control_checkpoint()) || '.'
    || (SELECT oid FROM pg_database WHERE datname = current_database()) || '.'
    || 'table_changes'::regclass::oid"""


async def read_bound(db: Reader) -> Bound:
    """Return a point below which every transaction has ended."""
    row = await db.fetchrow(f"SELECT {_DATABASE}, pg_snapshot_xmin(pg_current_snapshot())::text")
    return Bound(*row)


def _is_newer(change: str) -> str:
    """Return whether a change is stamped at or after the bound.

    A stamp that no transaction can have had yet is from before a restore.
    """
    return f"""({change}.changed_xid >= $4::text::xid8
                AND {change}.changed_xid < pg_snapshot_xmax(pg_current_snapshot()))"""


async def list_units(db: Reader, read: TableRead, *, after: uuid.UUID | None, limit: int) -> list[ChangedUnit]:
    """List the units of a table that a read covers, in the order of their keys, from `after` on."""
    extent = read.extent
    rows = await db.fetch(
        f"""SELECT c.key, coalesce(s.answers_total, 1)
            FROM table_changes c
            LEFT JOIN scans s ON c.unit = 'scan' AND s.workspace_id = c.workspace_id AND s.id = c.key
            LEFT JOIN domain_changes d
                ON d.workspace_id = c.workspace_id AND d.domain_id = c.domain_id AND d.subject = $10
            WHERE c.workspace_id = $1 AND c.domain_id = $2 AND c.unit = $3 AND ($9::uuid IS NULL OR c.key >= $9)
              AND ($4::text IS NULL OR {_is_newer("c")} OR {_is_newer("d")})
              AND ($5::timestamptz IS NULL OR c.measured_at >= $5) AND ($6::timestamptz IS NULL OR c.measured_at < $6)
              AND ($7::timestamptz IS NULL OR greatest(c.updated_at, d.updated_at) >= $7)
              AND ($8 OR c.removed_at IS NULL)
            ORDER BY c.key LIMIT {limit}""",
        read.source.workspace_id,
        read.source.domain_id,
        read.table.unit,
        read.since and read.since.xid,
        extent.measured_from,
        extent.measured_before,
        extent.changed_since,
        read.tells_removed,
        after,
        read.table.shared_change,
    )
    return to_rows(ChangedUnit, rows)


async def replace_removed_rows(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    scan_id: uuid.UUID,
    table: str,
    *,
    removed: Sequence[str],
    present: Sequence[str],
) -> None:
    """Record rows of a scan that are gone, and forget those that are back."""
    await tx.execute(
        """INSERT INTO removed_rows (workspace_id, domain_id, scan_id, table_name, row_id)
           SELECT $1, $2, $3, $4, row_id FROM unnest($5::text[]) AS row_id ON CONFLICT DO NOTHING""",
        workspace_id,
        domain_id,
        scan_id,
        table,
        removed,
    )
    await tx.execute(
        """DELETE FROM removed_rows WHERE workspace_id = $1 AND domain_id = $2 AND scan_id = $3 AND table_name = $4
           AND row_id = ANY($5::text[])""",
        workspace_id,
        domain_id,
        scan_id,
        table,
        present,
    )


async def list_changed_months(db: Reader, read: TableRead) -> list[tuple[int, int]]:
    """Return year and month (UTC) of everything that a read covers, oldest first."""
    rows = await db.fetch(
        f"""SELECT DISTINCT extract(year FROM c.measured_at AT TIME ZONE 'UTC')::integer,
                            extract(month FROM c.measured_at AT TIME ZONE 'UTC')::integer
            FROM table_changes c
            LEFT JOIN domain_changes d
                ON d.workspace_id = c.workspace_id AND d.domain_id = c.domain_id AND d.subject = $5
            WHERE c.workspace_id = $1 AND c.domain_id = $2 AND c.unit = $3
              AND ($4::text IS NULL OR {_is_newer("c")} OR {_is_newer("d")})
            ORDER BY 1, 2""",
        read.source.workspace_id,
        read.source.domain_id,
        read.table.unit,
        read.since and read.since.xid,
        read.table.shared_change,
    )
    return [(row[0], row[1]) for row in rows]
