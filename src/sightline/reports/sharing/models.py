"""Share links as they are stored and read."""

import uuid
from datetime import datetime

import msgspec


class NewShareLink(msgspec.Struct, frozen=True, kw_only=True):
    """A row of `report_shares`."""

    workspace_id: uuid.UUID
    id: uuid.UUID
    report_id: uuid.UUID
    digest: bytes
    """Of the token that opens the report."""
    shared_by: uuid.UUID
    created_at: datetime
    expires_at: datetime


class ShareLinkRow(msgspec.Struct, frozen=True):
    """A link to a report, without the token that opens it."""

    id: uuid.UUID
    shared_by: str
    created_at: datetime
    expires_at: datetime
