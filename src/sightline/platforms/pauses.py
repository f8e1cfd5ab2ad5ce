"""Pausing a platform while the service runs.

`SIGHTLINE_PAUSED_PLATFORMS` pauses as well, until the next start. A paused platform is refused when a scan is
submitted; scans that were accepted before are completed.
"""

from collections.abc import Set as AbstractSet
from datetime import datetime

from sightline.audit.record import record_audit
from sightline.db.engine import Reader, Transaction
from sightline.errors import invalid_field
from sightline.platforms import queries
from sightline.platforms.costs.queries import find_reached_limit
from sightline.platforms.names import platform_name


async def pause_platform(tx: Transaction, key: str, *, now: datetime) -> bool:
    """Pause a platform of the catalog. Returns False if it was paused already: the first pause stands."""
    if not await queries.insert_pause(tx, key, now=now):
        return False
    await record_audit(tx, None, "platform_paused", platform=key)
    return True


async def resume_platform(tx: Transaction, key: str, *, now: datetime) -> bool:
    """End the pause in the database. Returns False if there was none.

    Refused while the month's spend has reached the platform's limit, which would pause it again at once (422).
    """
    if reached := await find_reached_limit(tx, key, today=now.date()):
        limit, spent = reached
        raise invalid_field(
            "monthly_limit",
            f"{platform_name(key)} has spent ${spent:,.2f} of its monthly limit of ${limit:,.2f}. Raise or remove that "
            f"limit first, under Operator → Platforms → {platform_name(key)}",
            "limit",
        )
    if not await queries.delete_pause(tx, key):
        return False
    await record_audit(tx, None, "platform_resumed", platform=key)
    return True


async def read_enabled(db: Reader, by_settings: AbstractSet[str]) -> frozenset[str]:
    """Return which of the platforms that the settings enable are not paused now."""
    return frozenset(by_settings - await queries.read_paused(db))
