"""The SQL of ended access. Triggers write the rows (`db/migrations/versions`)."""

from datetime import timedelta

from sightline.accounts.ended_access.models import EndedAccess
from sightline.db.engine import Reader, Transaction, columns, to_rows


async def list_ended_any_workspace(db: Reader, recorded_within: timedelta | None) -> list[EndedAccess]:
    """Return what was recorded within the time, or everything. PostgreSQL's clock decides, as it dated the rows."""
    rows = await db.fetch(
        f"""SELECT {columns(EndedAccess)} FROM ended_access
            WHERE $1::interval IS NULL OR recorded_at > clock_timestamp() - $1::interval""",
        recorded_within,
    )
    return to_rows(EndedAccess, rows)


async def delete_old_any_workspace(tx: Transaction, *, age: timedelta) -> None:
    await tx.execute("DELETE FROM ended_access WHERE recorded_at < clock_timestamp() - $1::interval", age)
