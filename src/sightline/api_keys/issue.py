"""Minting, rotating, listing and revoking keys. The full key is returned once, when it is made, and never stored.

Every change locks the workspace first, so the limit holds under concurrent requests, and a key that is being revoked
cannot mint a child that outlives it.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from sightline.accounts.models import Actor, Role
from sightline.accounts.queries import find_member_role, lock_workspace
from sightline.api_keys import queries
from sightline.api_keys.addresses import Network, is_within, parse_networks
from sightline.api_keys.format import KeyKind, digest_key, last_four, make_key
from sightline.api_keys.models import ApiKey, KeyRights
from sightline.api_keys.schemas import KeyInput
from sightline.api_keys.scopes import grant_scopes, require_scope
from sightline.audit.record import record_audit
from sightline.db.engine import Reader, Transaction
from sightline.db.keyset import Slice, cut_page
from sightline.errors import FaultCollector, Problem
from sightline.kit.clock import to_iso
from sightline.kit.ids import new_id

MAX_ACTIVE_KEYS = 50
"""The limit for keys of one kind in one workspace, both modes together."""
PREVIOUS_SECRET_LIFETIME = timedelta(hours=24)


class NewKey(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody wants a key to be. A key with a parent gets no more rights than the parent."""

    name: str
    kind: KeyKind
    livemode: bool
    scopes: Sequence[str] = ()
    expires_at: datetime | None = None
    allowed_addresses: Sequence[str] = ()


async def mint_key(
    tx: Transaction,
    workspace_id: uuid.UUID,
    created_by: uuid.UUID,
    new: NewKey,
    *,
    parent_id: uuid.UUID | None = None,
    now: datetime,
) -> tuple[ApiKey, str]:
    """Store a new key's hash, and return its record with the key itself. Every Data key can read.

    A key with a parent has no more rights than the parent and ends no later. Refused: a scope that the parent lacks
    (403), and more keys than `MAX_ACTIVE_KEYS` (409).
    """
    rights = _read_rights(new, now=now)
    await lock_workspace(tx, workspace_id)
    if parent_id is not None:
        rights = _limit_to_parent(rights, await _read_parent(tx, workspace_id, parent_id, now=now))
    current = await queries.count_active_keys(tx, workspace_id, new.kind, now=now)
    if current >= MAX_ACTIVE_KEYS:
        raise Problem("key_limit_reached", current=current, limit=MAX_ACTIVE_KEYS)
    secret = make_key(new.kind, livemode=new.livemode)
    key = ApiKey(
        id=new_id(),
        kind=new.kind,
        livemode=new.livemode,
        scopes=rights.scopes,
        name=new.name,
        last_four=last_four(secret),
        created_by=created_by,
        created_at=now,
        last_used_at=None,
        revoked_at=None,
        expires_at=rights.expires_at,
        allowed_addresses=rights.allowed_addresses,
        parent_id=parent_id,
        digest=digest_key(secret),
    )
    await queries.insert_key(tx, workspace_id, key)
    await record_audit(
        tx,
        workspace_id,
        "key_created",
        key.name,
        key_id=key.id,
        kind=key.kind,
        livemode=key.livemode,
        scopes=key.scopes,
    )
    return key, secret


async def create_key(tx: Transaction, actor: Actor, payload: KeyInput, *, now: datetime) -> tuple[ApiKey, str]:
    """Mint a key for the actor, as `mint_key` does. Refused: an empty name, and a live key in test mode (422)."""
    livemode = actor.livemode if payload.mode is None else payload.mode == "live"
    name, faults = payload.name.strip(), FaultCollector()
    if livemode and not actor.livemode:
        faults.add("mode", "in test mode, you can create only test keys", "unsupported")
    if not name:
        faults.add("name", "must not be empty", "required")
    faults.raise_if_any()
    new = NewKey(
        name=name,
        kind=payload.kind,
        livemode=livemode,
        scopes=payload.scopes,
        expires_at=payload.expires_at,
        allowed_addresses=payload.allowed_addresses,
    )
    return await mint_key(tx, actor.workspace_id, actor.user_id, new, parent_id=actor.key_id, now=now)


def _read_rights(new: NewKey, *, now: datetime) -> KeyRights:
    """Refuse what no key can have (422)."""
    faults = FaultCollector()
    if new.kind == "data" and not new.livemode:
        faults.add("mode", "Data keys are always live; test mode belongs to the Console", "unsupported")
    if new.expires_at is not None and new.expires_at <= now:
        faults.add("expires_at", "must be in the future", "range")
    granted: list[str] = []
    networks: list[Network] = []
    with faults.catch():
        granted = grant_scopes(new.kind, new.scopes)
    with faults.catch():
        networks = parse_networks(new.allowed_addresses)
    faults.raise_if_any()
    return KeyRights(new.kind, new.livemode, granted, new.expires_at, networks)


async def _read_parent(tx: Transaction, workspace_id: uuid.UUID, parent_id: uuid.UUID, *, now: datetime) -> ApiKey:
    parent = await queries.find_key(tx, workspace_id, parent_id)
    if parent is None or not parent.is_active(now):
        raise Problem("key_revoked")
    return parent


def _limit_to_parent(rights: KeyRights, parent: ApiKey) -> KeyRights:
    """Return a child's rights; those that are not set come from its parent. Refused: more than the parent has."""
    faults = FaultCollector()
    if rights.livemode and not parent.livemode:
        faults.add("mode", "a test key can create only test keys", "unsupported")
    scopes = rights.scopes or parent.scopes
    for scope in scopes:
        require_scope(parent.scopes, scope)
    expires_at = rights.expires_at or parent.expires_at
    if parent.expires_at is not None and expires_at is not None and expires_at > parent.expires_at:
        faults.add("expires_at", "must not be later than the expiry of the key that creates it", "range")
    networks = rights.allowed_addresses or parent.allowed_addresses
    if parent.allowed_addresses and not all(is_within(each, parent.allowed_addresses) for each in networks):
        faults.add("allowed_addresses", "must be among the addresses of the key that creates it", "range")
    faults.raise_if_any()
    return KeyRights(rights.kind, rights.livemode, scopes, expires_at, networks)


async def list_keys(
    db: Reader, actor: Actor, *, after: tuple[datetime, uuid.UUID] | None, page_size: int
) -> Slice[ApiKey]:
    """Return the keys, newest first, revoked ones included. In test mode only test keys are listed."""
    rows = await queries.list_keys(
        db, actor.workspace_id, include_live=actor.livemode, after=after, limit=page_size + 1
    )
    return cut_page(rows, page_size, lambda key: (to_iso(key.created_at), str(key.id)))


async def list_whole_family(db: Reader, actor: Actor) -> list[ApiKey]:
    """Return the key of the actor, the keys it descends from, and all keys that any of them created."""
    if actor.key_id is None:
        return []
    return await queries.list_whole_family(db, actor.workspace_id, actor.key_id)


async def rotate_key(tx: Transaction, actor: Actor, key_id: uuid.UUID | None, *, now: datetime) -> tuple[ApiKey, str]:
    """Give a key a new secret, and return its record and the secret.

    The previous secret works for `PREVIOUS_SECRET_LIFETIME` longer; rotating again within that time ends it. A key
    rotates itself and its children; a person rotates keys of members whose role is not above their own, and an owner
    also those of people who have left. The holder of the secret acts as its maker, so anything else would raise rights
    (403).
    """
    await lock_workspace(tx, actor.workspace_id)
    key = key_id and await queries.find_key(tx, actor.workspace_id, key_id, include_live=actor.livemode)
    if not key:
        raise _not_found()
    await _require_may_rotate(tx, actor, key)
    if not key.is_active(now):
        raise Problem("not_found", "This key is revoked or has expired. Create a new one.")
    secret = make_key(key.kind, livemode=key.livemode)
    rotated = await queries.replace_secret(
        tx,
        actor.workspace_id,
        key.id,
        digest_key(secret),
        last_four(secret),
        ends_at=now + PREVIOUS_SECRET_LIFETIME,
    )
    assert rotated is not None, "the workspace is locked, and keys are never deleted"
    await record_audit(tx, actor.workspace_id, "key_rotated", key.name, key_id=key.id)
    return rotated, secret


async def _require_may_rotate(tx: Transaction, actor: Actor, key: ApiKey) -> None:
    if actor.key_id is not None and key.id not in await queries.list_family(tx, actor.workspace_id, actor.key_id):
        raise Problem(
            "session_only", "A key can rotate only itself and the keys that it created. Sign in to rotate other keys."
        )
    # A maker who has left may return as an owner, and the secret then acts as one.
    maker_role = await find_member_role(tx, actor.workspace_id, key.created_by) or Role.OWNER
    if actor.role is None or not actor.role.covers(maker_role):
        detail = f"Rotating this key needs the role {maker_role}, because it acts as the person who made it."
        raise Problem("workspace_access_required", detail, reason="role", required_role=str(maker_role))


async def revoke_key(
    tx: Transaction, actor: Actor, key_id: uuid.UUID | None, *, keep_children: bool = False, now: datetime
) -> ApiKey:
    """Revoke a key and the keys that it minted, and theirs, and return it.

    The next request with one of them is refused. Revoking again changes nothing.
    """
    await lock_workspace(tx, actor.workspace_id)
    key = key_id and await queries.find_key(tx, actor.workspace_id, key_id, include_live=actor.livemode)
    if not key:
        raise _not_found()
    ids = [key.id] if keep_children else await queries.list_family(tx, actor.workspace_id, key.id)
    revoked = await queries.revoke_keys(tx, actor.workspace_id, ids, now=now)
    await _record_revoked(tx, actor.workspace_id, [each.id for each in revoked])
    return next(each for each in revoked if each.id == key.id)


async def revoke_all_keys(tx: Transaction, actor: Actor, *, now: datetime) -> int:
    """Revoke every key of the workspace, in test mode every test key, and return how many."""
    await lock_workspace(tx, actor.workspace_id)
    revoked = await queries.revoke_all_keys(tx, actor.workspace_id, include_live=actor.livemode, now=now)
    await _record_revoked(tx, actor.workspace_id, [each.id for each in revoked])
    return len(revoked)


async def revoke_oldest_keys(
    tx: Transaction, workspace_id: uuid.UUID, kind: KeyKind, *, spare: int, now: datetime
) -> None:
    """Revoke the oldest active keys of a kind, so that `spare` remain."""
    await lock_workspace(tx, workspace_id)
    revoked = await queries.revoke_oldest_keys(tx, workspace_id, kind, spare=spare, now=now)
    await _record_revoked(tx, workspace_id, revoked)


async def _record_revoked(tx: Transaction, workspace_id: uuid.UUID, key_ids: list[uuid.UUID]) -> None:
    if key_ids:
        await record_audit(tx, workspace_id, "keys_revoked", key_ids=list(map(str, key_ids)))


def _not_found() -> Problem:
    return Problem("not_found", "There is no such key in this workspace.")
