"""One effect and one stored response per idempotency key, through retries, races and crashes.

A claim is committed before the work starts, so that other requests see it. The effect and the stored response commit
together. A crash in between leaves a claim without an effect. Nobody renews it, so it becomes free seconds later.
"""

import hashlib
from contextlib import suppress
from datetime import datetime, timedelta

import msgspec

from sightline.db.engine import Database, DatabaseUnavailable, Transaction
from sightline.errors import Problem, retry_later
from sightline.idempotency import queries
from sightline.idempotency.models import IdempotencyClaim, KeyRecord, KeyScope, StoredResponse
from sightline.kit.ids import new_id

_RETRY_SECONDS = 5
SILENCE = timedelta(seconds=10)  # a claim that was not renewed for this long no longer belongs to a request
_decode_headers = msgspec.json.Decoder(list[tuple[str, str]]).decode


async def claim_or_replay(
    db: Database, scope: KeyScope, body: bytes, *, lease: int, retention: int, now: datetime
) -> IdempotencyClaim | StoredResponse:
    """Return a claim to carry out the request, or the response stored for an earlier one.

    Refused with 409: another body under the same key, and a request that is still running.
    """
    body_hash = hashlib.sha256(body).digest()
    claim = IdempotencyClaim(scope, new_id())
    for _ in range(3):  # the holder may release the key between our attempt to claim it and our read
        if await queries.claim_key(
            db,
            scope,
            body_hash,
            claim.id,
            now=now,
            lease_ended=now - timedelta(seconds=lease),
            retention_ended=now - timedelta(seconds=retention),
            silence=SILENCE,
        ):
            return claim
        record = await queries.find_key(db, scope)
        if record is None:
            continue
        if record.body_hash != body_hash:
            raise Problem("idempotency_conflict")
        if record.status is not None:
            return _to_response(record)
        break
    raise retry_later("idempotency_in_progress", _RETRY_SECONDS)


async def settle(tx: Transaction, claim: IdempotencyClaim, response: StoredResponse, *, now: datetime) -> None:
    """Store the response in the transaction of its effect.

    Refused with 409 when another request has taken the key over: the effect must not commit then.
    """
    headers = msgspec.json.encode(response.headers).decode()
    if not await queries.store_response(tx, claim.scope, claim.id, response.status, headers, response.body, now=now):
        raise retry_later("idempotency_in_progress", _RETRY_SECONDS)


async def release(db: Database, claim: IdempotencyClaim) -> None:
    """Free the key after a failure. Without a database it expires, because nothing renews its claim."""
    with suppress(DatabaseUnavailable):
        await queries.release_key(db, claim.scope, claim.id)


async def delete_old_keys_any_workspace(tx: Transaction, *, lease: int, retention: int, now: datetime) -> None:
    """Delete claims whose lease has ended and responses that are older than the retention, both in seconds."""
    await queries.delete_old_keys_any_workspace(
        tx, lease_ended=now - timedelta(seconds=lease), retention_ended=now - timedelta(seconds=retention)
    )


def _to_response(record: KeyRecord) -> StoredResponse:
    assert record.status is not None and record.headers is not None and record.body is not None
    return StoredResponse(record.status, _decode_headers(record.headers), record.body)
