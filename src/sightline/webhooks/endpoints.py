"""Registering, changing and removing endpoints, and their secrets. A secret is shown once, when it is made.

Slack channels are endpoints, too; what is special about them is in `slack/channels.py`.
"""

import uuid
from datetime import datetime, timedelta
from typing import TypeVar

import msgspec

from sightline.accounts.models import Actor
from sightline.audit.record import record_audit
from sightline.db.engine import Reader, Transaction
from sightline.db.keyset import Slice, cut_page
from sightline.errors import Problem, invalid_field
from sightline.events import EventType
from sightline.http.egress import EgressGuard
from sightline.kit.clock import to_iso
from sightline.kit.ids import new_id
from sightline.webhooks import queries
from sightline.webhooks.addresses import clean_url
from sightline.webhooks.deliveries import queries as delivery_queries
from sightline.webhooks.models import Endpoint, EndpointKind, EndpointStatus
from sightline.webhooks.schemas import WebhookChanges, WebhookInput
from sightline.webhooks.secrets import SecretBox, format_secret, make_secret

MAX_ENDPOINTS = 20
OLD_SECRET_LIFETIME = timedelta(hours=24)
_CHANGEABLE = ("url", "description", "events", "status", "client_id")

T = TypeVar("T")


async def register_endpoint(
    tx: Transaction, actor: Actor, payload: WebhookInput, *, guard: EgressGuard, box: SecretBox, now: datetime
) -> tuple[Endpoint, str]:
    """Register an endpoint, and return it with its secret. Nothing is sent to it.

    An address may be registered twice. Refused: an address that may not be contacted, and one endpoint too many
    (422).
    """
    url = clean_url(payload.url, guard)
    await require_place(tx, actor, "webhook", most=MAX_ENDPOINTS)
    endpoint = Endpoint(
        id=new_id(),
        livemode=actor.livemode,
        url=url,
        description=payload.description.strip(),
        events=_distinct(payload.events),
        status="enabled",
        disabled_reason=None,
        created_at=now,
        updated_at=now,
    )
    secret = make_secret()
    sealed = box.seal(secret, actor.workspace_id, endpoint.id)
    await queries.insert_endpoint(tx, actor.workspace_id, endpoint, sealed)
    await record_change(tx, "webhook_created", actor, endpoint)
    return endpoint, format_secret(secret)


async def require_place(tx: Transaction, actor: Actor, kind: EndpointKind, *, most: int) -> None:
    """Refuse one endpoint too many (422). The workspace stays locked until the transaction ends."""
    if await queries.lock_and_count_endpoints(tx, actor.workspace_id, kind, livemode=actor.livemode) >= most:
        named = "webhooks in each mode" if kind == "webhook" else "Slack channels"
        raise invalid_field("url", f"a workspace has at most {most} {named}", "limit")


async def list_endpoints(
    db: Reader, actor: Actor, kind: EndpointKind = "webhook", *, after: queries.SortKey | None, page_size: int
) -> Slice[Endpoint]:
    """List endpoints, most recently registered first, including disabled ones."""
    rows = await queries.list_endpoints(
        db, actor.workspace_id, kind, livemode=actor.livemode, after=after, limit=page_size + 1
    )
    return cut_page(rows, page_size, lambda row: (to_iso(row.created_at), str(row.id)))


async def read_endpoint(
    db: Reader, actor: Actor, endpoint_id: uuid.UUID | None, kind: EndpointKind = "webhook", *, lock: bool = False
) -> Endpoint:
    """Return an endpoint. Refused: a removed one, and one of another kind, mode or workspace (404)."""
    found = endpoint_id and await queries.find_endpoint(
        db, actor.workspace_id, endpoint_id, kind, livemode=actor.livemode, lock=lock
    )
    if not found:
        named = "webhook in this workspace and mode" if kind == "webhook" else "Slack channel in this workspace"
        raise Problem("not_found", f"There is no such {named}.")
    return found


async def change_endpoint(
    tx: Transaction, actor: Actor, current: Endpoint, changes: WebhookChanges, *, guard: EgressGuard, now: datetime
) -> Endpoint:
    """Change an endpoint that the caller has read with its lock.

    Disabling it ends its pending deliveries. Enabling it, or changing its address, forgets earlier failures.
    """
    url = current.url if isinstance(changes.url, msgspec.UnsetType) else clean_url(changes.url, guard)
    changed = msgspec.structs.replace(
        current,
        url=url,
        description=_value_or(changes.description, current.description).strip(),
        events=current.events if isinstance(changes.events, msgspec.UnsetType) else _distinct(changes.events),
    )
    return await change_status(tx, actor, current, changed, changes.status, is_new_url=url != current.url, now=now)


async def change_status(
    tx: Transaction,
    actor: Actor,
    current: Endpoint,
    changed: Endpoint,
    wanted: EndpointStatus | msgspec.UnsetType,
    *,
    is_new_url: bool,
    now: datetime,
) -> Endpoint:
    """Store a changed endpoint, which is locked, with the status that is wanted."""
    status = _value_or(wanted, current.status)
    changed = msgspec.structs.replace(
        changed,
        status=status,
        disabled_reason=None if status == "enabled" else current.disabled_reason or "manual",
        updated_at=now,
    )
    forget = wanted == "enabled" or is_new_url
    await queries.update_endpoint(tx, actor.workspace_id, changed, forget_failures=forget)
    fields = [
        name
        for name in _CHANGEABLE
        if getattr(changed, name) != getattr(current, name) or (name == "url" and is_new_url)
    ]
    if fields:
        await record_change(tx, "webhook_changed", actor, current, fields=fields)
    if status == "disabled":
        await delivery_queries.fail_pending_deliveries(tx, actor.workspace_id, current.id, "webhook_disabled", now=now)
    return changed


async def remove_endpoint(
    tx: Transaction, actor: Actor, endpoint_id: uuid.UUID | None, kind: EndpointKind = "webhook", *, now: datetime
) -> uuid.UUID:
    """Remove an endpoint. Nothing is sent to it from now on, and its secret is deleted."""
    endpoint = await read_endpoint(tx, actor, endpoint_id, kind, lock=True)
    await queries.mark_removed(tx, actor.workspace_id, endpoint.id, now=now)
    await record_change(tx, "webhook_removed", actor, endpoint)
    await delivery_queries.fail_pending_deliveries(tx, actor.workspace_id, endpoint.id, "webhook_removed", now=now)
    return endpoint.id


async def rotate_secret(
    tx: Transaction, actor: Actor, endpoint_id: uuid.UUID | None, *, box: SecretBox, now: datetime
) -> tuple[Endpoint, str]:
    """Make a new secret. For a day both secrets sign, then only the new one.

    Rotating again within that day ends the oldest secret immediately.
    """
    endpoint = await read_endpoint(tx, actor, endpoint_id, lock=True)
    secret = make_secret()
    sealed = box.seal(secret, actor.workspace_id, endpoint.id)
    await queries.replace_secret(
        tx, actor.workspace_id, endpoint.id, sealed, old_until=now + OLD_SECRET_LIFETIME, now=now
    )
    await record_change(tx, "webhook_secret_rotated", actor, endpoint)
    return msgspec.structs.replace(endpoint, updated_at=now), format_secret(secret)


async def record_change(tx: Transaction, action: str, actor: Actor, endpoint: Endpoint, **fields: object) -> None:
    """Record what a member did to an endpoint."""
    await record_audit(tx, actor.workspace_id, action, webhook_id=endpoint.id, livemode=endpoint.livemode, **fields)


def _value_or(change: T | msgspec.UnsetType, known: T) -> T:
    return known if isinstance(change, msgspec.UnsetType) else change


def _distinct(types: list[EventType]) -> list[str]:
    return list(dict.fromkeys(types))
