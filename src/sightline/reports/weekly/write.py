"""Writing the report of a Full Check, in a job after its insights.

A check gets one report, however often the job runs.
"""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

import msgspec
import structlog

from sightline.accounts.page_paths import answer_path, domain_path
from sightline.accounts.queries import list_recipients
from sightline.accounts.workspaces import read_time_zone
from sightline.answers.plain_text import split_passage
from sightline.db.engine import Database, Reader
from sightline.domains.tracking.queries import find_tracked_domain
from sightline.events import record_event
from sightline.insights.editor.read import read_edition
from sightline.insights.findings.read import read_story
from sightline.insights.generate import REPORT_JOB
from sightline.insights.recommendations.done_actions import list_watched_actions
from sightline.insights.recommendations.tasks import put_headline_first, read_tasks
from sightline.kit.clock import Clock, to_iso
from sightline.kit.crash import crash_point
from sightline.kit.ids import new_id
from sightline.mail.emails import OutgoingEmail, enqueue_emails
from sightline.presentation.dates import in_time_zone
from sightline.presentation.language import DEFAULT_LANGUAGE, in_language
from sightline.reports.weekly import queries
from sightline.reports.weekly.document import ReportInput, add_proofs, build_document, list_cited_answers
from sightline.reports.weekly.emails import build_report_emails
from sightline.reports.weekly.models import QuotedAnswer, ReportDocument, ReportRow, SiteReviewLine
from sightline.reports.weekly.schemas import to_report_ready
from sightline.scans.jobs import ScanJob
from sightline.scans.models import ScanPrompt
from sightline.scans.queries import find_scan
from sightline.scans.states import ScanStatus
from sightline.scans.stored import AnswerRow, ScanRow, decode_measured, decode_prompts, to_answer
from sightline.scoreboard.answer_list.filter import AnswerFilter
from sightline.scoreboard.answer_list.quote import read_quote
from sightline.scoreboard.history.trend import read_trend, read_trend_points
from sightline.scoreboard.queries import find_previous_scan
from sightline.scoreboard.read import find_check_board
from sightline.site_review.manage import read_latest_review

log = structlog.get_logger()

JOB = REPORT_JOB
_TREND = timedelta(weeks=12)
_MAX_DONE = 100


async def write_report(db: Database, job: ScanJob, *, clock: Clock, base_url: str, quiet: bool = False) -> None:
    """Write, store and announce the report of a scan.

    Only a completed Full Check of a domain that is still tracked gets a report; any other scan is ignored. `base_url`
    is the public address of the installation, without a trailing slash. `quiet` sends no e-mails, for replayed history.
    """
    scan = await find_scan(db, job.workspace_id, job.scan_id)
    if scan is None or scan.status is not ScanStatus.COMPLETED or scan.measurement_scope != "full_check":
        return
    if await queries.has_report(db, scan.workspace_id, scan.id):
        return
    source = await _read_input(db, scan, base_url)
    if source is None:
        return
    with in_time_zone(await read_time_zone(db, scan.workspace_id)), in_language(DEFAULT_LANGUAGE):
        document = await _quote_answers(db, source, base_url)
        await _store(db, source, document, clock=clock, base_url=base_url, quiet=quiet)


async def _read_input(db: Reader, scan: ScanRow, base_url: str) -> ReportInput | None:
    """Return what the report is made from; None if the domain is gone or the scan has no board."""
    board = await find_check_board(db, scan.workspace_id, scan.id)
    place = (scan.workspace_id, scan.domain_id)
    domain = await find_tracked_domain(db, *place)
    if board is None or domain is None:
        log.warning("report_skipped", scan_id=str(scan.id), has_board=board is not None)
        return None
    assert scan.completed_at is not None
    until = scan.completed_at
    previous = await find_previous_scan(db, scan, scopes=("full_check",))
    points = await read_trend_points(db, *place, scan.answers_source, since=until - _TREND)
    past = await read_trend(db, *place, scan.answers_source, since=until - _TREND)
    tasks = await read_tasks(db, *place)
    brand = decode_measured(scan.brand).brand.name
    edition = await read_edition(db, *place)
    story = await read_story(db, scan, brand)
    return ReportInput(
        scan=scan,
        brand=brand,
        board=board,
        previous=None if previous is None else await find_check_board(db, scan.workspace_id, previous.id),
        previous_at=None if previous is None else previous.completed_at,
        story=story,
        trend=tuple(point for point in points if point.completed_at <= to_iso(until)),
        past=[check for check in past if check.completed_at <= until],
        tasks=put_headline_first([task for task in tasks.open if task.scan_id == scan.id], story.findings),
        watched=await list_watched_actions(db, *place, scan_id=scan.id, until=until, limit=_MAX_DONE),
        edited_by=edition.editor if edition.scan_id == scan.id else None,
        quote=await read_quote(db, scan.workspace_id, domain, AnswerFilter(check=str(scan.id), counted="headline")),
        site_review=await _read_site_review(db, scan),
        answers_url=base_url + domain_path(*place, "answers") + AnswerFilter(check=str(scan.id)).to_query(),
    )


async def _read_site_review(db: Reader, scan: ScanRow) -> SiteReviewLine | None:
    latest = await read_latest_review(db, scan.workspace_id, scan.domain_id)
    if latest.review is None or latest.review.completed_at is None:
        return None
    broken = latest.open["broken"]
    return SiteReviewLine(
        completed_at=to_iso(latest.review.completed_at), broken=broken, others=sum(latest.open.values()) - broken
    )


async def _quote_answers(db: Reader, source: ReportInput, base_url: str) -> ReportDocument:
    """Build the document with passages of this scan's answers. An answer of an older scan has no passage."""
    scan, document, quotes = source.scan, build_document(source), _group_quotes(source)
    rows = await queries.read_answers(db, scan.workspace_id, scan.id, list_cited_answers(document))
    assert scan.prompts is not None  # set when the scan starts to run
    prompts = decode_prompts(scan.prompts)
    return add_proofs(
        document,
        [
            build_proof(
                row,
                prompts[row.prompt_index],
                base_url + answer_path(scan.workspace_id, scan.domain_id, scan.id, row.id),
                quotes.get(str(row.id), ()),
            )
            for row in rows
        ],
    )


def _group_quotes(source: ReportInput) -> dict[str, list[str]]:
    """Return the passages that recommendations quote from each answer."""
    quotes: dict[str, list[str]] = {}
    for quote in (quote for task in source.tasks for quote in task.found.quotes):
        quotes.setdefault(quote.answer_id, []).append(quote.text)
    return quotes


async def _store(
    db: Database, source: ReportInput, document: ReportDocument, *, clock: Clock, base_url: str, quiet: bool
) -> None:
    """Store the report, its event and its e-mails in one transaction. Rendering is slow, and comes before it."""
    now, scan = clock(), source.scan
    start, end = source.period
    row = ReportRow(
        workspace_id=scan.workspace_id,
        id=new_id(),
        domain_id=scan.domain_id,
        scan_id=scan.id,
        title=document.title,
        summary=document.summary,
        period_start=start,
        period_end=end,
        created_at=now,
    )
    emails: list[OutgoingEmail] = []
    if not quiet:
        readers = await list_recipients(db, scan.workspace_id, "report")
        emails = await asyncio.to_thread(build_report_emails, readers, row, document, base_url=base_url)
    async with db.transaction() as tx:
        if not await queries.insert_report(tx, row, msgspec.json.encode(document)):
            return
        ready = to_report_ready(row, base_url, livemode=scan.livemode)
        await record_event(tx, "report.ready", ready, cause=str(scan.id), now=now)
        await enqueue_emails(tx, *emails)
        crash_point("before_report_commit")
    crash_point("after_report_commit")
    log.info("report_written", domain=scan.domain, scan_id=str(scan.id), report_id=str(row.id))


_CONTEXT = 140
_CONTEXT_WITHOUT_BRAND = 280
_MAX_CONTEXT = 500
_MAX_WORD = 20  # the last word of a passage may be cut off, and it must not be the last one of a quote
_ELLIPSIS = "\u2026"


def build_proof(row: AnswerRow, prompt: ScanPrompt, url: str, quotes: Sequence[str] = ()) -> QuotedAnswer:
    """Quote an answer word for word, without markdown.

    The passage surrounds the first mention of the brand, or is the beginning of an answer without one. If the report
    quotes the answer elsewhere, the passage contains the first of these `quotes`. `url` leads to the whole answer.
    """
    answer = to_answer(row, prompt)
    start, end, limit = 0, 0, _CONTEXT
    if answer.analysis is not None and (places := answer.analysis.brands[0].occurrences):
        quote_start, quote_end = _find_quote(answer.text, quotes)
        inside = [place for place in places if quote_start <= place.start < quote_end]
        earlier = [place for place in places if place.start < quote_start]
        place = (inside or earlier[-1:] or places)[0]
        start, end = place.start, place.end
        limit = min(max(_CONTEXT, quote_end - end + _MAX_WORD), _MAX_CONTEXT)
    before, marked, after = split_passage(answer.text, start, end)
    return QuotedAnswer(
        answer_id=row.id,
        prompt=prompt.text,
        platform=answer.platform,
        before=_cut_start(before),
        marked=marked,
        after=_cut_end(after, limit if marked else _CONTEXT_WITHOUT_BRAND),
        url=url,
    )


def _find_quote(text: str, quotes: Sequence[str]) -> tuple[int, int]:
    """Return where the first of the quotes begins and ends; the beginning of the text if it has none of them."""
    return next(((place, place + len(quote)) for quote in quotes if (place := text.find(quote)) >= 0), (0, 0))


def _cut_end(text: str, limit: int) -> str:
    """Cut a text at the end of a word; a script without spaces is cut anywhere."""
    if len(text) <= limit:
        return text
    head = text[:limit]
    whole = head.rpartition(" ")[0]
    return f"{whole if len(whole) > limit // 2 else head} {_ELLIPSIS}"


def _cut_start(text: str) -> str:
    if len(text) <= _CONTEXT:
        return text
    tail = text[-_CONTEXT:]
    whole = tail.partition(" ")[2]
    return f"{_ELLIPSIS} {whole if len(whole) > _CONTEXT // 2 else tail}"
