"""Events that were recorded for webhooks, read as their schemas say."""

import json
from typing import Any

import msgspec

from sightline.api.event_types import WEBHOOK_EVENTS
from sightline.events import EventBody


def decode_event(body: bytes) -> dict[str, Any]:
    """Return an event as JSON, after verifying that it has exactly the members that the schema of its type declares."""
    event: dict[str, Any] = json.loads(body)
    decoded = msgspec.json.decode(body, type=EventBody[WEBHOOK_EVENTS[event["type"]].data])
    assert json.loads(msgspec.json.encode(decoded)) == event
    return event
