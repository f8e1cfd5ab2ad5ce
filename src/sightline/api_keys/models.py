"""An API key as it is stored: its hash, never the key itself."""

import uuid
from datetime import datetime

import msgspec

from sightline.api_keys.format import KeyKind


class ApiKey(msgspec.Struct, frozen=True):
    id: uuid.UUID
    kind: KeyKind
    livemode: bool
    scopes: list[str]
    name: str
    last_four: str
    created_by: uuid.UUID
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None
    digest: bytes
    """The hash that is stored instead of the key; it never leaves the service."""
