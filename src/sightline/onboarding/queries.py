"""All SQL of onboarding: bootstrap tokens and the demonstration world, which belong to the installation."""

import uuid
from datetime import datetime

import msgspec

from sightline.db.engine import Reader, Transaction, columns, to_row_or_none


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


async def is_unused_token(db: Reader, digest: bytes, *, now: datetime) -> bool:
    found: bool = await db.fetchval(
        "SELECT EXISTS (SELECT FROM bootstrap_tokens WHERE digest = $1 AND expires_at > $2 AND used_by IS NULL)",
        digest,
        now,
    )
    return found


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


class Demonstration(msgspec.Struct, frozen=True):
    """What was asked for in `workspace_id`; `shown_in` is the same workspace, or one that was made for it."""

    workspace_id: uuid.UUID
    shown_in: uuid.UUID
    domain_id: uuid.UUID
    created_at: datetime
    completed_at: datetime | None


async def find_demonstration(db: Reader, workspace_id: uuid.UUID) -> Demonstration | None:
    row = await db.fetchrow(
        f"SELECT {columns(Demonstration)} FROM demonstrations WHERE workspace_id = $1", workspace_id
    )
    return to_row_or_none(Demonstration, row)


async def save_demonstration(tx: Transaction, workspace_id: uuid.UUID, made: Demonstration) -> None:
    """In place of an older one, whose domain is tracked no more."""
    await tx.execute(
        """INSERT INTO demonstrations (workspace_id, shown_in, domain_id, created_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (workspace_id) DO UPDATE SET shown_in = EXCLUDED.shown_in, domain_id = EXCLUDED.domain_id,
               created_at = EXCLUDED.created_at, completed_at = NULL""",
        workspace_id,
        made.shown_in,
        made.domain_id,
        made.created_at,
    )


async def mark_demonstration_complete(
    tx: Transaction, workspace_id: uuid.UUID, created_at: datetime, *, now: datetime
) -> None:
    await tx.execute(
        """UPDATE demonstrations SET completed_at = $3
           WHERE workspace_id = $1 AND created_at = $2 AND completed_at IS NULL""",
        workspace_id,
        created_at,
        now,
    )


async def count_followed(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> int:
    """Checks that are completed with all that follows from them."""
    count: int = await db.fetchval(
        """SELECT count(*) FROM scans s JOIN scan_results r ON r.workspace_id = s.workspace_id AND r.scan_id = s.id
           WHERE s.workspace_id = $1 AND s.domain_id = $2 AND r.board IS NOT NULL""",
        workspace_id,
        domain_id,
    )
    return count


async def is_tracked(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> bool:
    found: bool = await db.fetchval(
        """SELECT EXISTS (SELECT FROM domains
                          WHERE workspace_id = $1 AND id = $2 AND kind = 'tracked' AND status <> 'removed')""",
        workspace_id,
        domain_id,
    )
    return found
