"""Rate limits count UTC minutes and calendar months; a refused request is not counted."""

import uuid
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.errors import Problem
from sightline.plans.table import Plan, build_plan_table
from sightline.settings import Settings
from sightline.usage.models import RateLimits, RecognizedKey
from sightline.usage.rate_limit import (
    Allowance,
    LocalRateWindows,
    build_key_allowance,
    build_rate_limits,
    rate_limited,
    require_within_limits,
    seconds_to_next_minute,
)
from tests.property_testing import prove

NOW = datetime(2026, 11, 14, 9, 30, 10, tzinfo=UTC)


# Windows in memory


def test_requests_up_to_the_limit_pass_and_the_next_does_not():
    windows = LocalRateWindows()
    seen = [windows.count("address:a", 3, now=NOW) for _ in range(5)]
    assert [allowed for _, allowed in seen] == [True, True, True, False, False]
    assert [allowance.remaining for allowance, _ in seen] == [2, 1, 0, 0, 0]
    assert all(allowance.limit == 3 and allowance.reset == 50 for allowance, _ in seen)


def test_the_window_resets_at_the_full_minute_and_not_a_minute_after_the_first_request():
    windows = LocalRateWindows()
    late = NOW.replace(second=59, microsecond=999_999)
    assert windows.count("a", 1, now=late)[1]
    assert not windows.count("a", 1, now=late)[1]
    allowance, allowed = windows.count("a", 1, now=late + timedelta(microseconds=1))
    assert allowed and allowance == Allowance(1, 0, 60)


def test_another_hour_with_the_same_minute_is_another_window():
    windows = LocalRateWindows()
    assert windows.count("a", 1, now=NOW)[1]
    assert windows.count("a", 1, now=NOW + timedelta(hours=1))[1]


def test_subjects_do_not_share_a_window():
    windows = LocalRateWindows()
    key = uuid.uuid4()
    for subject in ("address:a", "address:b", key, str(key)):
        assert windows.count(subject, 1, now=NOW)[1]
        assert not windows.count(subject, 1, now=NOW)[1]


def test_a_refused_request_is_not_counted():
    """After a thousand refusals, a higher limit and the next minute start from the requests that were admitted."""
    windows = LocalRateWindows()
    for _ in range(2):
        windows.count("a", 2, now=NOW)
    for _ in range(1_000):
        assert not windows.count("a", 2, now=NOW)[1]
    allowance, allowed = windows.count("a", 10, now=NOW)
    assert allowed and allowance.remaining == 7


def test_memory_is_bounded_and_the_least_recently_seen_goes_first():
    windows = LocalRateWindows()
    capacity = LocalRateWindows.CAPACITY
    for subject in range(capacity):
        windows.count(f"address:{subject}", 1, now=NOW)
    assert not windows.count("address:0", 1, now=NOW)[1]  # seen again: no longer the oldest
    for subject in range(10):
        windows.count(f"new:{subject}", 1, now=NOW)
    assert not windows.count("address:0", 1, now=NOW)[1]
    assert not windows.count("new:0", 1, now=NOW)[1]
    assert windows.count("address:5", 1, now=NOW)[1]  # forgotten, so let through


@prove
@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 90)), max_size=60), st.integers(1, 5))
def test_no_minute_ever_lets_more_through_than_the_limit(requests, limit):
    windows = LocalRateWindows()
    let_through: dict[tuple[str, datetime], int] = {}
    for subject, seconds in sorted(requests, key=lambda request: request[1]):
        now = NOW + timedelta(seconds=seconds)
        window = (subject, now.replace(second=0))
        allowance, allowed = windows.count(subject, limit, now=now)
        assert allowed == (let_through.get(window, 0) < limit)
        let_through[window] = let_through.get(window, 0) + allowed
        assert allowance.remaining == limit - let_through[window]
        assert 1 <= allowance.reset <= 60


@pytest.mark.parametrize(
    ("second", "microsecond", "reset"), [(0, 0, 60), (0, 1, 60), (10, 0, 50), (59, 0, 1), (59, 999_999, 1)]
)
def test_reset_is_the_seconds_until_the_minute_window_resets(second, microsecond, reset):
    assert seconds_to_next_minute(NOW.replace(second=second, microsecond=microsecond)) == reset


# Keys


def key(
    *,
    minute_count: int | None,
    month_count: int | None,
    month_before: int = 0,
    per_minute: int = 120,
    per_month: int = 1_000,
) -> RecognizedKey:
    return RecognizedKey(
        workspace_id=uuid.uuid4(),
        key_id=uuid.uuid4(),
        kind="console",
        livemode=True,
        scopes=[],
        created_by=uuid.uuid4(),
        revoked_at=None,
        ends_at=None,
        is_replaced=False,
        allowed_addresses=[],
        address_allowed=True,
        plan=Plan.AGENCY,
        role="owner",
        console_enabled=True,
        per_minute=per_minute,
        per_month=per_month,
        minute_count=minute_count,
        month_count=month_count,
        month_before=month_before,
    )


@pytest.mark.parametrize(
    ("counted", "minute_left", "month_left"),
    [
        (key(minute_count=1, month_count=1), 119, 999),
        (key(minute_count=120, month_count=1_000, month_before=999), 0, 0),
        (key(minute_count=None, month_count=None, month_before=500), 0, 500),  # the minute is full
        (key(minute_count=None, month_count=None, month_before=1_000), 0, 0),  # the month is full
        (key(minute_count=None, month_count=None, month_before=2_000), 0, 0),  # the plan went down
    ],
)
def test_the_allowance_is_what_is_left(counted, minute_left, month_left):
    allowance = build_key_allowance(counted, now=NOW)
    assert (allowance.remaining, allowance.remaining_month) == (minute_left, month_left)
    assert (allowance.limit, allowance.limit_month, allowance.reset) == (120, 1_000, 50)


def read_refusal(counted: RecognizedKey, now: datetime = NOW) -> Problem:
    with pytest.raises(Problem) as refusal:
        require_within_limits(counted, now=now)
    assert refusal.value.kind.status == 429
    assert refusal.value.members["retry_after"] >= 1
    return refusal.value


@pytest.mark.parametrize(("minute", "month"), [(1, 1), (120, 1), (1, 1_000), (120, 1_000)])
def test_a_counted_request_passes(minute, month):
    require_within_limits(key(minute_count=minute, month_count=month, month_before=month - 1), now=NOW)


@pytest.mark.parametrize(
    ("counted", "code"),
    [
        (key(minute_count=None, month_count=None, month_before=0), "rate_limited"),
        (key(minute_count=None, month_count=None, month_before=999), "rate_limited"),
        (key(minute_count=None, month_count=None, month_before=1_000), "quota_exceeded"),
        (key(minute_count=None, month_count=None, month_before=1_001), "quota_exceeded"),
        (key(minute_count=5, month_count=None, month_before=1_000), "quota_exceeded"),
        (key(minute_count=5, month_count=None, month_before=999), "quota_exceeded"),  # another took the last one
    ],
)
def test_rate_limited_for_the_minute_window_and_quota_exceeded_for_the_month_window(counted, code):
    assert read_refusal(counted).code == code


def test_both_refusals_have_retry_after():
    assert read_refusal(key(minute_count=None, month_count=None)).members == {"retry_after": 50}
    full = key(minute_count=None, month_count=None, month_before=1_000)
    wait = read_refusal(full).members["retry_after"]
    first = datetime(2026, 12, 1, tzinfo=UTC)
    assert NOW + timedelta(seconds=wait) >= first
    assert NOW + timedelta(seconds=wait) <= first + timedelta(seconds=1)


def test_a_quota_refusal_at_the_end_of_the_year_waits_for_january():
    now = datetime(2026, 12, 31, 23, 59, 59, 500_000, tzinfo=UTC)
    full = key(minute_count=None, month_count=None, month_before=1_000)
    assert read_refusal(full, now).members["retry_after"] == 1


@prove
@given(st.datetimes(datetime(2026, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001
def test_retry_after_ends_in_the_next_window(now):
    minute = rate_limited(now).members["retry_after"]
    assert 1 <= minute <= 60
    assert (now + timedelta(seconds=minute)).replace(second=0, microsecond=0) > now.replace(second=0, microsecond=0)
    month = read_refusal(key(minute_count=None, month_count=None, month_before=1_000), now).members["retry_after"]
    assert 1 <= month <= 31 * 86_400 + 1
    assert (now + timedelta(seconds=month)).month != now.month


# Limits


def test_default_rate_limits():
    limits = build_rate_limits(Settings(), build_plan_table({}))
    assert limits["console"] == RateLimits(120, 100_000)
    assert limits["starter"] == limits["professional"] == RateLimits(60, 10_000)
    assert limits["agency"] == RateLimits(60, 50_000)
    assert set(limits) == {"console", *Plan}


def test_limits_are_settings():
    settings = Settings(console_rate_per_minute=1, console_rate_per_month=2, data_rate_per_minute=3)
    limits = build_rate_limits(settings, build_plan_table({"agency": {"data_rate_per_month": 4}}))
    assert limits["console"] == RateLimits(1, 2)
    assert limits["agency"] == RateLimits(3, 4)
