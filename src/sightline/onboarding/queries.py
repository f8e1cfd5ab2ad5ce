"""SQL of bootstrap tokens, which belong to the installation."""

import uuid
from datetime import datetime

from sightline.db.engine import Reader, Transaction


async def insert_token(tx: Transaction, digest: bytes, *, now: datetime, expires_at: datetime) -> None:
    await tx.execute(
        "INSERT INTO bootstrap_tokens (digest, created_at, expires_at) VALUES ($1, $2, $3)", digest, now, expires_at
    )


async def delete_unused_tokens(tx: Transaction) -> None:
    await tx.execute("DELETE FROM bootstrap_tokens WHERE used_by IS NULL")


async def lock_token(tx: Transaction, digest: bytes, *, now: datetime) -> tuple[bool, uuid.UUID | None]:
    """Lock the token; return whether it is known and not expired, and the user that it created."""
    row = await tx.fetchrow(
        "SELECT used_by FROM bootstrap_tokens WHERE digest = $1 AND expires_at > $2 FOR UPDATE", digest, now
    )
    return (False, None) if row is None else (True, row[0])


async def list_tokens(db: Reader, *, now: datetime) -> list[tuple[bytes, uuid.UUID | None]]:
    """Return the tokens that have not expired: their digests, and the users that they created."""
    rows = await db.fetch("SELECT digest, used_by FROM bootstrap_tokens WHERE expires_at > $1", now)
    return [(row[0], row[1]) for row in rows]


async def mark_used(tx: Transaction, digest: bytes, user_id: uuid.UUID) -> None:
    await tx.execute("UPDATE bootstrap_tokens SET used_by = $2 WHERE digest = $1", digest, user_id)


async def is_empty_installation(db: Reader) -> bool:
    empty: bool = await db.fetchval("SELECT NOT EXISTS (SELECT FROM users)")
    return empty
