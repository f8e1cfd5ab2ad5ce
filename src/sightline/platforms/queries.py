"""The SQL for pausing platforms. A pause belongs to the installation, not to a workspace."""

from datetime import datetime

from sightline.db.engine import Reader, Transaction


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


async def list_paused(db: Reader) -> frozenset[str]:
    return frozenset(row[0] for row in await db.fetch("SELECT platform FROM platform_pauses"))


async def list_pause_reasons(db: Reader) -> dict[str, str]:
    return {row[0]: row[1] for row in await db.fetch("SELECT platform, reason FROM platform_pauses")}
