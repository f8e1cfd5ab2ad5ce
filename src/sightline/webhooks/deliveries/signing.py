"""The headers of a delivery, after Standard Webhooks: id, time of the attempt, one signature per valid secret."""

import uuid
from collections.abc import Sequence
from datetime import datetime

from standardwebhooks.webhooks import Webhook

from sightline.http.session import USER_AGENT


def sign_headers(event_id: uuid.UUID, body: bytes, secrets: Sequence[bytes], *, now: datetime) -> dict[str, str]:
    """Return the signed headers.

    The id is that of the event, the same at every attempt and redelivery, so that a receiver recognizes duplicates.
    """
    text = body.decode()
    signatures = [Webhook(secret).sign(str(event_id), now, text) for secret in secrets]
    return {
        "content-type": "application/json",
        "user-agent": USER_AGENT,
        "webhook-id": str(event_id),
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(signatures),
    }
