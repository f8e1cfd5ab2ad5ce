"""Reading who lost access, and deleting records that are no longer needed."""

from datetime import timedelta

from sightline.accounts.ended_access import queries
from sightline.accounts.ended_access.models import EndedAccess
from sightline.db.engine import Reader, Transaction

# A rotated key ends a day after its record, and a process may have been stopped for a while.
_MIN_AGE = timedelta(days=7)


async def list_ended_any_workspace(db: Reader, *, recorded_within: timedelta | None) -> list[EndedAccess]:
    """Return who lost access within the time, or everyone on record."""
    return await queries.list_ended_any_workspace(db, recorded_within)


def find_record_age(actor_age: timedelta) -> timedelta:
    """Return how long a record is kept, when processes remember callers for `actor_age`."""
    return max(_MIN_AGE, 2 * actor_age)


async def delete_old_any_workspace(tx: Transaction, *, actor_age: timedelta) -> None:
    """Delete records that are older than any caller whom a process may remember."""
    await queries.delete_old_any_workspace(tx, age=find_record_age(actor_age))
