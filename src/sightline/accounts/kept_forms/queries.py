"""The SQL of kept forms, which belong to people."""

import uuid
from datetime import datetime

from sightline.db.engine import Reader, Transaction


async def replace_form(tx: Transaction, user_id: uuid.UUID, sealed: bytes, *, expires_at: datetime) -> None:
    await tx.execute(
        """INSERT INTO kept_forms (user_id, sealed, expires_at) VALUES ($1, $2, $3)
           ON CONFLICT (user_id) DO UPDATE SET sealed = excluded.sealed, expires_at = excluded.expires_at""",
        user_id,
        sealed,
        expires_at,
    )


async def find_form(db: Reader, user_id: uuid.UUID, *, now: datetime) -> bytes | None:
    sealed: bytes | None = await db.fetchval(
        "SELECT sealed FROM kept_forms WHERE user_id = $1 AND expires_at > $2", user_id, now
    )
    return sealed


async def delete_expired_any_workspace(tx: Transaction, *, now: datetime) -> None:
    await tx.execute("DELETE FROM kept_forms WHERE expires_at <= $1", now)
