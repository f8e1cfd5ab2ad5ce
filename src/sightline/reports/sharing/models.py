"""A share link as it is stored."""

import uuid
from datetime import datetime

import msgspec


class ShareLinkRow(msgspec.Struct, frozen=True):
    """A link to a report, without the token that opens it."""

    id: uuid.UUID
    shared_by: str
    created_at: datetime
    expires_at: datetime
