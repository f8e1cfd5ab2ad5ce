"""The SQL of API keys, except for the statement that recognizes one (`usage/queries.py`)."""

import uuid
from collections.abc import Iterable
from datetime import datetime

from sightline.api_keys.format import KeyKind
from sightline.api_keys.models import ApiKey
from sightline.db.engine import Reader, Transaction, columns, to_row_or_none, to_rows

_KEY = columns(ApiKey)
_PLACES = ", ".join(f"${number}" for number in range(2, len(ApiKey.__struct_fields__) + 2))
_IS_ACTIVE = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)"


async def insert_key(tx: Transaction, workspace_id: uuid.UUID, key: ApiKey) -> None:
    await tx.execute(
        f"INSERT INTO api_keys (workspace_id, {_KEY}) VALUES ($1, {_PLACES})",
        workspace_id,
        *(getattr(key, name) for name in ApiKey.__struct_fields__),
    )


async def count_active_keys(tx: Transaction, workspace_id: uuid.UUID, kind: KeyKind, *, now: datetime) -> int:
    count: int = await tx.fetchval(
        f"SELECT count(*) FROM api_keys WHERE workspace_id = $1 AND kind = $2 AND {_IS_ACTIVE}", workspace_id, kind, now
    )
    return count


async def find_key(
    db: Reader, workspace_id: uuid.UUID, key_id: uuid.UUID, *, include_live: bool = True
) -> ApiKey | None:
    row = await db.fetchrow(
        f"SELECT {_KEY} FROM api_keys WHERE workspace_id = $1 AND id = $2 AND ($3 OR NOT livemode)",
        workspace_id,
        key_id,
        include_live,
    )
    return to_row_or_none(ApiKey, row)


async def list_keys(
    db: Reader, workspace_id: uuid.UUID, *, include_live: bool, after: tuple[datetime, uuid.UUID] | None, limit: int
) -> list[ApiKey]:
    rows = await db.fetch(
        f"""SELECT {_KEY} FROM api_keys
            WHERE workspace_id = $1 AND ($2 OR NOT livemode)
              AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4::uuid))
            ORDER BY created_at DESC, id DESC LIMIT $5""",
        workspace_id,
        include_live,
        *(after or (None, None)),
        limit,
    )
    return to_rows(ApiKey, rows)


async def list_family(db: Reader, workspace_id: uuid.UUID, key_id: uuid.UUID) -> list[uuid.UUID]:
    """Return the key, the keys that it minted, and theirs."""
    rows = await db.fetch(
        """WITH RECURSIVE family AS (
               SELECT $2::uuid AS id
               UNION SELECT k.id FROM api_keys k JOIN family f ON k.parent_id = f.id WHERE k.workspace_id = $1
           ) SELECT id FROM family""",
        workspace_id,
        key_id,
    )
    return [row[0] for row in rows]


async def list_whole_family(db: Reader, workspace_id: uuid.UUID, key_id: uuid.UUID) -> list[ApiKey]:
    """Return the key, the keys it descends from, and all keys that any of them minted, revoked ones included."""
    rows = await db.fetch(
        f"""WITH RECURSIVE line AS (
                SELECT id, parent_id FROM api_keys WHERE workspace_id = $1 AND id = $2
                UNION SELECT k.id, k.parent_id FROM api_keys k JOIN line l ON k.id = l.parent_id
                      WHERE k.workspace_id = $1
            ), family AS (
                SELECT id FROM line
                UNION SELECT k.id FROM api_keys k JOIN family f ON k.parent_id = f.id WHERE k.workspace_id = $1
            ) SELECT {columns(ApiKey, "k")} FROM api_keys k JOIN family f ON f.id = k.id WHERE k.workspace_id = $1""",
        workspace_id,
        key_id,
    )
    return to_rows(ApiKey, rows)


async def replace_secret(
    tx: Transaction, workspace_id: uuid.UUID, key_id: uuid.UUID, digest: bytes, last_four: str, *, ends_at: datetime
) -> ApiKey | None:
    """Store a new secret. The previous one works until `ends_at`; an older one ends now."""
    row = await tx.fetchrow(
        f"""UPDATE api_keys SET previous_digest = digest, previous_ends_at = $5, digest = $3, last_four = $4
            WHERE workspace_id = $1 AND id = $2 RETURNING {_KEY}""",
        workspace_id,
        key_id,
        digest,
        last_four,
        ends_at,
    )
    return to_row_or_none(ApiKey, row)


async def revoke_keys(
    tx: Transaction, workspace_id: uuid.UUID, key_ids: list[uuid.UUID], *, now: datetime
) -> list[ApiKey]:
    """Revoke keys and return them. A key that is revoked already keeps the time of the first revocation."""
    rows = await tx.fetch(
        f"""UPDATE api_keys SET revoked_at = coalesce(revoked_at, $3)
            WHERE workspace_id = $1 AND id = ANY ($2) RETURNING {_KEY}""",
        workspace_id,
        key_ids,
        now,
    )
    return to_rows(ApiKey, rows)


async def revoke_all_keys(
    tx: Transaction, workspace_id: uuid.UUID, *, include_live: bool, now: datetime
) -> list[ApiKey]:
    """Revoke every key that is not revoked yet, and return those."""
    rows = await tx.fetch(
        f"""UPDATE api_keys SET revoked_at = $3
            WHERE workspace_id = $1 AND ($2 OR NOT livemode) AND revoked_at IS NULL RETURNING {_KEY}""",
        workspace_id,
        include_live,
        now,
    )
    return to_rows(ApiKey, rows)


async def revoke_oldest_keys(
    tx: Transaction, workspace_id: uuid.UUID, kind: KeyKind, *, spare: int, now: datetime
) -> list[uuid.UUID]:
    """Revoke the active keys of a kind except for the newest `spare`, and return the ids of those revoked."""
    rows = await tx.fetch(
        f"""UPDATE api_keys SET revoked_at = $3 WHERE workspace_id = $1 AND id IN (
                SELECT id FROM api_keys WHERE workspace_id = $1 AND kind = $2 AND {_IS_ACTIVE}
                ORDER BY created_at DESC, id DESC OFFSET $4)
            RETURNING id""",
        workspace_id,
        kind,
        now,
        spare,
    )
    return [key_id for (key_id,) in rows]


async def touch_keys(tx: Transaction, rows: Iterable[tuple[uuid.UUID, uuid.UUID, datetime]]) -> None:
    await tx.executemany(
        """UPDATE api_keys SET last_used_at = greatest(last_used_at, $3) WHERE workspace_id = $1 AND id = $2""", rows
    )
