"""A limit on how often a workspace may do something in a minute, in windows that all processes share."""

import uuid
from datetime import datetime

from sightline.db.engine import Transaction
from sightline.kit.clock import start_of_minute
from sightline.usage import queries
from sightline.usage.rate_limit import rate_limited


async def count_action(tx: Transaction, workspace_id: uuid.UUID, action: str, *, limit: int, now: datetime) -> None:
    """Count one action, in the transaction of its effect. Refused: more than `limit` in this minute (429)."""
    window = uuid.uuid5(workspace_id, action)
    if await queries.count_in_minute(tx, window, start_of_minute(now), limit) is None:
        raise rate_limited(now)
