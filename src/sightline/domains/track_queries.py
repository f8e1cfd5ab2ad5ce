"""The SQL of tracking a domain, of its setup and of its removal. Reading tracked domains is in `queries`."""

import uuid
from datetime import datetime

import msgspec

from sightline.db.engine import Reader, Transaction, columns, to_row_or_none


class TrackedRecord(msgspec.Struct, frozen=True):
    id: uuid.UUID
    status: str
    domain: str


_RECORD = columns(TrackedRecord)


async def lock_record_by_name(tx: Transaction, workspace_id: uuid.UUID, domain: str) -> TrackedRecord | None:
    """Removed or not: records are never deleted."""
    row = await tx.fetchrow(
        f"""SELECT {_RECORD} FROM domains
            WHERE workspace_id = $1 AND kind = 'tracked' AND livemode AND domain = $2 FOR NO KEY UPDATE""",
        workspace_id,
        domain,
    )
    return to_row_or_none(TrackedRecord, row)


async def lock_record(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> TrackedRecord | None:
    row = await tx.fetchrow(
        f"""SELECT {_RECORD} FROM domains
            WHERE workspace_id = $1 AND id = $2 AND kind = 'tracked' AND livemode AND status <> 'removed'
            FOR NO KEY UPDATE""",
        workspace_id,
        domain_id,
    )
    return to_row_or_none(TrackedRecord, row)


async def count_tracked(db: Reader, workspace_id: uuid.UUID) -> int:
    count: int = await db.fetchval(
        """SELECT count(*) FROM domains
           WHERE workspace_id = $1 AND kind = 'tracked' AND livemode AND status <> 'removed'""",
        workspace_id,
    )
    return count


async def revive(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    await tx.execute(
        "UPDATE domains SET status = 'setup', removed_at = NULL, anchor_at = NULL WHERE workspace_id = $1 AND id = $2",
        workspace_id,
        domain_id,
    )


async def complete(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    *,
    language_code: str | None,
    countries: list[str],
    now: datetime,
) -> None:
    """The end of the setup is the moment from which the domain's weeks are counted."""
    await tx.execute(
        """UPDATE domains SET status = 'active', anchor_at = $3, language_code = $4, countries = $5
           WHERE workspace_id = $1 AND id = $2 AND status = 'setup'""",
        workspace_id,
        domain_id,
        now,
        language_code,
        countries,
    )


async def mark_removed(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, now: datetime) -> bool:
    """False when there is no such domain."""
    removed = await tx.fetchval(
        """UPDATE domains SET status = 'removed', removed_at = $3, next_check_at = NULL, next_check_scope = NULL,
                              prompt_count = 0, pinned_count = 0
           WHERE workspace_id = $1 AND id = $2 AND kind = 'tracked' AND livemode AND status <> 'removed'
           RETURNING true""",
        workspace_id,
        domain_id,
        now,
    )
    return removed is not None


async def remove_prompts(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, now: datetime) -> None:
    await tx.execute(
        """UPDATE prompts SET status = 'removed', removed_at = $3, pinned_at = NULL, daily = false
           WHERE workspace_id = $1 AND domain_id = $2 AND status = 'active'""",
        workspace_id,
        domain_id,
        now,
    )


async def find_workspace_of_domain_any_workspace(db: Reader, domain_id: uuid.UUID) -> uuid.UUID | None:
    """For the operator, who names a tracked domain by its id alone."""
    found: uuid.UUID | None = await db.fetchval(
        "SELECT workspace_id FROM domains WHERE id = $1 AND kind = 'tracked' AND livemode AND status <> 'removed'",
        domain_id,
    )
    return found
