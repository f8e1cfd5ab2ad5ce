"""API keys: create, list, revoke."""

from sightline.accounts.models import Role
from sightline.api.edge.envelope import Envelope, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import operation
from sightline.api_keys import issue
from sightline.api_keys.schemas import Key, KeyInput, MintedKey, to_key, to_minted_key
from sightline.errors import invalid_field
from sightline.kit.ids import parse_id


@operation("console", "GET", "/keys", tag="Keys", summary="List keys", role=Role.ADMIN, paged=True, saves_copy=False)
async def list_keys(exchange: Exchange) -> Page[Key]:
    """List keys, newest first, including revoked ones. Test mode shows test keys only. Requires the role admin."""
    paging = exchange.paging("console.keys")
    rows = await issue.list_keys(exchange.db, exchange.actor, after=paging.after_time_and_id, page_size=paging.size)
    return paging.page(rows.map(to_key))


@operation(
    "console",
    "POST",
    "/keys",
    tag="Keys",
    summary="Mint a key",
    role=Role.ADMIN,
    body=KeyInput,
    secret_members=("key",),
    success_status=201,
)
async def mint_key(exchange: Exchange) -> Envelope[MintedKey]:
    """Create a key. The full key is returned only in this response.

    `mode` defaults to the mode of the caller; in test mode only test keys can be created. Data keys always have the
    scope `read`. Requires the role admin.
    """
    actor, payload = exchange.actor, exchange.decode_body(KeyInput)
    livemode = actor.livemode if payload.mode is None else payload.mode == "live"
    if livemode and not actor.livemode:
        raise invalid_field("mode", "test mode mints test keys only", "unsupported")
    name = payload.name.strip()
    if not name:
        raise invalid_field("name", "must not be empty", "required")
    key, secret = await issue.mint_key(
        exchange.tx,
        actor.workspace_id,
        actor.user_id,
        name=name,
        kind=payload.kind,
        livemode=livemode,
        scopes=payload.scopes,
        now=exchange.now,
    )
    return Envelope(to_minted_key(key, secret))


@operation(
    "console", "DELETE", "/keys/{key_id}", tag="Keys", summary="Revoke a key", role=Role.ADMIN, problems=("not_found",)
)
async def revoke_key(exchange: Exchange, key_id: str) -> Envelope[Key]:
    """Revoke a key. From the next request on it is refused with 401 `key_revoked`. Revoking twice changes nothing."""
    key = await issue.revoke_key(exchange.tx, exchange.actor, parse_id(key_id), now=exchange.now)
    exchange.app_context.copies.mark_credential_ended(key.digest, now=exchange.now)
    return Envelope(to_key(key))
