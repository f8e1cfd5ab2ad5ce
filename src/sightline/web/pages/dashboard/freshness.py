"""When a tracked domain was last scanned, and when the next scan runs."""

from datetime import datetime

from sightline.domains.models import TrackedDomainRow
from sightline.presentation.dates import format_near_datetime


def describe_freshness(domain: TrackedDomainRow, now: datetime | None = None) -> str:
    """Describe which scans the figures come from and what comes next. With `now`, near days are written by name."""
    parts = []
    if domain.last_full_check_at is not None:
        parts.append(f"Full Check {format_near_datetime(domain.last_full_check_at, now)}")
    elif domain.last_audit_at is not None:
        parts.append(f"Free Audit {format_near_datetime(domain.last_audit_at, now)}")
    if domain.last_daily_check_at is not None:
        parts.append(f"Daily Check {format_near_datetime(domain.last_daily_check_at, now)}")
    if domain.next_check_at is not None:
        name = "Full Check" if domain.next_check_scope == "full_check" else "Daily Check"
        parts.append(f"next {name} {format_near_datetime(domain.next_check_at, now)}")
    return " · ".join(parts) or "Not checked yet"
