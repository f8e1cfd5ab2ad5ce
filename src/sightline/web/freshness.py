"""When a tracked domain was last scanned, and when the next scan runs."""

from datetime import datetime

from sightline.domains.models import TrackedDomainRow
from sightline.presentation.dates import format_near_datetime
from sightline.presentation.language import gettext


def describe_freshness(domain: TrackedDomainRow, now: datetime | None = None) -> str:
    """Describe which scans the figures come from and what comes next. With `now`, near days are written by name."""
    parts = []
    if domain.last_full_check_at is not None:
        parts.append(
            gettext("Full Check completed %(time)s", time=format_near_datetime(domain.last_full_check_at, now))
        )
    elif domain.last_audit_at is not None:
        parts.append(gettext("Free Audit completed %(time)s", time=format_near_datetime(domain.last_audit_at, now)))
    if domain.last_daily_check_at is not None:
        parts.append(
            gettext("Daily Check completed %(time)s", time=format_near_datetime(domain.last_daily_check_at, now))
        )
    if domain.next_check_at is not None:
        time = format_near_datetime(domain.next_check_at, now)
        if domain.next_check_scope == "full_check":
            parts.append(gettext("next Full Check %(time)s", time=time))
        else:
            parts.append(gettext("next Daily Check %(time)s", time=time))
    return " · ".join(parts) or gettext("Not checked yet")
