"""The history of deliveries, redelivery, test events, and deleting old deliveries."""

import uuid
from collections import defaultdict
from datetime import datetime

from sightline.accounts.models import Actor
from sightline.db.engine import Reader, Transaction
from sightline.db.keyset import Slice, cut_page
from sightline.errors import Problem, invalid_field
from sightline.events import delete_events_any_workspace, record_event
from sightline.jobs.queue import enqueue
from sightline.kit.clock import to_iso
from sightline.kit.ids import new_id
from sightline.plans.entitlements import require_clients
from sightline.usage.rate_limit import count_action
from sightline.webhooks.deliveries import queries
from sightline.webhooks.deliveries.fan_out import add_deliveries
from sightline.webhooks.deliveries.models import Delivery, DeliveryAttempt, DeliveryHistory, build_delivery_job
from sightline.webhooks.endpoints import read_endpoint
from sightline.webhooks.models import Endpoint, EndpointKind
from sightline.webhooks.schemas import WebhookTestData

SHOWN_ATTEMPTS = 20
REQUESTS_PER_MINUTE = 30
"""Test events and redeliveries that a workspace may request in a minute, both together."""


async def list_deliveries(
    db: Reader, actor: Actor, endpoint: Endpoint, *, after: queries.SortKey | None, page_size: int
) -> Slice[DeliveryHistory]:
    """List the deliveries of an endpoint, newest first."""
    rows = await queries.list_deliveries(db, actor.workspace_id, endpoint.id, after=after, limit=page_size + 1)
    page = cut_page(rows, page_size, lambda row: (to_iso(row.created_at), str(row.id)))
    histories = await _add_attempts(db, actor.workspace_id, page.rows)
    return Slice(histories, page.next_key)


def _delivery_not_found() -> Problem:
    return Problem("not_found", "This webhook has no such delivery.")


async def read_delivery(db: Reader, actor: Actor, endpoint: Endpoint, delivery_id: uuid.UUID | None) -> DeliveryHistory:
    """Return a delivery. Refused: one of another endpoint (404)."""
    found = delivery_id and await queries.find_delivery(db, actor.workspace_id, delivery_id)
    if not found or found.endpoint_id != endpoint.id:
        raise _delivery_not_found()
    (history,) = await _add_attempts(db, actor.workspace_id, [found])
    return history


async def send_test(
    tx: Transaction, actor: Actor, endpoint_id: uuid.UUID | None, kind: EndpointKind = "webhook", *, now: datetime
) -> DeliveryHistory:
    """Send an event `webhook.test` to this endpoint only, whatever event types it receives.

    Refused: too many test events and redeliveries of the workspace in this minute (429).
    """
    if kind == "slack":
        require_clients(actor.plan)
    await _count_request(tx, actor, now=now)
    endpoint = await read_endpoint(tx, actor, endpoint_id, kind, lock=True)
    _require_enabled(endpoint)
    data = WebhookTestData(endpoint.id, actor.workspace_id, actor.livemode)
    event_id = await record_event(tx, "webhook.test", data, cause=str(new_id()), now=now)
    assert event_id is not None, "the cause is new"
    (delivery_id,) = await add_deliveries(tx, actor.workspace_id, event_id, "webhook.test", [endpoint.id], now=now)
    return await _read_history(tx, actor.workspace_id, delivery_id)


async def redeliver(
    tx: Transaction, actor: Actor, endpoint_id: uuid.UUID | None, delivery_id: uuid.UUID | None, *, now: datetime
) -> DeliveryHistory:
    """Send the event again, with the same id and all retries, even if it was delivered.

    Refused: too many test events and redeliveries of the workspace in this minute (429).
    """
    await _count_request(tx, actor, now=now)
    endpoint = await read_endpoint(tx, actor, endpoint_id, lock=True)
    if delivery_id is None or not await queries.restart_delivery(
        tx, actor.workspace_id, endpoint.id, delivery_id, now=now
    ):
        raise _delivery_not_found()
    _require_enabled(endpoint)
    history = await _read_history(tx, actor.workspace_id, delivery_id)
    made = history.delivery.attempts
    await enqueue(tx, build_delivery_job(actor.workspace_id, endpoint.id, delivery_id, made + 1, before=made))
    return history


async def delete_old_deliveries_any_workspace(tx: Transaction, *, before: datetime) -> int:
    """Delete old deliveries with their attempts, events that nothing needs, and removed endpoints.

    Deletes a few thousand at a time, and returns how many: the caller repeats it until the result is 0.
    """
    deliveries = await queries.delete_deliveries_any_workspace(tx, before=before)
    events = await delete_events_any_workspace(tx, before=before, limit=queries.DELETE_LIMIT)
    endpoints = await queries.delete_endpoints_any_workspace(tx, before=before)
    return deliveries + events + endpoints


async def _count_request(tx: Transaction, actor: Actor, *, now: datetime) -> None:
    await count_action(tx, actor.workspace_id, "send webhook", limit=REQUESTS_PER_MINUTE, now=now)


def _require_enabled(endpoint: Endpoint) -> None:
    if endpoint.status != "enabled":
        named, field = ("webhook", "webhook_id") if endpoint.kind == "webhook" else ("channel", "channel_id")
        raise invalid_field(field, f"the {named} is disabled; enable it first", "disabled")


async def _read_history(db: Reader, workspace_id: uuid.UUID, delivery_id: uuid.UUID) -> DeliveryHistory:
    delivery = await queries.find_delivery(db, workspace_id, delivery_id)
    assert delivery is not None, "it was written in this transaction"
    (history,) = await _add_attempts(db, workspace_id, [delivery])
    return history


async def _add_attempts(db: Reader, workspace_id: uuid.UUID, deliveries: list[Delivery]) -> list[DeliveryHistory]:
    by_delivery: dict[uuid.UUID, list[DeliveryAttempt]] = defaultdict(list)
    if any(delivery.attempts for delivery in deliveries):
        ids = [delivery.id for delivery in deliveries]
        for attempt in await queries.list_attempts(db, workspace_id, ids, latest=SHOWN_ATTEMPTS):
            by_delivery[attempt.delivery_id].append(attempt)
    return [DeliveryHistory(delivery, by_delivery[delivery.id]) for delivery in deliveries]
