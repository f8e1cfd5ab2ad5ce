"""Schemas of API keys in the Console API."""

import uuid
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sightline.api_keys.format import KeyKind
from sightline.api_keys.models import ApiKey
from sightline.kit.clock import Timestamp, to_iso, to_iso_or_none

Scope = Literal["read", "write"]
Mode = Literal["live", "test"]


class Key(msgspec.Struct, frozen=True):
    """An API key without its secret, which is shown only once, when the key is created."""

    id: Annotated[uuid.UUID, Meta(description="Id of the key. Use it to revoke the key.")]
    name: Annotated[str, Meta(description="Name that you gave to the key.")]
    kind: Annotated[KeyKind, Meta(description="`console` keys open the Console API, `data` keys open the Data API.")]
    mode: Annotated[Mode, Meta(description="`live` or `test`. Data keys are always live.")]
    scopes: Annotated[
        list[str],
        Meta(description="Scopes of a Data key: always `read`, and `write` if granted. Console keys have none."),
    ]
    last_four: Annotated[str, Meta(description="Last four characters of the key, to tell keys apart.")]
    created_by: Annotated[
        uuid.UUID,
        Meta(description="Id of the member who created the key. The key acts with the current role of this member."),
    ]
    created_at: Annotated[Timestamp, Meta(description="When the key was created.")]
    last_used_at: Annotated[Timestamp | None, Meta(description="When the key was last used. Null if it never was.")]
    revoked_at: Annotated[Timestamp | None, Meta(description="When the key was revoked. Null while it works.")]


class MintedKey(Key, frozen=True):
    """A new API key. The full key is shown only in this response; a replay has null instead."""

    key: Annotated[str | None, Meta(description="The full key. It is shown only in this response; null in a replay.")]


class KeyInput(msgspec.Struct, frozen=True):
    """An API key to create."""

    name: Annotated[str, Meta(description="Name for the key.", min_length=1, max_length=200, examples=["CI pipeline"])]
    kind: Annotated[KeyKind, Meta(description="`console` for the Console API, `data` for the Data API.")] = "console"
    mode: Annotated[Mode | None, Meta(description="`live` or `test`. Defaults to the mode of the caller.")] = None
    scopes: Annotated[
        list[Scope],
        Meta(description="For Data keys: add `write` to let the key change data. `read` is always included."),
    ] = []


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
