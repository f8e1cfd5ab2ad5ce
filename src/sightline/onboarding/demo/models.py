"""What the demonstration stores."""

import uuid
from datetime import datetime

import msgspec


class Demonstration(msgspec.Struct, frozen=True):
    """What was asked for in `workspace_id`; `shown_in` is the same workspace, or one that was made for it."""

    workspace_id: uuid.UUID
    shown_in: uuid.UUID
    domain_id: uuid.UUID
    created_at: datetime
    completed_at: datetime | None
