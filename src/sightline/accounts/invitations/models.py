"""Invitations as members see them, and as the person who opens the link sees them."""

import uuid
from datetime import datetime
from typing import Annotated

import msgspec

from sightline.accounts.models import Role


class InvitationInput(msgspec.Struct, frozen=True):
    role: Role
    billing: bool = False
    email: Annotated[str, msgspec.Meta(max_length=254)] = ""
    """The address that the link is sent to; may be empty."""
    client: str = ""
    """Id of the client whose domains the person is to see as a guest. Empty for a member of the workspace."""


class Invitation(msgspec.Struct, frozen=True):
    """An open invitation. `email` is where the link was sent, if anywhere; anyone who has the link may join."""

    id: uuid.UUID
    email: str | None
    role: Role
    billing: bool
    inviter: str
    created_at: datetime
    expires_at: datetime
    client_id: uuid.UUID | None = None
    client: str | None = None
    """The name of the client that it makes a guest of; None makes a member."""


class InvitationDetails(msgspec.Struct, frozen=True):
    """What the holder of a link may know of the invitation, and what accepting it needs."""

    workspace_id: uuid.UUID
    id: uuid.UUID
    workspace: str
    email: str | None
    role: Role
    billing: bool
    inviter: str
    expires_at: datetime
    client_id: uuid.UUID | None = None
    client: str | None = None
