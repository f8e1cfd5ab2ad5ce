"""Webhooks: endpoints, their secrets, and their deliveries. All operations require the role admin."""

from sightline.accounts.models import Role
from sightline.api.edge.envelope import Envelope, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Resource
from sightline.api.schemas import Removed
from sightline.kit.ids import parse_id
from sightline.webhooks import endpoints
from sightline.webhooks.addresses import build_webhook_guard
from sightline.webhooks.deliveries import history
from sightline.webhooks.schemas import (
    Webhook,
    WebhookChanges,
    WebhookDelivery,
    WebhookInput,
    WebhookWithSecret,
    to_delivery,
    to_webhook,
    to_webhook_with_secret,
)
from sightline.webhooks.secrets import SecretBox

RESOURCE = Resource(
    "console",
    "Webhooks",
    "Endpoints that receive signed events (Standard Webhooks), and the deliveries to them. The page "
    "Webhook events describes each event type.",
    {"webhooks": "Your endpoints that receive events"},
)


@RESOURCE.operation(
    "GET",
    "/webhooks",
    summary="List webhooks",
    sdk="webhooks.list",
    role=Role.ADMIN,
    paged=True,
)
async def list_webhooks(exchange: Exchange) -> Page[Webhook]:
    """List webhooks, most recently registered first, including disabled ones.

    Live and test webhooks are listed separately.
    """
    paging = exchange.paging("console.webhooks")
    rows = await endpoints.list_endpoints(
        exchange.db, exchange.actor, after=paging.after_time_and_id, page_size=paging.size
    )
    return paging.page(rows.map(to_webhook))


@RESOURCE.operation(
    "POST",
    "/webhooks",
    summary="Register a webhook",
    sdk="webhooks.register",
    scope="webhooks",
    role=Role.ADMIN,
    body=WebhookInput,
    secret_members=("secret",),
    success_status=201,
    problems=("invalid_webhook_url",),
)
async def register_webhook(exchange: Exchange) -> Envelope[WebhookWithSecret]:
    """Register a webhook. The `secret` that signs deliveries is returned only in this response.

    `url` must be https on port 443 of a public host, without a user name, password or fragment. Nothing is sent to the
    URL yet. A workspace has at most 20 webhooks per mode; one more is refused (422 `validation_failed`).
    """
    settings = exchange.app_context.settings
    endpoint, secret = await endpoints.register_endpoint(
        exchange.tx,
        exchange.actor,
        exchange.decode_body(WebhookInput),
        guard=build_webhook_guard(settings),
        box=SecretBox(*settings.signing_keys),
        now=exchange.now,
    )
    return Envelope(to_webhook_with_secret(endpoint, secret))


@RESOURCE.operation(
    "GET",
    "/webhooks/{webhook_id}",
    summary="Read a webhook",
    sdk="webhooks.retrieve",
    role=Role.ADMIN,
    problems=("not_found",),
)
async def read_webhook(exchange: Exchange, webhook_id: str) -> Envelope[Webhook]:
    """Return one webhook. Returns 404 if the webhook was removed."""
    return Envelope(to_webhook(await endpoints.read_endpoint(exchange.db, exchange.actor, parse_id(webhook_id))))


@RESOURCE.operation(
    "PATCH",
    "/webhooks/{webhook_id}",
    summary="Change a webhook",
    sdk="webhooks.update",
    scope="webhooks",
    role=Role.ADMIN,
    body=WebhookChanges,
    problems=("not_found", "invalid_webhook_url"),
)
async def change_webhook(exchange: Exchange, webhook_id: str) -> Envelope[Webhook]:
    """Change the fields that you send.

    Disabling a webhook cancels its pending deliveries. Enabling it restarts the five days after which a failing webhook
    is disabled. If you change `url`, pending deliveries go to the new URL.
    """
    endpoint = await endpoints.read_endpoint(exchange.tx, exchange.actor, parse_id(webhook_id), lock=True)
    changed = await endpoints.change_endpoint(
        exchange.tx,
        exchange.actor,
        endpoint,
        exchange.decode_body(WebhookChanges),
        guard=build_webhook_guard(exchange.app_context.settings),
        now=exchange.now,
    )
    return Envelope(to_webhook(changed))


@RESOURCE.operation(
    "DELETE",
    "/webhooks/{webhook_id}",
    summary="Remove a webhook",
    sdk="webhooks.remove",
    scope="webhooks",
    role=Role.ADMIN,
    problems=("not_found",),
)
async def remove_webhook(exchange: Exchange, webhook_id: str) -> Envelope[Removed]:
    """Remove a webhook. Deliveries stop immediately, including pending ones."""
    removed = await endpoints.remove_endpoint(exchange.tx, exchange.actor, parse_id(webhook_id), now=exchange.now)
    return Envelope(Removed(id=removed, deleted=True))


@RESOURCE.operation(
    "POST",
    "/webhooks/{webhook_id}/rotate-secret",
    summary="Rotate the secret",
    sdk="webhooks.rotate_secret",
    scope="webhooks",
    role=Role.ADMIN,
    secret_members=("secret",),
    problems=("not_found",),
)
async def rotate_webhook_secret(exchange: Exchange, webhook_id: str) -> Envelope[WebhookWithSecret]:
    """Replace the secret. The new `secret` is returned only in this response.

    For 24 hours, deliveries are signed with both the new and the previous secret; after that, only with the new one.
    """
    endpoint, secret = await endpoints.rotate_secret(
        exchange.tx,
        exchange.actor,
        parse_id(webhook_id),
        box=SecretBox(*exchange.app_context.settings.signing_keys),
        now=exchange.now,
    )
    return Envelope(to_webhook_with_secret(endpoint, secret))


@RESOURCE.operation(
    "POST",
    "/webhooks/{webhook_id}/test",
    summary="Send a test event",
    sdk="webhooks.send_test",
    scope="webhooks",
    role=Role.ADMIN,
    success_status=202,
    problems=("not_found", "validation_failed"),
)
async def send_test_webhook(exchange: Exchange, webhook_id: str) -> Envelope[WebhookDelivery]:
    """Send the event `webhook.test` to this webhook only, even if its `events` do not include it.

    The response is the delivery before its first attempt; the list of deliveries shows the result. If the webhook is
    disabled, the request is refused (422 `validation_failed`). Test events and redeliveries share one limit: 30 per
    minute for each workspace (429).
    """
    story = await history.send_test(exchange.tx, exchange.actor, parse_id(webhook_id), now=exchange.now)
    return Envelope(to_delivery(story))


@RESOURCE.operation(
    "GET",
    "/webhooks/{webhook_id}/deliveries",
    summary="List deliveries",
    sdk="webhooks.deliveries",
    role=Role.ADMIN,
    paged=True,
    problems=("not_found",),
)
async def list_webhook_deliveries(exchange: Exchange, webhook_id: str) -> Page[WebhookDelivery]:
    """List the deliveries of the last 30 days, newest first, each with its latest 20 attempts and their results."""
    endpoint = await endpoints.read_endpoint(exchange.db, exchange.actor, parse_id(webhook_id))
    paging = exchange.paging(f"console.webhooks.{endpoint.id}.deliveries")
    rows = await history.list_deliveries(
        exchange.db, exchange.actor, endpoint, after=paging.after_time_and_id, page_size=paging.size
    )
    return paging.page(rows.map(to_delivery))


@RESOURCE.operation(
    "POST",
    "/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver",
    summary="Send a delivery again",
    sdk="webhooks.redeliver",
    scope="webhooks",
    role=Role.ADMIN,
    success_status=202,
    problems=("not_found", "validation_failed"),
)
async def redeliver_webhook(exchange: Exchange, webhook_id: str, delivery_id: str) -> Envelope[WebhookDelivery]:
    """Send the same event again immediately, with the same event id (header `webhook-id`).

    If this fails, Sightline tries again up to seven times within about 28 hours, as with every delivery. The numbering
    of attempts continues. You can also repeat a delivery that succeeded. If the webhook is disabled, the request is
    refused (422 `validation_failed`). Test events and redeliveries share one limit: 30 per minute for each workspace
    (429).
    """
    story = await history.redeliver(
        exchange.tx, exchange.actor, parse_id(webhook_id), parse_id(delivery_id), now=exchange.now
    )
    return Envelope(to_delivery(story))
