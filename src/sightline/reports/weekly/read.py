"""Reading weekly reports: the list, one report, and its HTML and PDF in a language."""

import asyncio
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import msgspec
import structlog
from typst import TypstError

from sightline.accounts.workspaces import read_time_zone
from sightline.db.engine import Database, Reader
from sightline.db.keyset import Slice, cut_page
from sightline.errors import Problem
from sightline.kit.clock import to_iso
from sightline.presentation.direction_controls import show_direction_controls_in_html
from sightline.presentation.language import DEFAULT_LANGUAGE, current_language
from sightline.reports.weekly import queries
from sightline.reports.weekly.models import ReportDocument, ReportRow
from sightline.reports.weekly.render import has_facts, render_form
from sightline.reports.weekly.translate import translate_document

log = structlog.get_logger()

# A form takes up to a second of a core: further requests wait.
_THREADS = ThreadPoolExecutor(2, thread_name_prefix="reports")


async def list_reports(
    db: Reader,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    *,
    after: queries.SortKey | None,
    page_size: int,
    live_only: bool = False,
) -> Slice[ReportRow]:
    """Return a page of reports, newest first; with `live_only`, none of made-up answers."""
    rows = await queries.list_reports(
        db, workspace_id, domain_id, after=after, limit=page_size + 1, live_only=live_only
    )
    return cut_page(rows, page_size, lambda row: (to_iso(row.created_at), str(row.id)))


async def read_report(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, report_id: uuid.UUID | None
) -> ReportRow:
    found = report_id and await queries.find_report(db, workspace_id, domain_id, report_id)
    if not found:
        raise Problem("not_found")
    return found


async def translate_rows(db: Reader, rows: Sequence[ReportRow]) -> list[ReportRow]:
    """Return reports with title and summary in the reader's language, as far as their facts are stored."""
    if not rows or current_language() == DEFAULT_LANGUAGE:
        return list(rows)
    documents = await queries.read_documents(db, rows[0].workspace_id, [row.id for row in rows])
    return [_translate_row(row, documents.get(row.id, b"{}")) for row in rows]


def _translate_row(row: ReportRow, stored: bytes) -> ReportRow:
    if not has_facts(stored):
        return row
    document = translate_document(msgspec.json.decode(stored, type=ReportDocument))
    return msgspec.structs.replace(row, title=document.title, summary=document.summary)


async def read_html(
    db: Reader, report: ReportRow, *, with_appendix: bool = False, language: str = DEFAULT_LANGUAGE
) -> str:
    """Return the page of a report, whose counts link to answers.

    A report of an earlier release may have no appendix, and its page holds everything; or it may be in English only.
    """
    form: queries.Form = "appendix_html" if with_appendix else "html"
    html = None if language == DEFAULT_LANGUAGE else await _render(db, report, form, language)
    html = html or await queries.read_content(db, report.workspace_id, report.id, form)
    html = html or await queries.read_content(db, report.workspace_id, report.id, "html")
    assert isinstance(html, str)  # every report has a page, and its page is never removed
    return show_direction_controls_in_html(html)


async def read_pdf(
    db: Database, report: ReportRow, *, with_appendix: bool = False, language: str = DEFAULT_LANGUAGE
) -> bytes:
    """Return the PDF of a report. The first request for it in English renders and stores it.

    Two simultaneous first requests may both render it; both get the one that is stored first.
    """
    form: queries.Form = "appendix_pdf" if with_appendix else "pdf"
    pdf = None if language == DEFAULT_LANGUAGE else await _render(db, report, form, language)
    pdf = pdf or await queries.read_content(db, report.workspace_id, report.id, form)
    if pdf is None and isinstance(made := await _render(db, report, form, DEFAULT_LANGUAGE), bytes):
        async with db.transaction() as tx:
            pdf = await queries.store_pdf(tx, report.workspace_id, report.id, form, made) or made
    pdf = pdf or await queries.read_content(db, report.workspace_id, report.id, "pdf")  # it holds the appendix, too
    assert isinstance(pdf, bytes)
    return pdf


async def _render(db: Reader, report: ReportRow, form: queries.Form, language: str) -> str | bytes | None:
    """Render a form in the workspace's time zone. Return None for a report of an earlier release without facts."""
    document = (await queries.read_documents(db, report.workspace_id, [report.id])).get(report.id)
    if document is None or not has_facts(document):
        return None
    zone, loop = await read_time_zone(db, report.workspace_id), asyncio.get_running_loop()
    try:
        return await loop.run_in_executor(_THREADS, render_form, document, form, language, zone)
    except TypstError as error:
        log.exception("report_not_typeset", report_id=str(report.id))
        detail = "The PDF of this report could not be created. The page of the report has the same content."
        raise Problem("internal_error", detail) from error
