"""Unwrapping what the server's own sender signs."""

import time
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from sightline.api.event_types import WEBHOOK_EVENTS
from sightline.kit.ids import new_id
from sightline.webhooks.deliveries import models
from sightline.webhooks.deliveries.sender import open_webhook_sender
from sightline.webhooks.deliveries.signing import sign_headers
from sightline_sdk import WebhookVerificationError, webhook_events
from sightline_sdk.webhooks import unwrap
from tests.fakes.receiver import Receiver
from tests.installation import Installation
from tests.sdk.clients import open_client
from tests.webhooks.webhook_steps import WebhookSteps

SECRET_BYTES = b"0123456789abcdef01234567"
SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"
BODY = (
    b'{"type":"webhook.test","timestamp":"2026-11-15T09:30:10.000000+00:00",'
    b'"data":{"webhook_id":"w","workspace_id":"k","livemode":true,"added_later":"\xc3\xa4"}}'
)


def sign(body=BODY, *secrets, at=None):
    return sign_headers(new_id(), body, secrets or [SECRET_BYTES], now=at or datetime.now(UTC))


async def test_what_the_server_sends_is_unwrapped(database_url, tmp_path):
    """The event of a test, through the outbox and the real sender, to a receiver on the loopback interface."""
    async with (
        Installation.open(database_url, tmp_path, webhook_allow_loopback=True) as installation,
        Receiver() as receiver,
        open_webhook_sender(installation.app_context.settings) as sender,
    ):
        client = open_client(installation, (await installation.tenant()).live)
        made = await client.webhooks.register(url=receiver.url())
        sent = await client.webhooks.send_test(made.id)
        steps = WebhookSteps(installation, None, sender, receiver)
        await steps.deliver(*await steps.take(models.JOB))
        (got,) = receiver.received
        age = time.time() - installation.clock().timestamp()
        event = client.webhooks.unwrap(got.body, got.headers, made.secret, tolerance=abs(age) + 60)
    assert isinstance(event, webhook_events.WebhookTestEvent)
    assert (event.id, event.data.webhook_id, event.data.livemode) == (sent.event_id, made.id, True)


def test_either_secret_verifies_during_a_rotation_and_names_of_headers_have_any_case():
    headers = {name.title(): value for name, value in sign(BODY, b"another secret, 24 bytes", SECRET_BYTES).items()}
    event = unwrap(BODY, headers, SECRET)
    assert (event.type, event.timestamp) == ("webhook.test", datetime(2026, 11, 15, 9, 30, 10, tzinfo=UTC))


def test_an_event_of_an_unknown_type_is_returned_as_it_is():
    body = BODY.replace(b"webhook.test", b"scan.paused")
    event = unwrap(body, sign(body), SECRET)
    assert isinstance(event, webhook_events.UnknownEvent)
    assert (event.type, event.data["added_later"]) == ("scan.paused", "ä")


def test_every_type_of_event_has_a_class():
    assert webhook_events.EVENTS.keys() == WEBHOOK_EVENTS.keys()
    for name, schema in WEBHOOK_EVENTS.items():
        (data,) = [field.type for field in msgspec.structs.fields(webhook_events.EVENTS[name]) if field.name == "data"]
        assert set(data.__struct_fields__) == set(schema.data.__struct_fields__)


# Signed when the test runs: a signature of minutes ago is refused for its age.
REFUSED = {
    "changed body": (lambda: {"body": BODY.replace(b"true", b"null")}, "No signature"),
    "other secret": (lambda: {"secret": "whsec_AAAA"}, "No signature"),
    "no secret": (lambda: {"secret": "not base64!"}, "secret is not one"),
    "no headers": (lambda: {"headers": {}}, "webhook-id is missing"),
    "old": (lambda: {"headers": sign(at=datetime.now(UTC) - timedelta(minutes=6))}, "too old"),
    "of the future": (lambda: {"headers": sign(at=datetime.now(UTC) + timedelta(minutes=6))}, "too old"),
    "no time": (lambda: {"headers": {**sign(), "webhook-timestamp": "now"}}, "not a number"),
    "other time": (lambda: {"headers": {**sign(), "webhook-timestamp": str(int(time.time()) - 1)}}, "No signature"),
    "other id": (lambda: {"headers": {**sign(), "webhook-id": "another"}}, "No signature"),
    "other signature": (lambda: {"headers": {**sign(), "webhook-signature": "v1,ä v2,x"}}, "No signature"),
    "no event": (lambda: {"body": b"{}", "headers": sign(b"{}")}, "not an event"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_from_the_server_is_refused(case):
    change, reason = REFUSED[case]
    given = {"body": BODY, "headers": sign(), "secret": SECRET} | change()
    with pytest.raises(WebhookVerificationError, match=reason):
        unwrap(**given)
