"""The limit of callers who are not recognized: what counts as one caller, and how much is remembered."""

from datetime import timedelta

from sightline.api.edge.anonymous_limit import AnonymousLimit
from tests.installation import START


def test_ipv6_counts_by_line():
    limit = AnonymousLimit(1)
    assert limit.count("2001:db8:1:2:3:4:5:6", now=START)[1]
    assert not limit.count("2001:db8:1:2:ffff::1", now=START)[1]
    assert limit.count("2001:db8:1:3::1", now=START)[1]


def test_a_credential_is_exempt_for_five_minutes_and_for_one_purpose():
    limit = AnonymousLimit(60)
    limit.note_recognized(b"digest", "data", now=START)
    assert limit.is_exempt(b"digest", "data", now=START + timedelta(minutes=5))
    assert not limit.is_exempt(b"digest", "data", now=START + timedelta(minutes=5, seconds=1))
    assert not limit.is_exempt(b"digest", "console", now=START)
    limit.forget(b"digest", "data")
    limit.forget(b"digest", "data")
    assert not limit.is_exempt(b"digest", "data", now=START)


def test_looking_at_an_address_counts_nothing():
    limit = AnonymousLimit(2)
    for _ in range(5):
        assert limit.read("a", now=START)[0].remaining == 2
    limit.count("a", now=START)
    limit.count("a", now=START)
    allowance, allowed = limit.read("a", now=START)
    assert (allowance.remaining, allowed) == (0, False)
    assert limit.read("a", now=START + timedelta(minutes=1))[1]


def test_many_addresses_and_credentials_are_not_all_remembered():
    limit = AnonymousLimit(60)
    for number in range(50_000):
        limit.count(f"address {number}", now=START)
        limit.note_recognized(number.to_bytes(4, "big"), "data", now=START)
    remembered = [limit.read(f"address {number}", now=START)[0].remaining == 59 for number in range(50_000)]
    assert remembered == [False] * 30_000 + [True] * 20_000
    exempt = [limit.is_exempt(number.to_bytes(4, "big"), "data", now=START) for number in range(50_000)]
    assert exempt == remembered
