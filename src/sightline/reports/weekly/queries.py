"""All SQL of weekly reports."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from sightline.db.engine import Reader, Transaction, columns, to_row_or_none, to_rows
from sightline.reports.weekly.models import ReportRow
from sightline.scans.stored import AnswerRow

_ROW = columns(ReportRow)

SortKey = tuple[datetime, uuid.UUID]
StoredForm = Literal["html", "pdf", "appendix_html", "appendix_pdf"]
"""The columns of a report that an earlier release rendered when it wrote the report."""


async def has_report(db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> bool:
    found = await db.fetchval(
        "SELECT true FROM reports WHERE workspace_id = $1 AND scan_id = $2", workspace_id, scan_id
    )
    return bool(found)


async def insert_report(tx: Transaction, report: ReportRow, document: bytes) -> bool:
    """Insert the report, unless its scan already has one; return whether it was inserted."""
    inserted = await tx.fetchval(
        f"""INSERT INTO reports ({_ROW}, document)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            ON CONFLICT (workspace_id, scan_id) DO NOTHING RETURNING true""",
        *(getattr(report, name) for name in ReportRow.__struct_fields__),
        document,
    )
    return bool(inserted)


async def change_report(
    tx: Transaction, workspace_id: uuid.UUID, report_id: uuid.UUID, note: str | None, owners: Sequence[str]
) -> None:
    await tx.execute(
        "UPDATE reports SET note = $3, owners = $4 WHERE workspace_id = $1 AND id = $2",
        workspace_id,
        report_id,
        note,
        list(owners),
    )


async def list_reports(
    db: Reader,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    *,
    after: SortKey | None,
    limit: int,
    live_only: bool = False,
) -> list[ReportRow]:
    rows = await db.fetch(
        f"""SELECT {_ROW} FROM reports
            WHERE workspace_id = $1 AND domain_id = $2
              AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4::uuid))
              AND (NOT $6 OR EXISTS (SELECT FROM scans s WHERE s.workspace_id = $1 AND s.id = reports.scan_id
                                       AND s.answers_source = 'live'))
            ORDER BY created_at DESC, id DESC LIMIT $5""",
        workspace_id,
        domain_id,
        *(after or (None, None)),
        limit,
        live_only,
    )
    return to_rows(ReportRow, rows)


async def find_report(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, report_id: uuid.UUID
) -> ReportRow | None:
    row = await db.fetchrow(
        f"SELECT {_ROW} FROM reports WHERE workspace_id = $1 AND domain_id = $2 AND id = $3",
        workspace_id,
        domain_id,
        report_id,
    )
    return to_row_or_none(ReportRow, row)


async def read_stored_form(
    db: Reader, workspace_id: uuid.UUID, report_id: uuid.UUID, form: StoredForm
) -> bytes | str | None:
    content: bytes | str | None = await db.fetchval(
        f"SELECT {form} FROM reports WHERE workspace_id = $1 AND id = $2", workspace_id, report_id
    )
    return content


async def read_documents(
    db: Reader, workspace_id: uuid.UUID, report_ids: Sequence[uuid.UUID]
) -> dict[uuid.UUID, bytes]:
    rows = await db.fetch(
        "SELECT id, document FROM reports WHERE workspace_id = $1 AND id = ANY($2::uuid[])",
        workspace_id,
        list(report_ids),
    )
    return {row[0]: row[1] for row in rows}


async def delete_reports_any_workspace(tx: Transaction, *, before: datetime, limit: int) -> None:
    """Delete the oldest reports with the links that share them."""
    rows = await tx.fetch(
        """SELECT workspace_id, id FROM reports WHERE created_at < $1 ORDER BY created_at LIMIT $2
           FOR UPDATE SKIP LOCKED""",
        before,
        limit,
    )
    reports = [[row[0] for row in rows], [row[1] for row in rows]]
    old = "unnest($1::uuid[], $2::uuid[]) AS old (workspace_id, id) WHERE t.workspace_id = old.workspace_id"
    await tx.execute(f"DELETE FROM report_shares t USING {old} AND t.report_id = old.id", *reports)
    await tx.execute(f"DELETE FROM reports t USING {old} AND t.id = old.id", *reports)


# What a report is made from, in addition to the board


async def read_answers(
    db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID, answer_ids: Sequence[uuid.UUID]
) -> list[AnswerRow]:
    rows = await db.fetch(
        f"SELECT {columns(AnswerRow)} FROM answers WHERE workspace_id = $1 AND scan_id = $2 AND id = ANY($3::uuid[])",
        workspace_id,
        scan_id,
        list(answer_ids),
    )
    return to_rows(AnswerRow, rows)
