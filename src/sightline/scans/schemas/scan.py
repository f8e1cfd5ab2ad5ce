"""A scan as it leaves the house: in answers of the API and in events, with the same members in both."""

import uuid
from collections.abc import Mapping
from datetime import datetime

import msgspec

from sightline.kit.clock import Timestamp, to_iso, to_iso_or_none
from sightline.kit.rounding import round_half_away
from sightline.metrics.figure import show_number
from sightline.scans.models import AnswersSource
from sightline.scans.states import ScanStatus
from sightline.scans.stored import ScanRow, Scope

LABELS: Mapping[Scope, str] = {
    "console_check": "Console Check",
    "full_check": "Full Check",
    "daily_check": "Daily Check",
    "free_audit": "Free Audit",
}


class Scan(msgspec.Struct, frozen=True, kw_only=True):
    """One check. Metrics are null until it has completed; `completed_at` is set in every end state."""

    id: uuid.UUID
    domain_id: uuid.UUID
    domain: str
    livemode: bool
    measurement_scope: Scope
    measurement_label: str
    status: ScanStatus
    answers_total: int
    answers_completed: int
    answers_failed: int
    visibility_score: float | None
    brand_coverage_pct: float | None
    ai_mentions: int | None
    citation_count: int | None
    market_position: int | None
    started_at: Timestamp | None
    completed_at: Timestamp | None
    duration_seconds: float | None
    error_message: str | None
    selected_platforms: list[str]
    customer_keywords: list[str]
    content_project_id: str | None
    credits_charged: int
    answers_source: AnswersSource
    created_at: Timestamp


class CompletedScan(Scan, frozen=True, kw_only=True):
    """Data of the event `scan.completed`."""

    results_url: str


def to_scan(row: ScanRow) -> Scan:
    return Scan(
        id=row.id,
        domain_id=row.domain_id,
        domain=row.domain,
        livemode=row.livemode,
        measurement_scope=row.measurement_scope,
        measurement_label=LABELS[row.measurement_scope],
        status=row.status,
        answers_total=row.answers_total,
        answers_completed=row.answers_completed,
        answers_failed=row.answers_failed,
        visibility_score=show_number(row.visibility_score),
        brand_coverage_pct=show_number(row.brand_coverage_pct),
        ai_mentions=row.ai_mentions,
        citation_count=row.citation_count,
        market_position=row.market_position,
        started_at=to_iso_or_none(row.started_at),
        completed_at=to_iso_or_none(row.completed_at),
        duration_seconds=_duration(row.started_at, row.completed_at),
        error_message=row.error_message,
        selected_platforms=row.selected_platforms,
        customer_keywords=row.customer_keywords,
        content_project_id=row.content_project_id,
        credits_charged=row.credits_charged,
        answers_source=row.answers_source,
        created_at=to_iso(row.created_at),
    )


def to_completed_scan(row: ScanRow, base_url: str) -> CompletedScan:
    """`base_url` is the public address of the installation, without a slash at its end."""
    results_url = f"{base_url}{scan_path(row.id)}/results"
    return CompletedScan(**msgspec.structs.asdict(to_scan(row)), results_url=results_url)


def scan_path(scan_id: uuid.UUID) -> str:
    return f"/api/v1/console/scans/{scan_id}"


def _duration(started: datetime | None, ended: datetime | None) -> float | None:
    """Two machines may have told the two times; a duration below zero would only puzzle."""
    if started is None or ended is None:
        return None
    return round_half_away(max((ended - started).total_seconds(), 0.0), 3)
