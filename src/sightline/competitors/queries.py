"""SQL of competitors.

Every write is made under the domain lock, because the limit, the count on the domain and the uniqueness of domains and
names depend on several rows.
"""

import uuid
from collections.abc import Collection, Sequence
from datetime import datetime

from sightline.competitors.models import CompetitorRow, CompetitorStatus, DiscoverySource
from sightline.competitors.states import TRANSITIONS, Action
from sightline.db.engine import Reader, Transaction, columns, to_row, to_row_or_none, to_rows

_ROW = columns(CompetitorRow)

SortKey = tuple[datetime, uuid.UUID]


async def list_confirmed_competitors(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[CompetitorRow]:
    """Return the competitors that the domain is measured against, most recently updated first."""
    rows = await db.fetch(
        f"""SELECT {_ROW} FROM competitors
            WHERE workspace_id = $1 AND domain_id = $2 AND status = 'confirmed'
            ORDER BY last_updated DESC, id DESC""",
        workspace_id,
        domain_id,
    )
    return to_rows(CompetitorRow, rows)


async def search_confirmed(
    db: Reader,
    workspace_id: uuid.UUID,
    domain_ids: Collection[uuid.UUID],
    words: Sequence[str],
    *,
    near: uuid.UUID | None,
    limit: int,
) -> list[CompetitorRow]:
    """List competitors of these domains whose names contain every word, in lower case, those of one domain first."""
    rows = await db.fetch(
        f"""SELECT {_ROW} FROM competitors c
            WHERE c.workspace_id = $1 AND c.status = 'confirmed'
              AND (SELECT bool_and(position(word IN lower(concat_ws(
                       ' ', c.display_name, c.found_as, array_to_string(c.names, ' '), c.competitor_domain))) > 0)
                   FROM unnest($2::text[]) AS word)
              AND c.domain_id = ANY($5::uuid[])
            ORDER BY (c.domain_id = $3) DESC NULLS LAST, c.competitor_domain, c.id LIMIT $4""",
        workspace_id,
        list(words),
        near,
        limit,
        list(domain_ids),
    )
    return to_rows(CompetitorRow, rows)


async def list_page(
    db: Reader,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    status: CompetitorStatus,
    *,
    after: SortKey | None,
    limit: int,
) -> list[CompetitorRow]:
    rows = await db.fetch(
        f"""SELECT {_ROW} FROM competitors
            WHERE workspace_id = $1 AND domain_id = $2 AND status = $6
              AND ($3::timestamptz IS NULL OR (last_updated, id) < ($3, $4::uuid))
            ORDER BY last_updated DESC, id DESC LIMIT $5""",
        workspace_id,
        domain_id,
        *(after or (None, None)),
        limit,
        status,
    )
    return to_rows(CompetitorRow, rows)


async def list_domains_by_confirmation(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[str]:
    """Return the domains of all competitors ever confirmed, in the order of first confirmation, which never changes."""
    rows = await db.fetch(
        """SELECT competitor_domain FROM competitors
           WHERE workspace_id = $1 AND domain_id = $2 AND confirmed_at IS NOT NULL AND competitor_domain IS NOT NULL
           ORDER BY confirmed_at, id""",
        workspace_id,
        domain_id,
    )
    return [row[0] for row in rows]


async def list_all_competitors(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[CompetitorRow]:
    """Return all competitors: confirmed ones, then suggestions by strength, then hidden and dismissed ones."""
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
    """Find a competitor in any state."""
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
    """Find the tracked domain that a competitor belongs to."""
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
    tx: Transaction, workspace_id: uuid.UUID, competitor_id: uuid.UUID, action: Action, *, now: datetime
) -> CompetitorRow | None:
    """Change the status by an action; return None if the current status does not allow it."""
    transition = TRANSITIONS[action]
    row = await tx.fetchrow(
        f"""UPDATE competitors SET status = $4, last_updated = $5,
                confirmed_at = CASE WHEN $4 = 'confirmed' THEN coalesce(confirmed_at, $5) ELSE confirmed_at END
            WHERE workspace_id = $1 AND id = $2 AND status = ANY($3::text[]) RETURNING {_ROW}""",
        workspace_id,
        competitor_id,
        list(transition.sources),
        transition.target,
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
    """Set the domain of a competitor that was found by name alone."""
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
    """Store that the site was read, and its name. `last_updated` changes only with the name."""
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
    """Delete a suggestion without a domain that turned out to be another competitor. Nothing refers to it."""
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


async def dismiss_competitors(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, competitors: list[str], *, now: datetime
) -> None:
    await tx.execute(
        """UPDATE competitors SET status = 'dismissed', last_updated = $4
           WHERE workspace_id = $1 AND domain_id = $2 AND competitor_domain = ANY($3)""",
        workspace_id,
        domain_id,
        competitors,
        now,
    )


async def delete_suggested(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    await tx.execute(
        "DELETE FROM competitors WHERE workspace_id = $1 AND domain_id = $2 AND status = 'suggested'",
        workspace_id,
        domain_id,
    )
