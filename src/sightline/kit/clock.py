"""The clock. Time is passed in, never read inside a feature: a test can then run through a year in seconds."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated

import msgspec

Clock = Callable[[], datetime]

Timestamp = Annotated[
    str,
    msgspec.Meta(extra_json_schema={"format": "date-time", "examples": ["2026-11-14T09:30:00.123456+00:00"]}),
]


def utc_now() -> datetime:
    return datetime.now(UTC)


def to_iso(moment: datetime) -> str:
    """Format a time as ISO 8601 in UTC with an explicit offset and microseconds, as both APIs write times."""
    text: str = msgspec.to_builtins(moment.astimezone(UTC))  # faster than isoformat, and called for every row
    return f"{text[:-1]}+00:00" if moment.microsecond else f"{text[:-1]}.000000+00:00"


def to_iso_or_none(moment: datetime | None) -> str | None:
    return None if moment is None else to_iso(moment)


def start_of_minute(moment: datetime) -> datetime:
    return moment.replace(second=0, microsecond=0)


def start_of_day(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def start_of_month(moment: datetime) -> datetime:
    return moment.replace(day=1, hour=0, minute=0, second=0, microsecond=0)


def start_of_next_month(moment: datetime) -> datetime:
    first = start_of_month(moment)
    return first.replace(year=first.year + 1, month=1) if first.month == 12 else first.replace(month=first.month + 1)
