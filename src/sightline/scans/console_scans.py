"""Reading Console scans: the list, a single scan, its results and its answers."""

import uuid
from collections.abc import Callable
from datetime import datetime

from sightline.accounts.models import Actor
from sightline.db.engine import Reader
from sightline.db.keyset import Slice, cut_page
from sightline.errors import Problem
from sightline.kit.clock import to_iso
from sightline.kit.ids import parse_id
from sightline.scans import queries
from sightline.scans.schemas.answer import Answer, to_answer
from sightline.scans.sealed.read import find_sealed_answer, list_sealed_answers
from sightline.scans.sealed.store import SealedMonths
from sightline.scans.states import ScanStatus
from sightline.scans.stored import AnswerRow, ScanRow, StoredResults, decode_prompts


def require_console_scan(scan: ScanRow | None, actor: Actor) -> ScanRow:
    """Return the scan, or refuse with 404 one of another workspace, of the other mode or of a tracked domain."""
    if scan is None or scan.livemode != actor.livemode or scan.measurement_scope != "console_check":
        raise Problem("scan_not_found")
    return scan


async def read_scan(db: Reader, actor: Actor, scan_id: uuid.UUID | None) -> ScanRow:
    found = scan_id and await queries.find_scan(db, actor.workspace_id, scan_id)
    return require_console_scan(found or None, actor)


async def list_scans(
    db: Reader, actor: Actor, *, domain_id: str | None, after: queries.SortKey | None, page_size: int
) -> Slice[ScanRow]:
    """List scans, newest first. An unknown domain has no scans; a removed one keeps those it had."""
    domain = None if domain_id is None else parse_id(domain_id)
    if domain_id is not None and domain is None:
        return Slice([], None)
    rows = await queries.list_console_scans(
        db, actor.workspace_id, livemode=actor.livemode, domain_id=domain, after=after, limit=page_size + 1
    )
    return cut_page(rows, page_size, lambda row: (to_iso(row.created_at), str(row.id)))


async def read_results(db: Reader, actor: Actor, scan_id: uuid.UUID | None) -> tuple[ScanRow, StoredResults]:
    """Return the stored JSON of the results. A scan that is not completed has none and is refused."""
    scan = await read_scan(db, actor, scan_id)
    if scan.status is not ScanStatus.COMPLETED:
        raise Problem("results_not_ready", scan_status=scan.status)
    stored = await queries.find_results(db, actor.workspace_id, scan.id)
    assert stored is not None  # written by the transaction that completed the scan
    return scan, stored


async def find_latest_results(db: Reader, actor: Actor, domain_id: uuid.UUID) -> StoredResults | None:
    """Return the results of the newest completed scan of a domain."""
    return await queries.find_latest_results(db, actor.workspace_id, domain_id)


async def list_answers(
    db: Reader,
    sealed: SealedMonths,
    actor: Actor,
    scan_id: uuid.UUID | None,
    *,
    after: tuple[str, ...] | None,
    page_size: int,
) -> Slice[Answer]:
    return await page_answers(db, sealed, await read_scan(db, actor, scan_id), after=after, page_size=page_size)


async def page_answers(
    db: Reader, sealed: SealedMonths, scan: ScanRow, *, after: tuple[str, ...] | None, page_size: int
) -> Slice[Answer]:
    """Return a page of answers in the order of the plan: by prompt, then by platform as selected."""
    require_answers(scan)
    place = {platform: number for number, platform in enumerate(scan.selected_platforms, 1)}
    place_of_last = None if after is None else (int(after[0]), int(after[1]))
    if scan.is_sealed:
        rows = await list_sealed_answers(db, sealed, scan, after=place_of_last, limit=page_size + 1)
    else:
        rows = await queries.list_answers(
            db,
            scan.workspace_id,
            scan.id,
            platforms=scan.selected_platforms,
            after=place_of_last,
            limit=page_size + 1,
        )
    if not rows and after is None:
        _require_unanswered(scan)
    page = cut_page(rows, page_size, lambda row: (str(row.prompt_index), str(place[row.platform])))
    return page.map(_shower(scan))


async def read_answer(
    db: Reader, sealed: SealedMonths, actor: Actor, scan_id: uuid.UUID | None, answer_id: uuid.UUID | None
) -> Answer:
    return await show_stored_answer(db, sealed, await read_scan(db, actor, scan_id), answer_id)


async def show_stored_answer(db: Reader, sealed: SealedMonths, scan: ScanRow, answer_id: uuid.UUID | None) -> Answer:
    return _shower(scan)(await find_answer_row(db, sealed, scan, answer_id))


async def find_answer_row(db: Reader, sealed: SealedMonths, scan: ScanRow, answer_id: uuid.UUID | None) -> AnswerRow:
    """Return an answer of the scan, also of a sealed one. Refused as in `read_answer_row`."""
    if not scan.is_sealed:
        return await read_answer_row(db, scan, answer_id)
    row = answer_id and await find_sealed_answer(db, sealed, scan, answer_id)
    if not row:
        raise Problem("not_found", "This scan has no such answer.")
    return row


async def read_answer_row(db: Reader, scan: ScanRow, answer_id: uuid.UUID | None) -> AnswerRow:
    """Return an answer of the scan. Refused: one that it does not have (404), and all of an expired scan (410)."""
    require_answers(scan)
    row = answer_id and await queries.find_answer(db, scan.workspace_id, scan.id, answer_id)
    if not row:
        if not await queries.count_answers_by_platform(db, scan.workspace_id, scan.id):
            _require_unanswered(scan)
        raise Problem("not_found", "This scan has no such answer.")
    return row


def require_answers(scan: ScanRow) -> None:
    """Refuse a scan whose answers were deleted (410)."""
    if scan.answers_expired_at is not None and not scan.is_sealed:
        raise Problem("answers_expired")


def _require_unanswered(scan: ScanRow) -> None:
    """Refuse a scan that had answers and has none now (410): something other than Sightline removed them."""
    if scan.answers_completed + scan.answers_failed:
        raise Problem("answers_expired")


def _shower(scan: ScanRow) -> Callable[[AnswerRow], Answer]:
    prompts = decode_prompts(scan.prompts or "[]")  # a scan with answers has prompts
    return lambda row: to_answer(row, prompts[row.prompt_index])


async def sum_credits_charged(db: Reader, actor: Actor, *, reference_prefixes: list[str], since: datetime) -> int:
    """Return the credits charged since then for scans whose `content_project_id` has one of these prefixes."""
    return await queries.sum_credits_charged(
        db, actor.workspace_id, livemode=actor.livemode, reference_prefixes=reference_prefixes, since=since
    )
