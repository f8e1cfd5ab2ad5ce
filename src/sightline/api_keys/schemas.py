"""Schemas of API keys in the Console API."""

import uuid
from typing import Annotated, Literal

import msgspec

from sightline.api_keys.format import KeyKind
from sightline.api_keys.models import ApiKey
from sightline.kit.clock import Timestamp, to_iso, to_iso_or_none

Scope = Literal["read", "write"]


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
    scopes: list[Scope] = []


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


def to_key(key: ApiKey) -> Key:
    return Key(**_fields(key))  # type: ignore[arg-type]


def to_minted_key(key: ApiKey, secret: str) -> MintedKey:
    return MintedKey(**_fields(key), key=secret)  # type: ignore[arg-type]
