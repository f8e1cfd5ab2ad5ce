"""Rows of webhook endpoints, of which Slack channels are a kind."""

import uuid
from datetime import datetime
from typing import Literal

import msgspec

EndpointKind = Literal["webhook", "slack"]
EndpointStatus = Literal["enabled", "disabled"]
DisabledReason = Literal["manual", "gone", "failing"]


class Endpoint(msgspec.Struct, frozen=True):
    """An address that receives events, without its secrets: only sending and rotating read those.

    The address of a Slack channel is a secret itself: `url` has only its host.
    """

    id: uuid.UUID
    livemode: bool
    url: str
    description: str
    events: list[str]
    status: EndpointStatus
    disabled_reason: DisabledReason | None
    created_at: datetime
    updated_at: datetime
    kind: EndpointKind = "webhook"
    client_id: uuid.UUID | None = None
    """The client whose domains a Slack channel hears of; None stands for all of the workspace."""


class EndpointHealth(msgspec.Struct, frozen=True):
    """What decides what happens after a failed attempt, and whom to tell."""

    status: EndpointStatus | Literal["removed"]
    failing_since: datetime | None
    url: str
    livemode: bool
    kind: EndpointKind
    description: str


class SealedSecrets(msgspec.Struct, frozen=True):
    """The secrets of an endpoint as they are stored: encrypted."""

    workspace_id: uuid.UUID
    id: uuid.UUID
    secret: bytes
    old_secret: bytes | None
