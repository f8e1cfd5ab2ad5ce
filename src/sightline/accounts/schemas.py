"""Schemas of the account and the session in the Console API."""

import uuid
from typing import Annotated

import msgspec

from sightline.accounts.models import Role, Workspace
from sightline.accounts.sessions import SignedIn
from sightline.kit.clock import Timestamp, to_iso
from sightline.plans.table import Plan

Line = Annotated[str, msgspec.Meta(max_length=254)]


Address = Annotated[str, msgspec.Meta(max_length=2_048)]


class ProfileChanges(msgspec.Struct, omit_defaults=True):
    """What may change of a workspace's profile; a field left out stays as it is."""

    name: Line | msgspec.UnsetType = msgspec.UNSET
    company: Line | msgspec.UnsetType | None = msgspec.UNSET
    billing_email: Line | msgspec.UnsetType | None = msgspec.UNSET
    website: Address | msgspec.UnsetType | None = msgspec.UNSET
    timezone: Line | msgspec.UnsetType = msgspec.UNSET


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


def to_account(workspace: Workspace) -> Account:
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


class Credentials(msgspec.Struct, frozen=True):
    email: Annotated[str, msgspec.Meta(min_length=3, max_length=254, examples=["owner@acme.com"])]
    password: Annotated[str, msgspec.Meta(min_length=1, max_length=1_000, examples=["correct horse battery"])]


class SessionUser(msgspec.Struct, frozen=True):
    id: uuid.UUID
    email: str
    name: str


class SessionWorkspace(msgspec.Struct, frozen=True):
    id: uuid.UUID
    name: str
    plan: Plan
    role: Role
    billing: bool
    is_payer: bool


class Session(msgspec.Struct, frozen=True):
    """Who is signed in. Send `csrf_token` as `X-CSRF-Token` with writes that do not come from this origin's pages."""

    user: SessionUser
    workspaces: list[SessionWorkspace]
    csrf_token: str
    expires_at: Timestamp


class SignedOut(msgspec.Struct, frozen=True):
    deleted: bool


def to_session(signed_in: SignedIn, csrf_token: str) -> Session:
    user = signed_in.user
    return Session(
        user=SessionUser(user.id, user.email, user.name),
        workspaces=[
            SessionWorkspace(m.workspace_id, m.name, m.plan, m.role, m.billing, m.is_payer)
            for m in signed_in.workspaces
        ],
        csrf_token=csrf_token,
        expires_at=to_iso(signed_in.expires_at),
    )
