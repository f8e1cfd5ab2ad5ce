"""Every event that webhooks and event streams send, with the schema of its data and when it is sent.

A feature declares the data of its events in its `schemas.py`. A test verifies that no type is missing here, and that
all data name the workspace and the mode.
"""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from sightline.credits.schemas import CreditsLowData
from sightline.events import EventType
from sightline.insights.alerts.schemas import AlertRaisedData
from sightline.insights.findings.schemas import CheckCompletedData
from sightline.reports.weekly.schemas import ReportReadyData
from sightline.scans.schemas.scan_events import ScanCompletedData, ScanEventData
from sightline.webhooks.schemas import WebhookTestData


class EventSchema(NamedTuple):
    """The schema of an event's `data`, and a sentence that says when the event is sent."""

    data: type[msgspec.Struct]
    sent_when: str


WEBHOOK_EVENTS: Mapping[EventType, EventSchema] = {
    "scan.completed": EventSchema(
        ScanCompletedData, "A scan on demand (Console Check) has completed. Scheduled checks do not send this event."
    ),
    "scan.failed": EventSchema(ScanEventData, "Every answer of a scan on demand failed."),
    "scan.cancelled": EventSchema(ScanEventData, "A scan on demand was canceled."),
    "check.completed": EventSchema(
        CheckCompletedData, "A Full Check of a tracked domain has completed, and its findings are known."
    ),
    "credits.low": EventSchema(CreditsLowData, "A scan reduced the balance to below the operator's threshold."),
    "alert.raised": EventSchema(
        AlertRaisedData, "A second Daily Check confirmed a drop, a gain or a competitor's rise."
    ),
    "report.ready": EventSchema(ReportReadyData, "A weekly report is ready."),
    "webhook.test": EventSchema(WebhookTestData, "A member requested a test of this webhook."),
}

SCAN_STREAM_EVENTS: Mapping[str, EventSchema] = {
    "progress": EventSchema(ScanEventData, "The stream has started, or the counts or the status of the scan changed."),
    "end": EventSchema(ScanEventData, "The scan has ended. It is the last event of the stream."),
}
