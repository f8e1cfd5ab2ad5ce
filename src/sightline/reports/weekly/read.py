"""Reading weekly reports: the list, one report, and its HTML and PDF."""

import uuid

from sightline.db.engine import Reader
from sightline.db.keyset import Slice, cut_page
from sightline.errors import Problem
from sightline.kit.clock import to_iso
from sightline.reports.weekly import queries
from sightline.reports.weekly.models import ReportRow


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


async def read_html(db: Reader, report: ReportRow, *, with_appendix: bool = False) -> str:
    """Return the page of a report, whose counts link to answers.

    A report of an earlier release has no appendix: its page holds everything.
    """
    html = await queries.read_content(db, report.workspace_id, report.id, "appendix_html") if with_appendix else None
    html = html or await queries.read_content(db, report.workspace_id, report.id, "html")
    assert isinstance(html, str)  # a report always has both forms, and is never removed
    return html


async def read_pdf(db: Reader, report: ReportRow, *, with_appendix: bool = False) -> bytes:
    pdf = await queries.read_content(db, report.workspace_id, report.id, "appendix_pdf") if with_appendix else None
    pdf = pdf or await queries.read_content(db, report.workspace_id, report.id, "pdf")
    assert isinstance(pdf, bytes)
    return pdf
