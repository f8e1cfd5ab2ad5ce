"""Error replies of any vendor become faults; "some 429s mean "no money" and must not be retried"."""

import contextlib
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.connectors import CONNECTORS, find_vendors
from sightline.platforms.faults import clean_message, read_fault
from sightline.platforms.models import HttpReply, PlatformFault, Question
from tests.platforms.parsing import JUNK, build_reply, connect
from tests.property_testing import prove

DATE = "Wed, 18 Nov 2026 07:28:00 GMT"
LATER = "Wed, 18 Nov 2026 07:28:45 GMT"
ADVICE = (
    "Rate limit reached for gpt-5 on requests per min (RPM): Limit 3, Used 3. Please try again in 20s. "
    "You can increase your rate limit by adding a payment method to your account at https://platform.openai.com/account/billing."
)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after": "7"}, 7),
        ({"retry_after": "0.5"}, 0.5),
        ({"retry_after": "-3"}, 0),
        ({"retry_after": LATER, "date": DATE}, 45),
        ({"retry_after": DATE, "date": LATER}, 0),
        ({"retry_after": LATER}, None),
        ({"retry_after": "soon", "date": DATE}, None),
        ({"retry_after": "inf"}, None),
        ({"retry_after": "nan"}, None),
        ({"retry_after": ""}, None),
        ({"retry_after_ms": "1500", "retry_after": "9"}, 1.5),
        ({}, None),
    ],
)
def test_retry_after_is_read(headers, seconds):
    assert read_fault(build_reply({}, 429, **headers)).retry_after == seconds


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (301, "rejected"),
        (400, "rejected"),
        (401, "unauthorised"),
        (402, "no_money"),
        (403, "unauthorised"),
        (404, "rejected"),
        (408, "timeout"),
        (410, "rejected"),
        (413, "rejected"),
        (422, "rejected"),
        (429, "rate_limited"),
        (500, "unavailable"),
        (502, "unavailable"),
        (503, "unavailable"),
        (504, "unavailable"),
        (529, "unavailable"),
    ],
)
@pytest.mark.parametrize("body", [b"", b"{}", b"<html>Bad Gateway</html>", b"null", b"\xff"])
def test_statuses(status, kind, body):
    fault = read_fault(HttpReply(status, {}, body))
    assert fault.kind == kind and (str(status) in fault.message)


@pytest.mark.parametrize(
    ("message", "code", "kind"),
    [
        (
            "You exceeded your current quota, please check your plan and billing details.",
            "insufficient_quota",
            "no_money",
        ),
        ("Quota.", "insufficient_quota", "no_money"),
        ("Your account is not active.", "billing_not_active", "no_money"),
        ("Your account has run out of searches.", None, "no_money"),
        (ADVICE, "rate_limit_exceeded", "rate_limited"),
        ("Too many requests", None, "rate_limited"),
    ],
)
def test_a_429_means_no_money_only_if_it_says_so(message, code, kind):
    assert read_fault(build_reply({"error": {"message": message, "code": code}}, 429)).kind == kind


def test_a_server_that_is_down_is_not_out_of_money():
    assert (
        read_fault(build_reply({"error": "payment required? no: insufficient funds in the pool"}, 503)).kind
        == "unavailable"
    )


@pytest.mark.parametrize(
    ("message", "hidden"),
    [
        ("key sk-proj-abc_DEF-123 is wrong", "sk-proj-abc_DEF-123"),
        ("key AIzaSyA1b2C3d4E5f6 is wrong", "AIzaSyA1b2C3d4E5f6"),
        ("see https://serpapi.com/search?api_key=short1", "short1"),
        ("GET /search?q=x&api_key=short1 failed", "short1"),
        ("header Authorization: Bearer abc was sent", "abc"),
        ("token 0123456789abcdef0123456789abcdef", "0123456789abcdef"),
    ],
)
def test_everything_that_looks_like_a_key_is_hidden(message, hidden):
    for status in (400, 403, 429, 500):
        assert hidden not in read_fault(build_reply({"error": message}, status)).message


@pytest.mark.slow
@pytest.mark.parametrize(
    "connector", CONNECTORS.values(), ids=lambda connector: f"{connector.platform}-{connector.vendor}"
)
@pytest.mark.parametrize("message", ["a" * 300_000, "ab+/=" * 60_000, "missing " * 40_000, "http" * 80_000])
def test_a_huge_error_message_is_read_quickly(connector, message):
    began = time.process_time()
    for payload in (
        {"error": message},
        {"error": {"message": message, "code": message}},
        {"status_code": 40501, "status_message": message},
        {"detail": [{"msg": message[:20], "type": str(number)} for number in range(5_000)]},
    ):
        fault = connector.fault(build_reply(payload, 500))
        assert len(fault.message) < 1_000
        with contextlib.suppress(PlatformFault):
            connector.parse(build_reply(payload), Question("q"), connect(connector))
    assert time.process_time() - began < 1


def test_a_message_is_cut_before_a_key_and_not_inside_it():
    key = "sk-" + "z" * 30
    for length in range(1_960, 2_001):
        message = clean_message("x " * (length // 2) + key)
        assert "sk-" not in message and "zzz" not in message
        message = clean_message("https://a.test/" + "y" * (length - 15) + " " + key)
        assert "zzz" not in message


def test_a_message_contains_the_error_and_is_cleaned():
    error = {"error": {"message": "The model `claude-sonnet-9-20260315` does not exist", "code": "model_not_found"}}
    assert read_fault(build_reply(error, 404)).message == (
        "HTTP 404: model_not_found: The model `claude-sonnet-9-20260315` does not exist"
    )
    assert len(clean_message("word " * 1000)) <= 300
    assert clean_message("two\n lines\x00\u202e") == "two lines"


@prove
@given(st.sampled_from(list(CONNECTORS.values())), st.integers(300, 599), st.binary(max_size=60))
def test_any_reply_becomes_a_fault(connector, status, body):
    assert isinstance(connector.fault(HttpReply(status, {}, body)), PlatformFault)


SHAPES = [
    {"error": {"code": 1, "message": "m", "status": "S", "details": [{"reason": "r"}, {"violations": []}]}},
    {"type": "error", "error": {"type": "t", "message": "m"}},
    {"code": "c", "error": "e"},
    {"detail": [{"msg": "m", "loc": ["body"]}]},
    {"status_code": 40100, "status_message": "m", "tasks": []},
]


@prove
@given(st.sampled_from(list(CONNECTORS.values())), st.integers(300, 599), st.sampled_from(SHAPES), JUNK, JUNK)
def test_any_error_body_becomes_a_fault(connector, status, shape, junk, more):
    broken = dict.fromkeys(shape, junk)
    for error in (broken, shape | {"error": {"code": junk, "message": more, "details": [more, junk]}}, [junk, shape]):
        reply = HttpReply(status, {"retry-after": str(more)}, json.dumps(error).encode())
        assert connector.fault(reply).message


# The table


def test_every_platform_can_be_asked():
    assert {platform for platform, _ in CONNECTORS} == {platform.key for platform in PLATFORMS}


def test_the_table_matches_its_connectors():
    assert all((each.platform, each.vendor) == key for key, each in CONNECTORS.items())


def test_the_preferred_vendor_comes_first():
    assert find_vendors("chatgpt") == ("openai", "dataforseo")
    assert find_vendors("google_ai_overviews") == ("serpapi", "dataforseo")
    assert find_vendors("copilot") == ("serpapi",)
    assert find_vendors("nobody") == ()


def test_only_platforms_without_a_search_never_cite():
    assert {each.platform for each in CONNECTORS.values() if not each.cites} == {"deepseek", "local"}


def test_surfaces():
    pages = {platform for (platform, _), each in CONNECTORS.items() if each.surface == "serp"}
    assert pages == {"google_ai_overviews", "google_ai_mode", "copilot"}
