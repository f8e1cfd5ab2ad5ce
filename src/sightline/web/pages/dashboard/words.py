"""How the dashboard says when something was measured."""

from datetime import datetime

from sightline.domains.models import TrackedDomain


def say_time(moment: datetime) -> str:
    return f"{moment.day} {moment:%b %H:%M} UTC"


def say_freshness(domain: TrackedDomain) -> str:
    """What the numbers stand on, and what comes next."""
    parts = []
    if domain.last_full_check_at is not None:
        parts.append(f"Full Check {say_time(domain.last_full_check_at)}")
    if domain.last_daily_check_at is not None:
        parts.append(f"Daily Check {say_time(domain.last_daily_check_at)}")
    if domain.next_check_at is not None:
        name = "Full Check" if domain.next_check_scope == "full_check" else "Daily Check"
        parts.append(f"next {name} {say_time(domain.next_check_at)}")
    return " · ".join(parts) or "Not checked yet"
