"""All SQL of mailings: schedules, the e-mails that they cause, who unsubscribed, and links to the latest reports."""

import uuid
from collections.abc import Sequence
from datetime import datetime

import msgspec

from sightline.db.engine import Reader, Transaction, columns, to_row_or_none, to_rows
from sightline.plans.table import PLANS_WITH_CLIENTS
from sightline.reports.mailings.models import EmailRow, LinkRow, Outcome, ScheduleRow
from sightline.reports.weekly.models import ReportRow

SortKey = tuple[datetime, uuid.UUID]
_SCHEDULE = columns(ScheduleRow)
_EMAIL = columns(EmailRow)
_LINK = columns(LinkRow, "l")
_PLANS = sorted(PLANS_WITH_CLIENTS)


async def find_schedule(db: Reader, workspace_id: uuid.UUID, client_id: uuid.UUID) -> ScheduleRow | None:
    row = await db.fetchrow(
        f"SELECT {_SCHEDULE} FROM report_schedules WHERE workspace_id = $1 AND client_id = $2", workspace_id, client_id
    )
    return to_row_or_none(ScheduleRow, row)


async def upsert_schedule(tx: Transaction, row: ScheduleRow) -> None:
    """Store when reports are sent. What happened before stays on record; storing the same again skips no time."""
    await tx.execute(
        """INSERT INTO report_schedules (workspace_id, client_id, rhythm, day, hour, timezone, next_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (workspace_id, client_id) DO UPDATE
           SET rhythm = EXCLUDED.rhythm, day = EXCLUDED.day, hour = EXCLUDED.hour, timezone = EXCLUDED.timezone,
               next_at = CASE WHEN (report_schedules.rhythm, report_schedules.day, report_schedules.hour,
                                    report_schedules.timezone)
                                 = (EXCLUDED.rhythm, EXCLUDED.day, EXCLUDED.hour, EXCLUDED.timezone)
                              THEN report_schedules.next_at ELSE EXCLUDED.next_at END""",
        *msgspec.structs.astuple(row)[:7],
    )


async def delete_schedule(tx: Transaction, workspace_id: uuid.UUID, client_id: uuid.UUID) -> bool:
    found = await tx.fetchval(
        "DELETE FROM report_schedules WHERE workspace_id = $1 AND client_id = $2 RETURNING true",
        workspace_id,
        client_id,
    )
    return bool(found)


async def lock_due_any_workspace(tx: Transaction, *, now: datetime, limit: int) -> list[tuple[ScheduleRow, str]]:
    """Lock schedules that are due, or whose time zone has changed, each with its time zone.

    Schedules of workspaces whose plan has no clients rest.
    """
    rows = await tx.fetch(
        f"""SELECT {columns(ScheduleRow, "s")}, coalesce(c.timezone, w.timezone)
            FROM report_schedules s JOIN workspaces w ON w.id = s.workspace_id AND w.closed_at IS NULL
            JOIN clients c ON c.workspace_id = s.workspace_id AND c.id = s.client_id
            WHERE w.plan = ANY($3) AND (s.next_at <= $1 OR s.timezone <> coalesce(c.timezone, w.timezone))
            ORDER BY s.next_at LIMIT $2 FOR NO KEY UPDATE OF s SKIP LOCKED""",
        now,
        limit,
        _PLANS,
    )
    return [(ScheduleRow(*row[:-1]), row[-1]) for row in rows]


async def set_next_time(tx: Transaction, row: ScheduleRow, timezone: str, next_at: datetime) -> None:
    await tx.execute(
        "UPDATE report_schedules SET timezone = $3, next_at = $4 WHERE workspace_id = $1 AND client_id = $2",
        row.workspace_id,
        row.client_id,
        timezone,
        next_at,
    )


async def set_outcome(
    tx: Transaction, workspace_id: uuid.UUID, client_id: uuid.UUID, due_at: datetime, outcome: Outcome
) -> None:
    await tx.execute(
        """UPDATE report_schedules SET last_at = $3, last_outcome = $4
           WHERE workspace_id = $1 AND client_id = $2 AND (last_at IS NULL OR last_at < $3)""",
        workspace_id,
        client_id,
        due_at,
        outcome,
    )


async def list_latest_reports(
    db: Reader, workspace_id: uuid.UUID, client_id: uuid.UUID, *, live_only: bool
) -> list[ReportRow]:
    """Return the latest report of each domain of the client, by domain; with `live_only`, none of made-up answers."""
    rows = await db.fetch(
        f"""SELECT r.* FROM domains d CROSS JOIN LATERAL (
                SELECT {columns(ReportRow, "r")} FROM reports r
                WHERE r.workspace_id = d.workspace_id AND r.domain_id = d.id
                  AND (NOT $3 OR EXISTS (SELECT FROM scans s WHERE s.workspace_id = r.workspace_id
                                           AND s.id = r.scan_id AND s.answers_source = 'live'))
                ORDER BY r.created_at DESC, r.id DESC LIMIT 1
            ) r
            WHERE d.workspace_id = $1 AND d.client_id = $2 AND d.status <> 'removed' ORDER BY d.domain""",
        workspace_id,
        client_id,
        live_only,
    )
    return to_rows(ReportRow, rows)


async def list_mailed_reports(
    db: Reader, workspace_id: uuid.UUID, client_id: uuid.UUID, *, before: datetime
) -> set[uuid.UUID]:
    """Return the reports that e-mails of earlier times were about."""
    rows = await db.fetch(
        """SELECT DISTINCT unnest(report_ids) FROM report_emails
           WHERE workspace_id = $1 AND client_id = $2 AND due_at < $3""",
        workspace_id,
        client_id,
        before,
    )
    return {row[0] for row in rows}


async def insert_email(tx: Transaction, row: EmailRow, digest: bytes) -> bool:
    """Insert an e-mail, unless its recipient has one of the same time; return whether it was inserted."""
    inserted = await tx.fetchval(
        """INSERT INTO report_emails (workspace_id, id, client_id, due_at, address, report_ids, created_at, digest)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING true""",
        *msgspec.structs.astuple(row)[:7],
        digest,
    )
    return bool(inserted)


async def find_email(db: Reader, workspace_id: uuid.UUID, email_id: uuid.UUID) -> EmailRow | None:
    row = await db.fetchrow(
        f"SELECT {_EMAIL} FROM report_emails WHERE workspace_id = $1 AND id = $2", workspace_id, email_id
    )
    return to_row_or_none(EmailRow, row)


async def list_emails(
    db: Reader, workspace_id: uuid.UUID, client_id: uuid.UUID, *, after: SortKey | None, limit: int
) -> list[EmailRow]:
    rows = await db.fetch(
        f"""SELECT {_EMAIL} FROM report_emails
            WHERE workspace_id = $1 AND client_id = $2
              AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4::uuid))
            ORDER BY created_at DESC, id DESC LIMIT $5""",
        workspace_id,
        client_id,
        *(after or (None, None)),
        limit,
    )
    return to_rows(EmailRow, rows)


async def count_tests(tx: Transaction, workspace_id: uuid.UUID, client_id: uuid.UUID, *, since: datetime) -> int:
    count: int = await tx.fetchval(
        """SELECT count(*) FROM report_emails
           WHERE workspace_id = $1 AND client_id = $2 AND due_at IS NULL AND created_at > $3""",
        workspace_id,
        client_id,
        since,
    )
    return count


async def mark_email(
    tx: Transaction,
    workspace_id: uuid.UUID,
    email_id: uuid.UUID,
    *,
    sent_at: datetime | None = None,
    failed_at: datetime | None = None,
    failure: str | None = None,
) -> None:
    await tx.execute(
        """UPDATE report_emails SET sent_at = coalesce(sent_at, $3), failed_at = $4, failure = $5
           WHERE workspace_id = $1 AND id = $2""",
        workspace_id,
        email_id,
        sent_at,
        failed_at,
        failure,
    )


async def find_email_by_token_any_workspace(
    db: Reader, digest: bytes, *, since: datetime, tests_since: datetime
) -> EmailRow | None:
    """Find an e-mail by the token in its links, since its holder belongs to no workspace.

    Links end when the address is no longer a recipient, and with the plan. Those of a test end sooner.
    """
    row = await db.fetchrow(
        f"""SELECT {columns(EmailRow, "e")} FROM report_emails e
            JOIN clients c ON c.workspace_id = e.workspace_id AND c.id = e.client_id
            JOIN workspaces w ON w.id = e.workspace_id AND w.closed_at IS NULL AND w.plan = ANY($4)
            WHERE e.digest = $1 AND e.created_at > CASE WHEN e.due_at IS NULL THEN $3::timestamptz ELSE $2 END
              AND (e.due_at IS NULL OR e.address = ANY(c.recipients))""",
        digest,
        since,
        tests_since,
        _PLANS,
    )
    return to_row_or_none(EmailRow, row)


async def find_report_of_client(
    db: Reader, workspace_id: uuid.UUID, client_id: uuid.UUID, report_id: uuid.UUID
) -> ReportRow | None:
    """Return a report of a domain that still belongs to the client."""
    row = await db.fetchrow(
        f"""SELECT {columns(ReportRow, "r")} FROM reports r
            JOIN domains d ON d.workspace_id = r.workspace_id AND d.id = r.domain_id AND d.status <> 'removed'
            WHERE r.workspace_id = $1 AND d.client_id = $2 AND r.id = $3""",
        workspace_id,
        client_id,
        report_id,
    )
    return to_row_or_none(ReportRow, row)


# Who unsubscribed


async def list_unsubscribed(db: Reader, workspace_id: uuid.UUID, client_id: uuid.UUID) -> set[str]:
    rows = await db.fetch(
        "SELECT address FROM report_unsubscriptions WHERE workspace_id = $1 AND client_id = $2", workspace_id, client_id
    )
    return {row[0] for row in rows}


async def insert_unsubscription(
    tx: Transaction, workspace_id: uuid.UUID, client_id: uuid.UUID, address: str, *, now: datetime
) -> None:
    await tx.execute(
        "INSERT INTO report_unsubscriptions VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
        workspace_id,
        client_id,
        address,
        now,
    )


async def delete_unsubscription(tx: Transaction, workspace_id: uuid.UUID, client_id: uuid.UUID, address: str) -> None:
    await tx.execute(
        "DELETE FROM report_unsubscriptions WHERE workspace_id = $1 AND client_id = $2 AND address = $3",
        workspace_id,
        client_id,
        address,
    )


async def is_recipient(db: Reader, email: EmailRow) -> bool:
    """Return whether the address of an e-mail is still one of the client's recipients, and has not unsubscribed."""
    found = await db.fetchval(
        """SELECT true FROM clients c WHERE c.workspace_id = $1 AND c.id = $2 AND $3 = ANY(c.recipients)
             AND NOT EXISTS (SELECT FROM report_unsubscriptions u
                             WHERE u.workspace_id = $1 AND u.client_id = $2 AND u.address = $3)""",
        email.workspace_id,
        email.client_id,
        email.address,
    )
    return bool(found)


async def delete_old_emails_any_workspace(tx: Transaction, *, before: datetime) -> None:
    await tx.execute("DELETE FROM report_emails WHERE created_at < $1", before)


# Links to the latest reports


async def insert_link(tx: Transaction, row: LinkRow, digest: bytes, created_by: uuid.UUID) -> None:
    await tx.execute(
        f"""INSERT INTO report_links ({columns(LinkRow)}, digest, created_by)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)""",
        *msgspec.structs.astuple(row),
        digest,
        created_by,
    )


async def list_open_links(
    db: Reader, workspace_id: uuid.UUID, client_id: uuid.UUID, *, now: datetime
) -> Sequence[LinkRow]:
    rows = await db.fetch(
        f"""SELECT {_LINK} FROM report_links l
            JOIN members m ON m.workspace_id = l.workspace_id AND m.user_id = l.created_by
            WHERE l.workspace_id = $1 AND l.client_id = $2 AND l.revoked_at IS NULL
              AND (l.expires_at IS NULL OR l.expires_at > $3) ORDER BY l.created_at DESC, l.id DESC""",
        workspace_id,
        client_id,
        now,
    )
    return to_rows(LinkRow, rows)


async def revoke_link(
    tx: Transaction, workspace_id: uuid.UUID, client_id: uuid.UUID, link_id: uuid.UUID, *, now: datetime
) -> bool:
    """Revoke a link; return whether it exists."""
    found = await tx.fetchval(
        """UPDATE report_links SET revoked_at = coalesce(revoked_at, $4)
           WHERE workspace_id = $1 AND client_id = $2 AND id = $3 RETURNING true""",
        workspace_id,
        client_id,
        link_id,
        now,
    )
    return bool(found)


async def find_link_any_workspace(db: Reader, digest: bytes, *, now: datetime) -> LinkRow | None:
    """Find a link by its token alone. It ends with the membership of its maker, and with the plan."""
    row = await db.fetchrow(
        f"""SELECT {_LINK} FROM report_links l
            JOIN members m ON m.workspace_id = l.workspace_id AND m.user_id = l.created_by
            JOIN workspaces w ON w.id = l.workspace_id AND w.closed_at IS NULL AND w.plan = ANY($3)
            WHERE l.digest = $1 AND l.revoked_at IS NULL AND (l.expires_at IS NULL OR l.expires_at > $2)""",
        digest,
        now,
        _PLANS,
    )
    return to_row_or_none(LinkRow, row)
