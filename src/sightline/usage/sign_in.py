"""The limit on sign-in attempts, per address and per account, in windows that all processes share."""

import uuid
from datetime import datetime

from sightline.db.engine import Database
from sightline.kit.clock import start_of_minute
from sightline.usage import queries
from sightline.usage.rate_limit import rate_limited

_SCOPE = uuid.uuid5(uuid.NAMESPACE_URL, "sign-in")


async def count_sign_in(db: Database, address: str, email: str, *, limit: int, now: datetime) -> list[uuid.UUID]:
    """Count an attempt and return its windows, so that a successful one can be refunded. Refused: too many (429).

    Attempts are counted before any hashing, so that concurrent guesses count, too.
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
