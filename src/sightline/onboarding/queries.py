"""SQL of bootstrap tokens, which belong to the installation."""

import uuid
from datetime import datetime

from sightline.db.engine import Reader, Transaction

_HAS_CUSTOMERS = """EXISTS (
    SELECT FROM users u WHERE NOT EXISTS (
        SELECT FROM installation i, jsonb_each_text(i.demo -> 'users') AS person WHERE person.value = u.id::text))"""
"""Whether there are users other than those of the demonstration."""

_WORKS = f"(used_by IS NOT NULL OR NOT first_owner_only OR NOT {_HAS_CUSTOMERS})"
"""Whether the link of a token works: an unused one for the first owner ends when there is an owner."""


async def insert_token(
    tx: Transaction, digest: bytes, *, first_owner_only: bool, now: datetime, expires_at: datetime
) -> None:
    await tx.execute(
        "INSERT INTO bootstrap_tokens (digest, created_at, expires_at, first_owner_only) VALUES ($1, $2, $3, $4)",
        digest,
        now,
        expires_at,
        first_owner_only,
    )


async def delete_unused_tokens(tx: Transaction) -> None:
    await tx.execute("DELETE FROM bootstrap_tokens WHERE used_by IS NULL")


async def lock_token(tx: Transaction, digest: bytes, *, now: datetime) -> tuple[bool, uuid.UUID | None]:
    """Lock the token; return whether it is known and has not ended, and the user that it created."""
    row = await tx.fetchrow(
        f"SELECT used_by FROM bootstrap_tokens WHERE digest = $1 AND expires_at > $2 AND {_WORKS} FOR UPDATE",
        digest,
        now,
    )
    return (False, None) if row is None else (True, row[0])


async def list_tokens(db: Reader, *, now: datetime) -> list[tuple[bytes, uuid.UUID | None]]:
    """Return the tokens that have not ended: their digests, and the users that they created."""
    rows = await db.fetch(f"SELECT digest, used_by FROM bootstrap_tokens WHERE expires_at > $1 AND {_WORKS}", now)
    return [(row[0], row[1]) for row in rows]


async def mark_used(tx: Transaction, digest: bytes, user_id: uuid.UUID) -> None:
    await tx.execute("UPDATE bootstrap_tokens SET used_by = $2 WHERE digest = $1", digest, user_id)


async def is_new_installation(db: Reader) -> bool:
    """Return whether the installation has no user yet."""
    empty: bool = await db.fetchval("SELECT NOT EXISTS (SELECT FROM users)")
    return empty


async def has_customers(db: Reader) -> bool:
    """Return whether there are users other than those of the demonstration."""
    found: bool = await db.fetchval(f"SELECT {_HAS_CUSTOMERS}")
    return found
