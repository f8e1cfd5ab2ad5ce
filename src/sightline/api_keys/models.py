"""An API key as it is stored: its hash, never the key itself."""

import uuid
from datetime import datetime

import msgspec

from sightline.api_keys.addresses import Network
from sightline.api_keys.format import KeyKind


class KeyRights(msgspec.Struct, frozen=True):
    """What a key may do, until when, and from where."""

    kind: KeyKind
    livemode: bool
    scopes: list[str]
    expires_at: datetime | None
    allowed_addresses: list[Network]


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
    expires_at: datetime | None
    allowed_addresses: list[Network]
    """If empty, the key works from every address."""
    parent_id: uuid.UUID | None
    """The key that minted this one; None when a person did."""
    digest: bytes
    """The hash that is stored instead of the key; it never leaves the service."""
    previous_digest: bytes | None = None
    """The hash of the key before the last rotation, which works until `previous_ends_at`."""
    previous_ends_at: datetime | None = None

    @property
    def digests(self) -> list[bytes]:
        return [self.digest] if self.previous_digest is None else [self.digest, self.previous_digest]

    def is_active(self, now: datetime) -> bool:
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > now)
