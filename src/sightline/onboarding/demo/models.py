"""What the demonstration stores."""

import uuid
from datetime import datetime

import msgspec


class Demonstration(msgspec.Struct, frozen=True):
    """A row of `demonstrations`: requested in `workspace_id`; `shown_in` is that workspace or one created for it."""

    workspace_id: uuid.UUID
    shown_in: uuid.UUID
    domain_id: uuid.UUID
    created_at: datetime
    completed_at: datetime | None
