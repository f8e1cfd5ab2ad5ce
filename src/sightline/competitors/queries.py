"""All SQL of competitors. Every write is made under the lock of the domain, so that what belongs together (the limit,
the count on the domain, one row per domain and name) is decided by one at a time."""

import uuid
from collections.abc import Sequence
from datetime import datetime

from sightline.competitors.models import CompetitorRow, CompetitorStatus, DiscoverySource
from sightline.competitors.states import TRANSITIONS, Action
from sightline.db.engine import Reader, Transaction, columns, to_row, to_row_or_none, to_rows

_ROW = columns(CompetitorRow)

SortKey = tuple[datetime, uuid.UUID]


async def list_confirmed(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[CompetitorRow]:
    """All of them, most recently updated first: whom the domain is measured against."""
    rows = await db.fetch(
        f"""SELECT {_ROW} FROM competitors
            WHERE workspace_id = $1 AND domain_id = $2 AND status = 'confirmed'
            ORDER BY last_updated DESC, id DESC""",
        workspace_id,
        domain_id,
    )
    return to_rows(CompetitorRow, rows)


async def list_confirmed_page(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, after: SortKey | None, limit: int
) -> list[CompetitorRow]:
    rows = await db.fetch(
        f"""SELECT {_ROW} FROM competitors
            WHERE workspace_id = $1 AND domain_id = $2 AND status = 'confirmed'
              AND ($3::timestamptz IS NULL OR (last_updated, id) < ($3, $4::uuid))
            ORDER BY last_updated DESC, id DESC LIMIT $5""",
        workspace_id,
        domain_id,
        *(after or (None, None)),
        limit,
    )
    return to_rows(CompetitorRow, rows)


async def list_domains_by_confirmation(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[str]:
    """The domains of all that ever were confirmed, the first one first: an order that nothing changes later."""
    rows = await db.fetch(
        """SELECT competitor_domain FROM competitors
           WHERE workspace_id = $1 AND domain_id = $2 AND confirmed_at IS NOT NULL AND competitor_domain IS NOT NULL
           ORDER BY confirmed_at, id""",
        workspace_id,
        domain_id,
    )
    return [row[0] for row in rows]


async def list_for_review(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[CompetitorRow]:
    """For review: confirmed first, then the strongest suggestions, then what was put aside."""
    rows = await db.fetch(
        f"""SELECT {_ROW} FROM competitors WHERE workspace_id = $1 AND domain_id = $2
            ORDER BY array_position(ARRAY['confirmed', 'suggested', 'hidden', 'dismissed'], status),
                     score DESC NULLS LAST, last_updated DESC, id DESC""",
        workspace_id,
        domain_id,
    )
    return to_rows(CompetitorRow, rows)


async def find_confirmed(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, competitor_id: uuid.UUID
) -> CompetitorRow | None:
    found = await find_competitor(db, workspace_id, domain_id, competitor_id)
    return found if found is not None and found.status == "confirmed" else None


async def find_competitor(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, competitor_id: uuid.UUID
) -> CompetitorRow | None:
    """In any state."""
    row = await db.fetchrow(
        f"SELECT {_ROW} FROM competitors WHERE workspace_id = $1 AND domain_id = $2 AND id = $3",
        workspace_id,
        domain_id,
        competitor_id,
    )
    return to_row_or_none(CompetitorRow, row)


async def find_by_domain(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, competitor_domain: str
) -> CompetitorRow | None:
    row = await db.fetchrow(
        f"SELECT {_ROW} FROM competitors WHERE workspace_id = $1 AND domain_id = $2 AND competitor_domain = $3",
        workspace_id,
        domain_id,
        competitor_domain,
    )
    return to_row_or_none(CompetitorRow, row)


async def find_tracked_domain_id(db: Reader, workspace_id: uuid.UUID, competitor_id: uuid.UUID) -> uuid.UUID | None:
    """The tracked domain that it belongs to."""
    found: uuid.UUID | None = await db.fetchval(
        "SELECT domain_id FROM competitors WHERE workspace_id = $1 AND id = $2", workspace_id, competitor_id
    )
    return found


async def insert_competitor(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    competitor_id: uuid.UUID,
    competitor_domain: str | None,
    *,
    status: CompetitorStatus,
    source: DiscoverySource,
    names: Sequence[str] = (),
    found_as: str | None = None,
    score: float | None = None,
    now: datetime,
) -> CompetitorRow:
    row = await tx.fetchrow(
        f"""INSERT INTO competitors (workspace_id, domain_id, id, competitor_domain, status, discovery_source, names,
                                     found_as, score, discovered_at, last_updated, confirmed_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, CASE WHEN $5 = 'confirmed' THEN $10::timestamptz END)
            RETURNING {_ROW}""",
        workspace_id,
        domain_id,
        competitor_id,
        competitor_domain,
        status,
        source,
        list(names),
        found_as,
        score,
        now,
    )
    return to_row(CompetitorRow, row)


async def change_status(
    tx: Transaction, workspace_id: uuid.UUID, competitor_id: uuid.UUID, move: Action, *, now: datetime
) -> CompetitorRow | None:
    """The only way in which a status changes. None: it was not in a state from which this step leads anywhere."""
    way = TRANSITIONS[move]
    row = await tx.fetchrow(
        f"""UPDATE competitors SET status = $4, last_updated = $5,
                confirmed_at = CASE WHEN $4 = 'confirmed' THEN coalesce(confirmed_at, $5) ELSE confirmed_at END
            WHERE workspace_id = $1 AND id = $2 AND status = ANY($3::text[]) RETURNING {_ROW}""",
        workspace_id,
        competitor_id,
        list(way.sources),
        way.target,
        now,
    )
    return to_row_or_none(CompetitorRow, row)


async def set_names(
    tx: Transaction, workspace_id: uuid.UUID, competitor_id: uuid.UUID, names: Sequence[str], *, now: datetime
) -> CompetitorRow:
    row = await tx.fetchrow(
        f"""UPDATE competitors SET names = $3, last_updated = $4 WHERE workspace_id = $1 AND id = $2
            RETURNING {_ROW}""",
        workspace_id,
        competitor_id,
        list(names),
        now,
    )
    return to_row(CompetitorRow, row)


async def set_domain(
    tx: Transaction, workspace_id: uuid.UUID, competitor_id: uuid.UUID, competitor_domain: str, *, now: datetime
) -> CompetitorRow:
    """For one that was found by name alone."""
    row = await tx.fetchrow(
        f"""UPDATE competitors SET competitor_domain = $3, last_updated = $4 WHERE workspace_id = $1 AND id = $2
            RETURNING {_ROW}""",
        workspace_id,
        competitor_id,
        competitor_domain,
        now,
    )
    return to_row(CompetitorRow, row)


async def set_score(
    tx: Transaction, workspace_id: uuid.UUID, competitor_id: uuid.UUID, score: float, *, now: datetime
) -> CompetitorRow:
    row = await tx.fetchrow(
        f"""UPDATE competitors SET score = $3, last_updated = $4 WHERE workspace_id = $1 AND id = $2
            RETURNING {_ROW}""",
        workspace_id,
        competitor_id,
        score,
        now,
    )
    return to_row(CompetitorRow, row)


async def store_site_name(
    tx: Transaction, workspace_id: uuid.UUID, competitor_id: uuid.UUID, display_name: str | None, *, now: datetime
) -> None:
    """Its site was read. The record has changed only where a name was learnt."""
    await tx.execute(
        """UPDATE competitors SET
               site_read_at = $4,
               last_updated = CASE WHEN $3::text IS DISTINCT FROM display_name THEN $4 ELSE last_updated END,
               display_name = $3
           WHERE workspace_id = $1 AND id = $2""",
        workspace_id,
        competitor_id,
        display_name,
        now,
    )


async def delete_without_domain(tx: Transaction, workspace_id: uuid.UUID, competitor_id: uuid.UUID) -> None:
    """A suggestion without a domain, once it is known to be another record's. Nothing ever referred to it."""
    await tx.execute(
        "DELETE FROM competitors WHERE workspace_id = $1 AND id = $2 AND competitor_domain IS NULL",
        workspace_id,
        competitor_id,
    )


async def count_confirmed(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> int:
    counted: int = await db.fetchval(
        "SELECT count(*) FROM competitors WHERE workspace_id = $1 AND domain_id = $2 AND status = 'confirmed'",
        workspace_id,
        domain_id,
    )
    return counted


async def update_competitor_count(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    """Counted anew each time: a number that is only ever added to goes wrong once and stays so."""
    await tx.execute(
        """UPDATE domains SET competitor_count = (
               SELECT count(*) FROM competitors WHERE workspace_id = $1 AND domain_id = $2 AND status = 'confirmed')
           WHERE workspace_id = $1 AND id = $2""",
        workspace_id,
        domain_id,
    )
