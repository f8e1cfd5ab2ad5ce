"""The requests that webhooks receive, in the OpenAPI document: one for each type of event, with its typed body."""

from collections.abc import Mapping
from typing import Any

import msgspec

from sightline.api.event_types import WEBHOOK_EVENTS
from sightline.api.openapi.components import Json
from sightline.api.openapi.examples import EVENT_EXAMPLES
from sightline.events import EventType

TAG = "Console: Webhooks"
_RESPONSES: Mapping[str, Json] = {
    "2XX": {"description": "The event was received. Respond within 15 seconds, and process the event afterwards."},
    "410": {"description": "Disables the webhook: no further events are sent to it."},
    "default": {
        "description": "Any other response, including a redirect, counts as a failure: the event is sent again."
    },
}


def _header(name: str, description: str, **schema: Any) -> Json:
    return {"name": name, "in": "header", "required": True, "description": description, "schema": schema}


_HEADERS = [
    _header("webhook-id", "Id of the event, the same with every attempt and redelivery.", type="string", format="uuid"),
    _header("webhook-timestamp", "When this attempt was made, in seconds since 1970.", type="integer"),
    _header(
        "webhook-signature",
        "One or more signatures as in Standard Webhooks, separated by spaces: `v1,` and base64.",
        type="string",
    ),
]


def build_webhooks(bodies: Mapping[str, Json]) -> dict[str, Json]:
    """Return the request of every type of event, given a reference to the schema of its body."""
    return {kind: {"post": _describe(kind, bodies[kind])} for kind in WEBHOOK_EVENTS}


def _describe(kind: EventType, body: Json) -> Json:
    example = msgspec.json.decode(msgspec.json.encode(EVENT_EXAMPLES[kind]))
    return {
        "operationId": f"receive_{kind.replace('.', '_')}",
        "tags": [TAG],
        "summary": f"Event {kind}",
        "description": WEBHOOK_EVENTS[kind].sent_when,
        "security": [],
        "parameters": _HEADERS,
        "requestBody": {"required": True, "content": {"application/json": {"schema": body, "example": example}}},
        "responses": dict(_RESPONSES),
    }
