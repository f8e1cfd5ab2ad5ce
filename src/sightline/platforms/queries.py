"""The SQL of pauses and failures of platforms. Both belong to the installation, not to a workspace."""

from datetime import datetime
from typing import Any

from sightline.db.engine import Database, Reader, Transaction


async def insert_pause(tx: Transaction, platform: str, *, now: datetime) -> bool:
    """Insert a pause. Returns False if it was paused before."""
    inserted = await tx.fetchval(
        """INSERT INTO platform_pauses (platform, paused_at) VALUES ($1, $2)
           ON CONFLICT (platform) DO NOTHING RETURNING true""",
        platform,
        now,
    )
    return inserted is not None


async def delete_pause(tx: Transaction, platform: str) -> bool:
    """Delete a pause. Returns False if it was not paused."""
    deleted = await tx.fetchval("DELETE FROM platform_pauses WHERE platform = $1 RETURNING true", platform)
    return deleted is not None


async def read_paused(db: Reader) -> frozenset[str]:
    """Return the platforms that are paused in the database, without those that a setting pauses."""
    return frozenset(row[0] for row in await db.fetch("SELECT platform FROM platform_pauses"))


async def read_pause_reasons(db: Reader) -> dict[str, str]:
    """Return why each platform is paused in the database: `operator` or `monthly_limit`."""
    return {row[0]: row[1] for row in await db.fetch("SELECT platform, reason FROM platform_pauses")}


async def add_failures(db: Database, platform: str, since: datetime, calls: int, fault: str) -> None:
    """Add failed calls. The time of the first one stays."""
    await db.execute(
        """INSERT INTO platform_failures (platform, failing_since, calls, fault) VALUES ($1, $2, $3, $4)
           ON CONFLICT (platform) DO UPDATE SET calls = platform_failures.calls + excluded.calls,
               fault = excluded.fault""",
        platform,
        since,
        calls,
        fault,
    )


async def delete_failures(db: Database, platform: str) -> None:
    await db.execute("DELETE FROM platform_failures WHERE platform = $1", platform)


async def list_failures(db: Reader, *, min_calls: int) -> list[tuple[str, datetime, int, Any]]:
    """Return platform, time of the first failed call, number of failed calls and the last fault."""
    rows = await db.fetch(
        "SELECT platform, failing_since, calls, fault FROM platform_failures WHERE calls >= $1", min_calls
    )
    return [(row[0], row[1], row[2], row[3]) for row in rows]
