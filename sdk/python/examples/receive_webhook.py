from collections.abc import Mapping

from sightline_sdk import WebhookVerificationError
from sightline_sdk.webhook_events import CreditsLowEvent, ScanCompletedEvent
from sightline_sdk.webhooks import unwrap


def receive(body: bytes, headers: Mapping[str, str], secret: str) -> int:
    """Handle a delivery in the web framework of your choice, and return the status to respond with."""
    try:
        event = unwrap(body, headers, secret)
    except WebhookVerificationError:
        return 400
    if isinstance(event, ScanCompletedEvent):
        print(f"{event.data.domain}: {event.data.visibility_score}, see {event.data.results_url}")
    elif isinstance(event, CreditsLowEvent):
        print(f"Only {event.data.balance} credits are left.")
    return 204  # for all other event types, too
