"""Recognizing the credentials of a request, and counting the request against the limits of its key."""

import uuid
from collections.abc import Mapping
from datetime import datetime

from sightline.api_keys.addresses import parse_address
from sightline.db.engine import Database, Reader
from sightline.kit.clock import start_of_minute, start_of_month
from sightline.usage import queries
from sightline.usage.models import RateLimits, RecognizedKey


async def recognize_key(
    db: Reader,
    digest: bytes,
    needed_kind: str,
    limits: Mapping[str, RateLimits],
    *,
    client_address: str,
    now: datetime,
) -> RecognizedKey | None:
    """Return the key with the rights of its maker, or None when there is no such key.

    The request is counted only when the key works now and from this address, is of the needed kind, and is under both
    of its limits.
    """
    lookup = _build_lookup(digest, limits, client_address, now)
    return await queries.recognize_key(db, lookup, needed_kind, minute=start_of_minute(now), now=now)


async def look_up_key(
    db: Reader, digest: bytes, limits: Mapping[str, RateLimits], *, client_address: str, now: datetime
) -> RecognizedKey | None:
    """Return the key as `recognize_key` does, without counting a request. This works on a full disk, too."""
    return await queries.look_up_key(db, _build_lookup(digest, limits, client_address, now))


def _build_lookup(
    digest: bytes, limits: Mapping[str, RateLimits], client_address: str, now: datetime
) -> queries.KeyLookup:
    address = parse_address(client_address)
    return queries.KeyLookup(digest=digest, limits=limits, address=address, month=start_of_month(now))


async def refund_minute(db: Database, subject: uuid.UUID, *, now: datetime) -> None:
    """Remove a request from the count of this minute, because the limit of the month refused it."""
    await queries.refund_minute(db, subject, start_of_minute(now))
