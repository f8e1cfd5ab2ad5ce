"""All SQL of installation operators, who belong to no workspace."""

import uuid
from datetime import datetime

from sightline.accounts.models import User
from sightline.db.engine import Reader, Transaction, columns, to_rows


async def insert_operator(tx: Transaction, user_id: uuid.UUID, *, now: datetime) -> bool:
    """Insert an operator; return False if the user was one already."""
    inserted = await tx.fetchval(
        "INSERT INTO operators (user_id, granted_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING true",
        user_id,
        now,
    )
    return inserted is not None


async def delete_operator(tx: Transaction, user_id: uuid.UUID) -> bool:
    """Delete an operator; return False if the user was not one."""
    return await tx.fetchval("DELETE FROM operators WHERE user_id = $1 RETURNING true", user_id) is not None


async def list_operators(db: Reader) -> list[User]:
    rows = await db.fetch(
        f"""SELECT {columns(User, "u")} FROM operators o JOIN users u ON u.id = o.user_id
            ORDER BY o.granted_at, u.id"""
    )
    return to_rows(User, rows)


async def lock_first_operator(tx: Transaction) -> bool:
    """Return whether the first operator is still to be chosen. Nobody else chooses one before the transaction ends."""
    return await tx.fetchval("SELECT first_operator_at IS NULL FROM installation FOR UPDATE") is True


async def mark_first_operator(tx: Transaction, *, now: datetime) -> None:
    await tx.execute("UPDATE installation SET first_operator_at = $1", now)


async def find_first_owner_any_workspace(db: Reader) -> uuid.UUID | None:
    """Return the owner of the oldest workspace that was not made for a demonstration."""
    found: uuid.UUID | None = await db.fetchval(
        """SELECT m.user_id FROM workspaces w JOIN members m ON m.workspace_id = w.id AND m.role = 'owner'
           WHERE NOT w.made_for_demo AND w.closed_at IS NULL
           ORDER BY w.created_at, w.id, m.created_at, m.user_id LIMIT 1"""
    )
    return found
