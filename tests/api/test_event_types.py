"""Every event names the workspace, the mode and, where there is one, the domain."""

import msgspec
import pytest

from sightline.api.event_types import SCAN_STREAM_EVENTS, WEBHOOK_EVENTS
from sightline.events import EVENT_TYPES

OF_NO_DOMAIN = {"credits.low", "webhook.test"}


def test_every_type_of_event_has_a_schema():
    assert tuple(WEBHOOK_EVENTS) == EVENT_TYPES


@pytest.mark.parametrize("name", [*WEBHOOK_EVENTS, *SCAN_STREAM_EVENTS])
def test_an_event_says_whom_it_is_about(name):
    schema = {**WEBHOOK_EVENTS, **SCAN_STREAM_EVENTS}[name]
    required = {field.name for field in msgspec.structs.fields(schema.data) if field.required}
    assert required >= {"workspace_id", "livemode"} | (set() if name in OF_NO_DOMAIN else {"domain_id"})
