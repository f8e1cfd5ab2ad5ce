"""SQL of ignored sites."""

import uuid
from datetime import datetime

import msgspec

from sightline.db.engine import Reader, Transaction, to_rows


class IgnoredSite(msgspec.Struct, frozen=True):
    """A site that is not a place to get listed, with who said so and when."""

    site: str
    ignored_by: str
    ignored_at: datetime


async def list_ignored_sites(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[IgnoredSite]:
    """Return the ignored sites of a domain, the latest first."""
    rows = await db.fetch(
        """SELECT i.site, u.name, i.ignored_at FROM ignored_sites i JOIN users u ON u.id = i.ignored_by
           WHERE i.workspace_id = $1 AND i.domain_id = $2 ORDER BY i.ignored_at DESC, i.site""",
        workspace_id,
        domain_id,
    )
    return to_rows(IgnoredSite, rows)


async def insert_ignored_site(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, site: str, user_id: uuid.UUID, *, now: datetime
) -> None:
    """Insert an ignored site, unless it is ignored already."""
    await tx.execute(
        """INSERT INTO ignored_sites (workspace_id, domain_id, site, ignored_by, ignored_at)
           VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING""",
        workspace_id,
        domain_id,
        site,
        user_id,
        now,
    )


async def delete_ignored_site(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, site: str) -> None:
    await tx.execute(
        "DELETE FROM ignored_sites WHERE workspace_id = $1 AND domain_id = $2 AND site = $3",
        workspace_id,
        domain_id,
        site,
    )
