"""Users, workspaces and members, and the actor on whose behalf everything is done."""

import enum
import uuid
from datetime import datetime
from typing import Literal

import msgspec

from sightline.plans.table import DEFAULT_PLAN, Plan

_OPERATOR_ID = uuid.UUID(int=0)
LIVEMODE_MEANING = "True for live data, false for test data."


class Role(enum.StrEnum):
    GUEST = "guest"
    """Sees and may edit the domains of single clients, and nothing else of the workspace."""
    VIEWER = "viewer"
    EDITOR = "editor"
    ADMIN = "admin"
    OWNER = "owner"

    def covers(self, needed: "Role") -> bool:
        """Return whether this role includes the needed one: each role includes those before it."""
        return _RANK[self] >= _RANK[needed]


_RANK = {role: rank for rank, role in enumerate(Role)}
MEMBER_ROLES = tuple(role for role in Role if role is not Role.GUEST)


class User(msgspec.Struct, frozen=True):
    id: uuid.UUID
    email: str
    name: str
    created_at: datetime
    timezone: str | None = None
    """Null stands for the time zone of the workspace."""
    language: str | None = None
    """Null stands for the language that the browser prefers."""


class Workspace(msgspec.Struct, frozen=True):
    id: uuid.UUID
    name: str
    company: str | None
    billing_email: str | None
    website: str | None
    timezone: str
    plan: Plan
    payer_user_id: uuid.UUID | None
    created_at: datetime
    trial_ends_at: datetime | None = None
    editor_declined: bool = False
    """Whether no language model may edit the insights."""
    requires_second_factor: bool = False
    """Whether only people with a second factor may open the workspace."""
    required_provider_id: uuid.UUID | None = None
    """The identity provider through which members have to sign in, if any; see `accounts/single_sign_on/`."""


class Membership(msgspec.Struct, frozen=True):
    """A workspace as one of its members sees it."""

    workspace_id: uuid.UUID
    name: str
    plan: Plan
    role: Role
    billing: bool
    is_payer: bool
    timezone: str
    clients: list[uuid.UUID] = []
    """The clients whose domains a guest may see."""
    edited_clients: list[uuid.UUID] = []
    """Those of them whose domains the guest may edit, too."""
    requires_second_factor: bool = False
    required_provider_id: uuid.UUID | None = None

    def find_role(self, client_id: uuid.UUID | None) -> Role | None:
        """Return the role that the person has for the domains of a client; None stands for domains without one."""
        if self.role is not Role.GUEST:
            return self.role
        if client_id in self.edited_clients:
            return Role.EDITOR
        return Role.VIEWER if client_id in self.clients else None


EmailKind = Literal["alert", "report"]


class EmailPreferences(msgspec.Struct, frozen=True):
    """Which e-mails of a workspace a member wants to receive."""

    alert_emails: bool
    report_emails: bool


class Member(msgspec.Struct, frozen=True):
    """A person as the other members of a workspace see them."""

    user_id: uuid.UUID
    name: str
    email: str
    role: Role
    billing: bool
    is_payer: bool
    created_at: datetime
    has_second_factor: bool = False

    @property
    def can_grant_billing(self) -> bool:
        return self.billing or self.role is Role.OWNER


class Guest(msgspec.Struct, frozen=True):
    """A person who sees the domains of a client, as the admins of the workspace see them."""

    user_id: uuid.UUID
    client_id: uuid.UUID
    client: str
    name: str
    email: str
    role: Role
    created_at: datetime


class Actor(msgspec.Struct, frozen=True):
    """Who acts, in which workspace and with what rights, read for every request.

    By key, `user_id` and `role` are those of the member who made the key, as they are now; a member who has left
    has no role. By session they are the person's own.
    """

    via: Literal["console", "data", "session"]
    workspace_id: uuid.UUID
    user_id: uuid.UUID
    role: Role | None
    plan: Plan
    livemode: bool
    scopes: tuple[str, ...] = ()
    key_id: uuid.UUID | None = None
    billing: bool = False
    clients: tuple[uuid.UUID, ...] | None = None
    """The clients whose domains a guest may see; None stands for all domains of the workspace."""


def build_operator_actor(workspace_id: uuid.UUID, *, user_id: uuid.UUID = _OPERATOR_ID, livemode: bool = True) -> Actor:
    """Return an actor with every right in the workspace: for the command line and the demonstration."""
    return Actor("session", workspace_id, user_id, Role.OWNER, DEFAULT_PLAN, livemode=livemode)
