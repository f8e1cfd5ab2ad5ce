"""SQL of exports and deletions. They read every table of a workspace, and a deletion empties every one."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sightline.db.engine import Database, Reader, Transaction, columns, to_row_or_none, to_rows
from sightline.offboarding.models import WorkspaceDeletion, WorkspaceExport
from sightline.offboarding.owned_tables import OwnedTable

_EXPORT = columns(WorkspaceExport)
_DELETION = columns(WorkspaceDeletion)


async def list_owned_tables(db: Reader) -> list[OwnedTable]:
    """Return every table that has a `workspace_id`, by name. Partitions are part of their table."""
    rows = await db.fetch(
        """SELECT c.relname::text,
               ARRAY(SELECT a.attname::text FROM pg_index i JOIN pg_attribute a
                         ON a.attrelid = c.oid AND a.attnum = ANY(i.indkey::smallint[])
                     WHERE i.indrelid = c.oid AND i.indisprimary
                     ORDER BY array_position(i.indkey::smallint[], a.attnum)),
               ARRAY(SELECT attname::text FROM pg_attribute
                     WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND atttypid = 'bytea'::regtype
                     ORDER BY attnum),
               ARRAY(SELECT DISTINCT p.relname::text FROM pg_constraint f JOIN pg_class p ON p.oid = f.confrelid
                     WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid),
               EXISTS (SELECT FROM pg_constraint f
                       WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid = c.oid)
           FROM pg_class c
           WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
             AND EXISTS (SELECT FROM pg_attribute w
                         WHERE w.attrelid = c.oid AND w.attname = 'workspace_id' AND NOT w.attisdropped)
           ORDER BY c.relname"""
    )
    return [OwnedTable(*row) for row in rows]


# Exports


async def insert_export(
    tx: Transaction, workspace_id: uuid.UUID, export_id: uuid.UUID, requested_by: uuid.UUID, *, now: datetime
) -> bool:
    """Store a request; return False while another one is under way."""
    inserted = await tx.fetchval(
        """INSERT INTO workspace_exports (workspace_id, id, requested_by, requested_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (workspace_id) WHERE completed_at IS NULL DO NOTHING RETURNING true""",
        workspace_id,
        export_id,
        requested_by,
        now,
    )
    return inserted is not None


async def list_exports(db: Reader, workspace_id: uuid.UUID) -> list[WorkspaceExport]:
    rows = await db.fetch(
        f"SELECT {_EXPORT} FROM workspace_exports WHERE workspace_id = $1 ORDER BY requested_at DESC", workspace_id
    )
    return to_rows(WorkspaceExport, rows)


async def find_export(db: Reader, workspace_id: uuid.UUID, export_id: uuid.UUID) -> WorkspaceExport | None:
    row = await db.fetchrow(
        f"SELECT {_EXPORT} FROM workspace_exports WHERE workspace_id = $1 AND id = $2", workspace_id, export_id
    )
    return to_row_or_none(WorkspaceExport, row)


async def delete_parts(tx: Transaction, workspace_id: uuid.UUID, export_id: uuid.UUID) -> None:
    await tx.execute(
        "DELETE FROM workspace_export_parts WHERE workspace_id = $1 AND export_id = $2", workspace_id, export_id
    )


async def insert_part(db: Database, workspace_id: uuid.UUID, export_id: uuid.UUID, number: int, content: bytes) -> None:
    await db.execute(
        "INSERT INTO workspace_export_parts (workspace_id, export_id, number, content) VALUES ($1, $2, $3, $4)",
        workspace_id,
        export_id,
        number,
        content,
    )


async def find_part(db: Reader, workspace_id: uuid.UUID, export_id: uuid.UUID, number: int) -> bytes | None:
    found: bytes | None = await db.fetchval(
        "SELECT content FROM workspace_export_parts WHERE workspace_id = $1 AND export_id = $2 AND number = $3",
        workspace_id,
        export_id,
        number,
    )
    return found


async def complete_export(
    tx: Transaction, workspace_id: uuid.UUID, export_id: uuid.UUID, *, size: int, now: datetime, expires_at: datetime
) -> None:
    await tx.execute(
        """UPDATE workspace_exports SET completed_at = $3, size = $4, expires_at = $5
           WHERE workspace_id = $1 AND id = $2""",
        workspace_id,
        export_id,
        now,
        size,
        expires_at,
    )


async def delete_expired_exports_any_workspace(tx: Transaction, *, now: datetime, stuck_before: datetime) -> None:
    """Delete exports whose day is over, and those that were never completed."""
    await tx.execute(
        "DELETE FROM workspace_exports WHERE expires_at <= $1 OR (completed_at IS NULL AND requested_at < $2)",
        now,
        stuck_before,
    )


async def list_people(db: Reader, workspace_id: uuid.UUID) -> list[Any]:
    """Return the people of a workspace: its members and guests."""
    return await db.fetch(
        """SELECT u.id, u.name, u.email, m.role FROM members m JOIN users u ON u.id = m.user_id
           WHERE m.workspace_id = $1
           UNION SELECT u.id, u.name, u.email, 'guest' FROM guests g JOIN users u ON u.id = g.user_id
           WHERE g.workspace_id = $1 ORDER BY 3""",
        workspace_id,
    )


async def list_rows(
    db: Reader,
    table: OwnedTable,
    workspace_id: uuid.UUID,
    *,
    without: Sequence[str],
    binary: Sequence[str],
    after: Sequence[Any] | None,
    limit: int,
) -> list[Any]:
    """Return rows in the order of their key: the row as JSON, its binary columns, and its key."""
    key = ", ".join(f't."{name}"' for name in table.key)
    selected = ", ".join(["(to_jsonb(t) - $3::text[])::text", *(f't."{name}"' for name in binary), key])
    place = "" if after is None else f" AND ({key}) > ({', '.join(f'${4 + i}' for i in range(len(after)))})"
    return await db.fetch(
        f'SELECT {selected} FROM "{table.name}" t WHERE t.workspace_id = $1{place} ORDER BY {key} LIMIT $2',
        workspace_id,
        limit,
        [*without, *binary],
        *(after or ()),
    )


async def find_workspace_row(db: Reader, workspace_id: uuid.UUID) -> str | None:
    found: str | None = await db.fetchval("SELECT to_jsonb(w)::text FROM workspaces w WHERE id = $1", workspace_id)
    return found


# Deletions


async def insert_deletion(tx: Transaction, deletion: WorkspaceDeletion) -> bool:
    """Store a request; return False when there is one."""
    inserted = await tx.fetchval(
        f"""INSERT INTO workspace_deletions ({_DELETION}) VALUES ($1, $2, $3, $4)
            ON CONFLICT (workspace_id) DO NOTHING RETURNING true""",
        deletion.workspace_id,
        deletion.requested_by,
        deletion.requested_at,
        deletion.due_at,
    )
    return inserted is not None


async def find_deletion(db: Reader, workspace_id: uuid.UUID, *, lock: bool = False) -> WorkspaceDeletion | None:
    row = await db.fetchrow(
        f"SELECT {_DELETION} FROM workspace_deletions WHERE workspace_id = $1{' FOR UPDATE' if lock else ''}",
        workspace_id,
    )
    return to_row_or_none(WorkspaceDeletion, row)


async def delete_deletion(tx: Transaction, workspace_id: uuid.UUID) -> None:
    await tx.execute("DELETE FROM workspace_deletions WHERE workspace_id = $1", workspace_id)


async def list_due_deletions_any_workspace(db: Reader, *, now: datetime) -> list[uuid.UUID]:
    rows = await db.fetch("SELECT workspace_id FROM workspace_deletions WHERE due_at <= $1 ORDER BY due_at", now)
    return [row[0] for row in rows]


async def is_closed(db: Reader, workspace_id: uuid.UUID) -> bool:
    closed: bool = await db.fetchval("SELECT closed_at IS NOT NULL FROM workspaces WHERE id = $1", workspace_id)
    return closed


async def list_people_without_other_workspace(db: Reader, workspace_id: uuid.UUID) -> list[uuid.UUID]:
    """Return the members and guests who belong to no other workspace, without the operators."""
    rows = await db.fetch(
        """WITH people AS (SELECT user_id, workspace_id FROM members UNION SELECT user_id, workspace_id FROM guests)
           SELECT user_id FROM people p WHERE workspace_id = $1
             AND NOT EXISTS (SELECT FROM people o WHERE o.user_id = p.user_id AND o.workspace_id <> $1)
             AND NOT EXISTS (SELECT FROM operators o WHERE o.user_id = p.user_id)""",
        workspace_id,
    )
    return [row[0] for row in rows]


async def list_demonstrations_in(db: Reader, workspace_id: uuid.UUID) -> list[uuid.UUID]:
    """Return the workspaces of demonstrations that this one shows."""
    rows = await db.fetch("SELECT workspace_id FROM demonstrations WHERE shown_in = $1", workspace_id)
    return [row[0] for row in rows]


async def delete_rows(db: Database, table: OwnedTable, workspace_id: uuid.UUID, *, limit: int) -> int:
    """Delete some rows of a workspace, and return how many. Rows that refer to each other go in one statement."""
    if table.refers_to_itself:
        status = await db.execute(f'DELETE FROM "{table.name}" WHERE workspace_id = $1', workspace_id)
    else:
        status = await db.execute(
            f"""DELETE FROM "{table.name}" WHERE (tableoid, ctid) IN (
                    SELECT tableoid, ctid FROM "{table.name}" WHERE workspace_id = $1 LIMIT $2)""",
            workspace_id,
            limit,
        )
    return int(status.rpartition(" ")[2])
