"""All SQL of onboarding: bootstrap tokens and the demonstration world, which belong to the installation."""

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
    """Whether the token is known and not past its time, and the user it has made."""
    row = await tx.fetchrow(
        "SELECT used_by FROM bootstrap_tokens WHERE digest = $1 AND expires_at > $2 FOR UPDATE", digest, now
    )
    return (False, None) if row is None else (True, row[0])


async def mark_used(tx: Transaction, digest: bytes, user_id: uuid.UUID) -> None:
    await tx.execute("UPDATE bootstrap_tokens SET used_by = $2 WHERE digest = $1", digest, user_id)


async def is_empty_installation(db: Reader) -> bool:
    empty: bool = await db.fetchval("SELECT NOT EXISTS (SELECT FROM users)")
    return empty


async def lock_demo(tx: Transaction) -> str | None:
    """The ids of the demonstration world as JSON. Holds the row, so that two builders cannot meet."""
    ids: str | None = await tx.fetchval("SELECT demo FROM installation FOR UPDATE")
    return ids


async def save_demo(tx: Transaction, ids: str) -> None:
    await tx.execute("UPDATE installation SET demo = $1", ids)


async def is_in_setup(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> bool:
    status: str | None = await db.fetchval(
        "SELECT status FROM domains WHERE workspace_id = $1 AND id = $2", workspace_id, domain_id
    )
    return status == "setup"


async def find_anchor(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> datetime | None:
    anchor: datetime | None = await db.fetchval(
        "SELECT anchor_at FROM domains WHERE workspace_id = $1 AND id = $2 AND status = 'active'",
        workspace_id,
        domain_id,
    )
    return anchor


async def has_scan_of_day(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, day: datetime) -> bool:
    """Whether a check was begun within the day from this moment on."""
    found: bool = await db.fetchval(
        """SELECT EXISTS (SELECT FROM scans WHERE workspace_id = $1 AND domain_id = $2
                            AND created_at >= $3 AND created_at < $3 + interval '1 day')""",
        workspace_id,
        domain_id,
        day,
    )
    return found


async def list_unfollowed(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[uuid.UUID]:
    """Completed checks that nothing followed from: whoever ran them died before it did. Old to new."""
    rows = await db.fetch(
        """SELECT s.id FROM scans s JOIN scan_results r ON r.workspace_id = s.workspace_id AND r.scan_id = s.id
           WHERE s.workspace_id = $1 AND s.domain_id = $2 AND s.status = 'completed' AND r.board IS NULL
           ORDER BY s.completed_at, s.id""",
        workspace_id,
        domain_id,
    )
    return [row[0] for row in rows]


async def set_creation(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, created_at: datetime) -> None:
    """A made-up past begins before its first check."""
    await tx.execute(
        "UPDATE domains SET created_at = $3 WHERE workspace_id = $1 AND id = $2", workspace_id, domain_id, created_at
    )
