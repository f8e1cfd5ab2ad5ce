"""Schemas of Slack channels in the Data API."""

import uuid
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import UNSET, Meta, UnsetType

from sightline.events import EventBody
from sightline.kit.clock import Timestamp, to_iso
from sightline.kit.examples import EVENT_TIME, WORKSPACE_ID, Example
from sightline.kit.structs import convert_struct
from sightline.webhooks.models import DisabledReason, Endpoint, EndpointStatus
from sightline.webhooks.schemas import WebhookAttempt, WebhookDelivery, WebhookTestData
from sightline.webhooks.slack.messages import REFUSALS

SlackEvent = Literal["check.completed", "alert.raised", "report.ready"]
SLACK_EVENTS: tuple[SlackEvent, ...] = get_args(SlackEvent)

Name = Annotated[str, Meta(min_length=1, max_length=100, description="What you call it, such as the channel's name.")]
Address = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=2_048,
        description="Address of an incoming webhook of Slack: `https://hooks.slack.com/…`. It is stored encrypted and "
        "never returned.",
    ),
]
Events = Annotated[
    list[SlackEvent],
    Meta(
        max_length=10,
        description="What is posted: `check.completed` (a Full Check with its findings), `alert.raised` (a confirmed "
        "change between Daily Checks) and `report.ready`. Empty means all three.",
    ),
]
ClientId = Annotated[
    str | None,
    Meta(description="Id of the client whose domains the channel hears of. Null for all domains of the workspace."),
]


class SlackChannelInput(msgspec.Struct, frozen=True):
    """A Slack channel to post to."""

    name: Name
    url: Address
    client_id: ClientId = None
    events: Events = []


class SlackChannelChanges(msgspec.Struct, frozen=True, omit_defaults=True):
    """Changes of a Slack channel. What is left out stays as it is."""

    name: Name | UnsetType = UNSET
    url: Address | UnsetType = UNSET
    client_id: ClientId | UnsetType = UNSET
    events: Events | UnsetType = UNSET
    status: Annotated[
        EndpointStatus | UnsetType, Meta(description="`disabled` stops messages, `enabled` starts them again.")
    ] = UNSET


class SlackChannel(msgspec.Struct, frozen=True):
    """A Slack channel that hears of finished checks, findings and reports."""

    id: Annotated[uuid.UUID, Meta(description="Id of the channel.")]
    name: Annotated[str, Meta(description="What you call it.")]
    host: Annotated[str, Meta(description="Host of its address. The rest of the address is secret.")]
    client_id: Annotated[uuid.UUID | None, Meta(description="Client whose domains it hears of. Null for all domains.")]
    events: Annotated[list[str], Meta(description="Events that are posted.")]
    status: Annotated[EndpointStatus, Meta(description="`enabled` or `disabled`. Nothing is posted while disabled.")]
    disabled_reason: Annotated[
        DisabledReason | None,
        Meta(
            description="`manual` (by a member), `gone` (Slack answered 404 or 410: the webhook or its channel no "
            "longer exists) or `failing` (every message has failed for five days). Null while enabled."
        ),
    ]
    created_at: Annotated[Timestamp, Meta(description="When the channel was added.")]
    updated_at: Annotated[Timestamp, Meta(description="When the channel was last changed.")]


def to_slack_channel(row: Endpoint) -> SlackChannel:
    return convert_struct(
        SlackChannel,
        row,
        name=row.description,
        host=row.url.partition("://")[2],
        created_at=to_iso(row.created_at),
        updated_at=to_iso(row.updated_at),
    )


# Examples

_ID = uuid.UUID("0197a7b4-90c2-7e15-9a3f-6d2c81e0b574")
_ADDED = "2026-11-02T08:52:40.302551+00:00"

PATH_IDS = {"data": {"channel_id": str(_ID)}}

_CHANNEL = SlackChannel(
    id=_ID,
    name="#acme-visibility",
    host="hooks.slack.com",
    client_id=None,
    events=list(SLACK_EVENTS),
    status="enabled",
    disabled_reason=None,
    created_at=_ADDED,
    updated_at=_ADDED,
)

_TEST = WebhookDelivery(
    id=uuid.UUID("0197a7b5-11d8-7a90-8c46-70b3f2d9e158"),
    webhook_id=_ID,
    event_id=uuid.UUID("0197a7b5-11c3-7be2-b7d1-9a04c6f5e832"),
    event_type="webhook.test",
    status="pending",
    failure_reason=None,
    attempt_count=0,
    next_attempt_at=EVENT_TIME,
    created_at=EVENT_TIME,
    request_body=msgspec.json.encode(
        EventBody("webhook.test", EVENT_TIME, WebhookTestData(_ID, WORKSPACE_ID, livemode=True))
    ).decode(),
    attempts=[],
)
_REFUSED = msgspec.structs.replace(
    _TEST,
    status="failed",
    failure_reason="gone",
    attempt_count=1,
    next_attempt_at=None,
    attempts=[
        WebhookAttempt(
            attempt=1,
            attempted_at=EVENT_TIME,
            request_headers={"content-type": "application/json", "user-agent": "Sightline/0.1.0"},
            response_status=404,
            response_body="no_service",
            error=REFUSALS["no_service"],
            duration_ms=96,
        )
    ],
)

EXAMPLES = {
    "send_slack_test": Example(_TEST),
    "list_slack_deliveries": Example([_REFUSED]),
    "list_slack_channels": Example([_CHANNEL]),
    "read_slack_channel": Example(_CHANNEL),
    "add_slack_channel": Example(
        _CHANNEL, {"name": "#acme-visibility", "url": "https://hooks.slack.com/services/T000/B000/XXXX"}
    ),
    "change_slack_channel": Example(
        msgspec.structs.replace(_CHANNEL, events=["report.ready"]), {"events": ["report.ready"]}
    ),
}
