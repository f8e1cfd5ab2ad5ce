"""All SQL of Console domains; that of tracked domains is in `tracking/queries.py`.

Both kinds share one table. `kind` and `livemode` are part of every lookup, so kinds and modes never mix.
"""

import uuid
from datetime import datetime

import msgspec

from sightline.db.engine import Reader, Transaction, columns
from sightline.domains.models import BrandDetails, Competitor, ConsoleDomainRow

_CONSOLE = columns(ConsoleDomainRow)
_COMPETITORS = ConsoleDomainRow.__struct_fields__.index("competitors")

SortKey = tuple[datetime, uuid.UUID]
_read_competitors = msgspec.json.Decoder(list[Competitor]).decode

LIST_CONSOLE = f"""SELECT {_CONSOLE} FROM domains
    WHERE workspace_id = $1 AND kind = 'console' AND livemode = $2 AND status <> 'removed'
    ORDER BY created_at DESC, id DESC LIMIT $3"""
LIST_CONSOLE_AFTER = f"""SELECT {_CONSOLE} FROM domains
    WHERE workspace_id = $1 AND kind = 'console' AND livemode = $2 AND status <> 'removed'
      AND (created_at, id) < ($4, $5)
    ORDER BY created_at DESC, id DESC LIMIT $3"""


def _to_console(record: tuple[object, ...]) -> ConsoleDomainRow:
    values = list(record)
    text = values[_COMPETITORS]
    values[_COMPETITORS] = [] if text == "[]" else _read_competitors(text)  # type: ignore[arg-type]
    return ConsoleDomainRow(*values)  # type: ignore[arg-type]


async def list_console_domains(
    db: Reader, workspace_id: uuid.UUID, *, livemode: bool, after: SortKey | None, limit: int
) -> list[ConsoleDomainRow]:
    if after is None:
        rows = await db.fetch(LIST_CONSOLE, workspace_id, livemode, limit)
    else:
        rows = await db.fetch(LIST_CONSOLE_AFTER, workspace_id, livemode, limit, *after)
    return [_to_console(row) for row in rows]


async def find_console_domain(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, livemode: bool, lock: bool = False
) -> ConsoleDomainRow | None:
    row = await db.fetchrow(
        f"""SELECT {_CONSOLE} FROM domains
            WHERE workspace_id = $1 AND kind = 'console' AND livemode = $3 AND id = $2 AND status <> 'removed'
            {"FOR UPDATE" if lock else ""}""",
        workspace_id,
        domain_id,
        livemode,
    )
    return None if row is None else _to_console(row)


async def insert_console_domain(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    domain: str,
    details: BrandDetails,
    *,
    livemode: bool,
    now: datetime,
) -> bool:
    """Insert the domain. Return False when the workspace has a record of that name, removed or not."""
    inserted = await tx.fetchval(
        """INSERT INTO domains (workspace_id, id, kind, livemode, domain, brand_name, aliases, owned_domains,
                                competitors, status, created_at)
           VALUES ($1, $2, 'console', $3, $4, $5, $6, $7, $8, 'active', $9)
           ON CONFLICT (workspace_id, kind, livemode, domain) DO NOTHING RETURNING true""",
        workspace_id,
        domain_id,
        livemode,
        domain,
        *details_as_values(details),
        now,
    )
    return inserted is not None


async def lock_console_domain_by_name(
    tx: Transaction, workspace_id: uuid.UUID, domain: str, *, livemode: bool
) -> ConsoleDomainRow | None:
    row = await tx.fetchrow(
        f"""SELECT {_CONSOLE} FROM domains
            WHERE workspace_id = $1 AND kind = 'console' AND livemode = $2 AND domain = $3 FOR UPDATE""",
        workspace_id,
        livemode,
        domain,
    )
    return None if row is None else _to_console(row)


async def update_domain(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, **values: object) -> None:
    """Set columns of a domain of either kind, in the transaction that changes what they say."""
    assignments = ", ".join(f"{column} = ${place}" for place, column in enumerate(values, start=3))
    await tx.execute(
        f"UPDATE domains SET {assignments} WHERE workspace_id = $1 AND id = $2",
        workspace_id,
        domain_id,
        *values.values(),
    )


async def update_details(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, details: BrandDetails) -> None:
    await tx.execute(
        """UPDATE domains SET brand_name = $3, aliases = $4, owned_domains = $5, competitors = $6
           WHERE workspace_id = $1 AND id = $2""",
        workspace_id,
        domain_id,
        *details_as_values(details),
    )


async def mark_removed(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, now: datetime) -> None:
    await tx.execute(
        "UPDATE domains SET status = 'removed', removed_at = $3 WHERE workspace_id = $1 AND id = $2",
        workspace_id,
        domain_id,
        now,
    )


async def find_active_scan(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> uuid.UUID | None:
    """Return the one scan of the domain that is pending or running."""
    found: uuid.UUID | None = await db.fetchval(
        "SELECT id FROM scans WHERE workspace_id = $1 AND domain_id = $2 AND status IN ('pending', 'running')",
        workspace_id,
        domain_id,
    )
    return found


async def count_scan(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, now: datetime) -> None:
    """Count a new scan of the domain."""
    await tx.execute(
        "UPDATE domains SET scan_count = scan_count + 1, last_scan_at = $3 WHERE workspace_id = $1 AND id = $2",
        workspace_id,
        domain_id,
        now,
    )


def details_as_values(details: BrandDetails) -> tuple[str, list[str], list[str], str]:
    competitors = msgspec.json.encode(details.competitors).decode()
    return details.brand_name, details.aliases, details.owned_domains, competitors
