"""How dates and times are written: `16 Nov 2026`, and `16 Nov 2026, 14:05 UTC`.

Times are in UTC unless a zone is chosen. A page chooses its reader's zone, which its frame names once, so its times are
written without one. E-mails and reports choose their workspace's zone, which each time names.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel import Locale
from babel.dates import format_date as format_by_pattern
from babel.dates import get_day_names, get_timezone_name

from sightline.kit.clock import Timestamp
from sightline.presentation.catalogs import PSEUDO
from sightline.presentation.language import DEFAULT_LANGUAGE, current_language, current_locale, gettext, translatable

Day = date | datetime | Timestamp
Moment = datetime | Timestamp

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_NEAR_DAYS = {
    -1: translatable("yesterday %(time)s"),
    0: translatable("today %(time)s"),
    1: translatable("tomorrow %(time)s"),
}
_DAYS_A_WEEK = 7
DEFAULT_ZONE = "UTC"


class _ChosenZone(NamedTuple):
    name: str
    zone: ZoneInfo
    is_named_by_page: bool


_UTC = _ChosenZone(DEFAULT_ZONE, ZoneInfo(DEFAULT_ZONE), is_named_by_page=False)
_chosen: ContextVar[_ChosenZone] = ContextVar("time zone", default=_UTC)


def show_times_in(name: str) -> None:
    """Write the times of the page about to be rendered in a zone that its frame names."""
    _chosen.set(_find_zone(name, is_named_by_page=True))


def forget_time_zone() -> None:
    """Write times in UTC again, with its name."""
    _chosen.set(_UTC)


@contextmanager
def in_time_zone(name: str) -> Iterator[None]:
    """Write times in a zone and with its name, for what people read outside the pages."""
    before = _chosen.set(_find_zone(name, is_named_by_page=False))
    try:
        yield
    finally:
        _chosen.reset(before)


def current_time_zone() -> str:
    """Return the name of the zone that times are written in, such as `Europe/Berlin`."""
    return _chosen.get().name


def _find_zone(name: str, *, is_named_by_page: bool) -> _ChosenZone:
    """Return a zone, or UTC for a name that this system does not know."""
    try:
        return _ChosenZone(name, ZoneInfo(name), is_named_by_page)
    except (ZoneInfoNotFoundError, ValueError):
        return _UTC._replace(is_named_by_page=is_named_by_page)


def format_date(day: Day) -> str:
    """Write a date as `16 Nov 2026`."""
    found = _to_date(day)
    if _is_english():
        return f"{format_short_date(found)} {found.year}"
    return _write_by_locale("yMMMd", found)


def format_short_date(day: Day) -> str:
    """Write a date without its year, as `16 Nov`, where the year is clear."""
    found = _to_date(day)
    if _is_english():
        return f"{found.day} {_MONTHS[found.month - 1]}"
    return _write_by_locale("MMMd", found)


def _write_by_locale(skeleton: str, day: date) -> str:
    """Write a date in the order of the language, with the name of the month that stands alone.

    Next to a day, German abbreviates with a period. At the end of a sentence, there would be two.
    """
    pattern = Locale(current_language()).datetime_skeletons[skeleton].pattern.replace("MMM", "LLL")
    return format_by_pattern(day, pattern, locale=current_language())


def format_time(moment: Moment) -> str:
    """Write a time as `14:05 UTC`, on pages as `14:05`."""
    local = _to_local(moment)
    return f"{local:%H:%M}" if _chosen.get().is_named_by_page else f"{local:%H:%M} {_name_zone(local)}"


def _name_zone(local: datetime) -> str:
    """Return the short name of a zone: `CET`, in German `MEZ`; a zone without one is `UTC+04`."""
    name = local.tzname() or ""
    if not _is_english():
        translated = get_timezone_name(local, width="short", locale=current_language())
        name = name if translated[0] in "+-" else translated
    return f"UTC{name}" if name[:1] in {"+", "-"} else name


def format_datetime(moment: Moment | None) -> str:
    """Write a date and time as `16 Nov 2026, 14:05 UTC`; None is `never`."""
    return gettext("never") if moment is None else f"{format_date(moment)}, {format_time(moment)}"


def format_short_datetime(moment: Moment) -> str:
    """Write a date and time without the year, as `16 Nov, 14:05 UTC`."""
    return f"{format_short_date(moment)}, {format_time(moment)}"


def list_weekdays() -> list[str]:
    """Return the names of the days of a week, from Monday."""
    names = get_day_names(locale=current_locale())
    return [names[day] for day in range(7)]


def format_near_datetime(moment: datetime, now: datetime | None) -> str:
    """Write a date and time with the near days by name: yesterday, today, tomorrow, and the weekdays of a week ahead.

    Without `now` the date is written out.
    """
    if now is None:
        return format_short_datetime(moment)
    day = _to_date(moment)
    days_ahead = (day - _to_date(now)).days
    if days_ahead in _NEAR_DAYS:
        return gettext(_NEAR_DAYS[days_ahead], time=format_time(moment))
    if 0 < days_ahead < _DAYS_A_WEEK:
        weekday = get_day_names(locale=current_locale())[day.weekday()]
        return gettext("%(weekday)s %(time)s", weekday=weekday, time=format_time(moment))
    return format_short_datetime(moment)


def format_period(start: Day, end: Day) -> str:
    """Write a period in the shortest form that is clear, such as `8\u201315 Nov 2026`."""
    first, last = _to_date(start), _to_date(end)
    if first == last:
        return format_date(last)
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}{'' if _is_english() else '.'}\u2013{format_date(last)}"
    return f"{format_short_date(first) if first.year == last.year else format_date(first)} \u2013 {format_date(last)}"


def to_utc_day(moment: Moment) -> date:
    """Return the day in UTC, by which trends and filters count."""
    return (datetime.fromisoformat(moment) if isinstance(moment, str) else moment).astimezone(UTC).date()


def _is_english() -> bool:
    return current_language() in {DEFAULT_LANGUAGE, PSEUDO}


def _to_date(day: Day) -> date:
    return _to_local(day).date() if isinstance(day, datetime | str) else day


def _to_local(moment: Moment) -> datetime:
    found = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    return found.astimezone(_chosen.get().zone) if found.tzinfo else found  # a day without a time is in no zone
