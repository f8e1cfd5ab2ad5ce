"""Dates and times as exports write them. Pure."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

DateOrder = Literal["day_first", "month_first"]
_NUMERIC = re.compile(
    r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:,?[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*([AaPp])\.?[Mm]\.?)?)?"
)
_NUMBER = re.compile(r"\d{5}(?:\.\d+)?|\d{10}(?:\.\d+)?|\d{13}")
_WORDED = ("%d %b %Y", "%d %B %Y", "%d. %B %Y", "%b %d, %Y", "%B %d, %Y", "%d-%b-%Y")
_SPREADSHEET_DAY_0 = datetime(1899, 12, 30, tzinfo=UTC)
_SPREADSHEET_DAYS = range(30_000, 80_000)  # 1982 to 2119


class AmbiguousDate(ValueError):
    """A date such as 03/04/2026, if nothing tells whether the day or the month comes first."""


def find_date_order(values: Iterable[Any]) -> DateOrder | None:
    """Return whether the day or the month comes first, where a value above 12 proves it. With dots, it is the day."""
    for value in values:
        found = _NUMERIC.fullmatch(value.strip()) if isinstance(value, str) else None
        if found is None:
            continue
        if found[2] == "." or int(found[1]) > 12:
            return "day_first"
        if int(found[3]) > 12:
            return "month_first"
    return None


def parse_time(value: Any, order: DateOrder | None) -> datetime | None:
    """Return the time in UTC; None for an empty value. Without a time zone, it counts as UTC.

    Raises `AmbiguousDate` where the order of day and month is unknown, and `ValueError` for anything else.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError("not a date")  # noqa: TRY004 - one error for every value that is no date
    text = str(value).strip()
    try:
        if _NUMBER.fullmatch(text):
            return _from_number(float(text))
        found = datetime.fromisoformat(text)
    except ValueError:
        found = _parse_written(text, order)
    try:
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("out of range") from error


def _from_number(number: float) -> datetime:
    """Return the time of a spreadsheet's day number, or of seconds or milliseconds since 1970."""
    if int(number) in _SPREADSHEET_DAYS:
        return _SPREADSHEET_DAY_0 + timedelta(days=number)
    if number < 1e9:
        raise ValueError("not a date")
    return datetime.fromtimestamp(number / 1_000 if number >= 1e11 else number, UTC)


def _parse_written(text: str, order: DateOrder | None) -> datetime:
    found = _NUMERIC.fullmatch(text)
    if found is None:
        for form in _WORDED:
            try:
                return datetime.strptime(text, form).replace(tzinfo=UTC)
            except ValueError:
                continue
        raise ValueError("not a date")
    first, second = int(found[1]), int(found[3])
    if found[2] == "." or first > 12:
        order = "day_first"
    elif second > 12:
        order = "month_first"
    elif order is None and first != second:
        raise AmbiguousDate
    day, month = (first, second) if order != "month_first" else (second, first)
    hour, minute, seconds = (int(part or 0) for part in found.group(5, 6, 7))
    if found[8]:
        hour = hour % 12 + (12 if found[8] in "Pp" else 0)
    return datetime(int(found[4]), month, day, hour, minute, seconds, tzinfo=UTC)
