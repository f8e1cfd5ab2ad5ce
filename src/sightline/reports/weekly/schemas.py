"""Schema of a weekly report in the Data API."""

import uuid

import msgspec

from sightline.kit.clock import Timestamp, to_iso
from sightline.reports.weekly.models import ReportRow


class Report(msgspec.Struct, frozen=True):
    """A weekly report of a tracked domain, made after a Full Check."""

    id: uuid.UUID
    scan_id: uuid.UUID
    title: str
    period_start: Timestamp
    period_end: Timestamp
    summary: str
    html_url: str
    pdf_url: str
    created_at: Timestamp


def to_report(row: ReportRow, base_url: str) -> Report:
    """`base_url` is the public address of the installation, without a slash at its end."""
    place = f"{base_url}/api/v1/ext/domains/{row.domain_id}/reports/{row.id}"
    return Report(
        id=row.id,
        scan_id=row.scan_id,
        title=row.title,
        period_start=to_iso(row.period_start),
        period_end=to_iso(row.period_end),
        summary=row.summary,
        html_url=f"{place}.html",
        pdf_url=f"{place}.pdf",
        created_at=to_iso(row.created_at),
    )
