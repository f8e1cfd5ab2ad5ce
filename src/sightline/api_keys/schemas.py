"""Schemas of API keys in the Console API."""

import uuid
from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sightline.api_keys.addresses import MAX_NETWORKS
from sightline.api_keys.format import KeyKind
from sightline.api_keys.models import ApiKey
from sightline.api_keys.scopes import Scope
from sightline.kit.clock import Timestamp, to_iso, to_iso_or_none

Mode = Literal["live", "test"]


class Key(msgspec.Struct, frozen=True):
    """An API key without its secret, which is shown only once, when the key is created."""

    id: Annotated[uuid.UUID, Meta(description="Id of the key. Use it to revoke the key.")]
    name: Annotated[str, Meta(description="Name that you gave to the key.")]
    kind: Annotated[
        KeyKind, Meta(description="A `console` key works with the Console API, a `data` key with the Data API.")
    ]
    mode: Annotated[Mode, Meta(description="`live` or `test`. Data keys are always live.")]
    scopes: Annotated[
        list[str],
        Meta(
            description="What the key may do. Console keys: some of `read`, `scans`, `domains`, `billing`, `webhooks` "
            "and `keys`; empty means all scopes. Data keys: always `read`, and `write` if granted."
        ),
    ]
    last_four: Annotated[str, Meta(description="Last four characters of the key, to tell keys apart.")]
    created_by: Annotated[
        uuid.UUID,
        Meta(
            description="Id of the member who created the key, in a session or with another key. The key acts with the "
            "current role of this member."
        ),
    ]
    created_at: Annotated[Timestamp, Meta(description="When the key was created.")]
    last_used_at: Annotated[Timestamp | None, Meta(description="When the key was last used. Null if it never was.")]
    revoked_at: Annotated[Timestamp | None, Meta(description="When the key was revoked. Null if it was not.")]
    expires_at: Annotated[Timestamp | None, Meta(description="When the key stops working. Null if it does not expire.")]
    allowed_addresses: Annotated[
        list[str], Meta(description="Networks that the key works from, in CIDR notation. Empty means everywhere.")
    ]
    parent_id: Annotated[
        uuid.UUID | None, Meta(description="Id of the key that was used to create this key. Null if none was used.")
    ]
    previous_key_expires_at: Annotated[
        Timestamp | None,
        Meta(
            description="After a rotation: when the previous secret of this key stops working. Null if never rotated."
        ),
    ]


class MintedKey(Key, frozen=True):
    """A new API key. The full key is shown only in this response. If you repeat the request, it is null."""

    key: Annotated[
        str | None,
        Meta(
            description="The full key. It is shown only once. A repeated request with the same Idempotency-Key returns "
            "null here."
        ),
    ]


class KeyInput(msgspec.Struct, frozen=True):
    """An API key to create."""

    name: Annotated[str, Meta(description="Name for the key.", min_length=1, max_length=200, examples=["CI pipeline"])]
    kind: Annotated[
        KeyKind, Meta(description="`console` (the default) for the Console API, `data` for the Data API.")
    ] = "console"
    mode: Annotated[Mode | None, Meta(description="`live` or `test`. Defaults to the mode of the caller.")] = None
    scopes: Annotated[
        list[Scope],
        Meta(
            description="Console keys: `billing`, `domains`, `keys`, `read` (every GET), `scans`, `webhooks`; if you "
            "leave the list out, the key gets all scopes that you have. Data keys: add `write` to let the key change "
            "data; `read` is always included.",
            max_length=100,
        ),
    ] = []
    expires_at: Annotated[
        Annotated[datetime, Meta(tz=True)] | None,
        Meta(
            description="When the key stops working, with a UTC offset. If null or left out, the key expires "
            "with its parent, or never if it has no parent.",
            examples=["2027-11-14T00:00:00+00:00"],
        ),
    ] = None
    allowed_addresses: Annotated[
        list[str],
        Meta(
            max_length=MAX_NETWORKS,
            description="Addresses and networks that the key works from, IPv4 or IPv6. The default is everywhere, or "
            "the list of the parent.",
            examples=[["203.0.113.0/24", "2001:db8::/32"]],
        ),
    ] = []


class RevokedKeys(msgspec.Struct, frozen=True):
    """The result of revoking all keys."""

    revoked: Annotated[int, Meta(description="Number of keys that were revoked.")]


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
        "expires_at": to_iso_or_none(key.expires_at),
        "allowed_addresses": [str(network) for network in key.allowed_addresses],
        "parent_id": key.parent_id,
        "previous_key_expires_at": to_iso_or_none(key.previous_ends_at),
    }


def to_key(key: ApiKey) -> Key:
    return Key(**_fields(key))  # type: ignore[arg-type]


def to_minted_key(key: ApiKey, secret: str) -> MintedKey:
    return MintedKey(**_fields(key), key=secret)  # type: ignore[arg-type]
