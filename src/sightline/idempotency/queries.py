"""The SQL of idempotency keys and of the responses stored under them."""

import hashlib
import uuid
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from sightline.db.engine import Database, Reader, Transaction
from sightline.idempotency.models import IdempotencyClaim, KeyRecord, KeyScope

_KEY = "workspace_id, subject, method, path_hash, key"
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
    silence: timedelta,
) -> bool:
    """Claim a key that is unused, whose request is gone or never finished, or whose response is past its retention.

    Return whether the key is ours. A request is gone when nobody has renewed its claim for as long as `silence`, by
    the clock of the database, or when the renewal lies in the future, because that clock was set back. The claim
    commits without waiting for the disk: a crash that loses it also loses the effect that it protects.
    """
    row = await db.fetchrow(
        """INSERT INTO idempotency_keys AS i (workspace_id, subject, method, path_hash, key, body_hash, claim,
                                               claimed_at, renewed_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp())
           ON CONFLICT (workspace_id, subject, method, path_hash, key) DO UPDATE
              SET body_hash = EXCLUDED.body_hash, claim = EXCLUDED.claim, claimed_at = EXCLUDED.claimed_at,
                  renewed_at = clock_timestamp(), stored_at = NULL, status = NULL, headers = NULL, body = NULL
            WHERE CASE WHEN i.stored_at IS NOT NULL THEN i.stored_at <= $10
                       ELSE i.claimed_at <= $9 OR i.renewed_at NOT BETWEEN now() - $11::interval AND now() + $11 END
           RETURNING set_config('synchronous_commit', 'off', true)""",
        *_scope_values(scope),
        body_hash,
        claim,
        now,
        lease_ended,
        retention_ended,
        silence,
    )
    return row is not None


async def renew_claims_any_workspace(db: Database, claims: Collection[IdempotencyClaim]) -> None:
    """Record that the requests with these claims still run. A locked row is just being settled or taken over."""
    values = [(*_scope_values(claim.scope), claim.id) for claim in claims]
    await db.execute(
        f"""WITH running AS (
                SELECT {_KEY} FROM idempotency_keys
                JOIN unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[], $5::text[], $6::uuid[])
                     AS c ({_KEY}, claim) USING ({_KEY}, claim)
                WHERE stored_at IS NULL
                FOR NO KEY UPDATE OF idempotency_keys SKIP LOCKED)
            UPDATE idempotency_keys k SET renewed_at = clock_timestamp() FROM running r
            WHERE ({_columns("k")}) = ({_columns("r")})""",
        *(list(column) for column in zip(*values, strict=True)),
    )


async def find_key(db: Reader, scope: KeyScope) -> KeyRecord | None:
    row = await db.fetchrow(
        f"SELECT body_hash, status, headers, body FROM idempotency_keys WHERE {_SCOPE}", *_scope_values(scope)
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
    """Store the response in the transaction of the effect; return False when the claim is no longer ours."""
    row: Any = await tx.fetchrow(
        f"""UPDATE idempotency_keys SET stored_at = $7, status = $8, headers = $9, body = $10
            WHERE {_SCOPE} AND claim = $6 AND stored_at IS NULL RETURNING true""",
        *_scope_values(scope),
        claim,
        now,
        status,
        headers,
        body,
    )
    return row is not None


async def release_key(db: Database, scope: KeyScope, claim: uuid.UUID) -> None:
    """Delete our claim unless it is finished: if the effect did commit, its response stays."""
    await db.execute(
        f"DELETE FROM idempotency_keys WHERE {_SCOPE} AND claim = $6 AND stored_at IS NULL",
        *_scope_values(scope),
        claim,
    )


async def delete_old_keys_any_workspace(tx: Transaction, *, lease_ended: datetime, retention_ended: datetime) -> None:
    await tx.execute(
        """DELETE FROM idempotency_keys
           WHERE claimed_at <= greatest($1::timestamptz, $2::timestamptz)
             AND CASE WHEN stored_at IS NULL THEN claimed_at <= $1 ELSE stored_at <= $2 END""",
        lease_ended,
        retention_ended,
    )


def _columns(table: str) -> str:
    return ", ".join(f"{table}.{column}" for column in _KEY.split(", "))


def _scope_values(scope: KeyScope) -> tuple[uuid.UUID, uuid.UUID, str, bytes, str]:
    # The path is stored as its hash, because a client can send a path that cannot be stored or indexed.
    path_hash = hashlib.sha256(scope.path.encode(errors="surrogatepass")).digest()
    return scope.workspace_id, scope.subject, scope.method, path_hash, scope.key
