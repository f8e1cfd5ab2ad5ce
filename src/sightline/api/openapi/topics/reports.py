"""How the reference speaks of reports."""

from collections.abc import Mapping
from uuid import UUID

from sightline.api.edge.envelope import Meta, One, Page, PageMeta
from sightline.api.openapi.example import REQUEST_ID, Example
from sightline.reports.weekly.schemas import Report

TAGS: Mapping[str, str] = {
    "Data: Reports": "The weekly report of a tracked domain, made after each Full Check, as a page and as a PDF.",
}

_ID = UUID("01990f8b-47a2-7c19-9e60-2d8f5b13a7c4")
_SCAN_ID = UUID("01990f8a-9d10-7f35-8b24-61c0e7d2493a")
_DOMAIN_ID = UUID("01990f66-5b08-7d90-a1f4-e27c3b96084d")
_PLACE = f"https://sightline.acme.com/api/v1/ext/domains/{_DOMAIN_ID}/reports/{_ID}"
PATH_IDS: Mapping[str, str] = {"report_id": str(_ID)}

MEANINGS: Mapping[str, str] = {
    "Report.id": "Names the report as `report_id`.",
    "Report.scan_id": "The Full Check that it reports on.",
    "Report.title": "The brand and the period, on one line.",
    "Report.period_start": "When the Full Check before was completed; in a first report, when this one began.",
    "Report.period_end": "When the Full Check that it reports on was completed.",
    "Report.summary": "What the report says, in a few plain sentences.",
    "html_url": "The report as one HTML file. It opens with a Data API key.",
    "pdf_url": "The report as a PDF. It opens with a Data API key.",
    "Report.created_at": "When the report was made. The list is sorted by it, newest first.",
}

_REPORT = Report(
    id=_ID,
    scan_id=_SCAN_ID,
    title="Acme in AI answers: 2\u20139 November 2026",
    period_start="2026-11-02T08:34:12.660184+00:00",
    period_end="2026-11-09T08:31:44.902613+00:00",
    summary="Acme is named in 111 of 200 answers: 55.5 % (95 % interval 48.6\u201362.2 %). It is number 2 of 5 tracked "
    "brands, and may be anything from 1 to 3. Brand Coverage: no clear change since the Full Check of 2 November, 19 "
    "gained, 14 lost of 200 answers asked both times. 3 recommendations to act on.",
    html_url=f"{_PLACE}.html",
    pdf_url=f"{_PLACE}.pdf",
    created_at="2026-11-09T08:32:20.415906+00:00",
)

EXAMPLES: Mapping[str, Example] = {
    "list_reports": Example(Page([_REPORT], PageMeta(has_more=False, next_cursor=None, request_id=REQUEST_ID))),
    "read_report": Example(One(_REPORT, Meta(REQUEST_ID))),
    "read_report_html": Example('<!doctype html>\n<html lang="en">\u2026</html>'),
    "read_report_pdf": Example("%PDF-1.7\u2026"),
}
