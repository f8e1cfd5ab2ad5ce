"""Access that has ended, and what names it."""

import uuid
from datetime import datetime

import msgspec


class EndedAccess(msgspec.Struct, frozen=True):
    """A credential or a membership that ended. A membership can start again: `is_over` is then False."""

    subject: str
    is_over: bool
    ends_at: datetime | None
    """When it ends. None if it has ended."""


def name_credential(digest: bytes) -> str:
    """Return the subject of a key or a session, which is named by its digest."""
    return f"credential {digest.hex()}"


def name_member(workspace_id: uuid.UUID, user_id: uuid.UUID) -> str:
    return f"member {workspace_id} {user_id}"
