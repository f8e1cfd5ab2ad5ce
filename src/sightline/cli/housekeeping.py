"""Ending what is past its time, across the rooms: sessions, idempotency keys, rate windows, old usage."""

from datetime import datetime, timedelta

from sightline.accounts.queries import delete_ended_sessions_any_workspace
from sightline.api.edge.queries import delete_old_keys_any_workspace
from sightline.db.engine import Database
from sightline.settings import Settings
from sightline.usage.queries import delete_old_windows_any_workspace

_USAGE_DAYS = 62  # a whole month to date, whatever the month, and one to look back on


async def keep_house(db: Database, settings: Settings, *, now: datetime) -> None:
    """Any number of processes may do this at once; each step only removes what no rule needs any more."""
    async with db.transaction() as tx:
        await delete_ended_sessions_any_workspace(tx, now=now)
        await delete_old_keys_any_workspace(
            tx,
            lease_ended=now - timedelta(seconds=settings.idempotency_lease),
            retention_ended=now - timedelta(seconds=settings.idempotency_retention),
        )
        await delete_old_windows_any_workspace(
            tx, minutes_before=now - timedelta(minutes=5), usage_before=now - timedelta(days=_USAGE_DAYS)
        )
