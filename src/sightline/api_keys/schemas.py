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
from sightline.kit.examples import USER_ID, Example

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
            description="What the key may do. Console keys: some of `read`, `scans`, `domains`, `billing`, `webhooks`, "
            "`keys` and `audit`; empty means all scopes. Data keys: always `read`, and `write` if granted."
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
            description="Console keys: `audit` (the audit log), `billing`, `domains`, `keys`, `read` (every other "
            "GET), `scans`, `webhooks`; if you leave the list out, the key gets all scopes that you have. Data keys: "
            "add `write` to let the key change data; `read` is always included.",
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


# Examples

_KEY_IDS = (
    uuid.UUID("01990f64-10ab-7a35-9c60-4b7d28e1f5a2"),
    uuid.UUID("01990f64-10ac-7f48-8e93-d1c605b7a94f"),
    uuid.UUID("01990f64-10ad-7c0d-b25a-7e9f3416c8d0"),
)
_LISTED_ID = uuid.UUID("01990f64-9b3e-7d61-a5f0-38c2e7194bd6")
_CHILD_ID = uuid.UUID("01990f6b-52c7-7a08-9e4d-b17f60d3c285")

PATH_IDS = {"console": {"key_id": str(_LISTED_ID)}}

_CREATED_AT = "2026-08-17T08:15:30.204117+00:00"

_CHECKED_AT = "2026-11-14T09:30:00.123456+00:00"

_KEY = Key(
    id=_LISTED_ID,
    name="CI pipeline",
    kind="console",
    mode="test",
    scopes=[],
    last_four="w8Kd",
    created_by=USER_ID,
    created_at=_CREATED_AT,
    last_used_at=_CHECKED_AT,
    revoked_at=None,
    expires_at=None,
    allowed_addresses=["203.0.113.0/24", "2001:db8::/32"],
    parent_id=None,
    previous_key_expires_at=None,
)


def _new_key(key_id: uuid.UUID, name: str, prefix: str, scopes: list[str]) -> MintedKey:
    return MintedKey(
        id=key_id,
        name=name,
        kind="data" if prefix == "dk_live_" else "console",
        mode="test" if prefix == "sk_test_" else "live",
        scopes=scopes,
        last_four="f2Zx",
        created_by=USER_ID,
        created_at=_CREATED_AT,
        last_used_at=None,
        revoked_at=None,
        expires_at=None,
        allowed_addresses=[],
        parent_id=None,
        previous_key_expires_at=None,
        key=f"{prefix}ExampleExampleExampleExample1234Q4f2Zx",
    )


FIRST_EXAMPLE_KEYS = [
    _new_key(_KEY_IDS[0], "First live key", "sk_live_", []),
    _new_key(_KEY_IDS[1], "First test key", "sk_test_", []),
    _new_key(_KEY_IDS[2], "First data key", "dk_live_", ["read", "write"]),
]

EXAMPLES = {
    "list_keys": Example([_KEY]),
    "mint_key": Example(
        # The listed key is the caller, so it is the parent.
        msgspec.structs.replace(
            _new_key(_CHILD_ID, "Nightly scans", "sk_test_", ["read", "scans"]),
            created_at=_CHECKED_AT,
            allowed_addresses=_KEY.allowed_addresses,
            parent_id=_KEY.id,
        ),
        {"name": "Nightly scans", "scopes": ["read", "scans"]},
    ),
    "rotate_key": Example(
        msgspec.structs.replace(
            _new_key(_KEY.id, _KEY.name, "sk_test_", _KEY.scopes),
            last_used_at=_KEY.last_used_at,
            allowed_addresses=_KEY.allowed_addresses,
            previous_key_expires_at="2026-11-15T09:30:00.123456+00:00",
        )
    ),
    "revoke_all_keys": Example(RevokedKeys(revoked=7)),
    "revoke_key": Example(msgspec.structs.replace(_KEY, revoked_at="2026-11-14T10:02:45.551903+00:00")),
}
