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
    """Return the operators, in the order in which they became one."""
    rows = await db.fetch(
        f"""SELECT {columns(User, "u")} FROM operators o JOIN users u ON u.id = o.user_id
            ORDER BY o.granted_at, u.id"""
    )
    return to_rows(User, rows)
