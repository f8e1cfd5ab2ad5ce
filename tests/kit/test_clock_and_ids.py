"""Decisions 1: "ISO 8601, UTC, explicit offset, microseconds: `2026-11-14T09:30:00.123456+00:00`" and "UUIDv7 strings
everywhere. A malformed id behaves exactly like an unknown one"."""

import re
import time
import uuid
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sightline.kit.clock import (
    start_of_minute,
    start_of_month,
    start_of_next_month,
    to_iso,
    to_iso_or_none,
    utc_now,
)
from sightline.kit.ids import new_id, parse_id
from tests.property_testing import prove

MOMENT = datetime(2026, 11, 14, 9, 30, 0, 123456, tzinfo=UTC)
FORM = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00")
ID = "0190abcd-1234-7000-8000-0123456789ab"


@pytest.mark.parametrize(
    "moment",
    [
        MOMENT,
        MOMENT.astimezone(ZoneInfo("Asia/Kathmandu")),
        MOMENT.astimezone(ZoneInfo("America/Los_Angeles")),
        MOMENT.astimezone(timezone(timedelta(hours=-12))),
        MOMENT.astimezone(timezone(timedelta(seconds=1))),
    ],
    ids=str,
)
def test_times_are_iso_8601_utc_explicit_offset_microseconds(moment):
    assert to_iso(moment) == "2026-11-14T09:30:00.123456+00:00"
    assert to_iso_or_none(moment) == "2026-11-14T09:30:00.123456+00:00"


def test_a_whole_second_has_microseconds_too():
    assert to_iso(MOMENT.replace(microsecond=0)) == "2026-11-14T09:30:00.000000+00:00"


def test_no_time_is_null():
    assert to_iso_or_none(None) is None


zones = st.sampled_from(
    [UTC, ZoneInfo("Asia/Kathmandu"), ZoneInfo("America/St_Johns"), ZoneInfo("Australia/Lord_Howe"), timezone.max]
)


@prove
@given(st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29), timezones=zones))  # noqa: DTZ001
def test_every_time_has_the_one_form_and_comes_back(moment):
    text = to_iso(moment)
    assert FORM.fullmatch(text)
    assert datetime.fromisoformat(text) == moment.astimezone(UTC)


def test_now_is_in_utc():
    assert utc_now().utcoffset() == timedelta(0)


@pytest.mark.parametrize(
    ("moment", "following"),
    [
        (datetime(2026, 11, 14, 9, 30, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC)),
        (datetime(2026, 12, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)),
        (datetime(2026, 12, 31, 23, 59, 59, 999999, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)),
        (datetime(2027, 1, 31, 12, 0, tzinfo=UTC), datetime(2027, 2, 1, tzinfo=UTC)),
        (datetime(2028, 2, 29, tzinfo=UTC), datetime(2028, 3, 1, tzinfo=UTC)),
    ],
)
def test_the_next_calendar_month(moment, following):
    assert start_of_next_month(moment) == following


@prove
@given(st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001
def test_months_and_minutes_hold_their_moments(moment):
    assert start_of_month(moment) <= moment < start_of_next_month(moment)
    assert timedelta(days=28) <= start_of_next_month(moment) - start_of_month(moment) <= timedelta(days=31)
    assert start_of_minute(moment) <= moment < start_of_minute(moment) + timedelta(minutes=1)
    assert start_of_minute(moment).second == 0 == start_of_minute(moment).microsecond


# Ids


def test_an_id_is_read_whatever_the_case_of_its_letters():
    assert parse_id(ID) == uuid.UUID(ID)
    assert parse_id(ID.upper()) == uuid.UUID(ID)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "null",
        ID[:-1],
        ID + "0",
        ID.replace("-", ""),
        f"{{{ID}}}",
        f"urn:uuid:{ID}",
        f" {ID}",
        f"{ID} ",
        f"{ID}\n",
        f"{ID[:-1]}\n",
        f"{ID[:-1]} ",
        f" {ID[1:]}",
        "x" * 36,
        "-" * 36,
        "{" + ID.replace("-", "")[:32] + "}--",
        "urn:uuid:" + ID.replace("-", "")[:27],
        "0190abcd1-234-7000-8000-0123456789ab",
        "0190abcd-1234-7000-80000123456789ab-",
        "0190abcd_1234_7000_8000_0123456789ab",
        "0_90abcd-1234-7000-8000-0123456789ab",
        "+190abcd-1234-7000-8000-0123456789ab",
        "0x90abcd-1234-7000-8000-0123456789ab",
        "0190abcg-1234-7000-8000-0123456789ab",
        "\u0660190abcd-1234-7000-8000-0123456789ab",
        "０190abcd-1234-7000-8000-0123456789ab",  # noqa: RUF001 - full-width digit
        "0190abcd‐1234-7000-8000-0123456789ab",  # noqa: RUF001 - another hyphen
        "\0" * 36,
        "\ud800" * 36,
    ],
    ids=ascii,
)
def test_a_malformed_id_behaves_exactly_like_an_unknown_one(text):
    assert parse_id(text) is None


@prove
@given(st.uuids())
def test_every_canonical_id_is_read(value):
    assert parse_id(str(value)) == value


@prove
@given(
    st.one_of(
        st.text(st.characters(exclude_categories=()), min_size=36, max_size=36),
        st.text("0123456789abcdef-{}ur n:_+x", min_size=36, max_size=36),
    )
)
@example("0190abcd-1234-7000-8000-0123456789A ")
def test_garbage_is_never_an_id_unless_it_is_spelt_as_one(text):
    found = parse_id(text)
    assert found is None or str(found) == text.lower()


def test_new_ids_are_uuidv7_and_increase():
    ids = [new_id() for _ in range(5_000)]
    assert all(type(value) is uuid.UUID and value.version == 7 and value.variant == uuid.RFC_4122 for value in ids)
    assert ids == sorted(set(ids))
    assert [str(value) for value in ids] == sorted(str(value) for value in ids)
    assert all(parse_id(str(value)) == value for value in ids[:10])


def test_a_new_id_carries_the_time_in_milliseconds():
    before = time.time_ns() // 1_000_000
    value = new_id()
    after = time.time_ns() // 1_000_000
    assert before - 1 <= value.int >> 80 <= after + 1
