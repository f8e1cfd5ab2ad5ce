"""How dates and times are written: `16 Nov 2026`, and `16 Nov 2026, 14:05 UTC`. Every time is in UTC."""

from datetime import UTC, date, datetime

from sightline.kit.clock import Timestamp

Day = date | datetime | Timestamp
Moment = datetime | Timestamp

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NEAR_DAYS = {-1: "yesterday", 0: "today", 1: "tomorrow"}
_DAYS_A_WEEK = 7


def format_date(day: Day) -> str:
    """Write a date as `16 Nov 2026`."""
    return f"{format_short_date(day)} {_to_date(day).year}"


def format_short_date(day: Day) -> str:
    """Write a date without its year, as `16 Nov`, where the year is clear."""
    found = _to_date(day)
    return f"{found.day} {_MONTHS[found.month - 1]}"


def format_time(moment: Moment) -> str:
    """Write a time as `14:05 UTC`."""
    return f"{_to_utc(moment):%H:%M} UTC"


def format_datetime(moment: Moment | None) -> str:
    """Write a date and time as `16 Nov 2026, 14:05 UTC`; None is `never`."""
    return "never" if moment is None else f"{format_date(moment)}, {format_time(moment)}"


def format_short_datetime(moment: Moment) -> str:
    """Write a date and time without the year, as `16 Nov, 14:05 UTC`."""
    return f"{format_short_date(moment)}, {format_time(moment)}"


def format_near_datetime(moment: datetime, now: datetime | None) -> str:
    """Write a date and time with the near days by name: yesterday, today, tomorrow, and the weekdays of a week ahead.

    Without `now` the date is written out.
    """
    if now is None:
        return format_short_datetime(moment)
    day = _to_date(moment)
    days_ahead = (day - _to_date(now)).days
    if days_ahead in _NEAR_DAYS:
        return f"{_NEAR_DAYS[days_ahead]} {format_time(moment)}"
    if 0 < days_ahead < _DAYS_A_WEEK:
        return f"{_WEEKDAYS[day.weekday()]} {format_time(moment)}"
    return format_short_datetime(moment)


def format_period(start: Day, end: Day) -> str:
    """Write a period in the shortest form that is clear, such as `8\u201315 Nov 2026`."""
    first, last = _to_date(start), _to_date(end)
    if first == last:
        return format_date(last)
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}\u2013{format_date(last)}"
    return f"{format_short_date(first) if first.year == last.year else format_date(first)} \u2013 {format_date(last)}"


def _to_date(day: Day) -> date:
    return _to_utc(day).date() if isinstance(day, datetime | str) else day


def _to_utc(moment: Moment) -> datetime:
    return (datetime.fromisoformat(moment) if isinstance(moment, str) else moment).astimezone(UTC)
