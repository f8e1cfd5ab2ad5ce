"""Webhooks: endpoints, their secrets, and the history of what was sent to them. All of it needs the role admin."""

from sightline.accounts.models import Role
from sightline.api.edge.envelope import One, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import operation
from sightline.api.schemas import Removed
from sightline.kit.ids import parse_id
from sightline.webhooks import endpoints, history
from sightline.webhooks.addresses import webhook_guard
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


@operation("console", "GET", "/webhooks", tag="Webhooks", summary="List webhooks", role=Role.ADMIN, paged=True)
async def list_webhooks(exchange: Exchange) -> Page[Webhook]:
    """Most recently registered first, disabled ones included. Live and test webhooks are listed apart."""
    paging = exchange.paging("console.webhooks")
    rows = await endpoints.list_endpoints(
        exchange.db, exchange.actor, after=paging.after_time_and_id, page_size=paging.size
    )
    return paging.page(rows.map(to_webhook))


@operation(
    "console",
    "POST",
    "/webhooks",
    tag="Webhooks",
    summary="Register a webhook",
    role=Role.ADMIN,
    body=WebhookInput,
    secret_members=("secret",),
    success_status=201,
    problems=("invalid_webhook_url",),
)
async def register_webhook(exchange: Exchange) -> One[WebhookWithSecret]:
    """`url` must be https on port 443, of a public host, without user name or fragment. The `secret` that signs what we
    send is in this response and nowhere else. Nothing is sent to the address yet. At most 20 per workspace and mode."""
    settings = exchange.app_context.settings
    endpoint, secret = await endpoints.register_endpoint(
        exchange.tx,
        exchange.actor,
        exchange.decode_body(WebhookInput),
        guard=webhook_guard(settings),
        box=SecretBox(settings.signing_key),
        now=exchange.now,
    )
    return One(to_webhook_with_secret(endpoint, secret))


@operation(
    "console",
    "GET",
    "/webhooks/{webhook_id}",
    tag="Webhooks",
    summary="Read a webhook",
    role=Role.ADMIN,
    problems=("not_found",),
)
async def read_webhook(exchange: Exchange, webhook_id: str) -> One[Webhook]:
    """One webhook. A removed one is not found."""
    return One(to_webhook(await endpoints.read_endpoint(exchange.db, exchange.actor, parse_id(webhook_id))))


@operation(
    "console",
    "PATCH",
    "/webhooks/{webhook_id}",
    tag="Webhooks",
    summary="Change a webhook",
    role=Role.ADMIN,
    body=WebhookChanges,
    problems=("not_found", "invalid_webhook_url"),
)
async def change_webhook(exchange: Exchange, webhook_id: str) -> One[Webhook]:
    """Changes the fields that are sent. Disabling ends deliveries that still wait; enabling starts with a clean
    record. Deliveries that wait go to the new address."""
    endpoint = await endpoints.read_endpoint(exchange.tx, exchange.actor, parse_id(webhook_id), lock=True)
    changed = await endpoints.change_endpoint(
        exchange.tx,
        exchange.actor,
        endpoint,
        exchange.decode_body(WebhookChanges),
        guard=webhook_guard(exchange.app_context.settings),
        now=exchange.now,
    )
    return One(to_webhook(changed))


@operation(
    "console",
    "DELETE",
    "/webhooks/{webhook_id}",
    tag="Webhooks",
    summary="Remove a webhook",
    role=Role.ADMIN,
    problems=("not_found",),
)
async def remove_webhook(exchange: Exchange, webhook_id: str) -> One[Removed]:
    """Deliveries stop at once, those that wait included."""
    removed = await endpoints.remove_endpoint(exchange.tx, exchange.actor, parse_id(webhook_id), now=exchange.now)
    return One(Removed(id=removed, deleted=True))


@operation(
    "console",
    "POST",
    "/webhooks/{webhook_id}/rotate-secret",
    tag="Webhooks",
    summary="Rotate the secret",
    role=Role.ADMIN,
    secret_members=("secret",),
    problems=("not_found",),
)
async def rotate_webhook_secret(exchange: Exchange, webhook_id: str) -> One[WebhookWithSecret]:
    """The new `secret` is in this response and nowhere else. For 24 hours deliveries carry two signatures, by the new
    secret and by the one before; then by the new one alone."""
    endpoint, secret = await endpoints.rotate_secret(
        exchange.tx,
        exchange.actor,
        parse_id(webhook_id),
        box=SecretBox(exchange.app_context.settings.signing_key),
        now=exchange.now,
    )
    return One(to_webhook_with_secret(endpoint, secret))


@operation(
    "console",
    "POST",
    "/webhooks/{webhook_id}/test",
    tag="Webhooks",
    summary="Send a test event",
    role=Role.ADMIN,
    success_status=202,
    problems=("not_found", "validation_failed"),
)
async def send_test_webhook(exchange: Exchange, webhook_id: str) -> One[WebhookDelivery]:
    """Sends `webhook.test` to this webhook alone, whatever `events` it lists. The answer is the delivery as it starts;
    the list of deliveries shows how it went. Refused for a disabled webhook."""
    story = await history.send_test(exchange.tx, exchange.actor, parse_id(webhook_id), now=exchange.now)
    return One(to_delivery(story))


@operation(
    "console",
    "GET",
    "/webhooks/{webhook_id}/deliveries",
    tag="Webhooks",
    summary="List deliveries",
    role=Role.ADMIN,
    paged=True,
    problems=("not_found",),
)
async def list_webhook_deliveries(exchange: Exchange, webhook_id: str) -> Page[WebhookDelivery]:
    """The history of the last 30 days, newest first: what was sent, and what each of the latest 20 attempts of a
    delivery met with."""
    endpoint = await endpoints.read_endpoint(exchange.db, exchange.actor, parse_id(webhook_id))
    paging = exchange.paging(f"console.webhooks.{endpoint.id}.deliveries")
    rows = await history.list_deliveries(
        exchange.db, exchange.actor, endpoint, after=paging.after_time_and_id, page_size=paging.size
    )
    return paging.page(rows.map(to_delivery))


@operation(
    "console",
    "POST",
    "/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver",
    tag="Webhooks",
    summary="Send a delivery again",
    role=Role.ADMIN,
    success_status=202,
    problems=("not_found", "validation_failed"),
)
async def redeliver_webhook(exchange: Exchange, webhook_id: str, delivery_id: str) -> One[WebhookDelivery]:
    """Sends the same event with the same `webhook-id` again, at once and then with all the pauses; attempt numbers go
    on. Also for a delivery that has succeeded. Refused for a disabled webhook."""
    story = await history.redeliver(
        exchange.tx, exchange.actor, parse_id(webhook_id), parse_id(delivery_id), now=exchange.now
    )
    return One(to_delivery(story))
