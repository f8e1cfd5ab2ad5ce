"""Webhooks at the receiver: verify that a delivery is from Sightline, and read its event.

The signature is that of Standard Webhooks. A receiver gets some deliveries twice: `id` tells which are the same.
"""

import base64
import binascii
import hashlib
import hmac
import time
from collections.abc import Mapping

import msgspec

from sightline_sdk._errors import WebhookVerificationError
from sightline_sdk.webhook_events import EVENTS, UnknownEvent, WebhookEvent

DEFAULT_TOLERANCE = 300.0


def unwrap(
    body: bytes | str, headers: Mapping[str, str], secret: str, *, tolerance: float = DEFAULT_TOLERANCE
) -> WebhookEvent:
    """Verify a delivery and return its event. An event of a type that this version does not know is an `UnknownEvent`.

    Refused with `WebhookVerificationError`: another secret, a changed body, a missing header, an old delivery.

    Args:
        body: The body exactly as it was received, before anything parses it.
        headers: The headers of the request. The case of their names does not matter.
        secret: The secret of the webhook, `whsec_…`.
        tolerance: Seconds by which the time of the delivery may differ from the clock.
    """
    content = body.encode() if isinstance(body, str) else body
    event_id = verify(content, headers, secret, tolerance=tolerance)
    try:
        return _decode(content, event_id)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise WebhookVerificationError(f"The body is not an event of Sightline: {error}.") from error


def verify(body: bytes, headers: Mapping[str, str], secret: str, *, tolerance: float = DEFAULT_TOLERANCE) -> str:
    """Verify the signature of a delivery, and return the id of its event."""
    lower = {name.lower(): value for name, value in headers.items()}
    try:
        event_id, sent_at = lower["webhook-id"], lower["webhook-timestamp"]
        signatures = lower["webhook-signature"].split()
    except KeyError as error:
        raise WebhookVerificationError(f"The header {error.args[0]} is missing.") from None
    _require_recent(sent_at, tolerance)
    expected = hmac.new(_read_secret(secret), f"{event_id}.{sent_at}.".encode() + body, hashlib.sha256).digest()
    wanted = b"v1," + base64.b64encode(expected)
    if not any(hmac.compare_digest(wanted, signature.encode()) for signature in signatures):
        raise WebhookVerificationError("No signature of the delivery matches the secret.")
    return event_id


def _require_recent(sent_at: str, tolerance: float) -> None:
    if not sent_at.isdecimal() or not sent_at.isascii():
        raise WebhookVerificationError("The header webhook-timestamp is not a number.")
    if abs(time.time() - int(sent_at)) > tolerance:
        raise WebhookVerificationError("The delivery is too old, or the clock of this machine is wrong.")


def _read_secret(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        raise WebhookVerificationError("The secret is not one of a webhook: it looks like whsec_…") from None


class _Kind(msgspec.Struct):
    type: str


def _decode(content: bytes, event_id: str) -> WebhookEvent:
    kind = msgspec.json.decode(content, type=_Kind).type
    event: WebhookEvent = msgspec.json.decode(content, type=EVENTS.get(kind, UnknownEvent))
    return msgspec.structs.replace(event, id=event_id)
