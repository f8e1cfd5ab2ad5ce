"""How often somebody may try to sign in: per address and per account, in windows that all processes share."""

import uuid
from datetime import datetime

from sightline.db.engine import Database
from sightline.kit.clock import start_of_minute
from sightline.usage import queries
from sightline.usage.rate_limit import rate_limited

_SCOPE = uuid.uuid5(uuid.NAMESPACE_URL, "sign-in")


async def count_sign_in(db: Database, address: str, email: str, *, limit: int, now: datetime) -> list[uuid.UUID]:
    """Counts before any hashing, so that guesses at the same time count too. 429 when there are too many.

    Returns the windows: an attempt that succeeds is given back to them.
    """
    windows = []
    for subject, allowed in ((f"address {address}", 2 * limit), (f"account {email}", limit)):
        window = uuid.uuid5(_SCOPE, subject)
        if await queries.count_in_minute(db, window, start_of_minute(now), allowed) is None:
            raise rate_limited(now)
        windows.append(window)
    return windows


async def refund_sign_in(db: Database, windows: list[uuid.UUID], *, now: datetime) -> None:
    for window in windows:
        await queries.refund_minute(db, window, start_of_minute(now))
