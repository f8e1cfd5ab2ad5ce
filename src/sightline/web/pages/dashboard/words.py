"""How the dashboard says when something was measured."""

from datetime import UTC, datetime

from sightline.domains.models import TrackedDomainRow

_NEAR = {-1: "yesterday", 0: "today", 1: "tomorrow"}


def say_time(moment: datetime) -> str:
    return f"{moment.day} {moment:%b %H:%M} UTC"


def say_freshness(domain: TrackedDomainRow, now: datetime | None = None) -> str:
    """What the numbers stand on, and what comes next; near days by their names, where it is known what today is."""
    parts = []
    if domain.last_full_check_at is not None:
        parts.append(f"Full Check {_say_near(domain.last_full_check_at, now)}")
    if domain.last_daily_check_at is not None:
        parts.append(f"Daily Check {_say_near(domain.last_daily_check_at, now)}")
    if domain.next_check_at is not None:
        name = "Full Check" if domain.next_check_scope == "full_check" else "Daily Check"
        parts.append(f"next {name} {_say_near(domain.next_check_at, now)}")
    return " · ".join(parts) or "Not checked yet"


def _say_near(moment: datetime, now: datetime | None) -> str:
    """All times are UTC, the days, too."""
    away = None if now is None else (moment.astimezone(UTC).date() - now.astimezone(UTC).date()).days
    if away in _NEAR:
        return f"{_NEAR[away]} {moment.astimezone(UTC):%H:%M} UTC"
    if away is not None and 1 < away < 7:
        return f"{moment.astimezone(UTC):%A %H:%M} UTC"
    return say_time(moment)
