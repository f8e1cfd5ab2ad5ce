"""Dates and times have one form wherever people read them."""

from contextvars import copy_context
from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from sightline.kit.clock import to_iso
from sightline.presentation.dates import (
    current_time_zone,
    format_date,
    format_datetime,
    format_near_datetime,
    format_period,
    format_short_date,
    format_short_datetime,
    in_time_zone,
    show_times_in,
    to_utc_day,
)

MOMENT = datetime(2026, 11, 5, 14, 5, tzinfo=UTC)


@pytest.mark.parametrize("day", [MOMENT, MOMENT.date(), "2026-11-05T14:05:00.000000+00:00", "2026-11-05T14:05:00Z"])
def test_a_date_is_written_alike_whatever_it_comes_from(day):
    assert format_date(day) == "5 Nov 2026"
    assert format_short_date(day) == "5 Nov"


def test_a_time_names_its_time_zone():
    assert format_datetime(MOMENT) == "5 Nov 2026, 14:05 UTC"
    assert format_short_datetime(MOMENT) == "5 Nov, 14:05 UTC"
    assert format_datetime(None) == "never"


def test_times_are_converted_to_utc():
    tokyo = datetime(2027, 1, 1, 8, 0, tzinfo=timezone(timedelta(hours=9)))
    assert format_datetime(tokyo) == "31 Dec 2026, 23:00 UTC"


@pytest.mark.parametrize(
    ("days", "text"),
    [
        (-8, "28 Oct, 14:05 UTC"),
        (-2, "3 Nov, 14:05 UTC"),
        (-1, "yesterday 14:05 UTC"),
        (0, "today 14:05 UTC"),
        (1, "tomorrow 14:05 UTC"),
        (2, "Saturday 14:05 UTC"),
        (6, "Wednesday 14:05 UTC"),
        (7, "12 Nov, 14:05 UTC"),
    ],
)
def test_near_days_are_written_by_name(days, text):
    assert format_near_datetime(MOMENT + timedelta(days=days), MOMENT) == text


def test_a_page_is_in_the_zone_of_its_reader_and_names_it_once():
    late = MOMENT.replace(hour=23, minute=30)

    def show(zone: str) -> tuple[str, ...]:
        show_times_in(zone)
        shown = format_datetime(late), format_near_datetime(late, MOMENT), format_date(late), format_date(late.date())
        return *shown, current_time_zone()

    in_berlin, nowhere = (copy_context().run(show, zone) for zone in ("Europe/Berlin", "Mars/Base"))
    assert in_berlin == ("6 Nov 2026, 00:30", "tomorrow 00:30", "6 Nov 2026", "5 Nov 2026", "Europe/Berlin")
    assert nowhere == ("5 Nov 2026, 23:30", "today 23:30", "5 Nov 2026", "5 Nov 2026", "UTC")
    assert to_utc_day(to_iso(late)) == late.date()
    assert format_datetime(late) == "5 Nov 2026, 23:30 UTC", "what is no page names its zone"


def test_an_e_mail_names_the_zone_with_each_time_also_when_a_page_sends_it():
    def send() -> str:
        show_times_in("Asia/Tokyo")
        with in_time_zone("America/New_York"):
            return format_datetime(MOMENT)

    assert copy_context().run(send) == "5 Nov 2026, 09:05 EST"


def test_without_now_no_day_is_near():
    assert format_near_datetime(MOMENT, None) == "5 Nov, 14:05 UTC"


@pytest.mark.parametrize(
    ("start", "end", "text"),
    [
        (date(2026, 11, 8), date(2026, 11, 15), "8\u201315 Nov 2026"),
        (date(2026, 10, 29), date(2026, 11, 5), "29 Oct \u2013 5 Nov 2026"),
        (date(2026, 12, 28), date(2027, 1, 4), "28 Dec 2026 \u2013 4 Jan 2027"),
        (date(2026, 11, 15), date(2026, 11, 15), "15 Nov 2026"),
    ],
)
def test_a_period_has_the_shortest_form_that_is_clear(start, end, text):
    assert format_period(start, end) == text
