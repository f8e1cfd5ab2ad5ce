"""The X-RateLimit headers of a response."""

from sightline.api.edge.rate_headers import build_rate_headers
from sightline.usage.rate_limit import Allowance


def test_headers_of_a_key_have_minute_and_month():
    assert build_rate_headers(Allowance(120, 7, 42, 100_000, 99_000)) == [
        (b"x-ratelimit-limit", b"120"),
        (b"x-ratelimit-remaining", b"7"),
        (b"x-ratelimit-reset", b"42"),
        (b"x-ratelimit-limit-month", b"100000"),
        (b"x-ratelimit-remaining-month", b"99000"),
    ]


def test_without_a_key_the_headers_have_no_month():
    assert build_rate_headers(Allowance(60, 0, 1)) == [
        (b"x-ratelimit-limit", b"60"),
        (b"x-ratelimit-remaining", b"0"),
        (b"x-ratelimit-reset", b"1"),
    ]


def test_a_month_that_is_used_up_still_has_its_header():
    assert (b"x-ratelimit-remaining-month", b"0") in build_rate_headers(Allowance(60, 60, 1, 10, 0))
