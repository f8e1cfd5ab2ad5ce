"""When a tracked domain was last checked, and when the next check runs."""

from datetime import datetime
from typing import NamedTuple

from sightline.domains.models import TrackedDomainRow
from sightline.presentation.dates import format_near_datetime
from sightline.presentation.language import gettext


class Freshness(NamedTuple):
    """How new the figures are: the latest check in a few words, and all checks in one line each."""

    latest: str
    lines: list[str]


def describe_freshness(domain: TrackedDomainRow, now: datetime) -> Freshness:
    """Describe which checks the figures come from and what comes next."""
    lines = []
    if domain.last_full_check_at is not None:
        lines.append(
            gettext("Full Check completed %(time)s", time=format_near_datetime(domain.last_full_check_at, now))
        )
    elif domain.last_audit_at is not None:
        lines.append(gettext("Free Audit completed %(time)s", time=format_near_datetime(domain.last_audit_at, now)))
    if domain.last_daily_check_at is not None:
        lines.append(
            gettext("Daily Check completed %(time)s", time=format_near_datetime(domain.last_daily_check_at, now))
        )
    if domain.next_check_at is not None:
        time = format_near_datetime(domain.next_check_at, now)
        if domain.next_check_scope == "full_check":
            lines.append(gettext("Next Full Check %(time)s", time=time))
        else:
            lines.append(gettext("Next Daily Check %(time)s", time=time))
    times = (domain.last_full_check_at, domain.last_daily_check_at, domain.last_audit_at)
    newest = max((each for each in times if each is not None), default=None)
    if newest is None:
        return Freshness(gettext("Not checked yet"), lines)
    return Freshness(gettext("Checked %(time)s", time=format_near_datetime(newest, now)), lines)
