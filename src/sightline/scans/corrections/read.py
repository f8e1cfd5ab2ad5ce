"""Reading the corrections of a tracked domain and of one answer."""

import uuid

from sightline.db.engine import Reader
from sightline.db.keyset import Slice, cut_page
from sightline.kit.clock import to_iso
from sightline.scans.corrections import queries
from sightline.scans.corrections.models import MAX_CORRECTIONS, CorrectionRow, SignedCorrection


async def list_corrections(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, after: queries.SortKey | None, page_size: int
) -> Slice[CorrectionRow]:
    """Return the corrections of a domain, newest first."""
    rows = await queries.list_corrections(db, workspace_id, domain_id, after=after, limit=page_size + 1)
    return cut_page(rows, page_size, lambda row: (to_iso(row.created_at), str(row.id)))


async def list_signed_corrections(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, after: queries.SortKey | None, page_size: int
) -> Slice[SignedCorrection]:
    """Return the corrections of a domain, newest first, with the names of those who made them."""
    rows = await queries.list_signed_corrections(
        db, workspace_id, domain_id, answer_id=None, after=after, limit=page_size + 1
    )
    return cut_page(rows, page_size, lambda row: (to_iso(row.correction.created_at), str(row.correction.id)))


async def list_corrections_of_answer(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, answer_id: uuid.UUID
) -> list[SignedCorrection]:
    """Return the corrections of an answer, newest first, with the names of those who made them."""
    return await queries.list_signed_corrections(
        db, workspace_id, domain_id, answer_id=answer_id, after=None, limit=MAX_CORRECTIONS
    )
