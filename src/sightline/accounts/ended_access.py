"""Who lost access: keys, sessions and memberships that ended, as triggers of the database record them (ADR 45).

Processes follow these records, so that they refuse the same callers while the database is down (`api/edge/`).
"""

import uuid
from datetime import datetime, timedelta

import msgspec

from sightline.accounts import queries
from sightline.db.engine import Reader, Transaction, to_rows

# A rotated key ends a day after its record, and a process may have been stopped for a while.
_MIN_AGE = timedelta(days=7)


class EndedAccess(msgspec.Struct, frozen=True):
    """A credential or a membership that ended. A membership can start again: `is_over` is then False."""

    subject: str
    is_over: bool
    ends_at: datetime | None
    """When it ends. None if it has ended."""


def name_credential(digest: bytes) -> str:
    """Return the subject of a key or a session, which is named by its digest."""
    return f"credential {digest.hex()}"


def name_member(workspace_id: uuid.UUID, user_id: uuid.UUID) -> str:
    return f"member {workspace_id} {user_id}"


async def list_ended_any_workspace(db: Reader, *, recorded_within: timedelta | None) -> list[EndedAccess]:
    """Return who lost access within the time, or everyone on record."""
    return to_rows(EndedAccess, await queries.list_ended_any_workspace(db, recorded_within))


def find_record_age(actor_age: timedelta) -> timedelta:
    """Return how long a record is kept, when processes remember callers for `actor_age`."""
    return max(_MIN_AGE, 2 * actor_age)


async def delete_old_any_workspace(tx: Transaction, *, actor_age: timedelta) -> None:
    """Delete records that are older than any caller whom a process may remember."""
    await queries.delete_old_ended_any_workspace(tx, age=find_record_age(actor_age))
