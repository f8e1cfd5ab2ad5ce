"""Schema of a weekly report in the Data API."""

import uuid
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.accounts.models import LIVEMODE_MEANING
from sightline.kit.clock import Timestamp, to_iso
from sightline.kit.examples import TRACKED_DOMAIN_ID, WORKSPACE_ID, Example
from sightline.kit.structs import convert_struct
from sightline.reports.weekly.models import MAX_NOTE, MAX_OWNER, MAX_TASKS, ReportRow

NOTE_MEANING = "Paragraph above the verdict of the report, as plain text. Null if there is none."
OWNERS_MEANING = (
    "Who does each of the next actions, in the order of the report. Empty text for an action without an owner."
)


class Report(msgspec.Struct, frozen=True):
    """A weekly report of a tracked domain, created after a Full Check."""

    id: Annotated[uuid.UUID, Meta(description="Id of the report, used as `report_id`.")]
    scan_id: Annotated[uuid.UUID, Meta(description="Full Check that the report is about.")]
    title: Annotated[str, Meta(description="Brand and period on one line.")]
    period_start: Annotated[
        Timestamp,
        Meta(description="When the previous Full Check completed. In a first report, when this Full Check started."),
    ]
    period_end: Annotated[Timestamp, Meta(description="Completion time of the Full Check that the report is about.")]
    summary: Annotated[str, Meta(description="Summary of the report in a few sentences.")]
    html_url: Annotated[str, Meta(description="Address of the report as one HTML file. Needs a Data API key.")]
    pdf_url: Annotated[str, Meta(description="Address of the report as a PDF. Needs a Data API key.")]
    created_at: Annotated[Timestamp, Meta(description="When the report was created.")]
    note: Annotated[str | None, Meta(description=NOTE_MEANING)] = None
    owners: Annotated[tuple[str, ...], Meta(description=OWNERS_MEANING)] = ()


class ReportChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to change about a report. A member that you leave out stays as it is."""

    note: Annotated[
        Annotated[str, Meta(max_length=MAX_NOTE)] | msgspec.UnsetType | None,
        Meta(description=f"{NOTE_MEANING} At most {MAX_NOTE} characters; null or an empty text removes it."),
    ] = msgspec.UNSET
    owners: Annotated[
        Annotated[list[Annotated[str, Meta(max_length=MAX_OWNER)]], Meta(max_length=MAX_TASKS)] | msgspec.UnsetType,
        Meta(description=f"{OWNERS_MEANING} At most {MAX_TASKS}, each with at most {MAX_OWNER} characters."),
    ] = msgspec.UNSET


class ReportReadyData(Report, frozen=True, kw_only=True):
    """Data of the event `report.ready`."""

    domain_id: Annotated[uuid.UUID, Meta(description="Tracked domain that the report is about.")]
    workspace_id: Annotated[uuid.UUID, Meta(description="Workspace of the tracked domain.")]
    livemode: Annotated[bool, Meta(description=LIVEMODE_MEANING)]


def to_report(row: ReportRow, base_url: str) -> Report:
    """Return the report with the addresses of its HTML and PDF.

    `base_url` is the public address of the installation, without a trailing slash.
    """
    address = f"{base_url}/api/v1/ext/domains/{row.domain_id}/reports/{row.id}"
    return Report(
        id=row.id,
        scan_id=row.scan_id,
        title=row.title,
        period_start=to_iso(row.period_start),
        period_end=to_iso(row.period_end),
        summary=row.summary,
        html_url=f"{address}.html",
        pdf_url=f"{address}.pdf",
        created_at=to_iso(row.created_at),
        note=row.note,
        owners=tuple(row.owners),
    )


def to_report_ready(row: ReportRow, base_url: str, *, livemode: bool) -> ReportReadyData:
    report = to_report(row, base_url)
    return convert_struct(
        ReportReadyData, report, domain_id=row.domain_id, workspace_id=row.workspace_id, livemode=livemode
    )


# Examples

_ID = uuid.UUID("01990f8b-47a2-7c19-9e60-2d8f5b13a7c4")
_SCAN_ID = uuid.UUID("01990f8a-9d10-7f35-8b24-61c0e7d2493a")
_PLACE = f"https://sightline.example.com/api/v1/ext/domains/{TRACKED_DOMAIN_ID}/reports/{_ID}"
PATH_IDS = {"data": {"report_id": str(_ID)}}


_REPORT = Report(
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

EXAMPLES = {
    "list_reports": Example([_REPORT]),
    "read_report": Example(_REPORT),
    "update_report": Example(_REPORT, {"note": _REPORT.note, "owners": list(_REPORT.owners)}),
}

EVENT_EXAMPLES = {
    "report.ready": (
        _REPORT.created_at,
        ReportReadyData(
            **msgspec.structs.asdict(_REPORT), domain_id=TRACKED_DOMAIN_ID, workspace_id=WORKSPACE_ID, livemode=True
        ),
    )
}
