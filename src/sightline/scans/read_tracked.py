"""Reading the checks of tracked domains: the list, one of them, its answers."""

import uuid

from sightline.accounts.models import Actor
from sightline.db.engine import Reader
from sightline.db.keyset import Slice, cut_page
from sightline.errors import Problem
from sightline.kit.clock import to_iso
from sightline.scans import queries
from sightline.scans.models import Prompt
from sightline.scans.read_scans import page_answers, show_stored_answer
from sightline.scans.schemas.answer import Answer, to_answer
from sightline.scans.stored import ScanRow, Scope, decode_prompts


async def list_checks(
    db: Reader,
    actor: Actor,
    domain_id: uuid.UUID,
    *,
    after: queries.SortKey | None,
    page_size: int,
    scope: Scope | None = None,
) -> Slice[ScanRow]:
    """Most recently started first; one that waits has its time of creation for a start."""
    rows = await queries.list_tracked_scans(
        db, actor.workspace_id, domain_id, after=after, limit=page_size + 1, scope=scope
    )
    return cut_page(rows, page_size, lambda row: (to_iso(row.started_at or row.created_at), str(row.id)))


async def read_check(db: Reader, actor: Actor, scan_id: uuid.UUID | None) -> ScanRow:
    """A Console scan is not readable here, and neither is a check of a domain that is no longer tracked."""
    found = scan_id and await queries.find_tracked_scan(db, actor.workspace_id, scan_id)
    if not found:
        raise Problem("scan_not_found")
    return found


async def list_answers(
    db: Reader, actor: Actor, scan_id: uuid.UUID | None, *, after: tuple[str, ...] | None, page_size: int
) -> Slice[Answer]:
    return await page_answers(db, await read_check(db, actor, scan_id), after=after, page_size=page_size)


async def read_answer(db: Reader, actor: Actor, scan_id: uuid.UUID | None, answer_id: uuid.UUID | None) -> Answer:
    return await show_stored_answer(db, await read_check(db, actor, scan_id), answer_id)


async def read_asked_answer(db: Reader, scan: ScanRow, answer_id: uuid.UUID | None) -> tuple[Prompt, Answer]:
    """An answer of a check that was read before, with the prompt that it belongs to: its id is the tracked prompt's."""
    row = answer_id and await queries.find_answer(db, scan.workspace_id, scan.id, answer_id)
    if not row:
        raise Problem("not_found", "This scan has no such answer.")
    prompt = decode_prompts(scan.prompts or "[]")[row.prompt_index]
    return prompt, to_answer(row, prompt)
