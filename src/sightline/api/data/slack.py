"""Slack channels: where finished checks, findings and reports are posted. All operations require the role admin."""

from sightline.accounts.models import Role
from sightline.api.edge.envelope import Envelope, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Resource
from sightline.api.schemas import Removed
from sightline.kit.ids import parse_id
from sightline.webhooks.addresses import build_webhook_guard
from sightline.webhooks.deliveries import history
from sightline.webhooks.endpoints import list_endpoints, read_endpoint, remove_endpoint
from sightline.webhooks.schemas import WebhookDelivery, to_delivery
from sightline.webhooks.secrets import SecretBox
from sightline.webhooks.slack import channels
from sightline.webhooks.slack.schemas import (
    SlackChannel,
    SlackChannelChanges,
    SlackChannelInput,
    to_slack_channel,
)

RESOURCE = Resource(
    "data",
    "Slack",
    "Slack channels that hear of finished checks, findings and reports, of all domains or those of one client. They "
    "need the Agency plan and the role admin. In a sandbox nothing is posted: each delivery says so.",
    {"slack_channels": "Slack channels that hear of checks, findings and reports"},
)


@RESOURCE.operation(
    "GET",
    "/slack-channels",
    summary="List Slack channels",
    sdk="slack_channels.list",
    role=Role.ADMIN,
    data_api="insights",
    paged=True,
)
async def list_slack_channels(exchange: Exchange) -> Page[SlackChannel]:
    """List Slack channels, most recently added first, including disabled ones."""
    paging = exchange.paging("data.slack_channels")
    rows = await list_endpoints(
        exchange.db, exchange.actor, "slack", after=paging.after_time_and_id, page_size=paging.size
    )
    return paging.page(rows.map(to_slack_channel))


@RESOURCE.operation(
    "GET",
    "/slack-channels/{channel_id}",
    summary="Read a Slack channel",
    sdk="slack_channels.retrieve",
    role=Role.ADMIN,
    data_api="insights",
    problems=("not_found",),
)
async def read_slack_channel(exchange: Exchange, channel_id: str) -> Envelope[SlackChannel]:
    """Return one Slack channel, without its address."""
    return Envelope(to_slack_channel(await read_endpoint(exchange.db, exchange.actor, parse_id(channel_id), "slack")))


@RESOURCE.operation(
    "POST",
    "/slack-channels",
    summary="Add a Slack channel",
    sdk="slack_channels.create",
    scope="write",
    role=Role.ADMIN,
    data_api="write",
    body=SlackChannelInput,
    idempotency="required",
    problems=("plan_required", "invalid_webhook_url"),
)
async def add_slack_channel(exchange: Exchange) -> Envelope[SlackChannel]:
    """Add a Slack channel by the address of an incoming webhook that you create in your Slack app.

    Nothing is posted yet. A workspace has at most 200 channels; one more is refused (422 `validation_failed`).
    """
    settings = exchange.app_context.settings
    row = await channels.add_channel(
        exchange.tx,
        exchange.actor,
        exchange.decode_body(SlackChannelInput),
        guard=build_webhook_guard(settings),
        box=SecretBox(*settings.signing_keys),
        now=exchange.now,
    )
    return Envelope(to_slack_channel(row))


@RESOURCE.operation(
    "PATCH",
    "/slack-channels/{channel_id}",
    summary="Change a Slack channel",
    sdk="slack_channels.update",
    scope="write",
    role=Role.ADMIN,
    data_api="write",
    body=SlackChannelChanges,
    idempotency="required",
    problems=("not_found", "plan_required", "invalid_webhook_url"),
)
async def change_slack_channel(exchange: Exchange, channel_id: str) -> Envelope[SlackChannel]:
    """Change the fields that you send. Disabling a channel cancels messages that wait."""
    settings = exchange.app_context.settings
    row = await channels.change_channel(
        exchange.tx,
        exchange.actor,
        parse_id(channel_id),
        exchange.decode_body(SlackChannelChanges),
        guard=build_webhook_guard(settings),
        box=SecretBox(*settings.signing_keys),
        now=exchange.now,
    )
    return Envelope(to_slack_channel(row))


@RESOURCE.operation(
    "DELETE",
    "/slack-channels/{channel_id}",
    summary="Remove a Slack channel",
    sdk="slack_channels.remove",
    scope="write",
    role=Role.ADMIN,
    data_api="write",
    idempotency="required",
    problems=("not_found",),
)
async def remove_slack_channel(exchange: Exchange, channel_id: str) -> Envelope[Removed]:
    """Remove a Slack channel and its address. Nothing is posted to it anymore."""
    removed = await remove_endpoint(exchange.tx, exchange.actor, parse_id(channel_id), "slack", now=exchange.now)
    return Envelope(Removed(id=removed, deleted=True))


@RESOURCE.operation(
    "POST",
    "/slack-channels/{channel_id}/test",
    summary="Post a test message",
    sdk="slack_channels.send_test",
    scope="write",
    role=Role.ADMIN,
    data_api="write",
    idempotency="required",
    success_status=202,
    problems=("not_found", "plan_required", "validation_failed"),
)
async def send_slack_test(exchange: Exchange, channel_id: str) -> Envelope[WebhookDelivery]:
    """Post a test message, on the path of every real message.

    The response is the delivery before its first attempt; the list of deliveries shows the result. A disabled channel
    is refused (422 `validation_failed`), as are more than 30 tests and redeliveries per minute of the workspace (429).
    """
    sent = await history.send_test(exchange.tx, exchange.actor, parse_id(channel_id), "slack", now=exchange.now)
    return Envelope(to_delivery(sent))


@RESOURCE.operation(
    "GET",
    "/slack-channels/{channel_id}/deliveries",
    summary="List messages to a Slack channel",
    sdk="slack_channels.deliveries",
    role=Role.ADMIN,
    data_api="insights",
    paged=True,
    problems=("not_found",),
)
async def list_slack_deliveries(exchange: Exchange, channel_id: str) -> Page[WebhookDelivery]:
    """List the messages of the last 30 days, newest first, with attempts and Slack's responses.

    `request_body` is the event from which the message was written.
    """
    channel = await read_endpoint(exchange.db, exchange.actor, parse_id(channel_id), "slack")
    paging = exchange.paging(f"data.slack_channels.{channel.id}.deliveries")
    rows = await history.list_deliveries(
        exchange.db, exchange.actor, channel, after=paging.after_time_and_id, page_size=paging.size
    )
    return paging.page(rows.map(to_delivery))
