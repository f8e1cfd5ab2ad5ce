"""Examples of weekly reports."""

from collections.abc import Mapping
from uuid import UUID

from sightline.api.openapi.examples.example import TRACKED_DOMAIN_ID, Example, envelope, page
from sightline.reports.weekly.schemas import Report

_ID = UUID("01990f8b-47a2-7c19-9e60-2d8f5b13a7c4")
_SCAN_ID = UUID("01990f8a-9d10-7f35-8b24-61c0e7d2493a")
_PLACE = f"https://sightline.example.com/api/v1/ext/domains/{TRACKED_DOMAIN_ID}/reports/{_ID}"
PATH_IDS: Mapping[str, str] = {"report_id": str(_ID)}


REPORT = Report(
    id=_ID,
    scan_id=_SCAN_ID,
    title="Acme in AI answers: 2\u20139 November 2026",
    period_start="2026-11-02T08:34:12.660184+00:00",
    period_end="2026-11-09T08:31:44.902613+00:00",
    summary="Acme is named in 111 of 200 answers (55.5%). For questions like your prompts, expect 45.1% to 65.6% of "
    "answers to name Acme. Of 5 tracked brands, Acme ranks 2nd, likely between 1st and 3rd. No clear change "
    "since 2 Nov. There are 3 recommendations.",
    html_url=f"{_PLACE}.html",
    pdf_url=f"{_PLACE}.pdf",
    created_at="2026-11-09T08:32:20.415906+00:00",
    note="The new guide is online since Thursday. Please send us the two customer quotes by 12 Nov.",
    owners=("Acme", "Agency"),
)

EXAMPLES: Mapping[str, Example] = {
    "list_reports": Example(page(REPORT)),
    "read_report": Example(envelope(REPORT)),
    "update_report": Example(envelope(REPORT), request={"note": REPORT.note, "owners": list(REPORT.owners)}),
    "read_report_html": Example('<!doctype html>\n<html lang="en">\u2026</html>'),
    "read_report_pdf": Example("%PDF-1.7\u2026"),
    "read_report_appendix_html": Example('<!doctype html>\n<html lang="en">\u2026</html>'),
    "read_report_appendix_pdf": Example("%PDF-1.7\u2026"),
}
