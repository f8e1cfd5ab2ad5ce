"""API keys: mint, list, revoke."""

import uuid
from typing import Annotated, Literal

import msgspec

from sightline.accounts.models import Role
from sightline.api.edge.envelope import One, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import operation
from sightline.api_keys import issue
from sightline.api_keys.format import KeyKind
from sightline.api_keys.models import ApiKey
from sightline.errors import invalid_field
from sightline.kit.clock import Timestamp, to_iso, to_iso_or_none
from sightline.kit.ids import parse_id

Mode = Literal["live", "test"]


class Key(msgspec.Struct, frozen=True):
    """An API key, without the key itself: that is shown once, when it is minted."""

    id: uuid.UUID
    name: str
    kind: KeyKind
    mode: Mode
    scopes: list[str]
    last_four: str
    created_by: uuid.UUID
    created_at: Timestamp
    last_used_at: Timestamp | None
    revoked_at: Timestamp | None


class MintedKey(Key, frozen=True):
    """A new key. `key` is the full key, and this is the only time that it is shown; a replay has null instead."""

    key: str | None


class KeyInput(msgspec.Struct, frozen=True):
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=200, examples=["CI pipeline"])]
    kind: KeyKind = "console"
    mode: Mode | None = None
    scopes: list[issue.Scope] = []


def _fields(key: ApiKey) -> dict[str, object]:
    return {
        "id": key.id,
        "name": key.name,
        "kind": key.kind,
        "mode": "live" if key.livemode else "test",
        "scopes": key.scopes,
        "last_four": key.last_four,
        "created_by": key.created_by,
        "created_at": to_iso(key.created_at),
        "last_used_at": to_iso_or_none(key.last_used_at),
        "revoked_at": to_iso_or_none(key.revoked_at),
    }


def shape_key(key: ApiKey) -> Key:
    return Key(**_fields(key))  # type: ignore[arg-type]


def shape_minted(key: ApiKey, secret: str) -> MintedKey:
    return MintedKey(**_fields(key), key=secret)  # type: ignore[arg-type]


@operation("console", "GET", "/keys", tag="Keys", summary="List keys", role=Role.ADMIN, paged=True, keeps_copy=False)
async def list_keys(exchange: Exchange) -> Page[Key]:
    """Newest first, revoked ones included. Test mode sees test keys only. Needs the role admin."""
    paging = exchange.paging("console.keys")
    rows = await issue.list_keys(exchange.db, exchange.actor, after=paging.after_time_and_id, page_size=paging.size)
    return paging.page(rows.map(shape_key))


@operation(
    "console",
    "POST",
    "/keys",
    tag="Keys",
    summary="Mint a key",
    role=Role.ADMIN,
    body=KeyInput,
    secret_members=("key",),
    success=201,
)
async def mint_key(exchange: Exchange) -> One[MintedKey]:
    """The full key is in this response and nowhere else. `mode` defaults to that of the caller; test mode mints test
    keys only. Data keys always have the scope `read`. Needs the role admin."""
    actor, given = exchange.actor, exchange.given(KeyInput)
    livemode = actor.livemode if given.mode is None else given.mode == "live"
    if livemode and not actor.livemode:
        raise invalid_field("mode", "test mode mints test keys only", "unsupported")
    name = given.name.strip()
    if not name:
        raise invalid_field("name", "must not be empty", "required")
    key, secret = await issue.mint_key(
        exchange.tx,
        actor.workspace_id,
        actor.user_id,
        name=name,
        kind=given.kind,
        livemode=livemode,
        scopes=given.scopes,
        now=exchange.now,
    )
    return One(shape_minted(key, secret))


@operation(
    "console", "DELETE", "/keys/{key_id}", tag="Keys", summary="Revoke a key", role=Role.ADMIN, problems=("not_found",)
)
async def revoke_key(exchange: Exchange, key_id: str) -> One[Key]:
    """From the next request on the key is refused with 401 `key_revoked`. Revoking twice changes nothing."""
    key = await issue.revoke_key(exchange.tx, exchange.actor, parse_id(key_id), now=exchange.now)
    exchange.app_context.copies.end_credential(key.digest, now=exchange.now)
    return One(shape_key(key))
