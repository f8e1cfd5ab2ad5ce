"""Examples of webhooks and their deliveries."""

from collections.abc import Mapping
from uuid import UUID

import msgspec

from sightline.api.openapi.examples.example import WORKSPACE_ID, Example, envelope, page
from sightline.api.schemas import Removed
from sightline.events import EventBody
from sightline.webhooks.schemas import Webhook, WebhookAttempt, WebhookDelivery, WebhookTestData, WebhookWithSecret

_WEBHOOK_ID = UUID("01990f70-3d1c-7a52-9b0e-c4f8a6d27e13")
_DELIVERY_ID = UUID("01990f8e-90b4-7f06-8c1d-2e7a5b93d640")
_EVENT_ID = UUID("01990f8e-90a1-7c5b-a4e2-f06d81c3b97a")
_REGISTERED = "2026-11-02T08:40:12.530771+00:00"
_SENT = "2026-11-14T09:30:02.871004+00:00"

PATH_IDS: Mapping[str, str] = {"webhook_id": str(_WEBHOOK_ID), "delivery_id": str(_DELIVERY_ID)}


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
TEST_DATA = WebhookTestData(webhook_id=_WEBHOOK_ID, workspace_id=UUID(WORKSPACE_ID), livemode=False)
_BODY = msgspec.json.encode(EventBody("webhook.test", "2026-11-14T09:30:02.118240+00:00", TEST_DATA)).decode()
_STARTING = WebhookDelivery(
    id=_DELIVERY_ID,
    webhook_id=_WEBHOOK_ID,
    event_id=_EVENT_ID,
    event_type="webhook.test",
    status="pending",
    failure_reason=None,
    attempt_count=0,
    next_attempt_at="2026-11-14T09:30:02.118240+00:00",
    created_at="2026-11-14T09:30:02.118240+00:00",
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


EXAMPLES: Mapping[str, Example] = {
    "list_webhooks": Example(page(_WEBHOOK)),
    "register_webhook": Example(
        envelope(_WITH_SECRET),
        {
            "url": "https://hooks.acme.com/sightline",
            "description": "Report builder",
            "events": ["scan.completed", "scan.failed"],
        },
    ),
    "read_webhook": Example(envelope(_WEBHOOK)),
    "change_webhook": Example(envelope(_WEBHOOK), {"events": ["scan.completed", "scan.failed"], "status": "enabled"}),
    "remove_webhook": Example(envelope(Removed(_WEBHOOK_ID, deleted=True))),
    "rotate_webhook_secret": Example(envelope(_WITH_SECRET)),
    "send_test_webhook": Example(envelope(_STARTING)),
    "list_webhook_deliveries": Example(page(_DELIVERED)),
    "redeliver_webhook": Example(envelope(_AGAIN)),
}
