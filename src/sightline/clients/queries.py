"""All SQL of clients. The domains of a client carry its id."""

import uuid
from collections.abc import Mapping
from datetime import datetime

from sightline.clients.look import Look
from sightline.clients.schemas import ClientRow
from sightline.db.engine import Reader, Transaction, to_row_or_none, to_rows
from sightline.plans.table import PLANS_WITH_CLIENTS

SortKey = tuple[datetime, uuid.UUID]

_CLIENT = """c.id, c.name, c.created_at, ARRAY(
    SELECT d.id FROM domains d
    WHERE d.workspace_id = c.workspace_id AND d.client_id = c.id AND d.status <> 'removed'
    ORDER BY d.created_at, d.id), c.logo IS NOT NULL, c.color, c.sender_name, c.shows_maker, c.recipients, c.language,
    c.timezone"""


async def list_clients(db: Reader, workspace_id: uuid.UUID, *, after: SortKey | None, limit: int) -> list[ClientRow]:
    """List clients, most recently added first."""
    rows = await db.fetch(
        f"""SELECT {_CLIENT} FROM clients c
            WHERE c.workspace_id = $1 AND ($2::timestamptz IS NULL OR (c.created_at, c.id) < ($2, $3::uuid))
            ORDER BY c.created_at DESC, c.id DESC LIMIT $4""",
        workspace_id,
        *(after or (None, None)),
        limit,
    )
    return to_rows(ClientRow, rows)


async def list_named(db: Reader, workspace_id: uuid.UUID) -> list[ClientRow]:
    """Return all clients by name."""
    rows = await db.fetch(
        f"SELECT {_CLIENT} FROM clients c WHERE c.workspace_id = $1 ORDER BY lower(c.name)", workspace_id
    )
    return to_rows(ClientRow, rows)


async def find_client(db: Reader, workspace_id: uuid.UUID, client_id: uuid.UUID) -> ClientRow | None:
    row = await db.fetchrow(
        f"SELECT {_CLIENT} FROM clients c WHERE c.workspace_id = $1 AND c.id = $2", workspace_id, client_id
    )
    return to_row_or_none(ClientRow, row)


async def count_clients(tx: Transaction, workspace_id: uuid.UUID) -> int:
    count: int = await tx.fetchval("SELECT count(*) FROM clients WHERE workspace_id = $1", workspace_id)
    return count


async def insert_client(tx: Transaction, workspace_id: uuid.UUID, row: ClientRow) -> None:
    await tx.execute(
        "INSERT INTO clients (workspace_id, id, name, created_at) VALUES ($1, $2, $3, $4)",
        workspace_id,
        row.id,
        row.name,
        row.created_at,
    )


async def update_client(
    tx: Transaction, workspace_id: uuid.UUID, client_id: uuid.UUID, changes: Mapping[str, object]
) -> None:
    """Update the columns named in `changes`. The names come from the code, never from a request."""
    assignments = ", ".join(f"{name} = ${number}" for number, name in enumerate(changes, start=3))
    await tx.execute(
        f"UPDATE clients SET {assignments} WHERE workspace_id = $1 AND id = $2",
        workspace_id,
        client_id,
        *changes.values(),
    )


async def find_look(db: Reader, workspace_id: uuid.UUID, client_id: uuid.UUID) -> Look | None:
    """Return the look of a client, as long as the plan of its workspace includes clients."""
    row = await db.fetchrow(
        """SELECT c.sender_name, c.color, c.logo, c.shows_maker, c.timezone
           FROM clients c JOIN workspaces w ON w.id = c.workspace_id
           WHERE c.workspace_id = $1 AND c.id = $2 AND w.plan = ANY($3)""",
        workspace_id,
        client_id,
        sorted(PLANS_WITH_CLIENTS),
    )
    return to_row_or_none(Look, row)


async def find_logo(db: Reader, workspace_id: uuid.UUID, client_id: uuid.UUID) -> bytes | None:
    found: bytes | None = await db.fetchval(
        "SELECT logo FROM clients WHERE workspace_id = $1 AND id = $2", workspace_id, client_id
    )
    return found


async def find_client_of_domain(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> uuid.UUID | None:
    found: uuid.UUID | None = await db.fetchval(
        "SELECT client_id FROM domains WHERE workspace_id = $1 AND id = $2", workspace_id, domain_id
    )
    return found


async def is_name_taken(tx: Transaction, workspace_id: uuid.UUID, name: str, *, by_other_than: uuid.UUID) -> bool:
    found: bool = await tx.fetchval(
        "SELECT EXISTS (SELECT FROM clients WHERE workspace_id = $1 AND lower(name) = lower($2) AND id <> $3)",
        workspace_id,
        name,
        by_other_than,
    )
    return found


async def delete_client(tx: Transaction, workspace_id: uuid.UUID, client_id: uuid.UUID) -> None:
    """Delete the client with its guests and open invitations. Its domains must belong to none any more."""
    await tx.execute("DELETE FROM clients WHERE workspace_id = $1 AND id = $2", workspace_id, client_id)
