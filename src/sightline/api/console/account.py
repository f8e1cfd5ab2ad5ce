"""The workspace's profile, and the first owner of an installation."""

import uuid
from typing import Annotated

import msgspec

from sightline.accounts import passwords
from sightline.accounts.models import Plan, Role, Workspace
from sightline.accounts.users import clean_email
from sightline.accounts.workspaces import ProfileChanges, change_profile, read_profile
from sightline.api.console.keys import MintedKey, shape_minted
from sightline.api.edge.envelope import One
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import operation
from sightline.errors import invalid_field
from sightline.kit.clock import Timestamp, to_iso
from sightline.onboarding.bootstrap import bootstrap


class Account(msgspec.Struct, frozen=True):
    """The profile of the workspace that the key or session acts in."""

    id: uuid.UUID
    name: str
    company: str | None
    billing_email: str | None
    website: str | None
    timezone: str
    plan: Plan
    created_at: Timestamp


class BootstrapInput(msgspec.Struct, frozen=True):
    token: Annotated[str, msgspec.Meta(min_length=1, max_length=200, examples=["bt_…"])]
    email: Annotated[str, msgspec.Meta(min_length=3, max_length=254, examples=["owner@acme.com"])]
    password: Annotated[str, msgspec.Meta(min_length=10, max_length=1_000, examples=["correct horse battery"])]
    workspace_name: Annotated[str, msgspec.Meta(min_length=1, max_length=200, examples=["Acme"])]
    name: Annotated[str, msgspec.Meta(max_length=200)] = ""


class BootstrapUser(msgspec.Struct, frozen=True):
    id: uuid.UUID
    email: str
    name: str


class Bootstrap(msgspec.Struct, frozen=True):
    """The owner, the workspace, and the first keys: shown in this response and never again."""

    user: BootstrapUser
    workspace: Account
    keys: list[MintedKey]


def shape_account(workspace: Workspace) -> Account:
    return Account(
        id=workspace.id,
        name=workspace.name,
        company=workspace.company,
        billing_email=workspace.billing_email,
        website=workspace.website,
        timezone=workspace.timezone,
        plan=workspace.plan,
        created_at=to_iso(workspace.created_at),
    )


@operation("console", "GET", "/account", tag="Account", summary="Read the account")
async def read_account(exchange: Exchange) -> One[Account]:
    """The workspace's profile."""
    return One(shape_account(await read_profile(exchange.db, exchange.actor)))


@operation(
    "console", "PATCH", "/account", tag="Account", summary="Change the account", body=ProfileChanges, role=Role.ADMIN
)
async def update_account(exchange: Exchange) -> One[Account]:
    """Changes the fields that are sent; null clears a field that may be empty. Needs the role admin."""
    return One(shape_account(await change_profile(exchange.tx, exchange.actor, exchange.given(ProfileChanges))))


@operation(
    "console",
    "POST",
    "/account/bootstrap",
    tag="Account",
    summary="Create the first owner",
    access="public",
    in_workspace=False,
    body=BootstrapInput,
    secret_members=("key",),
    success=201,
    problems=("bootstrap_token_invalid",),
)
async def bootstrap_account(exchange: Exchange) -> One[Bootstrap]:
    """Creates user, workspace and first keys with the one-time token that `sightline serve` prints on its first
    start. A second call for the same e-mail answers 200 with the same user and workspace, and no keys."""
    given = exchange.given(BootstrapInput)
    email = clean_email(given.email)
    passwords.require_strong(given.password)
    if not given.workspace_name.strip():
        raise invalid_field("workspace_name", "must not be empty", "required")
    made = await bootstrap(
        exchange.tx,
        given.token,
        email=email,
        name=given.name,
        password_hash=await passwords.hash_password(given.password),
        workspace_name=given.workspace_name,
        now=exchange.now,
    )
    if not made.is_new:
        exchange.respond_with(status=200)
    user = BootstrapUser(made.user.id, made.user.email, made.user.name)
    keys = [shape_minted(key, secret) for key, secret in made.keys]
    return One(Bootstrap(user, shape_account(made.workspace), keys))
