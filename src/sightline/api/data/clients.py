"""Clients: groups of tracked domains. Guests are invited on the dashboard."""

from sightline.accounts.models import Role
from sightline.api.edge.envelope import Envelope, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Resource
from sightline.api.schemas import Removed
from sightline.clients import manage
from sightline.clients.schemas import Client, ClientChanges, ClientInput, to_client
from sightline.kit.ids import parse_id

RESOURCE = Resource(
    "data",
    "Clients",
    "Groups of tracked domains, for agencies. Guests of a client see its domains and nothing else of the workspace; "
    "invite them on the dashboard, under Members. Writes need the Agency plan and the role admin.",
    {"clients": "Groups of tracked domains"},
)


@RESOURCE.operation("GET", "/clients", summary="List clients", sdk="clients.list", paged=True, data_api="insights")
async def list_clients(exchange: Exchange) -> Page[Client]:
    """List clients, most recently added first, 50 per page."""
    paging = exchange.paging("data.clients")
    rows = await manage.list_clients(exchange.db, exchange.actor, after=paging.after_time_and_id, page_size=paging.size)
    return paging.page(rows.map(to_client))


@RESOURCE.operation(
    "GET",
    "/clients/{client_id}",
    summary="Read a client",
    sdk="clients.retrieve",
    data_api="insights",
    problems=("not_found",),
)
async def read_client(exchange: Exchange, client_id: str) -> Envelope[Client]:
    """Return one client with the ids of its domains."""
    return Envelope(to_client(await manage.read_client(exchange.db, exchange.actor, parse_id(client_id))))


@RESOURCE.operation(
    "POST",
    "/clients",
    summary="Add a client",
    sdk="clients.create",
    scope="write",
    role=Role.ADMIN,
    data_api="write",
    body=ClientInput,
    idempotency="required",
    problems=("plan_required",),
)
async def create_client(exchange: Exchange) -> Envelope[Client]:
    """Add a client with its domains. A domain that belongs to another client changes over."""
    payload = exchange.decode_body(ClientInput)
    return Envelope(to_client(await manage.add_client(exchange.tx, exchange.actor, payload, now=exchange.now)))


@RESOURCE.operation(
    "PATCH",
    "/clients/{client_id}",
    summary="Change a client",
    sdk="clients.update",
    scope="write",
    role=Role.ADMIN,
    data_api="write",
    body=ClientChanges,
    idempotency="required",
    problems=("not_found", "plan_required"),
)
async def change_client(exchange: Exchange, client_id: str) -> Envelope[Client]:
    """Rename a client, or replace the list of its domains."""
    payload = exchange.decode_body(ClientChanges)
    return Envelope(to_client(await manage.change_client(exchange.tx, exchange.actor, parse_id(client_id), payload)))


@RESOURCE.operation(
    "DELETE",
    "/clients/{client_id}",
    summary="Remove a client",
    sdk="clients.remove",
    scope="write",
    role=Role.ADMIN,
    data_api="write",
    idempotency="required",
    problems=("not_found",),
)
async def remove_client(exchange: Exchange, client_id: str) -> Envelope[Removed]:
    """Remove a client. Its guests lose access; its domains stay, without a client."""
    row = await manage.read_client(exchange.tx, exchange.actor, parse_id(client_id))
    await manage.remove_client(exchange.tx, exchange.actor, row.id)
    return Envelope(Removed(row.id, deleted=True))
