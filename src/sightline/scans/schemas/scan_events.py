"""Schemas of the events about a scan, in webhooks and in the event stream."""

import uuid
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sightline.kit.examples import WORKSPACE_ID
from sightline.kit.structs import convert_struct
from sightline.scans.schemas.scan import (
    CANCELLED_EXAMPLE_SCAN,
    EXAMPLE_SCAN,
    FAILED_EXAMPLE_SCAN,
    Scan,
    scan_path,
    to_scan,
)
from sightline.scans.stored import ScanRow


class ScanEventData(Scan, frozen=True, kw_only=True):
    """The scan that an event is about, as it was at that time."""

    workspace_id: Annotated[uuid.UUID, Meta(description="Workspace of the scan.")]


class ScanCompletedData(ScanEventData, frozen=True, kw_only=True):
    """Data of the event `scan.completed`."""

    results_url: Annotated[str, Meta(description="Address of the results of the scan.")]


class ScanStreamEvent(msgspec.Struct, frozen=True):
    """One event of a stream that follows a scan. `data` is JSON on one line."""

    id: Annotated[str, Meta(description="Id of the event. To continue a stream, send the last id as `Last-Event-ID`.")]
    event: Annotated[
        Literal["progress", "end"], Meta(description="`progress`: something changed. `end`: the scan has ended.")
    ]
    data: Annotated[ScanEventData, Meta(description="The scan at this moment.")]


def to_scan_event(row: ScanRow) -> ScanEventData:
    return convert_struct(ScanEventData, to_scan(row), workspace_id=row.workspace_id)


def to_completed_scan(row: ScanRow, base_url: str) -> ScanCompletedData:
    """Return the scan with the address of its results.

    `base_url` is the public address of the installation, without a trailing slash.
    """
    results_url = f"{base_url}{scan_path(row.id)}/results"
    return convert_struct(ScanCompletedData, to_scan_event(row), results_url=results_url)


# Examples


def build_example_event(scan: Scan) -> ScanEventData:
    return ScanEventData(**msgspec.structs.asdict(scan), workspace_id=WORKSPACE_ID)


def _as_live(scan: Scan) -> ScanEventData:
    return build_example_event(msgspec.structs.replace(scan, livemode=True, answers_source="live"))


_COMPLETED_DATA = ScanCompletedData(
    **msgspec.structs.asdict(_as_live(EXAMPLE_SCAN)),
    results_url=f"https://sightline.example.com{scan_path(EXAMPLE_SCAN.id)}/results",
)
EVENT_EXAMPLES = {
    "scan.completed": (EXAMPLE_SCAN.completed_at or "", _COMPLETED_DATA),
    "scan.failed": (FAILED_EXAMPLE_SCAN.completed_at or "", _as_live(FAILED_EXAMPLE_SCAN)),
    "scan.cancelled": (CANCELLED_EXAMPLE_SCAN.completed_at or "", _as_live(CANCELLED_EXAMPLE_SCAN)),
}
