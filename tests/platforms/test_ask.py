"""Architecture, rule 8: one `ask` does transport, time-outs, retries, adaptive concurrency and error mapping."""

import asyncio
import time
import zlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.platforms.gate import Gate
from sightline.platforms.policy import Policy, retry_delay
from sightline.platforms.pricing import Prices
from tests.platforms.scripted import (
    SECRET,
    TEXT,
    answer,
    drip,
    platform,
    raw,
    refuse,
)
from tests.property_testing import prove


async def test_an_answer_with_all_that_belongs_to_it():
    async with platform(answer(usage=[100, 20, 1])) as scene:
        outcome = await scene.ask()
    assert (outcome.status, outcome.answer.text, outcome.fault) == ("ok", TEXT, None)
    assert (outcome.platform, outcome.vendor, outcome.surface) == ("chatgpt", "openai", "api")
    assert (outcome.model_asked, outcome.answer.model) == ("asked-1", "served-1")
    assert outcome.attempts == 1 and 0 <= outcome.latency_ms < 1_000
    assert msgspec.json.decode(zlib.decompress(outcome.raw))["text"] == TEXT
    assert outcome.question.country == "DE"
    (request,) = scene.script.requests
    assert request.headers["Authorization"] == f"Bearer {SECRET}"
    assert request.headers["User-Agent"].startswith("Sightline/")
    assert scene.gate.in_flight == 0


@pytest.mark.parametrize("length", [20, 4_000, 4_096, 4_097, 200_000])
async def test_a_payload_of_any_size_is_kept_as_it_came(length):
    text = "".join(chr(97 + (number * number) % 23) for number in range(length))
    async with platform(answer(text)) as scene:
        outcome = await scene.ask()
    assert msgspec.json.decode(zlib.decompress(outcome.raw))["text"] == text


# Asking again


@pytest.mark.parametrize("status", [429, 500, 503, 529])
async def test_what_passes_is_asked_again(status):
    async with platform(refuse(status), refuse(status), answer()) as scene:
        outcome = await scene.ask()
    assert (outcome.status, outcome.attempts, len(scene.slept)) == ("ok", 3, 2)


@pytest.mark.parametrize(("status", "kind"), [(400, "rejected"), (401, "unauthorised"), (402, "no_money")])
async def test_money_credentials_and_refusals_are_not(status, kind):
    async with platform(refuse(status, retry_after="1"), answer()) as scene:
        outcome = await scene.ask()
    assert (outcome.status, outcome.fault.kind, outcome.attempts) == ("failed", kind, 1)
    assert (scene.slept, len(scene.script.requests), scene.gate.window.limit) == ([], 1, 4)
    assert outcome.raw == b"" and outcome.answer.text == ""


async def test_given_up_after_the_last_attempt():
    async with platform(refuse(500)) as scene:
        outcome = await scene.ask(attempts=3)
    assert (outcome.status, outcome.fault.kind, outcome.attempts) == ("failed", "unavailable", 3)
    assert len(scene.script.requests) == 3 and len(scene.slept) == 2


@pytest.mark.parametrize(
    "bad", [raw(b"<html>"), answer(""), answer("too short"), answer(" " * 30), raw(b'{"other": 1}')]
)
async def test_blank_and_unreadable_answers_are_asked_again_once(bad):
    async with platform(bad, bad, answer()) as scene:
        outcome = await scene.ask(attempts=9)
    assert (outcome.status, outcome.attempts) == ("failed", 2)
    assert outcome.fault.kind in {"blank", "malformed"}
    async with platform(refuse(500), bad, refuse(500), answer()) as scene:
        assert (await scene.ask(attempts=9)).attempts == 4


async def test_no_surface_is_an_answer_and_needs_no_text():
    async with platform(answer("", status="no_surface")) as scene:
        outcome = await scene.ask()
    assert (outcome.status, outcome.attempts, outcome.fault) == ("no_surface", 1, None)


async def test_pauses_have_full_jitter_under_a_doubling_ceiling():
    async with platform(refuse(500)) as scene:
        await scene.ask(attempts=5, first_pause=1, longest_pause=3, deadline=1_000)
    assert scene.slept == [0.5, 1.0, 1.5, 1.5]


@prove
@given(st.integers(2, 2_000), st.floats(0, 1, exclude_max=True), st.one_of(st.none(), st.floats(0, 1e9)))
def test_a_pause_is_never_longer_than_allowed_nor_shorter_than_asked_for(attempt, chance, retry_after):
    policy = Policy(first_pause=1, longest_pause=30, longest_retry_after=60)
    pause = retry_delay(attempt, policy, retry_after, chance)
    ceiling = min(30, 2 ** (attempt - 2))
    if retry_after is None:
        assert 0 <= pause < ceiling
    else:
        assert min(retry_after, 60) <= pause <= max(ceiling, min(retry_after, 60))


async def test_retry_after_is_honoured_up_to_a_cap_and_holds_everybody_back():
    async with platform(refuse(429, retry_after="7"), refuse(429, retry_after="900"), answer()) as scene:
        outcome = await scene.ask()
    assert (outcome.status, scene.slept) == ("ok", [7.0, 60.0])
    async with platform(refuse(429, retry_after="0.15"), answer()) as scene:
        scene.gate = Gate(1, 4)  # on the real clock
        first = await scene.ask(attempts=1)
        began = time.monotonic()
        others = await asyncio.gather(scene.ask(), scene.ask())
        assert time.monotonic() - began >= 0.14
    assert first.fault.kind == "rate_limited" and {other.attempts for other in others} == {1}


async def test_no_pause_that_ends_after_the_deadline():
    async with platform(refuse(429, retry_after="50"), answer()) as scene:
        outcome = await scene.ask(deadline=40)
    assert (outcome.status, outcome.fault.kind, outcome.attempts, scene.slept) == ("failed", "rate_limited", 1, [])


async def test_the_deadline_ends_waiting_at_the_gate_too():
    async with platform(refuse(500), answer()) as scene:
        scene.gate = Gate(1, 1)

        async def others_were_faster(seconds):
            await scene.gate.enter()

        scene.sleep = others_were_faster
        outcome = await asyncio.wait_for(scene.ask(deadline=0.1, first_pause=0.01), 20)
    assert (outcome.status, outcome.fault.kind, outcome.attempts) == ("failed", "unavailable", 1)
    assert scene.gate.in_flight == 1


async def test_an_attempt_ends_with_the_deadline():
    async with platform(drip) as scene:
        outcome = await asyncio.wait_for(scene.ask(timeout=60, deadline=0.2), 20)
    assert (outcome.fault.kind, outcome.attempts) == ("timeout", 1)


async def test_a_pause_that_took_longer_than_it_should_ends_the_question():
    """As on a machine that was asleep."""
    async with platform(refuse(500), answer()) as scene:

        async def oversleep(seconds):
            scene.moved += 1_000

        scene.sleep = oversleep
        outcome = await scene.ask()
    assert (outcome.fault.kind, outcome.attempts, scene.gate.in_flight) == ("unavailable", 1, 0)


# Follow-ups


async def test_a_follow_up_is_followed_once_and_counts_as_the_same_attempt():
    async with platform(answer("", token="abc"), answer()) as scene:
        outcome = await scene.ask()
    assert (outcome.status, outcome.attempts) == ("ok", 1)
    first, second = scene.script.requests
    assert (first.method, second.method, second.query["token"]) == ("POST", "GET", "abc")
    assert TEXT.encode() in zlib.decompress(outcome.raw)


async def test_both_requests_share_the_time_of_one_attempt():
    async with platform(answer("", token="abc"), answer()) as scene:
        given = []

        class Slow:
            async def send(self, request, *, timeout, attempt):
                given.append(timeout)
                reply = await scene_transport.send(request, timeout=timeout, attempt=attempt)
                scene.moved += 3
                return reply

        scene_transport, scene.transport = scene.transport, Slow()
        outcome = await scene.ask(timeout=5)
    assert (outcome.status, outcome.attempts) == ("ok", 1) and outcome.latency_ms >= 6_000
    assert given[0] == 5 and 1.5 < given[1] < 2.01


async def test_a_second_follow_up_is_malformed():
    async with platform(answer("", token="abc")) as scene:
        outcome = await scene.ask(attempts=1)
    assert outcome.fault.kind == "malformed" and len(scene.script.requests) == 2


# Many at once


async def test_never_more_under_way_than_the_gate_allows():
    async def slow(request):
        await asyncio.sleep(0.01)
        return await answer()(request)

    async with platform(slow) as scene:
        scene.gate = Gate(1, 5)
        outcomes = await asyncio.gather(*(scene.ask() for _ in range(40)))
    assert {outcome.status for outcome in outcomes} == {"ok"}
    assert scene.script.most_under_way == 5


async def test_an_overloaded_platform_gets_half_as_many_and_all_are_answered_in_the_end():
    seen = []

    async def overloaded(request):
        seen.append(scene.script.under_way)
        await asyncio.sleep(0.01)
        many = scene.script.under_way > 3
        return await (refuse(429) if many else answer())(request)

    async with platform(overloaded) as scene:
        scene.gate = Gate(1, 16)
        scene.sleep = lambda seconds: asyncio.sleep(seconds / 20)
        outcomes = await asyncio.gather(*(scene.ask(attempts=20) for _ in range(60)))
    assert {outcome.status for outcome in outcomes} == {"ok"}
    assert max(seen) == 16 and scene.gate.window.limit < 8
    assert len(scene.script.requests) < 60 + 60


async def test_answers_open_the_gate_again():
    async with platform(refuse(429), answer()) as scene:
        await scene.ask()
        assert scene.gate.window.limit == 2
        for _ in range(12):
            await asyncio.gather(*(scene.ask() for _ in range(4)))
        assert scene.gate.window.limit == 4


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
async def test_cost_is_what_the_provider_says_else_what_prices_make_of_it_else_unknown(reported, usage, prices, cost):
    async with platform(answer(usage=usage, cost=reported)) as scene:
        outcome = await scene.ask(prices=prices)
    assert outcome.cost_usd == (None if cost is None else pytest.approx(cost))


async def test_a_large_payload_is_kept_whole():
    text = "Acme. " * 400_000
    async with platform(answer(text)) as scene:
        outcome = await scene.ask()
    assert msgspec.json.decode(zlib.decompress(outcome.raw))["text"] == text
