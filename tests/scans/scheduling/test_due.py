"""The schedule: "Full Check every 7 days at that minute, a Daily Check on each of the other six days", UTC."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.scans.scheduling.due import DAY, choose_scope, next_due
from tests.property_testing import prove

ANCHOR = datetime(2028, 2, 24, 23, 59, 59, 999_999, tzinfo=UTC)
moments = st.timedeltas(timedelta(0), 7_000 * DAY).map(lambda since: datetime(2020, 1, 1, tzinfo=UTC) + since)


def test_a_week_has_one_full_check_and_six_daily_checks_at_the_minute_of_setup():
    after, found = ANCHOR - timedelta(microseconds=1), []
    for _ in range(9):
        due = next_due(ANCHOR, after)
        found.append((due.scope.removesuffix("_check"), due.at.isoformat()))
        after = due.at
    assert found == [
        ("full", "2028-02-24T23:59:59.999999+00:00"),
        ("daily", "2028-02-25T23:59:59.999999+00:00"),
        ("daily", "2028-02-26T23:59:59.999999+00:00"),
        ("daily", "2028-02-27T23:59:59.999999+00:00"),
        ("daily", "2028-02-28T23:59:59.999999+00:00"),
        ("daily", "2028-02-29T23:59:59.999999+00:00"),  # a leap day
        ("daily", "2028-03-01T23:59:59.999999+00:00"),
        ("full", "2028-03-02T23:59:59.999999+00:00"),
        ("daily", "2028-03-03T23:59:59.999999+00:00"),
    ]


@prove
@given(anchor=moments, after=moments)
def test_the_next_check_is_the_first_scheduled_time_after_the_given_time(anchor, after):
    due = next_due(anchor, after)
    assert due.at > after
    assert due.at >= anchor
    assert (due.at - anchor) % DAY == timedelta(0)
    assert due.at == anchor or due.at - DAY <= after
    assert (due.scope == "full_check") == ((due.at - anchor) // DAY % 7 == 0)


@pytest.mark.parametrize(
    ("due", "restarted", "scope"),
    [
        (1, 1, "daily_check"),  # on time
        (7, 7, "full_check"),  # on time
        (1, 6.99, "daily_check"),  # "a check missed while the service was down runs once on return"
        (1, 7, "full_check"),  # "a Full Check that is due replaces that day's Daily Check"
        (1, 8.5, "full_check"),
        (7, 9, "full_check"),
        (8, 13.99, "daily_check"),  # the Full Check of day 7 has run
        (8, 14, "full_check"),
        (3, 365, "full_check"),
    ],
)
def test_missed_checks_are_replaced_by_a_full_check_if_one_was_missed(due, restarted, scope):
    assert choose_scope(ANCHOR, ANCHOR + due * DAY, ANCHOR + restarted * DAY) == scope


@prove
@given(anchor=moments, first=st.integers(0, 400), days=st.integers(0, 400), late=st.timedeltas(timedelta(0), DAY))
def test_the_scope_is_full_exactly_if_a_missed_day_has_a_full_check(anchor, first, days, late):
    late = min(late, DAY - timedelta(microseconds=1))
    missed = range(first, first + days + 1)
    now = anchor + missed[-1] * DAY + late
    expected = "full_check" if any(day % 7 == 0 for day in missed) else "daily_check"
    assert choose_scope(anchor, anchor + first * DAY, now) == expected
