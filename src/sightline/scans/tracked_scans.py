"""Reading the scans of tracked domains: the list, a single scan, its answers."""

import uuid

from sightline.accounts.models import Actor
from sightline.db.engine import Reader
from sightline.db.keyset import Slice, cut_page
from sightline.errors import Problem
from sightline.kit.clock import to_iso
from sightline.scans import queries
from sightline.scans.console_scans import find_answer_row, page_answers, show_stored_answer
from sightline.scans.models import ScanPrompt
from sightline.scans.schemas.answer import Answer, to_answer
from sightline.scans.sealed.store import SealedMonths
from sightline.scans.stored import ScanRow, Scope, decode_prompts


async def list_tracked_scans(
    db: Reader,
    actor: Actor,
    domain_id: uuid.UUID,
    *,
    after: queries.SortKey | None,
    page_size: int,
    scope: Scope | None = None,
    live_only: bool = False,
) -> Slice[ScanRow]:
    """List scans, most recently started first; a pending one counts as started when it was created."""
    rows = await queries.list_tracked_scans(
        db, actor.workspace_id, domain_id, after=after, limit=page_size + 1, scope=scope, live_only=live_only
    )
    return cut_page(rows, page_size, lambda row: (to_iso(row.started_at or row.created_at), str(row.id)))


async def read_tracked_scan(db: Reader, actor: Actor, scan_id: uuid.UUID | None) -> ScanRow:
    """Return a scan of a domain that is tracked now. Refuse Console scans and unknown ones with 404."""
    found = scan_id and await queries.find_tracked_scan(db, actor.workspace_id, scan_id)
    if not found:
        raise Problem("scan_not_found")
    return found


async def list_answers(
    db: Reader,
    sealed: SealedMonths,
    actor: Actor,
    scan_id: uuid.UUID | None,
    *,
    after: tuple[str, ...] | None,
    page_size: int,
) -> Slice[Answer]:
    return await page_answers(db, sealed, await read_tracked_scan(db, actor, scan_id), after=after, page_size=page_size)


async def read_answer(
    db: Reader, sealed: SealedMonths, actor: Actor, scan_id: uuid.UUID | None, answer_id: uuid.UUID | None
) -> Answer:
    return await show_stored_answer(db, sealed, await read_tracked_scan(db, actor, scan_id), answer_id)


async def read_answer_with_prompt(
    db: Reader, sealed: SealedMonths, scan: ScanRow, answer_id: uuid.UUID | None
) -> tuple[ScanPrompt, Answer]:
    """Return an answer of the scan with its prompt, whose id is that of the tracked prompt."""
    row = await find_answer_row(db, sealed, scan, answer_id)
    prompt = decode_prompts(scan.prompts or "[]")[row.prompt_index]
    return prompt, to_answer(row, prompt)
