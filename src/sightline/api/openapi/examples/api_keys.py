"""Examples of API keys."""

from collections.abc import Mapping
from uuid import UUID

import msgspec

from sightline.api.openapi.examples.example import (
    USER_ID,
    Example,
    envelope,
    page,
)
from sightline.api_keys.schemas import Key, MintedKey, RevokedKeys

_KEY_IDS = (
    UUID("01990f64-10ab-7a35-9c60-4b7d28e1f5a2"),
    UUID("01990f64-10ac-7f48-8e93-d1c605b7a94f"),
    UUID("01990f64-10ad-7c0d-b25a-7e9f3416c8d0"),
)
_LISTED_ID = UUID("01990f64-9b3e-7d61-a5f0-38c2e7194bd6")
_CHILD_ID = UUID("01990f6b-52c7-7a08-9e4d-b17f60d3c285")

PATH_IDS: Mapping[str, str] = {"key_id": str(_LISTED_ID)}

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


def _new_key(key_id: UUID, name: str, prefix: str, scopes: list[str]) -> MintedKey:
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


FIRST_KEYS = [
    _new_key(_KEY_IDS[0], "First live key", "sk_live_", []),
    _new_key(_KEY_IDS[1], "First test key", "sk_test_", []),
    _new_key(_KEY_IDS[2], "First data key", "dk_live_", ["read", "write"]),
]

EXAMPLES: Mapping[str, Example] = {
    "list_keys": Example(page(_KEY)),
    "mint_key": Example(
        # The listed key is the caller, so it is the parent.
        envelope(
            msgspec.structs.replace(
                _new_key(_CHILD_ID, "Nightly scans", "sk_test_", ["read", "scans"]),
                created_at=_CHECKED_AT,
                allowed_addresses=_KEY.allowed_addresses,
                parent_id=_KEY.id,
            )
        ),
        {"name": "Nightly scans", "scopes": ["read", "scans"]},
    ),
    "rotate_key": Example(
        envelope(
            msgspec.structs.replace(
                _new_key(_KEY.id, _KEY.name, "sk_test_", _KEY.scopes),
                last_used_at=_KEY.last_used_at,
                allowed_addresses=_KEY.allowed_addresses,
                previous_key_expires_at="2026-11-15T09:30:00.123456+00:00",
            )
        )
    ),
    "revoke_all_keys": Example(envelope(RevokedKeys(revoked=7))),
    "revoke_key": Example(envelope(msgspec.structs.replace(_KEY, revoked_at="2026-11-14T10:02:45.551903+00:00"))),
}
