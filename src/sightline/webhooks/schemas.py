"""Schemas of webhooks and their deliveries in the Console API."""

import uuid
from typing import Annotated, Any

import msgspec

from sightline.events import EventType
from sightline.kit.clock import Timestamp, to_iso, to_iso_or_none
from sightline.webhooks.models import (
    Attempt,
    DeliveryHistory,
    DeliveryStatus,
    DisabledReason,
    Endpoint,
    EndpointStatus,
    FailureReason,
)

Address = Annotated[str, msgspec.Meta(min_length=1, max_length=2_048)]


Description = Annotated[str, msgspec.Meta(max_length=500)]


Types = Annotated[list[EventType], msgspec.Meta(max_length=100)]


class WebhookInput(msgspec.Struct, frozen=True):
    """An endpoint to register. Without `events` it hears of everything."""

    url: Address
    description: Description = ""
    events: Types = []


class WebhookChanges(msgspec.Struct, frozen=True, omit_defaults=True):
    """What may change of an endpoint; a field left out stays as it is."""

    url: Address | msgspec.UnsetType = msgspec.UNSET
    description: Description | msgspec.UnsetType = msgspec.UNSET
    events: Types | msgspec.UnsetType = msgspec.UNSET
    status: EndpointStatus | msgspec.UnsetType = msgspec.UNSET


class Webhook(msgspec.Struct, frozen=True):
    """An endpoint of yours that is told of events, without its secret."""

    id: uuid.UUID
    livemode: bool
    url: str
    description: str
    events: list[str]
    status: EndpointStatus
    disabled_reason: DisabledReason | None
    created_at: Timestamp
    updated_at: Timestamp


class WebhookWithSecret(Webhook, frozen=True):
    """A new endpoint, or one with a new secret. This is the only time that the secret is shown."""

    secret: str | None


class WebhookAttempt(msgspec.Struct, frozen=True):
    """One request to the endpoint, and what came of it."""

    attempt: int
    attempted_at: Timestamp
    request_headers: dict[str, str]
    response_status: int | None
    response_body: str | None
    error: str | None
    duration_ms: int


class WebhookDelivery(msgspec.Struct, frozen=True):
    """One event on its way to one endpoint."""

    id: uuid.UUID
    webhook_id: uuid.UUID
    event_id: uuid.UUID
    event_type: str
    status: DeliveryStatus
    failure_reason: FailureReason | None
    attempt_count: int
    next_attempt_at: Timestamp | None
    created_at: Timestamp
    request_body: str
    attempts: list[WebhookAttempt]


def _fields(row: Endpoint) -> dict[str, Any]:
    return msgspec.structs.asdict(row) | {"created_at": to_iso(row.created_at), "updated_at": to_iso(row.updated_at)}


def to_webhook(row: Endpoint) -> Webhook:
    return Webhook(**_fields(row))


def to_webhook_with_secret(row: Endpoint, secret: str) -> WebhookWithSecret:
    return WebhookWithSecret(**_fields(row), secret=secret)


def _to_attempt(row: Attempt) -> WebhookAttempt:
    answered = row.response_status is not None
    return WebhookAttempt(
        row.attempt,
        to_iso(row.attempted_at),
        row.request_headers,
        row.response_status,
        row.response_body.decode(errors="replace") if answered else None,
        row.error,
        row.duration_ms,
    )


def to_delivery(story: DeliveryHistory) -> WebhookDelivery:
    row = story.delivery
    return WebhookDelivery(
        row.id,
        row.endpoint_id,
        row.event_id,
        row.event_type,
        row.status,
        row.failure_reason,
        row.attempts,
        to_iso_or_none(row.next_attempt_at),
        to_iso(row.created_at),
        row.body.decode(),
        [_to_attempt(attempt) for attempt in story.attempts],
    )
