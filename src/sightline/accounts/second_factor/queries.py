"""SQL of second factors and recovery codes."""

import uuid
from collections.abc import Iterable
from datetime import datetime

from sightline.accounts.models import User
from sightline.accounts.second_factor.models import Factor, FactorKind, FactorSecret
from sightline.db.engine import Reader, Transaction, columns, to_row_or_none, to_rows


async def list_factors(db: Reader, user_id: uuid.UUID) -> list[Factor]:
    rows = await db.fetch(
        f"SELECT {columns(Factor)} FROM second_factors WHERE user_id = $1 ORDER BY created_at, id", user_id
    )
    return to_rows(Factor, rows)


async def has_factor(db: Reader, user_id: uuid.UUID) -> bool:
    found: bool = await db.fetchval("SELECT EXISTS (SELECT FROM second_factors WHERE user_id = $1)", user_id)
    return found


async def lock_app(tx: Transaction, user_id: uuid.UUID) -> FactorSecret | None:
    """Return the person's authenticator app, locked until the transaction ends: a code is accepted once."""
    row = await tx.fetchrow(
        f"SELECT {columns(FactorSecret)} FROM second_factors WHERE user_id = $1 AND kind = 'app' FOR NO KEY UPDATE",
        user_id,
    )
    return to_row_or_none(FactorSecret, row)


async def lock_passkey(tx: Transaction, user_id: uuid.UUID, credential_id: bytes) -> FactorSecret | None:
    row = await tx.fetchrow(
        f"""SELECT {columns(FactorSecret)} FROM second_factors
            WHERE user_id = $1 AND credential_id = $2 FOR NO KEY UPDATE""",
        user_id,
        credential_id,
    )
    return to_row_or_none(FactorSecret, row)


async def list_credential_ids(db: Reader, user_id: uuid.UUID) -> list[bytes]:
    rows = await db.fetch(
        "SELECT credential_id FROM second_factors WHERE user_id = $1 AND kind = 'passkey' ORDER BY id", user_id
    )
    return [credential_id for (credential_id,) in rows]


async def insert_factor(
    tx: Transaction,
    user_id: uuid.UUID,
    factor_id: uuid.UUID,
    kind: FactorKind,
    name: str,
    secret: bytes,
    *,
    counter: int,
    credential_id: bytes | None = None,
    now: datetime,
) -> bool:
    """Insert a factor; return False for a second app, and for a passkey that is stored already."""
    inserted = await tx.fetchval(
        """INSERT INTO second_factors (user_id, id, kind, name, secret, credential_id, counter, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING true""",
        user_id,
        factor_id,
        kind,
        name,
        secret,
        credential_id,
        counter,
        now,
    )
    return inserted is not None


async def note_use(tx: Transaction, user_id: uuid.UUID, factor_id: uuid.UUID, counter: int, *, now: datetime) -> None:
    await tx.execute(
        "UPDATE second_factors SET counter = $3, used_at = $4 WHERE user_id = $1 AND id = $2",
        user_id,
        factor_id,
        counter,
        now,
    )


async def delete_factor(tx: Transaction, user_id: uuid.UUID, factor_id: uuid.UUID) -> bool:
    deleted = await tx.fetchval(
        "DELETE FROM second_factors WHERE user_id = $1 AND id = $2 RETURNING true", user_id, factor_id
    )
    return deleted is not None


async def delete_factors(tx: Transaction, user_id: uuid.UUID) -> int:
    """Delete all factors and recovery codes of a person; return how many factors there were."""
    await tx.execute("DELETE FROM recovery_codes WHERE user_id = $1", user_id)
    return len(await tx.fetch("DELETE FROM second_factors WHERE user_id = $1 RETURNING true", user_id))


async def count_codes(db: Reader, user_id: uuid.UUID) -> int:
    count: int = await db.fetchval("SELECT count(*) FROM recovery_codes WHERE user_id = $1", user_id)
    return count


async def replace_codes(tx: Transaction, user_id: uuid.UUID, digests: Iterable[bytes]) -> None:
    await tx.execute("DELETE FROM recovery_codes WHERE user_id = $1", user_id)
    await tx.executemany(
        "INSERT INTO recovery_codes (user_id, digest) VALUES ($1, $2)", [(user_id, digest) for digest in digests]
    )


async def delete_code(tx: Transaction, user_id: uuid.UUID, digest: bytes) -> bool:
    """Use up a recovery code; return False when the person has no such code."""
    deleted = await tx.fetchval(
        "DELETE FROM recovery_codes WHERE user_id = $1 AND digest = $2 RETURNING true", user_id, digest
    )
    return deleted is not None


async def find_user(db: Reader, user_id: uuid.UUID) -> User | None:
    return to_row_or_none(User, await db.fetchrow(f"SELECT {columns(User)} FROM users WHERE id = $1", user_id))


async def has_access_elsewhere(db: Reader, workspace_id: uuid.UUID, user_id: uuid.UUID) -> bool:
    """Return whether the person operates the installation, or belongs to another open workspace, also as a guest."""
    found: bool = await db.fetchval(
        """SELECT EXISTS (SELECT FROM operators WHERE user_id = $2) OR EXISTS (
               SELECT FROM (SELECT workspace_id FROM members WHERE user_id = $2
                            UNION ALL SELECT workspace_id FROM guests WHERE user_id = $2) m
               JOIN workspaces w ON w.id = m.workspace_id AND w.closed_at IS NULL WHERE w.id <> $1)""",
        workspace_id,
        user_id,
    )
    return found


async def lock_app_secrets_any_workspace(tx: Transaction) -> list[tuple[uuid.UUID, uuid.UUID, bytes]]:
    """Return user, id and sealed key of every authenticator app."""
    rows = await tx.fetch(
        "SELECT user_id, id, secret FROM second_factors WHERE kind = 'app' ORDER BY user_id, id FOR NO KEY UPDATE"
    )
    return [(row[0], row[1], row[2]) for row in rows]


async def set_secret(tx: Transaction, user_id: uuid.UUID, factor_id: uuid.UUID, secret: bytes) -> None:
    await tx.execute("UPDATE second_factors SET secret = $3 WHERE user_id = $1 AND id = $2", user_id, factor_id, secret)
