"""The SQL of API keys, except for the statement that recognizes one (`usage/queries.py`)."""

import uuid
from datetime import datetime

from sightline.api_keys.models import ApiKey
from sightline.db.engine import Reader, Transaction, columns, to_row_or_none, to_rows

_KEY = columns(ApiKey)


async def insert_key(tx: Transaction, workspace_id: uuid.UUID, key: ApiKey) -> None:
    await tx.execute(
        """INSERT INTO api_keys (workspace_id, id, kind, livemode, scopes, name, last_four, created_by, created_at,
                                 digest)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)""",
        workspace_id,
        key.id,
        key.kind,
        key.livemode,
        key.scopes,
        key.name,
        key.last_four,
        key.created_by,
        key.created_at,
        key.digest,
    )


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


async def revoke_key(
    tx: Transaction, workspace_id: uuid.UUID, key_id: uuid.UUID, *, include_live: bool, now: datetime
) -> ApiKey | None:
    """Revoke a key. Revoking it again keeps the time of the first."""
    row = await tx.fetchrow(
        f"""UPDATE api_keys SET revoked_at = coalesce(revoked_at, $4)
            WHERE workspace_id = $1 AND id = $2 AND ($3 OR NOT livemode) RETURNING {_KEY}""",
        workspace_id,
        key_id,
        include_live,
        now,
    )
    return to_row_or_none(ApiKey, row)
