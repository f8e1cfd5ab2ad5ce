"""The profile of the workspace, and new workspaces with their owners."""

from sightline.accounts import passwords
from sightline.accounts.models import Role
from sightline.accounts.schemas import Account, ProfileChanges, to_account
from sightline.accounts.sign_in.waits import attempt_token
from sightline.accounts.users import clean_email
from sightline.accounts.workspaces import change_profile, read_profile
from sightline.api.edge.envelope import Envelope
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Resource
from sightline.errors import FaultCollector
from sightline.onboarding.bootstrap import FirstOwner, bootstrap, require_token
from sightline.onboarding.schemas import Bootstrap, BootstrapInput, to_bootstrap

RESOURCE = Resource(
    "console",
    "Account",
    "The profile of the workspace. One operation creates a new workspace and its owner.",
    {"account": "The profile of the workspace"},
)


@RESOURCE.operation("GET", "/account", summary="Read the account", sdk="account.retrieve")
async def read_account(exchange: Exchange) -> Envelope[Account]:
    """Return the profile of the workspace."""
    return Envelope(to_account(await read_profile(exchange.db, exchange.actor)))


@RESOURCE.operation(
    "PATCH",
    "/account",
    summary="Change the account",
    sdk="account.update",
    scope="billing",
    live_only=True,
    body=ProfileChanges,
    role=Role.ADMIN,
)
async def update_account(exchange: Exchange) -> Envelope[Account]:
    """Change the fields that you send. Null clears an optional field.

    Requires the role admin. Live and test mode share the profile, so a test key cannot change it.
    """
    return Envelope(to_account(await change_profile(exchange.tx, exchange.actor, exchange.decode_body(ProfileChanges))))


async def _check_token_and_hash(exchange: Exchange) -> str | None:
    """Return the hash of the password, or None where the user exists already. Nothing is hashed for a wrong token.

    A wrong token counts like a failed sign-in of the caller's address.
    """
    payload = exchange.decode_body(BootstrapInput)
    email, faults = "", FaultCollector()
    with faults.catch():
        email = clean_email(payload.email)
    if not payload.workspace_name.strip():
        faults.add("workspace_name", "must not be empty", "required")
    faults.raise_if_any()
    async with attempt_token(exchange.db, exchange.client_address, now=exchange.now):
        is_new = await require_token(exchange.db, payload.token, email, now=exchange.now)
    if not is_new:
        return None
    await passwords.require_strong(payload.password, email=email)  # judging it costs more than looking at the token
    return await passwords.hash_password(payload.password)


@RESOURCE.operation(
    "POST",
    "/account/bootstrap",
    summary="Create a workspace and its owner",
    access="public",
    in_workspace=False,
    body=BootstrapInput,
    prepare=_check_token_and_hash,
    secret_members=("key",),
    success_status=201,
    problems=("bootstrap_token_invalid",),
)
async def bootstrap_account(exchange: Exchange) -> Envelope[Bootstrap]:
    """Create a workspace, its owner and keys with a bootstrap token.

    `sightline serve` prints a token on the first start, and `sightline bootstrap-token` prints another one. A token
    creates one user. After that, it works only for the e-mail address of this user. It expires after seven days
    unless the operator has changed this time. The unused token of the first start ends when an owner exists. If the
    e-mail address already has a user, nothing changes: the response is 200 with this user and the user's workspace,
    and without keys. So it is safe to repeat a call. Attempts with a wrong token are limited per IP address, like
    failed sign-ins.
    """
    payload = exchange.decode_body(BootstrapInput)
    owner = FirstOwner(
        email=clean_email(payload.email),
        name=payload.name,
        password_hash=exchange.prepared,
        workspace_name=payload.workspace_name,
    )
    bootstrapped = await bootstrap(
        exchange.tx,
        payload.token,
        owner,
        now=exchange.now,
        with_operator=exchange.app_context.settings.is_embedded,
    )
    if not bootstrapped.is_new:
        exchange.respond_with(status=200)
    return Envelope(to_bootstrap(bootstrapped))
