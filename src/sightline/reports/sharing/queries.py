"""All SQL of share links."""

import uuid
from datetime import datetime

import msgspec

from sightline.db.engine import Reader, Transaction, columns, to_row, to_row_or_none, to_rows
from sightline.reports.sharing.models import NewShareLink, ShareLinkRow
from sightline.reports.weekly.models import ReportRow


async def lock_report(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, report_id: uuid.UUID
) -> uuid.UUID | None:
    """Lock a report, so that concurrent requests cannot exceed its number of links."""
    found: uuid.UUID | None = await tx.fetchval(
        "SELECT id FROM reports WHERE workspace_id = $1 AND domain_id = $2 AND id = $3 FOR NO KEY UPDATE",
        workspace_id,
        domain_id,
        report_id,
    )
    return found


async def insert_share_link(tx: Transaction, link: NewShareLink) -> ShareLinkRow:
    row = await tx.fetchrow(
        f"""INSERT INTO report_shares ({columns(NewShareLink)}) VALUES ($1, $2, $3, $4, $5, $6, $7)
            RETURNING id, (SELECT u.name FROM users u WHERE u.id = $5), created_at, expires_at""",
        *msgspec.structs.astuple(link),
    )
    return to_row(ShareLinkRow, row)


async def list_open_links(
    db: Reader, workspace_id: uuid.UUID, report_id: uuid.UUID, *, now: datetime
) -> list[ShareLinkRow]:
    rows = await db.fetch(
        """SELECT s.id, u.name, s.created_at, s.expires_at
           FROM report_shares s JOIN users u ON u.id = s.shared_by
           JOIN members m ON m.workspace_id = s.workspace_id AND m.user_id = s.shared_by
           WHERE s.workspace_id = $1 AND s.report_id = $2 AND s.revoked_at IS NULL AND s.expires_at > $3
           ORDER BY s.created_at DESC, s.id DESC""",
        workspace_id,
        report_id,
        now,
    )
    return to_rows(ShareLinkRow, rows)


async def revoke_share_link(
    tx: Transaction, workspace_id: uuid.UUID, report_id: uuid.UUID, share_id: uuid.UUID, *, now: datetime
) -> datetime | None:
    """Revoke the link and return when it was first revoked; None if it does not exist."""
    revoked_at: datetime | None = await tx.fetchval(
        """UPDATE report_shares SET revoked_at = coalesce(revoked_at, $4)
           WHERE workspace_id = $1 AND report_id = $2 AND id = $3 RETURNING revoked_at""",
        workspace_id,
        report_id,
        share_id,
        now,
    )
    return revoked_at


async def find_shared_report_any_workspace(db: Reader, digest: bytes, *, now: datetime) -> ReportRow | None:
    """Find a report by the token alone, since its holder belongs to no workspace.

    Links end with their maker's membership. A trigger revokes them; the join covers one that was made at that moment.
    """
    row = await db.fetchrow(
        f"""SELECT {columns(ReportRow, "r")} FROM report_shares s
            JOIN members m ON m.workspace_id = s.workspace_id AND m.user_id = s.shared_by
            JOIN reports r ON r.workspace_id = s.workspace_id AND r.id = s.report_id
            JOIN domains d ON d.workspace_id = r.workspace_id AND d.id = r.domain_id AND d.status <> 'removed'
            WHERE s.digest = $1 AND s.revoked_at IS NULL AND s.expires_at > $2""",
        digest,
        now,
    )
    return to_row_or_none(ReportRow, row)
