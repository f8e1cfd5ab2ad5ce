"""Rows of webhook endpoints."""

import uuid
from datetime import datetime
from typing import Literal

import msgspec

EndpointStatus = Literal["enabled", "disabled"]
DisabledReason = Literal["manual", "gone", "failing"]


class Endpoint(msgspec.Struct, frozen=True):
    """An address that receives events, without its secrets: only sending and rotating read those."""

    id: uuid.UUID
    livemode: bool
    url: str
    description: str
    events: list[str]
    status: EndpointStatus
    disabled_reason: DisabledReason | None
    created_at: datetime
    updated_at: datetime


class EndpointHealth(msgspec.Struct, frozen=True):
    """What decides what happens after a failed attempt, and whom to tell."""

    status: EndpointStatus | Literal["removed"]
    failing_since: datetime | None
    url: str
    livemode: bool


class SealedSecrets(msgspec.Struct, frozen=True):
    """The secrets of an endpoint as they are stored: encrypted."""

    workspace_id: uuid.UUID
    id: uuid.UUID
    secret: bytes
    old_secret: bytes | None
