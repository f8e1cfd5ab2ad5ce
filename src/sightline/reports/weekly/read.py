"""Reading weekly reports: the list, one report, and its page and PDF in a language."""

import asyncio
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import msgspec
import structlog
from typst import TypstError

from sightline.accounts.workspaces import read_time_zone
from sightline.clients.manage import read_domain_look
from sightline.db.engine import Reader
from sightline.db.keyset import Slice, cut_page
from sightline.errors import Problem
from sightline.kit.clock import to_iso
from sightline.presentation.direction_controls import show_direction_controls_in_html
from sightline.presentation.language import DEFAULT_LANGUAGE
from sightline.reports.weekly import queries
from sightline.reports.weekly.models import ReportDocument, ReportRow
from sightline.reports.weekly.render import Form, has_facts, render_form
from sightline.reports.weekly.translate import translate_document, write_verdict

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


async def read_document(db: Reader, report: ReportRow) -> ReportDocument | None:
    """Return what the report is made from; None for one of an earlier release, which is shown as it was stored."""
    stored = (await queries.read_documents(db, report.workspace_id, [report.id])).get(report.id, b"{}")
    return msgspec.json.decode(stored, type=ReportDocument) if has_facts(stored) else None


async def describe_rows(db: Reader, rows: Sequence[ReportRow]) -> list[ReportRow]:
    """Return reports with title and verdict in the reader's language; those without stored facts are unchanged."""
    if not rows:
        return []
    documents = await queries.read_documents(db, rows[0].workspace_id, [row.id for row in rows])
    return [_describe_row(row, documents.get(row.id, b"{}")) for row in rows]


def _describe_row(row: ReportRow, stored: bytes) -> ReportRow:
    if not has_facts(stored):
        return row
    document = translate_document(msgspec.json.decode(stored, type=ReportDocument))
    return msgspec.structs.replace(row, title=document.title, summary=" ".join(write_verdict(document)))


async def read_html(
    db: Reader,
    report: ReportRow,
    *,
    with_appendix: bool = False,
    language: str = DEFAULT_LANGUAGE,
    for_members: bool = False,
) -> str:
    """Return the page of a report. One of an earlier release may be in English only, with its tables."""
    html = await _render(db, report, Form("html", language, with_appendix, for_members))
    html = html or await _read_stored(db, report, "html", with_appendix=with_appendix)
    assert isinstance(html, str)  # a report without facts has a stored page
    return show_direction_controls_in_html(html)


async def read_pdf(
    db: Reader,
    report: ReportRow,
    *,
    with_appendix: bool = False,
    language: str = DEFAULT_LANGUAGE,
    for_members: bool = False,
) -> bytes:
    """Return the PDF of a report. One of an earlier release may be in English only, with its tables."""
    pdf = await _render(db, report, Form("pdf", language, with_appendix, for_members))
    pdf = pdf or await _read_stored(db, report, "pdf", with_appendix=with_appendix)
    assert isinstance(pdf, bytes)
    return pdf


async def _read_stored(db: Reader, report: ReportRow, kind: str, *, with_appendix: bool) -> str | bytes | None:
    """Return a form that an earlier release stored. Without an appendix of its own, the form holds everything."""
    forms: tuple[queries.StoredForm, ...] = ("html",) if kind == "html" else ("pdf",)
    if with_appendix:
        forms = ("appendix_html", "html") if kind == "html" else ("appendix_pdf", "pdf")
    for form in forms:
        if content := await queries.read_stored_form(db, report.workspace_id, report.id, form):
            return content
    return None


async def _render(db: Reader, report: ReportRow, form: Form) -> str | bytes | None:
    """Render a form in the workspace's time zone. Return None for a report of an earlier release without facts."""
    document = (await queries.read_documents(db, report.workspace_id, [report.id])).get(report.id)
    if document is None or not has_facts(document):
        return None
    look, loop = await read_domain_look(db, report.workspace_id, report.domain_id), asyncio.get_running_loop()
    zone = look.timezone or await read_time_zone(db, report.workspace_id)
    try:
        return await loop.run_in_executor(_THREADS, render_form, document, report, form, zone, look)
    except TypstError as error:
        log.exception("report_not_typeset", report_id=str(report.id))
        detail = "The PDF of this report could not be created. The page of the report has the same content."
        raise Problem("internal_error", detail) from error
