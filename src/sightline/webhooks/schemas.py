"""Schemas of webhooks and their deliveries in the Console API."""

import uuid
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.accounts.models import LIVEMODE_MEANING
from sightline.events import EventBody, EventType
from sightline.kit.clock import Timestamp, to_iso, to_iso_or_none
from sightline.kit.examples import EVENT_TIME, WORKSPACE_ID, Example
from sightline.kit.structs import convert_struct
from sightline.webhooks.deliveries.models import DeliveryAttempt, DeliveryHistory, DeliveryStatus, FailureReason
from sightline.webhooks.models import DisabledReason, Endpoint, EndpointStatus

Url = Annotated[str, Meta(min_length=1, max_length=2_048)]
Description = Annotated[str, Meta(max_length=500)]
EventTypes = Annotated[list[EventType], Meta(max_length=100)]


class WebhookInput(msgspec.Struct, frozen=True):
    """A webhook to register. Without `events` it receives all events."""

    url: Annotated[
        Url, Meta(description="An https URL on port 443 of a public host, without user name, password or fragment.")
    ]
    description: Annotated[Description, Meta(description="Your own description of the webhook.")] = ""
    events: Annotated[EventTypes, Meta(description="Event types to send. Empty or omitted means all types.")] = []


class WebhookChanges(msgspec.Struct, frozen=True, omit_defaults=True):
    """Changes to a webhook. A field that you leave out does not change."""

    url: Annotated[Url | msgspec.UnsetType, Meta(description="New address.")] = msgspec.UNSET
    description: Annotated[Description | msgspec.UnsetType, Meta(description="New description.")] = msgspec.UNSET
    events: Annotated[
        EventTypes | msgspec.UnsetType,
        Meta(description="New list of event types; it replaces the old list. Empty means all types."),
    ] = msgspec.UNSET
    status: Annotated[
        EndpointStatus | msgspec.UnsetType,
        Meta(description="`disabled` stops deliveries, `enabled` starts them again."),
    ] = msgspec.UNSET


class Webhook(msgspec.Struct, frozen=True):
    """One of your endpoints that receives events, without its secret."""

    id: Annotated[uuid.UUID, Meta(description="Id of the webhook, used as `webhook_id`.")]
    livemode: Annotated[bool, Meta(description="Live webhooks receive live events, test webhooks receive test events.")]
    url: Annotated[str, Meta(description="URL that events are sent to, in its normalized form.")]
    description: Annotated[str, Meta(description="Your own description of the webhook.")]
    events: Annotated[
        list[str], Meta(description="Event types that are sent. Empty means all types, including future ones.")
    ]
    status: Annotated[
        EndpointStatus, Meta(description="`enabled` or `disabled`. Nothing is sent to a disabled webhook.")
    ]
    disabled_reason: Annotated[
        DisabledReason | None,
        Meta(
            description="`manual` (disabled by a member), `gone` (the endpoint answered 410) or `failing` "
            "(every delivery has failed for five days). Null while enabled."
        ),
    ]
    created_at: Annotated[Timestamp, Meta(description="When the webhook was registered.")]
    updated_at: Annotated[Timestamp, Meta(description="When the webhook was last changed.")]


class WebhookWithSecret(Webhook, frozen=True):
    """A webhook with its new secret, which is shown only in this response."""

    secret: Annotated[
        str | None,
        Meta(
            description="Secret that signs deliveries. It is shown only once. A repeated request with the same "
            "Idempotency-Key returns null here."
        ),
    ]


class WebhookTestData(msgspec.Struct, frozen=True):
    """Data of the event `webhook.test`."""

    webhook_id: Annotated[uuid.UUID, Meta(description="Webhook that is tested.")]
    workspace_id: Annotated[uuid.UUID, Meta(description="Workspace of the webhook.")]
    livemode: Annotated[bool, Meta(description=LIVEMODE_MEANING)]


class WebhookAttempt(msgspec.Struct, frozen=True):
    """One request to the endpoint, and its result."""

    attempt: Annotated[int, Meta(description="Number of the attempt, starting at 1.")]
    attempted_at: Annotated[Timestamp, Meta(description="When the attempt was made.")]
    request_headers: Annotated[dict[str, str], Meta(description="Headers that were sent.")]
    response_status: Annotated[int | None, Meta(description="HTTP status of the response. Null without a response.")]
    response_body: Annotated[str | None, Meta(description="First 4 KiB of the response. Null without a response.")]
    error: Annotated[
        str | None,
        Meta(
            description="Why there was no response. If the response was a redirect, a note that redirects are not "
            "followed. Null otherwise."
        ),
    ]
    duration_ms: Annotated[int, Meta(description="Duration of the attempt in milliseconds.")]


class WebhookDelivery(msgspec.Struct, frozen=True):
    """The delivery of one event to one webhook."""

    id: Annotated[uuid.UUID, Meta(description="Id of the delivery, used as `delivery_id`.")]
    webhook_id: Annotated[uuid.UUID, Meta(description="Webhook that the event is sent to.")]
    event_id: Annotated[
        uuid.UUID,
        Meta(description="Id of the event. It is sent as the header `webhook-id`, the same with every attempt."),
    ]
    event_type: Annotated[str, Meta(description="Type of the event.")]
    status: Annotated[DeliveryStatus, Meta(description="`pending`, `succeeded` or `failed`.")]
    failure_reason: Annotated[
        FailureReason | None,
        Meta(
            description="`attempts_exhausted` (no attempts are left), `gone` (the endpoint answered 410, or Slack "
            "404), `rejected` (Slack refused the message), `sandbox` (a sandbox posts nothing to Slack), "
            "`webhook_disabled` or `webhook_removed`. Null unless the delivery has failed."
        ),
    ]
    attempt_count: Annotated[int, Meta(description="Number of attempts that were made.")]
    next_attempt_at: Annotated[
        Timestamp | None, Meta(description="When the next attempt is made. Null if there is none.")
    ]
    created_at: Annotated[Timestamp, Meta(description="When the delivery was created.")]
    request_body: Annotated[str, Meta(description="Body that is sent, byte for byte.")]
    attempts: Annotated[list[WebhookAttempt], Meta(description="Latest 20 attempts, oldest first.")]


def to_webhook(row: Endpoint) -> Webhook:
    return convert_struct(Webhook, row, created_at=to_iso(row.created_at), updated_at=to_iso(row.updated_at))


def to_webhook_with_secret(row: Endpoint, secret: str) -> WebhookWithSecret:
    return convert_struct(WebhookWithSecret, to_webhook(row), secret=secret)


def _to_attempt(row: DeliveryAttempt) -> WebhookAttempt:
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


def to_delivery(history: DeliveryHistory) -> WebhookDelivery:
    row = history.delivery
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
        [_to_attempt(attempt) for attempt in history.attempts],
    )


# Examples

_WEBHOOK_ID = uuid.UUID("01990f70-3d1c-7a52-9b0e-c4f8a6d27e13")
_DELIVERY_ID = uuid.UUID("01990f8e-90b4-7f06-8c1d-2e7a5b93d640")
_EVENT_ID = uuid.UUID("01990f8e-90a1-7c5b-a4e2-f06d81c3b97a")
_REGISTERED = "2026-11-02T08:40:12.530771+00:00"
_SENT = "2026-11-14T09:30:02.871004+00:00"

PATH_IDS = {"console": {"webhook_id": str(_WEBHOOK_ID), "delivery_id": str(_DELIVERY_ID)}}


_WEBHOOK = Webhook(
    id=_WEBHOOK_ID,
    livemode=False,
    url="https://hooks.acme.com/sightline",
    description="Report builder",
    events=["scan.completed", "scan.failed"],
    status="enabled",
    disabled_reason=None,
    created_at=_REGISTERED,
    updated_at=_REGISTERED,
)
_WITH_SECRET = WebhookWithSecret(
    **msgspec.structs.asdict(_WEBHOOK),
    secret="whsec_RXhhbXBsZUV4YW1wbGVFeGFtcGxlRXhhbXBsZTEyMzQ=",  # noqa: S106 - made up
)
_TEST_DATA = WebhookTestData(webhook_id=_WEBHOOK_ID, workspace_id=WORKSPACE_ID, livemode=False)
_BODY = msgspec.json.encode(EventBody("webhook.test", EVENT_TIME, _TEST_DATA)).decode()
_STARTING = WebhookDelivery(
    id=_DELIVERY_ID,
    webhook_id=_WEBHOOK_ID,
    event_id=_EVENT_ID,
    event_type="webhook.test",
    status="pending",
    failure_reason=None,
    attempt_count=0,
    next_attempt_at=EVENT_TIME,
    created_at=EVENT_TIME,
    request_body=_BODY,
    attempts=[],
)
_DELIVERED = msgspec.structs.replace(
    _STARTING,
    status="succeeded",
    attempt_count=1,
    next_attempt_at=None,
    attempts=[
        WebhookAttempt(
            attempt=1,
            attempted_at=_SENT,
            request_headers={
                "content-type": "application/json",
                "user-agent": "Sightline/0.1.0",
                "webhook-id": str(_EVENT_ID),
                "webhook-timestamp": "1794648602",
                "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
            },
            response_status=200,
            response_body="ok",
            error=None,
            duration_ms=84,
        )
    ],
)
_AGAIN = msgspec.structs.replace(_DELIVERED, status="pending", next_attempt_at="2026-11-14T10:00:00.000000+00:00")

EXAMPLES = {
    "list_webhooks": Example([_WEBHOOK]),
    "register_webhook": Example(
        _WITH_SECRET,
        {
            "url": "https://hooks.acme.com/sightline",
            "description": "Report builder",
            "events": ["scan.completed", "scan.failed"],
        },
    ),
    "read_webhook": Example(_WEBHOOK),
    "change_webhook": Example(_WEBHOOK, {"events": ["scan.completed", "scan.failed"], "status": "enabled"}),
    "rotate_webhook_secret": Example(_WITH_SECRET),
    "send_test_webhook": Example(_STARTING),
    "list_webhook_deliveries": Example([_DELIVERED]),
    "redeliver_webhook": Example(_AGAIN),
}

EVENT_EXAMPLES = {"webhook.test": (EVENT_TIME, msgspec.structs.replace(_TEST_DATA, livemode=True))}
