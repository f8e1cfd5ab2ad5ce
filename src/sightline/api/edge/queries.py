"""All SQL of the edge: claims on idempotency keys and the responses stored under them."""

import hashlib
import uuid
from datetime import datetime
from typing import Any

import msgspec

from sightline.db.engine import Database, Reader, Transaction


class KeyScope(msgspec.Struct, frozen=True):
    """Keys never meet across callers, paths or methods. `subject` is the API key, the user or the bootstrap token."""

    workspace_id: uuid.UUID
    subject: uuid.UUID
    method: str
    path: str
    key: str

    @property
    def values(self) -> tuple[uuid.UUID, uuid.UUID, str, bytes, str]:
        """The path as its hash: whatever a client puts into one, it can be stored and indexed."""
        path_hash = hashlib.sha256(self.path.encode(errors="surrogatepass")).digest()
        return self.workspace_id, self.subject, self.method, path_hash, self.key


class KeyRecord(msgspec.Struct, frozen=True):
    body_hash: bytes
    status: int | None
    headers: str | None
    body: bytes | None


_SCOPE = "workspace_id = $1 AND subject = $2 AND method = $3 AND path_hash = $4 AND key = $5"


async def claim_key(
    db: Reader,
    scope: KeyScope,
    body_hash: bytes,
    claim: uuid.UUID,
    *,
    now: datetime,
    lease_ended: datetime,
    retention_ended: datetime,
) -> bool:
    """True when the key is ours: it was unused, its request never finished, or its response is past keeping.

    Committed without waiting for the disk: a claim that a crash forgets protects an effect that it forgets too.
    """
    row = await db.fetchrow(
        """INSERT INTO idempotency_keys AS i (workspace_id, subject, method, path_hash, key, body_hash, claim,
                                               claimed_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
           ON CONFLICT (workspace_id, subject, method, path_hash, key) DO UPDATE
              SET body_hash = EXCLUDED.body_hash, claim = EXCLUDED.claim, claimed_at = EXCLUDED.claimed_at,
                  stored_at = NULL, status = NULL, headers = NULL, body = NULL
            WHERE CASE WHEN i.stored_at IS NULL THEN i.claimed_at <= $9 ELSE i.stored_at <= $10 END
           RETURNING set_config('synchronous_commit', 'off', true)""",
        *scope.values,
        body_hash,
        claim,
        now,
        lease_ended,
        retention_ended,
    )
    return row is not None


async def find_key(db: Reader, scope: KeyScope) -> KeyRecord | None:
    row = await db.fetchrow(
        f"SELECT body_hash, status, headers, body FROM idempotency_keys WHERE {_SCOPE}", *scope.values
    )
    return None if row is None else KeyRecord(*row)


async def store_response(
    tx: Transaction,
    scope: KeyScope,
    claim: uuid.UUID,
    status: int,
    headers: str,
    body: bytes,
    *,
    now: datetime,
) -> bool:
    """In the transaction of the effect. False when the claim is no longer ours: the effect must not commit then."""
    row: Any = await tx.fetchrow(
        f"""UPDATE idempotency_keys SET stored_at = $7, status = $8, headers = $9, body = $10
            WHERE {_SCOPE} AND claim = $6 AND stored_at IS NULL RETURNING true""",
        *scope.values,
        claim,
        now,
        status,
        headers,
        body,
    )
    return row is not None


async def release_key(db: Database, scope: KeyScope, claim: uuid.UUID) -> None:
    """Only an unfinished claim of ours: if the effect did commit, its response stays."""
    await db.execute(
        f"DELETE FROM idempotency_keys WHERE {_SCOPE} AND claim = $6 AND stored_at IS NULL", *scope.values, claim
    )


async def delete_old_keys_any_workspace(tx: Transaction, *, lease_ended: datetime, retention_ended: datetime) -> None:
    await tx.execute(
        """DELETE FROM idempotency_keys
           WHERE claimed_at <= greatest($1::timestamptz, $2::timestamptz)
             AND CASE WHEN stored_at IS NULL THEN claimed_at <= $1 ELSE stored_at <= $2 END""",
        lease_ended,
        retention_ended,
    )
