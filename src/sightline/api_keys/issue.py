"""Minting, listing and revoking keys. The full key is returned once, by `mint_key`, and never stored."""

import uuid
from datetime import datetime

from sightline.accounts.models import Actor
from sightline.api_keys import queries
from sightline.api_keys.format import KeyKind, digest_key, last_four, make_key
from sightline.api_keys.models import ApiKey
from sightline.api_keys.schemas import Scope
from sightline.db.engine import Reader, Transaction
from sightline.db.keyset import Slice, cut_page
from sightline.errors import Problem, invalid_field
from sightline.kit.clock import to_iso
from sightline.kit.ids import new_id


async def mint_key(
    tx: Transaction,
    workspace_id: uuid.UUID,
    created_by: uuid.UUID,
    *,
    name: str,
    kind: KeyKind,
    livemode: bool,
    scopes: list[Scope],
    now: datetime,
) -> tuple[ApiKey, str]:
    """Store a new key's hash, and return its record with the key itself. Every Data key can read."""
    if kind == "data" and not livemode:
        raise invalid_field("mode", "Data keys are always live; test mode belongs to the Console", "unsupported")
    if kind == "console" and scopes:
        raise invalid_field("scopes", "only Data keys have scopes", "unsupported")
    granted: list[str] = sorted({"read", *scopes}) if kind == "data" else []
    secret = make_key(kind, livemode=livemode)
    key = ApiKey(
        id=new_id(),
        kind=kind,
        livemode=livemode,
        scopes=granted,
        name=name,
        last_four=last_four(secret),
        created_by=created_by,
        created_at=now,
        last_used_at=None,
        revoked_at=None,
        digest=digest_key(secret),
    )
    await queries.insert_key(tx, workspace_id, key)
    return key, secret


async def list_keys(
    db: Reader, actor: Actor, *, after: tuple[datetime, uuid.UUID] | None, page_size: int
) -> Slice[ApiKey]:
    """Return the keys, newest first, revoked ones included. In test mode only test keys are listed."""
    rows = await queries.list_keys(
        db, actor.workspace_id, include_live=actor.livemode, after=after, limit=page_size + 1
    )
    return cut_page(rows, page_size, lambda key: (to_iso(key.created_at), str(key.id)))


async def revoke_key(tx: Transaction, actor: Actor, key_id: uuid.UUID | None, *, now: datetime) -> ApiKey:
    """Revoke a key: the next request with it is refused. Revoking it again changes nothing."""
    revoked = key_id and await queries.revoke_key(tx, actor.workspace_id, key_id, include_live=actor.livemode, now=now)
    if not revoked:
        raise Problem("not_found", "There is no such key in this workspace.")
    return revoked
