"""API keys: create, list, rotate, revoke."""

from sightline.accounts.models import Role
from sightline.api.edge.envelope import Envelope, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Filter, Resource
from sightline.api_keys import issue
from sightline.api_keys.schemas import Key, KeyInput, MintedKey, RevokedKeys, to_key, to_minted_key
from sightline.kit.ids import parse_id

RESOURCE = Resource(
    "console",
    "Keys",
    "API keys of the workspace. A key acts with the current role of the member who created it.",
    {"keys": "API keys"},
)

_KEEP_CHILDREN = Filter(
    "keep_children",
    "`true`: keys that this key created keep working. Otherwise they are also revoked.",
    ("true", "false"),
)


@RESOURCE.operation(
    "GET",
    "/keys",
    summary="List keys",
    sdk="keys.list",
    role=Role.ADMIN,
    paged=True,
    saves_copy=False,
)
async def list_keys(exchange: Exchange) -> Page[Key]:
    """List keys, newest first, including revoked ones. Test mode shows test keys only. Requires the role admin."""
    paging = exchange.paging("console.keys")
    rows = await issue.list_keys(exchange.db, exchange.actor, after=paging.after_time_and_id, page_size=paging.size)
    return paging.page(rows.map(to_key))


@RESOURCE.operation(
    "POST",
    "/keys",
    summary="Create a key",
    sdk="keys.mint",
    scope="keys",
    role=Role.ADMIN,
    body=KeyInput,
    secret_members=("key",),
    success_status=201,
    problems=("key_limit_reached",),
    recent_sign_in=True,
)
async def mint_key(exchange: Exchange) -> Envelope[MintedKey]:
    """Create a key. The full key is returned only in this response.

    `mode` defaults to the mode of the caller. In test mode, you can create only test keys, and no Data keys. If you
    create a key with another key, the new key is the child of that key. A child cannot have more scopes than its
    parent, expire later or work from other addresses. It inherits the values that you leave out. Only a key with all
    scopes (an empty list in `scopes`) can create Data keys with `write`. A workspace has at most 50 active keys of each
    kind. Requires the role admin.
    """
    payload = exchange.decode_body(KeyInput)
    key, secret = await issue.create_key(exchange.tx, exchange.actor, payload, now=exchange.now)
    return Envelope(to_minted_key(key, secret))


@RESOURCE.operation(
    "POST",
    "/keys/{key_id}/rotate",
    summary="Rotate a key",
    sdk="keys.rotate",
    scope="keys",
    role=Role.ADMIN,
    secret_members=("key",),
    problems=("not_found", "session_only"),
    recent_sign_in=True,
)
async def rotate_key(exchange: Exchange, key_id: str) -> Envelope[MintedKey]:
    """Give a key a new secret, which is returned only in this response. Its id, name and permissions stay the same.

    The previous secret works for another 24 hours (until `previous_key_expires_at`), unless the key is revoked or
    rotated again. A key can rotate itself and the keys that it created; for other keys, it gets 403 `session_only`. A
    signed-in member can rotate the keys of members whose role is not higher than their own. Only an owner can rotate
    the key of a person who has left the workspace.
    """
    key, secret = await issue.rotate_key(exchange.tx, exchange.actor, parse_id(key_id), now=exchange.now)
    return Envelope(to_minted_key(key, secret))


@RESOURCE.operation(
    "DELETE",
    "/keys/{key_id}",
    summary="Revoke a key",
    sdk="keys.revoke",
    scope="keys",
    role=Role.ADMIN,
    filters=(_KEEP_CHILDREN,),
    problems=("not_found", "validation_failed"),
    recent_sign_in=True,
)
async def revoke_key(exchange: Exchange, key_id: str) -> Envelope[Key]:
    """Revoke a key, and the keys that it created. Further requests with these keys are refused with 401 `key_revoked`.

    You can revoke any key of the workspace; in test mode, any test key. With `keep_children=true`, the keys that it
    created keep working. Revoking a key twice changes nothing.
    """
    keep_children = exchange.filters.get("keep_children") == "true"
    key = await issue.revoke_key(
        exchange.tx, exchange.actor, parse_id(key_id), keep_children=keep_children, now=exchange.now
    )
    return Envelope(to_key(key))


@RESOURCE.operation(
    "POST",
    "/keys/revoke-all",
    summary="Revoke all keys",
    access="session",
    role=Role.OWNER,
    recent_sign_in=True,
)
async def revoke_all_keys(exchange: Exchange) -> Envelope[RevokedKeys]:
    """Revoke every key of the workspace, including Data keys. In test mode, revoke every test key.

    Requires the role owner.
    """
    count = await issue.revoke_all_keys(exchange.tx, exchange.actor, now=exchange.now)
    return Envelope(RevokedKeys(count))
