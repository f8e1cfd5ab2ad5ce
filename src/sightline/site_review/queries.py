"""SQL of site reviews: the reviews of a domain, the pages of each, and the findings of all of them."""

import uuid
from collections.abc import Collection, Sequence
from datetime import datetime

import msgspec

from sightline.db.engine import Reader, Transaction, columns, to_row_or_none, to_rows
from sightline.kit.ids import new_id
from sightline.site_review.models import (
    FindingRow,
    Found,
    PlannedPage,
    ReadPage,
    ReviewedPage,
    SiteFacts,
    SiteReviewRow,
    decode_page,
)

_REVIEW = columns(SiteReviewRow)
_FINDING = columns(FindingRow)


async def insert_review(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    scan_id: uuid.UUID,
    requested_by: uuid.UUID | None,
    *,
    now: datetime,
) -> uuid.UUID | None:
    """Insert a review, unless one of the domain has not ended; return its id."""
    review_id: uuid.UUID | None = await tx.fetchval(
        """INSERT INTO site_reviews (workspace_id, id, domain_id, scan_id, requested_by, requested_at)
           VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (workspace_id, domain_id) WHERE completed_at IS NULL DO NOTHING RETURNING id""",
        workspace_id,
        new_id(),
        domain_id,
        scan_id,
        requested_by,
        now,
    )
    return review_id


async def find_review(db: Reader, workspace_id: uuid.UUID, review_id: uuid.UUID) -> SiteReviewRow | None:
    row = await db.fetchrow(
        f"SELECT {_REVIEW} FROM site_reviews WHERE workspace_id = $1 AND id = $2", workspace_id, review_id
    )
    return to_row_or_none(SiteReviewRow, row)


async def list_reviews(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, limit: int) -> list[SiteReviewRow]:
    """Return the reviews of a domain, the latest first."""
    rows = await db.fetch(
        f"""SELECT {_REVIEW} FROM site_reviews WHERE workspace_id = $1 AND domain_id = $2
            ORDER BY requested_at DESC, id DESC LIMIT $3""",
        workspace_id,
        domain_id,
        limit,
    )
    return to_rows(SiteReviewRow, rows)


async def delete_review(tx: Transaction, workspace_id: uuid.UUID, review_id: uuid.UUID) -> None:
    await tx.execute("DELETE FROM site_reviews WHERE workspace_id = $1 AND id = $2", workspace_id, review_id)


async def start_review(
    tx: Transaction,
    workspace_id: uuid.UUID,
    review_id: uuid.UUID,
    site: SiteFacts,
    pages: Sequence[PlannedPage],
    *,
    now: datetime,
) -> None:
    """Store what a review reads. Nothing changes if that is stored already."""
    started = await tx.fetchval(
        """UPDATE site_reviews SET site = $3, started_at = $4
           WHERE workspace_id = $1 AND id = $2 AND started_at IS NULL RETURNING true""",
        workspace_id,
        review_id,
        msgspec.json.encode(site),
        now,
    )
    if started:
        await tx.executemany(
            "INSERT INTO site_pages (workspace_id, review_id, place, url, chosen) VALUES ($1, $2, $3, $4, $5)",
            [(workspace_id, review_id, page.place, page.url, page.chosen) for page in pages],
        )


async def list_pages(db: Reader, workspace_id: uuid.UUID, review_id: uuid.UUID) -> list[ReviewedPage]:
    rows = await db.fetch(
        """SELECT place, url, chosen, page, text FROM site_pages
           WHERE workspace_id = $1 AND review_id = $2 ORDER BY place""",
        workspace_id,
        review_id,
    )
    return [
        ReviewedPage(
            place=row["place"],
            url=row["url"],
            chosen=row["chosen"],
            page=None if row["page"] is None else decode_page(row["page"]),
            text=row["text"],
        )
        for row in rows
    ]


async def store_page(
    tx: Transaction, workspace_id: uuid.UUID, review_id: uuid.UUID, place: int, page: ReadPage, text: str | None
) -> None:
    """Store a page that was read, once."""
    await tx.execute(
        """UPDATE site_pages SET page = $4, text = $5
           WHERE workspace_id = $1 AND review_id = $2 AND place = $3 AND page IS NULL""",
        workspace_id,
        review_id,
        place,
        msgspec.json.encode(page),
        None if text is None else text.replace("\x00", "\ufffd"),
    )


async def complete_review(
    tx: Transaction, workspace_id: uuid.UUID, review: SiteReviewRow, site: SiteFacts, *, now: datetime
) -> bool:
    """End a review, drop the texts of its pages and the reviews before it; return False if it has ended already."""
    ended = await tx.fetchval(
        """UPDATE site_reviews SET completed_at = $3, site = $4
           WHERE workspace_id = $1 AND id = $2 AND completed_at IS NULL RETURNING true""",
        workspace_id,
        review.id,
        now,
        msgspec.json.encode(site),
    )
    if ended:
        await tx.execute(
            "UPDATE site_pages SET text = NULL WHERE workspace_id = $1 AND review_id = $2", workspace_id, review.id
        )
        await tx.execute(
            "DELETE FROM site_reviews WHERE workspace_id = $1 AND domain_id = $2 AND id <> $3",
            workspace_id,
            review.domain_id,
            review.id,
        )
    return ended is not None


async def store_findings(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    found: Sequence[Found],
    mended: Collection[uuid.UUID],
    *,
    now: datetime,
) -> None:
    """Store what a review found. What people ignored stays ignored; what had been mended is open again."""
    await tx.executemany(
        """INSERT INTO site_findings AS f (workspace_id, id, domain_id, key, kind, state, finding, rank, first_seen_at,
                                           last_seen_at)
           VALUES ($1, $2, $3, $4, $5, 'open', $6, $7, $8, $8)
           ON CONFLICT (workspace_id, domain_id, key) DO UPDATE
           SET finding = $6, rank = $7, last_seen_at = $8, mended_at = NULL,
               state = CASE f.state WHEN 'ignored' THEN 'ignored' ELSE 'open' END""",
        [
            (workspace_id, new_id(), domain_id, each.key, each.kind, msgspec.json.encode(each), rank, now)
            for rank, each in enumerate(found)
        ],
    )
    await tx.execute(
        """UPDATE site_findings SET state = 'mended', mended_at = $4
           WHERE workspace_id = $1 AND domain_id = $2 AND id = ANY($3::uuid[]) AND state = 'open'""",
        workspace_id,
        domain_id,
        list(mended),
        now,
    )


async def list_findings(
    db: Reader,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    *,
    states: Collection[str] = ("open", "mended", "ignored"),
) -> list[FindingRow]:
    """Return the findings of a domain, open ones first, each state by importance."""
    rows = await db.fetch(
        f"""SELECT {_FINDING} FROM site_findings
            WHERE workspace_id = $1 AND domain_id = $2 AND state = ANY($3::text[])
            ORDER BY array_position(ARRAY['open', 'mended', 'ignored'], state), rank, key LIMIT 2000""",
        workspace_id,
        domain_id,
        list(states),
    )
    return to_rows(FindingRow, rows)


async def lock_finding(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, finding_id: uuid.UUID
) -> FindingRow | None:
    row = await tx.fetchrow(
        f"""SELECT {_FINDING} FROM site_findings WHERE workspace_id = $1 AND domain_id = $2 AND id = $3 FOR UPDATE""",
        workspace_id,
        domain_id,
        finding_id,
    )
    return to_row_or_none(FindingRow, row)


async def set_ignored(
    tx: Transaction,
    workspace_id: uuid.UUID,
    finding_id: uuid.UUID,
    *,
    by: uuid.UUID | None,
    reason: str | None,
    at: datetime | None,
) -> None:
    """Ignore a finding, or with `at` None open it again."""
    await tx.execute(
        """UPDATE site_findings SET state = CASE WHEN $5::timestamptz IS NULL THEN 'open' ELSE 'ignored' END,
               ignored_by = $3, reason = $4, ignored_at = $5
           WHERE workspace_id = $1 AND id = $2""",
        workspace_id,
        finding_id,
        by,
        reason,
        at,
    )
