"""All SQL of tracked domains: reading, tracking, setup, changes and removal."""

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from sightline.db.engine import Reader, Transaction, columns, to_row_or_none, to_rows
from sightline.domains.models import BrandDetails, TrackedDomainRow
from sightline.domains.queries import details_as_values, update_domain


class TrackedRecord(msgspec.Struct, frozen=True):
    id: uuid.UUID
    status: str
    domain: str


_RECORD = columns(TrackedRecord)
_TRACKED = columns(TrackedDomainRow)

SortKey = tuple[datetime, uuid.UUID]


async def lock_record_by_name(tx: Transaction, workspace_id: uuid.UUID, domain: str) -> TrackedRecord | None:
    """Lock and return the record, removed or not. Records are never deleted."""
    row = await tx.fetchrow(
        f"""SELECT {_RECORD} FROM domains
            WHERE workspace_id = $1 AND kind = 'tracked' AND livemode AND domain = $2 FOR NO KEY UPDATE""",
        workspace_id,
        domain,
    )
    return to_row_or_none(TrackedRecord, row)


async def count_tracked_domains(db: Reader, workspace_id: uuid.UUID) -> int:
    """Count the domains that count against the limit of the plan."""
    count: int = await db.fetchval(
        """SELECT count(*) FROM domains
           WHERE workspace_id = $1 AND kind = 'tracked' AND livemode AND status <> 'removed'""",
        workspace_id,
    )
    return count


async def list_tracked_names(db: Reader, workspace_id: uuid.UUID) -> frozenset[str]:
    """Return the names of all tracked domains."""
    rows = await db.fetch(
        """SELECT domain FROM domains
           WHERE workspace_id = $1 AND kind = 'tracked' AND livemode AND status <> 'removed'""",
        workspace_id,
    )
    return frozenset(row[0] for row in rows)


async def revive(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    await tx.execute(
        """UPDATE domains SET status = 'setup', removed_at = NULL, anchor_at = NULL, made_for_demo = false
           WHERE workspace_id = $1 AND id = $2""",
        workspace_id,
        domain_id,
    )


async def rename_unused(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, domain: str, brand_name: str
) -> bool:
    """Give a record in setup another domain. Return False if it has a history, or another record has the domain."""
    renamed = await tx.fetchval(
        """UPDATE domains d SET domain = $3, brand_name = $4, aliases = '{}', owned_domains = '{}'
           WHERE workspace_id = $1 AND id = $2 AND status = 'setup' AND scan_count = 0
             AND NOT EXISTS (SELECT FROM prompts p WHERE p.workspace_id = $1 AND p.domain_id = $2)
             AND NOT EXISTS (SELECT FROM competitors c WHERE c.workspace_id = $1 AND c.domain_id = $2)
             AND NOT EXISTS (SELECT FROM domains o WHERE o.workspace_id = $1 AND o.kind = 'tracked' AND o.livemode
                                                     AND o.domain = $3)
           RETURNING true""",
        workspace_id,
        domain_id,
        domain,
        brand_name,
    )
    return renamed is not None


async def complete_setup(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    *,
    language_code: str | None,
    countries: list[str],
    now: datetime,
) -> None:
    """Activate the domain. Its weeks are counted from this moment."""
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
    """Mark the domain as removed. Return False when there is no such domain."""
    removed = await tx.fetchval(
        """UPDATE domains SET status = 'removed', removed_at = $3, client_id = NULL, next_check_at = NULL,
                              next_check_scope = NULL, prompt_count = 0, pinned_count = 0
           WHERE workspace_id = $1 AND id = $2 AND kind = 'tracked' AND livemode AND status <> 'removed'
           RETURNING true""",
        workspace_id,
        domain_id,
        now,
    )
    return removed is not None


async def find_workspace_of_domain_any_workspace(db: Reader, domain_id: uuid.UUID) -> uuid.UUID | None:
    """Return the workspace of a tracked domain, for the operator, who knows only the id of the domain."""
    found: uuid.UUID | None = await db.fetchval(
        "SELECT workspace_id FROM domains WHERE id = $1 AND kind = 'tracked' AND livemode AND status <> 'removed'",
        domain_id,
    )
    return found


async def list_tracked_domains(
    db: Reader, workspace_id: uuid.UUID, clients: Sequence[uuid.UUID] | None, *, after: SortKey | None, limit: int
) -> list[TrackedDomainRow]:
    rows = await db.fetch(
        f"""SELECT {_TRACKED} FROM domains
            WHERE workspace_id = $1 AND kind = 'tracked' AND livemode AND status <> 'removed'
              AND ($2::timestamptz IS NULL OR (created_at, id) < ($2, $3::uuid))
              AND ($5::uuid[] IS NULL OR client_id = ANY($5))
            ORDER BY created_at DESC, id DESC LIMIT $4""",
        workspace_id,
        *(after or (None, None)),
        limit,
        clients,
    )
    return to_rows(TrackedDomainRow, rows)


async def find_tracked_domain(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> TrackedDomainRow | None:
    row = await db.fetchrow(
        f"""SELECT {_TRACKED} FROM domains
            WHERE workspace_id = $1 AND id = $2 AND kind = 'tracked' AND livemode AND status <> 'removed'""",
        workspace_id,
        domain_id,
    )
    return to_row_or_none(TrackedDomainRow, row)


async def lock_tracked_domain(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID
) -> TrackedDomainRow | None:
    """Lock and return the domain.

    Rows that refer to it can still be inserted; other changes of the domain, its names or its competitors wait.
    """
    row = await tx.fetchrow(
        f"""SELECT {_TRACKED} FROM domains
            WHERE workspace_id = $1 AND id = $2 AND kind = 'tracked' AND livemode AND status <> 'removed'
            FOR NO KEY UPDATE""",
        workspace_id,
        domain_id,
    )
    return to_row_or_none(TrackedDomainRow, row)


async def update_brand(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, details: BrandDetails) -> None:
    """Update the brand of a tracked domain, whose competitors have their own table."""
    await tx.execute(
        """UPDATE domains SET brand_name = $3, aliases = $4, owned_domains = $5
           WHERE workspace_id = $1 AND id = $2""",
        workspace_id,
        domain_id,
        details.brand_name,
        details.aliases,
        details.owned_domains,
    )


async def find_competitor_below(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, owned: list[str]
) -> tuple[str, str] | None:
    """Return a confirmed competitor that is, or lies below, one of these domains, and that domain."""
    row = await db.fetchrow(
        """SELECT competitor_domain, own FROM competitors, unnest($3::text[]) AS own
           WHERE workspace_id = $1 AND domain_id = $2 AND status = 'confirmed'
             AND (competitor_domain = own OR right(competitor_domain, length(own) + 1) = '.' || own)
           ORDER BY 1 LIMIT 1""",
        workspace_id,
        domain_id,
        owned,
    )
    return None if row is None else (row[0], row[1])


async def insert_tracked_domain(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    domain: str,
    details: BrandDetails,
    platforms: list[str],
    *,
    now: datetime,
) -> None:
    await tx.execute(
        """INSERT INTO domains (workspace_id, id, kind, livemode, domain, brand_name, aliases, owned_domains,
                                competitors, status, platforms, created_at)
           VALUES ($1, $2, 'tracked', true, $3, $4, $5, $6, $7, 'setup', $8, $9)""",
        workspace_id,
        domain_id,
        domain,
        *details_as_values(details),
        platforms,
        now,
    )


async def set_next_check(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, due: tuple[datetime, str] | None
) -> None:
    """Set the time and the scope of the next check, or none."""
    at, scope = due or (None, None)
    await update_domain(tx, workspace_id, domain_id, next_check_at=at, next_check_scope=scope)


async def unschedule_too_late_any_workspace(tx: Transaction, *, after: datetime, now: datetime) -> int:
    """Remove next checks that are due after this time, and return how many there were.

    Only a clock that was ahead can have written them. A domain that was set up meanwhile has its whole schedule in the
    future: the schedule is moved back by whole weeks, so that it keeps its minute and its day.
    """
    status = await tx.execute(
        """UPDATE domains SET next_check_at = NULL, next_check_scope = NULL,
               anchor_at = anchor_at - $3::interval * greatest(0, ceil(extract(epoch FROM anchor_at - $1::timestamptz)
                                                                       / extract(epoch FROM $3::interval)))
           WHERE kind = 'tracked' AND status = 'active' AND next_check_at > $2""",
        now,
        after,
        timedelta(weeks=1),
    )
    return int(status.rpartition(" ")[2])


async def set_last_check_time(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, scope: str, completed_at: datetime
) -> None:
    """Advance the time of the last Daily Check, Full Check or free audit."""
    columns = {
        "daily_check": "last_daily_check_at",
        "full_check": "last_full_check_at",
        "free_audit": "last_audit_at",
    }
    column = columns.get(scope)
    if column is None:
        return
    await tx.execute(
        f"UPDATE domains SET {column} = greatest({column}, $3) WHERE workspace_id = $1 AND id = $2",
        workspace_id,
        domain_id,
        completed_at,
    )


# Counts. They are computed again each time, because an incremented counter would stay wrong after one mistake.


async def update_competitor_count(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    await tx.execute(
        """UPDATE domains SET competitor_count = (
               SELECT count(*) FROM competitors WHERE workspace_id = $1 AND domain_id = $2 AND status = 'confirmed')
           WHERE workspace_id = $1 AND id = $2""",
        workspace_id,
        domain_id,
    )


async def update_prompt_counts(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    await tx.execute(
        """UPDATE domains SET (prompt_count, pinned_count) = (
               SELECT count(*), count(pinned_at) FROM prompts
               WHERE workspace_id = $1 AND domain_id = $2 AND status = 'active')
           WHERE workspace_id = $1 AND id = $2""",
        workspace_id,
        domain_id,
    )


async def assign_domains(
    tx: Transaction, workspace_id: uuid.UUID, client_id: uuid.UUID, domain_ids: Sequence[uuid.UUID]
) -> int:
    """Make these the domains of the client, and return how many of them there are."""
    await tx.execute(
        """UPDATE domains SET client_id = NULL
           WHERE workspace_id = $1 AND client_id = $2 AND NOT id = ANY($3::uuid[])""",
        workspace_id,
        client_id,
        list(domain_ids),
    )
    rows = await tx.fetch(
        """UPDATE domains SET client_id = $2
           WHERE workspace_id = $1 AND id = ANY($3::uuid[]) AND kind = 'tracked' AND livemode AND status <> 'removed'
           RETURNING id""",
        workspace_id,
        client_id,
        list(domain_ids),
    )
    return len(rows)
