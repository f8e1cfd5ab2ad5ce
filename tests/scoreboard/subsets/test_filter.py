"""The filter in the address: whatever it says, a page gets a filter that it can show again."""

from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.scoreboard.answer_list.filter import AnswerFilter
from sightline.scoreboard.subsets.filter import PERIODS, MeasurementFilter
from tests.property_testing import prove

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
CHECK = "0193a1b2-0000-7000-8000-000000000001"
_DAYS = st.dates().map(str)
_TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=250)
_QUERY = st.fixed_dictionaries(
    {},
    optional={
        "period": st.sampled_from([*PERIODS, "9w", ""]),
        "since": _DAYS | _TEXT,
        "until": _DAYS | _TEXT,
        "against": st.sampled_from(["previous", CHECK]) | _TEXT,
        **dict.fromkeys(("platform", "country", "language", "tag"), _TEXT),
        "sort": _TEXT,
    },
)


@prove
@given(_QUERY)
def test_any_address_gives_a_filter_that_says_what_it_left_out_and_can_be_shared(query):
    found, faults = MeasurementFilter.parse(query)
    again, none = MeasurementFilter.parse(dict(parse_qsl(found.to_query().removeprefix("?"))))
    assert (again, none) == (found, ())
    found.find_period(NOW).previous_start  # noqa: B018 - no day is out of a calendar's range
    asked = {name: value.strip() for name, value in query.items() if name in MeasurementFilter.__struct_fields__}
    lost = {name for name, value in asked.items() if value and value != getattr(found, name)}
    assert faults or lost <= {"period"}, lost


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ({"since": "2026-11-02", "until": "2026-11-01"}, "The first day of the period must not be after its last day."),
        ({"since": "2026-02-30"}, "First day: must be a day, such as 2026-11-16."),
        ({"until": "9999-12-31"}, "Last day: must be a day, such as 2026-11-16."),
        ({"against": "last week"}, "The check to compare with is not a check of this domain."),
        ({"period": "9w"}, "The period is not valid. Choose one of: 4 weeks, 12 weeks, 6 months, 1 year."),
    ],
)
def test_what_cannot_be_applied_is_left_out_with_a_reason(query, fault):
    assert MeasurementFilter.parse(query) == (MeasurementFilter(), (fault,))


def test_a_period_is_whole_days_or_weeks_until_now():
    days = MeasurementFilter(since="2026-11-01", until="2026-11-07").find_period(NOW)
    assert (days.start, days.end) == (datetime(2026, 11, 1, tzinfo=UTC), datetime(2026, 11, 8, tzinfo=UTC))
    assert days.previous_start == datetime(2026, 10, 25, tzinfo=UTC)
    assert MeasurementFilter().find_period(NOW).start == NOW - timedelta(weeks=12)
    assert MeasurementFilter(period="4w").find_period(NOW).start == NOW - timedelta(weeks=4)


def test_the_filter_shares_its_words_with_the_filter_of_answers():
    assert {*MeasurementFilter.__struct_fields__} - {*AnswerFilter.__struct_fields__} == {"period"}
