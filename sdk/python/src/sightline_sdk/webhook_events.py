"""Events that webhooks receive.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, TypeAlias

from sightline_sdk._models import Model
from sightline_sdk.models import (
    AlertRaisedData,
    CheckCompletedData,
    CreditsLowData,
    ReportReadyData,
    ScanCompletedData,
    ScanEventData,
    WebhookTestData,
)


class UnknownEvent(Model, frozen=True, kw_only=True):
    """An event of a type that this version of the SDK does not know."""

    id: str = ""
    """Id of the event: the same in every delivery of it. Use it to skip duplicates."""
    type: str
    timestamp: datetime
    """When the event happened."""
    data: dict[str, Any]


class ScanCompletedEvent(Model, frozen=True, kw_only=True):
    """A scan on demand (Console Check) has completed.

    Scheduled checks do not send this event.
    """

    id: str = ""
    """Id of the event: the same in every delivery of it. Use it to skip duplicates."""
    type: Literal["scan.completed"]
    timestamp: datetime
    """When the event happened."""
    data: ScanCompletedData


class ScanFailedEvent(Model, frozen=True, kw_only=True):
    """Every answer of a scan on demand failed."""

    id: str = ""
    """Id of the event: the same in every delivery of it. Use it to skip duplicates."""
    type: Literal["scan.failed"]
    timestamp: datetime
    """When the event happened."""
    data: ScanEventData


class ScanCancelledEvent(Model, frozen=True, kw_only=True):
    """A scan on demand was canceled."""

    id: str = ""
    """Id of the event: the same in every delivery of it. Use it to skip duplicates."""
    type: Literal["scan.cancelled"]
    timestamp: datetime
    """When the event happened."""
    data: ScanEventData


class CheckCompletedEvent(Model, frozen=True, kw_only=True):
    """A Full Check of a tracked domain has completed, and its findings are known."""

    id: str = ""
    """Id of the event: the same in every delivery of it. Use it to skip duplicates."""
    type: Literal["check.completed"]
    timestamp: datetime
    """When the event happened."""
    data: CheckCompletedData


class CreditsLowEvent(Model, frozen=True, kw_only=True):
    """A scan reduced the balance to below the operator's threshold."""

    id: str = ""
    """Id of the event: the same in every delivery of it. Use it to skip duplicates."""
    type: Literal["credits.low"]
    timestamp: datetime
    """When the event happened."""
    data: CreditsLowData


class AlertRaisedEvent(Model, frozen=True, kw_only=True):
    """A second Daily Check confirmed a drop, a gain or a competitor's rise."""

    id: str = ""
    """Id of the event: the same in every delivery of it. Use it to skip duplicates."""
    type: Literal["alert.raised"]
    timestamp: datetime
    """When the event happened."""
    data: AlertRaisedData


class ReportReadyEvent(Model, frozen=True, kw_only=True):
    """A weekly report is ready."""

    id: str = ""
    """Id of the event: the same in every delivery of it. Use it to skip duplicates."""
    type: Literal["report.ready"]
    timestamp: datetime
    """When the event happened."""
    data: ReportReadyData


class WebhookTestEvent(Model, frozen=True, kw_only=True):
    """A member requested a test of this webhook."""

    id: str = ""
    """Id of the event: the same in every delivery of it. Use it to skip duplicates."""
    type: Literal["webhook.test"]
    timestamp: datetime
    """When the event happened."""
    data: WebhookTestData


WebhookEvent: TypeAlias = (
    ScanCompletedEvent
    | ScanFailedEvent
    | ScanCancelledEvent
    | CheckCompletedEvent
    | CreditsLowEvent
    | AlertRaisedEvent
    | ReportReadyEvent
    | WebhookTestEvent
    | UnknownEvent
)
EVENTS: Mapping[str, type[WebhookEvent]] = {
    "scan.completed": ScanCompletedEvent,
    "scan.failed": ScanFailedEvent,
    "scan.cancelled": ScanCancelledEvent,
    "check.completed": CheckCompletedEvent,
    "credits.low": CreditsLowEvent,
    "alert.raised": AlertRaisedEvent,
    "report.ready": ReportReadyEvent,
    "webhook.test": WebhookTestEvent,
}
