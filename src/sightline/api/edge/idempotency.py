"""Idempotency keys: one effect and one stored response per key, whatever is repeated, raced or killed.

A claim is committed before the work starts, so that others see it. The effect and the stored response commit
together. A crash in between leaves a claim without an effect, which its lease frees.
"""

import hashlib
import re
import uuid
from contextlib import suppress
from datetime import datetime, timedelta

import msgspec

from sightline.api.edge import queries
from sightline.api.edge.queries import KeyScope
from sightline.api.edge.reply import Reply
from sightline.db.engine import Database, DatabaseUnavailable, Transaction
from sightline.errors import Problem, invalid_field, retry_later
from sightline.kit.ids import new_id

_VISIBLE = re.compile(r"[\x21-\x7e]{1,255}")
_RETRY_SECONDS = 5
_read_headers = msgspec.json.Decoder(list[tuple[str, str]]).decode


class Claim(msgspec.Struct, frozen=True):
    """The right to carry out one request. Settle it with the effect, or release it."""

    scope: KeyScope
    id: uuid.UUID


def read_key(given: str | None, *, required: bool) -> str | None:
    if not given:
        if required:
            raise Problem("idempotency_required")
        return None
    if not _VISIBLE.fullmatch(given):
        raise invalid_field("Idempotency-Key", "must be 1 to 255 visible ASCII characters", "invalid")
    return given


async def claim_or_replay(
    db: Database, scope: KeyScope, body: bytes, *, lease: int, retention: int, now: datetime
) -> Claim | Reply:
    """A claim to go ahead, or the stored response. Refuses another body, and a twin that is still running."""
    body_hash = hashlib.sha256(body).digest()
    claim = Claim(scope, new_id())
    for _ in range(3):  # the holder may release the key between our two looks at it
        if await queries.claim_key(
            db,
            scope,
            body_hash,
            claim.id,
            now=now,
            lease_ended=now - timedelta(seconds=lease),
            retention_ended=now - timedelta(seconds=retention),
        ):
            return claim
        record = await queries.find_key(db, scope)
        if record is None:
            continue
        if record.body_hash != body_hash:
            raise Problem("idempotency_conflict")
        if record.status is not None:
            return _replay(record)
        break
    raise retry_later("idempotency_in_progress", _RETRY_SECONDS)


def _replay(record: queries.KeyRecord) -> Reply:
    assert record.status is not None and record.headers is not None and record.body is not None
    headers = [(name.encode(), value.encode()) for name, value in _read_headers(record.headers)]
    return Reply(record.status, [*headers, (b"x-idempotent-replay", b"true")], record.body)


async def settle(
    tx: Transaction, claim: Claim, reply: Reply, request_id: str, secret_members: tuple[str, ...], *, now: datetime
) -> None:
    """Stores the response in the transaction of its effect, without what is shown only once."""
    headers = [(name.decode(), value.decode()) for name, value in reply.headers]
    headers.append(("x-request-id", request_id))
    body = _without_secrets(reply.body, secret_members) if secret_members else reply.body
    kept = await queries.store_response(
        tx, claim.scope, claim.id, reply.status, msgspec.json.encode(headers).decode(), body, now=now
    )
    if not kept:  # the lease ended meanwhile and another request took over: ours must leave no trace
        raise retry_later("idempotency_in_progress", _RETRY_SECONDS)


async def release(db: Database, claim: Claim) -> None:
    """After a failure the key is as new. Without a database the lease does it."""
    with suppress(DatabaseUnavailable):
        await queries.release_key(db, claim.scope, claim.id)


def _without_secrets(body: bytes, names: tuple[str, ...]) -> bytes:
    return msgspec.json.encode(_null_members(msgspec.json.decode(body), names))


def _null_members(value: object, names: tuple[str, ...]) -> object:
    if isinstance(value, dict):
        return {name: None if name in names else _null_members(member, names) for name, member in value.items()}
    if isinstance(value, list):
        return [_null_members(member, names) for member in value]
    return value
