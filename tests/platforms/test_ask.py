"""Architecture, rule 8: one `ask` does transport, timeouts, retries, adaptive concurrency and error mapping."""

import asyncio
import time
import zlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import REGISTRY

from sightline.platforms.gate import Gate
from sightline.platforms.policy import Policy, retry_delay
from sightline.platforms.pricing import Prices
from tests.platforms.scripted import (
    SECRET,
    TEXT,
    answer,
    drip,
    raw,
    refuse,
    run_platform,
)
from tests.property_testing import prove


async def test_an_answer_has_its_provenance_and_raw_payload():
    async with run_platform(answer(usage=[100, 20, 1])) as platform:
        outcome = await platform.ask()
    assert (outcome.status, outcome.answer.text, outcome.fault) == ("ok", TEXT, None)
    assert (outcome.platform, outcome.vendor, outcome.surface) == ("chatgpt", "openai", "api")
    assert (outcome.model_asked, outcome.answer.model) == ("asked-1", "served-1")
    assert outcome.attempts == 1 and 0 <= outcome.latency_ms < 1_000
    assert msgspec.json.decode(zlib.decompress(outcome.raw))["text"] == TEXT
    assert outcome.question.country == "DE"
    (request,) = platform.script.requests
    assert request.headers["Authorization"] == f"Bearer {SECRET}"
    assert request.headers["User-Agent"].startswith("Sightline/")
    assert platform.gate.in_flight == 0


@pytest.mark.parametrize("length", [20, 4_000, 4_096, 4_097, 200_000])
async def test_a_payload_of_any_size_is_stored_unchanged(length):
    text = "".join(chr(97 + (number * number) % 23) for number in range(length))
    async with run_platform(answer(text)) as platform:
        outcome = await platform.ask()
    assert msgspec.json.decode(zlib.decompress(outcome.raw))["text"] == text


def read_cost():
    return REGISTRY.get_sample_value("sightline_platform_cost_dollars_total", {"platform": "chatgpt"}) or 0.0


# Retries


@pytest.mark.parametrize("status", [429, 500, 503, 529])
async def test_transient_faults_are_retried(status):
    async with run_platform(refuse(status), refuse(status), answer()) as platform:
        outcome = await platform.ask()
    assert (outcome.status, outcome.attempts, len(platform.slept)) == ("ok", 3, 2)


@pytest.mark.parametrize(("status", "kind"), [(400, "rejected"), (401, "unauthorised"), (402, "no_money")])
async def test_permanent_faults_are_not_retried(status, kind):
    async with run_platform(refuse(status, retry_after="1"), answer()) as platform:
        outcome = await platform.ask()
    assert (outcome.status, outcome.fault.kind, outcome.attempts) == ("failed", kind, 1)
    assert (platform.slept, len(platform.script.requests), platform.gate.window.limit) == ([], 1, 4)
    assert outcome.raw == b"" and outcome.answer.text == ""


async def test_the_last_failed_attempt_ends_the_question():
    async with run_platform(refuse(500)) as platform:
        outcome = await platform.ask(attempts=3)
    assert (outcome.status, outcome.fault.kind, outcome.attempts) == ("failed", "unavailable", 3)
    assert len(platform.script.requests) == 3 and len(platform.slept) == 2


@pytest.mark.parametrize(
    "bad", [raw(b"<html>"), answer(""), answer("too short"), answer(" " * 30), raw(b'{"other": 1}')]
)
async def test_blank_and_unreadable_answers_are_retried_once(bad):
    async with run_platform(bad, bad, answer()) as platform:
        outcome = await platform.ask(attempts=9)
    assert (outcome.status, outcome.attempts) == ("failed", 2)
    assert outcome.fault.kind in {"blank", "malformed"}
    async with run_platform(refuse(500), bad, refuse(500), answer()) as platform:
        assert (await platform.ask(attempts=9)).attempts == 4


async def test_no_surface_is_an_answer_and_needs_no_text():
    async with run_platform(answer("", status="no_surface")) as platform:
        outcome = await platform.ask()
    assert (outcome.status, outcome.attempts, outcome.fault) == ("no_surface", 1, None)


async def test_pauses_have_full_jitter_under_a_doubling_ceiling():
    async with run_platform(refuse(500)) as platform:
        await platform.ask(attempts=5, first_pause=1, longest_pause=3, deadline=1_000)
    assert platform.slept == [0.5, 1.0, 1.5, 1.5]


@prove
@given(st.integers(2, 2_000), st.floats(0, 1, exclude_max=True), st.one_of(st.none(), st.floats(0, 1e9)))
def test_a_pause_is_within_the_ceiling_and_at_least_retry_after(attempt, chance, retry_after):
    policy = Policy(first_pause=1, longest_pause=30, longest_retry_after=60)
    pause = retry_delay(attempt, policy, retry_after, chance)
    ceiling = min(30, 2 ** (attempt - 2))
    if retry_after is None:
        assert 0 <= pause < ceiling
    else:
        assert min(retry_after, 60) <= pause <= max(ceiling, min(retry_after, 60))


async def test_retry_after_is_honored_up_to_a_cap_and_holds_back_all_questions():
    async with run_platform(refuse(429, retry_after="7"), refuse(429, retry_after="900"), answer()) as platform:
        outcome = await platform.ask()
    assert (outcome.status, platform.slept) == ("ok", [7.0, 60.0])
    async with run_platform(refuse(429, retry_after="0.15"), answer()) as platform:
        platform.gate = Gate(1, 4)  # on the real clock
        first = await platform.ask(attempts=1)
        began = time.monotonic()
        others = await asyncio.gather(platform.ask(), platform.ask())
        assert time.monotonic() - began >= 0.14
    assert first.fault.kind == "rate_limited" and {other.attempts for other in others} == {1}


async def test_no_pause_begins_that_would_end_after_the_deadline():
    async with run_platform(refuse(429, retry_after="50"), answer()) as platform:
        outcome = await platform.ask(deadline=40)
    assert (outcome.status, outcome.fault.kind, outcome.attempts, platform.slept) == ("failed", "rate_limited", 1, [])


async def test_the_deadline_also_ends_waiting_at_the_gate():
    async with run_platform(refuse(500), answer()) as platform:
        platform.gate = Gate(1, 1)

        async def take_last_place(seconds):
            await platform.gate.enter()

        platform.sleep = take_last_place
        outcome = await asyncio.wait_for(platform.ask(deadline=0.1, first_pause=0.01), 20)
    assert (outcome.status, outcome.fault.kind, outcome.attempts) == ("failed", "unavailable", 1)
    assert platform.gate.in_flight == 1


async def test_the_deadline_ends_a_running_attempt():
    async with run_platform(drip) as platform:
        outcome = await asyncio.wait_for(platform.ask(timeout=60, deadline=0.2), 20)
    assert (outcome.fault.kind, outcome.attempts) == ("timeout", 1)


async def test_a_pause_that_overruns_the_deadline_ends_the_question():
    """This happens on a machine that was suspended."""
    async with run_platform(refuse(500), answer()) as platform:

        async def oversleep(seconds):
            platform.moved += 1_000

        platform.sleep = oversleep
        outcome = await platform.ask()
    assert (outcome.fault.kind, outcome.attempts, platform.gate.in_flight) == ("unavailable", 1, 0)


# Follow-ups


async def test_a_follow_up_is_followed_once_and_counts_as_the_same_attempt():
    async with run_platform(answer("", token="abc"), answer()) as platform:
        outcome = await platform.ask()
    assert (outcome.status, outcome.attempts) == ("ok", 1)
    first, second = platform.script.requests
    assert (first.method, second.method, second.query["token"]) == ("POST", "GET", "abc")
    assert TEXT.encode() in zlib.decompress(outcome.raw)


async def test_both_requests_share_the_timeout_of_one_attempt():
    async with run_platform(answer("", token="abc"), answer()) as platform:
        given = []

        class Slow:
            async def send(self, request, *, timeout, attempt):
                given.append(timeout)
                reply = await transport.send(request, timeout=timeout, attempt=attempt)
                platform.moved += 3
                return reply

        transport, platform.transport = platform.transport, Slow()
        outcome = await platform.ask(timeout=5)
    assert (outcome.status, outcome.attempts) == ("ok", 1) and outcome.latency_ms >= 6_000
    assert given[0] == 5 and 1.5 < given[1] < 2.01


async def test_a_second_follow_up_is_malformed():
    async with run_platform(answer("", token="abc")) as platform:
        outcome = await platform.ask(attempts=1)
    assert outcome.fault.kind == "malformed" and len(platform.script.requests) == 2


# Concurrency


async def test_concurrent_calls_stay_within_the_gate():
    async def slow(request):
        await asyncio.sleep(0.01)
        return await answer()(request)

    async with run_platform(slow) as platform:
        platform.gate = Gate(1, 5)
        outcomes = await asyncio.gather(*(platform.ask() for _ in range(40)))
    assert {outcome.status for outcome in outcomes} == {"ok"}
    assert platform.script.most_under_way == 5


async def test_an_overloaded_platform_gets_half_the_calls_and_all_are_answered_eventually():
    seen = []

    async def overloaded(request):
        seen.append(platform.script.under_way)
        await asyncio.sleep(0.01)
        many = platform.script.under_way > 3
        return await (refuse(429) if many else answer())(request)

    async with run_platform(overloaded) as platform:
        platform.gate = Gate(1, 16)
        platform.sleep = lambda seconds: asyncio.sleep(seconds / 20)
        outcomes = await asyncio.gather(*(platform.ask(attempts=20) for _ in range(60)))
    assert {outcome.status for outcome in outcomes} == {"ok"}
    assert max(seen) == 16 and platform.gate.window.limit < 8
    assert len(platform.script.requests) < 60 + 60


async def test_answers_open_the_gate_again():
    async with run_platform(refuse(429), answer()) as platform:
        await platform.ask()
        assert platform.gate.window.limit == 2
        for _ in range(12):
            await asyncio.gather(*(platform.ask() for _ in range(4)))
        assert platform.gate.window.limit == 4


# Cost


@pytest.mark.parametrize(
    ("reported", "usage", "prices", "cost"),
    [
        (0.25, [1, 1, 1], {"chatgpt": Prices(1, 1, 1)}, 0.25),
        (0.0, [1, 1, 1], {"chatgpt": Prices(1, 1, 1)}, 0.0),
        (None, [1_000_000, 500_000, 2], {"chatgpt": Prices(2, 10, 5)}, 7.01),
        (None, [1_000_000, None, None], {"chatgpt": Prices(2)}, 2.0),
        (None, [1_000_000, None, 1], {"chatgpt": Prices(2, 10)}, None),
        (None, [1, 1, 1], {"claude": Prices(1, 1, 1)}, None),
        (None, [1, 1, 1], {}, None),
    ],
)
async def test_cost_is_reported_by_the_provider_or_computed_from_prices_or_unknown(reported, usage, prices, cost):
    counted = read_cost()
    async with run_platform(answer(usage=usage, cost=reported)) as platform:
        outcome = await platform.ask(prices=prices)
    assert outcome.cost_usd == (None if cost is None else pytest.approx(cost))
    assert read_cost() - counted == pytest.approx(cost or 0)


async def test_a_large_payload_is_stored_completely():
    text = "Acme. " * 400_000
    async with run_platform(answer(text)) as platform:
        outcome = await platform.ask()
    assert msgspec.json.decode(zlib.decompress(outcome.raw))["text"] == text
