"""All SQL of corrections."""

import uuid
from datetime import datetime

from sightline.answers.corrections import Correction
from sightline.db.engine import Reader, Transaction, columns, to_row, to_row_or_none, to_rows
from sightline.scans.corrections.models import CorrectionRow, CorrectionsByAnswer, SignedCorrection

_ROW = columns(CorrectionRow)

SortKey = tuple[datetime, uuid.UUID]


async def insert_correction(tx: Transaction, workspace_id: uuid.UUID, row: CorrectionRow) -> None:
    await tx.execute(
        f"""INSERT INTO corrections (workspace_id, {_ROW})
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)""",
        workspace_id,
        *(getattr(row, name) for name in CorrectionRow.__struct_fields__),
    )


async def update_effects(tx: Transaction, workspace_id: uuid.UUID, row: CorrectionRow) -> None:
    """Update what a correction does in other answers, and who decided it."""
    await tx.execute(
        """UPDATE corrections SET phrase = $3, name = $4, created_by = $5, api_key_id = $6, created_at = $7
           WHERE workspace_id = $1 AND id = $2""",
        workspace_id,
        row.id,
        row.phrase,
        row.name,
        row.created_by,
        row.api_key_id,
        row.created_at,
    )


async def delete_correction(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, correction_id: uuid.UUID
) -> CorrectionRow | None:
    row = await tx.fetchrow(
        f"DELETE FROM corrections WHERE workspace_id = $1 AND domain_id = $2 AND id = $3 RETURNING {_ROW}",
        workspace_id,
        domain_id,
        correction_id,
    )
    return to_row_or_none(CorrectionRow, row)


async def count_corrections(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> int:
    count: int = await db.fetchval(
        "SELECT count(*) FROM corrections WHERE workspace_id = $1 AND domain_id = $2", workspace_id, domain_id
    )
    return count


async def has_correction_with_name(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, name: str) -> bool:
    found: bool = await db.fetchval(
        """SELECT EXISTS (SELECT FROM corrections
                          WHERE workspace_id = $1 AND domain_id = $2 AND lower(name) = lower($3))""",
        workspace_id,
        domain_id,
        name,
    )
    return found


async def list_answer_corrections(
    db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID, answer_id: uuid.UUID
) -> list[CorrectionRow]:
    """Return the corrections of an answer in the order of its text."""
    rows = await db.fetch(
        f"""SELECT {_ROW} FROM corrections
            WHERE workspace_id = $1 AND scan_id = $2 AND answer_id = $3 ORDER BY span_start, span_end""",
        workspace_id,
        scan_id,
        answer_id,
    )
    return to_rows(CorrectionRow, rows)


async def list_corrections(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, after: SortKey | None, limit: int
) -> list[CorrectionRow]:
    """Return the corrections of a domain, newest first."""
    rows = await db.fetch(
        f"""SELECT {_ROW} FROM corrections
            WHERE workspace_id = $1 AND domain_id = $2
              AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4::uuid))
            ORDER BY created_at DESC, id DESC LIMIT $5""",
        workspace_id,
        domain_id,
        *(after or (None, None)),
        limit,
    )
    return to_rows(CorrectionRow, rows)


async def list_signed_corrections(
    db: Reader,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    *,
    answer_id: uuid.UUID | None,
    after: SortKey | None,
    limit: int,
) -> list[SignedCorrection]:
    """Return the corrections of a domain or of one of its answers, newest first, with who made them."""
    rows = await db.fetch(
        f"""SELECT {columns(CorrectionRow, "c")}, u.name, k.name FROM corrections c
            JOIN users u ON u.id = c.created_by
            LEFT JOIN api_keys k ON k.workspace_id = c.workspace_id AND k.id = c.api_key_id
            WHERE c.workspace_id = $1 AND c.domain_id = $2 AND ($3::uuid IS NULL OR c.answer_id = $3)
              AND ($4::timestamptz IS NULL OR (c.created_at, c.id) < ($4, $5::uuid))
            ORDER BY c.created_at DESC, c.id DESC LIMIT $6""",
        workspace_id,
        domain_id,
        answer_id,
        *(after or (None, None)),
        limit,
    )
    return [SignedCorrection(to_row(CorrectionRow, row[:-2]), row[-2], row[-1]) for row in rows]


async def list_exclusions(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[str]:
    """Return the phrases in which a name of the brand means something else, each once."""
    rows = await db.fetch(
        """SELECT DISTINCT phrase FROM corrections
           WHERE workspace_id = $1 AND domain_id = $2 AND phrase IS NOT NULL ORDER BY phrase""",
        workspace_id,
        domain_id,
    )
    return [row[0] for row in rows]


async def group_corrections_by_scan(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID
) -> dict[uuid.UUID, CorrectionsByAnswer]:
    """Return what the analysis of each scan has to know, in an order that never changes."""
    rows = await db.fetch(
        """SELECT scan_id, answer_id, kind, span_start, span_end FROM corrections
           WHERE workspace_id = $1 AND domain_id = $2 ORDER BY scan_id, answer_id, span_start, span_end""",
        workspace_id,
        domain_id,
    )
    grouped: dict[uuid.UUID, CorrectionsByAnswer] = {}
    for scan_id, answer_id, kind, start, end in rows:
        answers = grouped.setdefault(scan_id, {})
        answers[str(answer_id)] = (*answers.get(str(answer_id), ()), Correction(kind, start, end))
    return grouped
