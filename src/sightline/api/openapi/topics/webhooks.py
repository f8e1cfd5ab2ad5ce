"""How the reference speaks of webhooks."""

from collections.abc import Mapping
from uuid import UUID

import msgspec

from sightline.api.edge.envelope import Meta, One, Page, PageMeta
from sightline.api.openapi.example import REQUEST_ID, Example
from sightline.api.schemas import Removed
from sightline.webhooks.schemas import Webhook, WebhookAttempt, WebhookDelivery, WebhookWithSecret

_WEBHOOK_ID = UUID("01990f70-3d1c-7a52-9b0e-c4f8a6d27e13")
_DELIVERY_ID = UUID("01990f8e-90b4-7f06-8c1d-2e7a5b93d640")
_EVENT_ID = UUID("01990f8e-90a1-7c5b-a4e2-f06d81c3b97a")
_REGISTERED = "2026-11-02T08:40:12.530771+00:00"
_SENT = "2026-11-14T09:30:02.871004+00:00"

TAGS: Mapping[str, str] = {
    "Console: Webhooks": "Endpoints of yours that we tell of events, signed after Standard Webhooks; and what we sent.",
}
PATH_IDS: Mapping[str, str] = {"webhook_id": str(_WEBHOOK_ID), "delivery_id": str(_DELIVERY_ID)}

MEANINGS: Mapping[str, str] = {
    **{
        f"{shape}.{field}": meaning
        for shape in ("Webhook", "WebhookWithSecret")
        for field, meaning in {
            "id": "Used as `webhook_id`.",
            "livemode": "Live webhooks hear of live events, test webhooks of test events.",
            "url": "Where events are sent, in the form in which it is called.",
            "description": "Your own words for it.",
            "events": "Types that are sent; empty: all, also those to come.",
            "status": "`enabled`, or `disabled`: nothing is sent.",
            "disabled_reason": "`manual` (by one of you), `gone` (it answered 410) or `failing` (no success for five "
            "days); null while enabled.",
            "updated_at": "When it was last changed.",
        }.items()
    },
    "WebhookWithSecret.secret": "Signs what we send; shown this once, null in a replay.",
    "WebhookInput.url": "An https URL on port 443 of a public host, without user name, password and fragment.",
    "WebhookInput.description": "Your own words for it.",
    "WebhookInput.events": "Types to send; empty or left out: all.",
    "WebhookChanges.url": "The new address.",
    "WebhookChanges.description": "The new description.",
    "WebhookChanges.events": "Replaces the list; empty: all.",
    "WebhookChanges.status": "`disabled` stops deliveries, `enabled` starts them again.",
    "WebhookDelivery.id": "Used as `delivery_id`.",
    "WebhookDelivery.webhook_id": "The webhook it goes to.",
    "WebhookDelivery.event_id": "The event; sent as the header `webhook-id`, the same at every attempt.",
    "WebhookDelivery.event_type": "The event's type.",
    "WebhookDelivery.status": "`pending`, `succeeded` or `failed`.",
    "WebhookDelivery.failure_reason": "`attempts_exhausted`, `gone` (answered 410), `webhook_disabled` or "
    "`webhook_removed`; null unless it has failed.",
    "WebhookDelivery.attempt_count": "How many attempts were made.",
    "WebhookDelivery.next_attempt_at": "When it is tried next; null when it is not.",
    "WebhookDelivery.request_body": "The body that is sent, byte for byte.",
    "WebhookDelivery.attempts": "The latest 20 attempts, oldest first.",
    "WebhookAttempt.attempt": "Its number, from 1.",
    "WebhookAttempt.attempted_at": "When it was made.",
    "WebhookAttempt.request_headers": "The headers that were sent.",
    "WebhookAttempt.response_status": "The status of the answer; null without one.",
    "WebhookAttempt.response_body": "The first 4 KiB of the answer; null without one.",
    "WebhookAttempt.error": "Why there was no answer, or what was wrong with it beyond its status.",
    "WebhookAttempt.duration_ms": "How long it took, in milliseconds.",
}

_WEBHOOK = Webhook(
    id=_WEBHOOK_ID,
    livemode=True,
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
_BODY = (
    f'{{"type":"webhook.test","timestamp":"2026-11-14T09:30:02.118240+00:00",'
    f'"data":{{"webhook_id":"{_WEBHOOK_ID}","livemode":true}}}}'
)
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


def _one(resource: msgspec.Struct) -> One[msgspec.Struct]:
    return One(resource, Meta(REQUEST_ID))


def _page(row: msgspec.Struct) -> Page[msgspec.Struct]:
    return Page([row], PageMeta(has_more=False, next_cursor=None, request_id=REQUEST_ID))


EXAMPLES: Mapping[str, Example] = {
    "list_webhooks": Example(_page(_WEBHOOK)),
    "register_webhook": Example(
        _one(_WITH_SECRET),
        {
            "url": "https://hooks.acme.com/sightline",
            "description": "Report builder",
            "events": ["scan.completed", "scan.failed"],
        },
    ),
    "read_webhook": Example(_one(_WEBHOOK)),
    "change_webhook": Example(_one(_WEBHOOK), {"events": ["scan.completed", "scan.failed"], "status": "enabled"}),
    "remove_webhook": Example(_one(Removed(_WEBHOOK_ID, deleted=True))),
    "rotate_webhook_secret": Example(_one(_WITH_SECRET)),
    "send_test_webhook": Example(_one(_STARTING)),
    "list_webhook_deliveries": Example(_page(_DELIVERED)),
    "redeliver_webhook": Example(_one(_AGAIN)),
}
