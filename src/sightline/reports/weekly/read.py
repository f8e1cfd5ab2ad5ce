"""Reading weekly reports: the list, one report, and its HTML and PDF in a language."""

import asyncio
import uuid
from collections.abc import Sequence

import msgspec

from sightline.accounts.workspaces import read_time_zone
from sightline.db.engine import Reader
from sightline.db.keyset import Slice, cut_page
from sightline.errors import Problem
from sightline.kit.clock import to_iso
from sightline.presentation.direction_controls import show_direction_controls_in_html
from sightline.presentation.language import DEFAULT_LANGUAGE, current_language
from sightline.reports.weekly import queries
from sightline.reports.weekly.models import ReportDocument, ReportRow
from sightline.reports.weekly.render import is_translatable, render_form
from sightline.reports.weekly.translate import translate_document


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
    if not is_translatable(stored):
        return row
    document = translate_document(msgspec.json.decode(stored, type=ReportDocument))
    return msgspec.structs.replace(row, title=document.title, summary=document.summary)


async def read_html(
    db: Reader, report: ReportRow, *, with_appendix: bool = False, language: str = DEFAULT_LANGUAGE
) -> str:
    """Return the page of a report, whose counts link to answers.

    A report of an earlier release may have no appendix, and its page holds everything; or it may be in English only.
    """
    html = await _read_form(db, report, "appendix_html" if with_appendix else "html", language)
    html = html or await queries.read_content(db, report.workspace_id, report.id, "html")
    assert isinstance(html, str)  # a report always has both forms, and is never removed
    return show_direction_controls_in_html(html)


async def read_pdf(
    db: Reader, report: ReportRow, *, with_appendix: bool = False, language: str = DEFAULT_LANGUAGE
) -> bytes:
    pdf = await _read_form(db, report, "appendix_pdf" if with_appendix else "pdf", language)
    pdf = pdf or await queries.read_content(db, report.workspace_id, report.id, "pdf")
    assert isinstance(pdf, bytes)
    return pdf


async def _read_form(db: Reader, report: ReportRow, form: queries.Form, language: str) -> str | bytes | None:
    """Return a form as it is stored in English, or rendered in another language."""
    if language != DEFAULT_LANGUAGE:
        documents = await queries.read_documents(db, report.workspace_id, [report.id])
        if (document := documents.get(report.id)) is not None and is_translatable(document):
            zone = await read_time_zone(db, report.workspace_id)
            return await asyncio.to_thread(render_form, document, form, language, zone)
    return await queries.read_content(db, report.workspace_id, report.id, form)
