"""Pausing a platform while the service runs. `SIGHTLINE_PAUSED_PLATFORMS` pauses as well, until the next start.

A paused platform is refused when a scan is submitted; scans that were accepted before are asked to their end.
"""

from collections.abc import Set as AbstractSet
from datetime import datetime

from sightline.db.engine import Reader, Transaction
from sightline.platforms import queries


async def pause_platform(tx: Transaction, key: str, *, now: datetime) -> bool:
    """A key of the catalogue. False when it was paused before: the first pause stands."""
    return await queries.insert_pause(tx, key, now=now)


async def resume_platform(tx: Transaction, key: str) -> bool:
    """Ends the pause in the database. False when there was none."""
    return await queries.delete_pause(tx, key)


async def read_paused(db: Reader) -> frozenset[str]:
    """The platforms that are paused in the database; those that a setting pauses are not among them."""
    return await queries.list_paused(db)


async def read_enabled(db: Reader, by_settings: AbstractSet[str]) -> frozenset[str]:
    """Of the platforms that the settings enable, those that are not paused at this moment."""
    return frozenset(by_settings - await queries.list_paused(db))
