"""SQL of the audit log."""

import uuid
from typing import Any

import msgspec

from sightline.audit.models import ActorType, AuditEntry, AuditFilter
from sightline.db.engine import Reader, Transaction, to_row

SortKey = tuple[Any, ...]


class NewAuditEntry(msgspec.Struct, frozen=True):
    """What is stored of an action. The database dates it."""

    id: uuid.UUID
    action: str
    by_type: ActorType
    by_id: uuid.UUID | None
    name: str | None
    details: dict[str, Any]
    address: str | None
    request_id: str | None

    def list_values(self) -> list[Any]:
        *values, details, address, request_id = (getattr(self, name) for name in self.__struct_fields__)
        return [*values, msgspec.json.encode(details).decode(), address, request_id]


_COLUMNS = "workspace_id, id, action, by_type, by_id, name, details, address, request_id"


async def insert_entry(tx: Transaction, workspace_id: uuid.UUID, entry: NewAuditEntry) -> None:
    await tx.execute(
        f"INSERT INTO audit_entries ({_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        workspace_id,
        *entry.list_values(),
    )


async def insert_entry_of_person(tx: Transaction, user_id: uuid.UUID, entry: NewAuditEntry) -> None:
    """Store the entry in each open workspace of a person, as a member or as a guest."""
    await tx.execute(
        f"""INSERT INTO audit_entries ({_COLUMNS})
            SELECT w.id, $2, $3, $4, $5, $6, $7, $8, $9 FROM workspaces w
            WHERE w.closed_at IS NULL AND w.id IN (SELECT workspace_id FROM members WHERE user_id = $1
                                                   UNION SELECT workspace_id FROM guests WHERE user_id = $1)""",
        user_id,
        *entry.list_values(),
    )


async def list_entries(
    db: Reader, workspace_id: uuid.UUID, wanted: AuditFilter, *, after: SortKey | None, limit: int
) -> list[AuditEntry]:
    """Return entries, newest first, with the present names of the people and keys."""
    values: list[Any] = [workspace_id, limit]
    conditions = ""
    for condition, value in (
        ("e.action = ANY(${})", wanted.actions),
        ("e.by_id = ${}", wanted.by),
        ("e.recorded_at >= ${}", wanted.since),
        ("e.recorded_at < ${}", wanted.before),
    ):
        if value is not None:
            values.append(value)
            conditions += " AND " + condition.format(len(values))
    if after is not None:
        values.extend(after)
        conditions += f" AND (e.recorded_at, e.id) < (${len(values) - 1}, ${len(values)})"
    rows = await db.fetch(
        f"""SELECT e.id, e.recorded_at, e.action, e.by_type, e.by_id, coalesce(u.name, k.name),
                   coalesce(e.name, s.name), e.details, e.address, e.request_id
            FROM audit_entries e
            LEFT JOIN users u ON e.by_type = 'person' AND u.id = e.by_id
            LEFT JOIN api_keys k ON k.workspace_id = e.workspace_id AND e.by_type = 'key' AND k.id = e.by_id
            LEFT JOIN users s ON s.id = (e.details ->> 'user_id')::uuid
            WHERE e.workspace_id = $1{conditions} ORDER BY e.recorded_at DESC, e.id DESC LIMIT $2""",
        *values,
    )
    return [to_row(AuditEntry, [*row[:7], msgspec.json.decode(row[7]), *row[8:]]) for row in rows]


async def remove_old_entries_any_workspace(tx: Transaction, *, days: int, limit: int) -> int:
    """Remove the oldest entries, and return how many. The function in the database refuses to remove younger ones."""
    removed: int = await tx.fetchval("SELECT remove_old_audit_entries($1, $2)", days, limit)
    return removed
