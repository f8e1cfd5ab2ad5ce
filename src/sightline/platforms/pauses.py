"""Pausing a platform while the service runs.

`SIGHTLINE_PAUSED_PLATFORMS` pauses as well, until the next start. A paused platform is refused when a scan is
submitted; scans that were accepted before are completed.
"""

from collections.abc import Set as AbstractSet
from datetime import datetime

from sightline.db.engine import Reader, Transaction
from sightline.platforms import queries


async def pause_platform(tx: Transaction, key: str, *, now: datetime) -> bool:
    """Pause a platform of the catalog. Returns False if it was paused already: the first pause stands."""
    return await queries.insert_pause(tx, key, now=now)


async def resume_platform(tx: Transaction, key: str) -> bool:
    """End the pause in the database. Returns False if there was none."""
    return await queries.delete_pause(tx, key)


async def read_paused(db: Reader) -> frozenset[str]:
    """Return the platforms that are paused in the database, without those that a setting pauses."""
    return await queries.list_paused(db)


async def read_pause_reasons(db: Reader) -> dict[str, str]:
    """Return why each platform is paused in the database: `operator` or `monthly_limit`."""
    return await queries.list_pause_reasons(db)


async def read_enabled(db: Reader, by_settings: AbstractSet[str]) -> frozenset[str]:
    """Return which of the platforms that the settings enable are not paused now."""
    return frozenset(by_settings - await queries.list_paused(db))
