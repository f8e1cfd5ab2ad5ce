"""Examples of the events that webhooks receive, one for each type."""

from collections.abc import Mapping
from uuid import UUID

import msgspec

from sightline.api.openapi.examples.example import TRACKED_DOMAIN_ID, WORKSPACE_ID
from sightline.api.openapi.examples.insights import ALERT
from sightline.api.openapi.examples.reports import REPORT
from sightline.api.openapi.examples.scans import CANCELLED_SCAN, COMPLETED_SCAN, FAILED_SCAN, to_event_data
from sightline.api.openapi.examples.webhooks import TEST_DATA
from sightline.credits.schemas import CreditsLowData
from sightline.events import EventBody, EventData, EventType
from sightline.insights.alerts.schemas import AlertRaisedData
from sightline.reports.weekly.schemas import ReportReadyData
from sightline.scans.schemas.scan import Scan, scan_path
from sightline.scans.schemas.scan_events import ScanCompletedData

_WORKSPACE = UUID(WORKSPACE_ID)
_RESULTS_URL = f"https://sightline.example.com{scan_path(COMPLETED_SCAN.id)}/results"


def _as_live(scan: Scan) -> Scan:
    return msgspec.structs.replace(scan, livemode=True, answers_source="live")


_DATA: Mapping[EventType, EventData] = {
    "scan.completed": ScanCompletedData(
        **msgspec.structs.asdict(to_event_data(_as_live(COMPLETED_SCAN))), results_url=_RESULTS_URL
    ),
    "scan.failed": to_event_data(_as_live(FAILED_SCAN)),
    "scan.cancelled": to_event_data(_as_live(CANCELLED_SCAN)),
    "credits.low": CreditsLowData(balance=4, threshold=10, workspace_id=_WORKSPACE, livemode=True),
    "alert.raised": AlertRaisedData(**msgspec.structs.asdict(ALERT), workspace_id=_WORKSPACE, livemode=True),
    "report.ready": ReportReadyData(
        **msgspec.structs.asdict(REPORT), domain_id=TRACKED_DOMAIN_ID, workspace_id=_WORKSPACE, livemode=True
    ),
    "webhook.test": msgspec.structs.replace(TEST_DATA, livemode=True),
}
_USUAL_TIME = "2026-11-14T09:30:02.118240+00:00"
_TIMES: Mapping[EventType, str | None] = {
    "scan.completed": COMPLETED_SCAN.completed_at,
    "scan.failed": FAILED_SCAN.completed_at,
    "scan.cancelled": CANCELLED_SCAN.completed_at,
    "alert.raised": ALERT.notified_at,
    "report.ready": REPORT.created_at,
}
EVENT_EXAMPLES: Mapping[EventType, EventBody[EventData]] = {
    kind: EventBody(kind, _TIMES.get(kind) or _USUAL_TIME, data) for kind, data in _DATA.items()
}
