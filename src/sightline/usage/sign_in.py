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
    return [
        await _count(db, f"address {address}", 2 * limit, now=now),
        await _count(db, f"account {email}", limit, now=now),
    ]


async def count_token_attempt(db: Database, address: str, *, limit: int, now: datetime) -> list[uuid.UUID]:
    """Count an attempt with a one-time token against the address alone; see `count_sign_in`.

    The account is left out: a token that is wrong says nothing about the account that it names.
    """
    return [await _count(db, f"address {address}", 2 * limit, now=now)]


async def refund_sign_in(db: Database, windows: list[uuid.UUID], *, now: datetime) -> None:
    for window in windows:
        await queries.refund_minute(db, window, start_of_minute(now))


async def _count(db: Database, subject: str, allowed: int, *, now: datetime) -> uuid.UUID:
    window = uuid.uuid5(_SCOPE, subject)
    if await queries.count_in_minute(db, window, start_of_minute(now), allowed) is None:
        raise rate_limited(now)
    return window
