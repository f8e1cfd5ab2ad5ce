"""Clients: groups of tracked domains. Guests are invited on the dashboard."""

from sightline.accounts.models import Role
from sightline.api.edge.envelope import Envelope, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Resource
from sightline.api.edge.responses import Stream, in_chunks
from sightline.api.schemas import Removed
from sightline.clients import manage
from sightline.clients.logos import decode_logo, read_logo
from sightline.clients.schemas import Client, ClientChanges, ClientInput, LogoInput, to_client
from sightline.kit.ids import parse_id
from sightline.plans.entitlements import require_clients

RESOURCE = Resource(
    "data",
    "Clients",
    "Groups of tracked domains, for agencies, with the look and the recipients of their reports. Guests of a client "
    "see its domains and nothing else of the workspace; invite them on the dashboard, under Members. Writes need the "
    "Agency plan and the role admin.",
    {"clients": "Groups of tracked domains"},
)

_MAX_LOGO_BODY_BYTES = 288 * 1024


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
    """Change a client's name, the list of its domains, its look or its recipients."""
    payload = exchange.decode_body(ClientChanges)
    return Envelope(to_client(await manage.change_client(exchange.tx, exchange.actor, parse_id(client_id), payload)))


async def _draw_logo(exchange: Exchange, client_id: str) -> bytes:
    payload = exchange.decode_body(LogoInput)
    require_clients(exchange.actor.plan)
    await manage.read_client(exchange.db, exchange.actor, parse_id(client_id))
    return await read_logo(decode_logo(payload.logo))


@RESOURCE.operation(
    "POST",
    "/clients/{client_id}/logo",
    summary="Set a client's logo",
    sdk="clients.set_logo",
    scope="write",
    role=Role.ADMIN,
    data_api="write",
    body=LogoInput,
    body_limit=_MAX_LOGO_BODY_BYTES,
    idempotency="required",
    prepare=_draw_logo,
    problems=("not_found", "plan_required"),
)
async def set_client_logo(exchange: Exchange, client_id: str) -> Envelope[Client]:
    """Use a PNG or SVG file as the client's logo.

    It is drawn again as a PNG of at most 480 by 144 pixels. Scripts in it have no effect. Refused: a file above 200 KB,
    one that refers to other files or addresses, one that shows nothing, and one that takes too long to draw.
    """
    return Envelope(
        to_client(await manage.set_logo(exchange.tx, exchange.actor, parse_id(client_id), exchange.prepared))
    )


@RESOURCE.operation(
    "GET",
    "/clients/{client_id}/logo.png",
    summary="Read a client's logo",
    sdk="clients.logo",
    data_api="insights",
    stream_media_type="image/png",
    saves_copy=False,
    problems=("not_found",),
)
async def read_client_logo(exchange: Exchange, client_id: str) -> Stream:
    """Return the logo as it appears in reports."""
    logo = await manage.read_client_logo(exchange.db, exchange.actor, parse_id(client_id))
    return Stream(in_chunks(logo))


@RESOURCE.operation(
    "DELETE",
    "/clients/{client_id}/logo",
    summary="Remove a client's logo",
    sdk="clients.remove_logo",
    scope="write",
    role=Role.ADMIN,
    data_api="write",
    idempotency="required",
    problems=("not_found",),
)
async def remove_client_logo(exchange: Exchange, client_id: str) -> Envelope[Client]:
    """Remove the logo. Possible on every plan."""
    return Envelope(to_client(await manage.set_logo(exchange.tx, exchange.actor, parse_id(client_id), None)))


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
