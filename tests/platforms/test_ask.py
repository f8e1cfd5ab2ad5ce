"""Architecture, rule 8: one `ask` does transport, time-outs, retries, adaptive concurrency and error mapping."""

import asyncio
import contextlib
import gzip
import threading
import time
import zlib
from functools import partial

import msgspec
import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from sightline.http.egress import Guard, open_guarded_session, resolve_redirect
from sightline.http.session import open_session
from sightline.platforms.gate import Gate
from sightline.platforms.models import HttpRequest, PlatformFault, ProviderAnswer, Source, Span
from sightline.platforms.policy import Policy, pause_before
from sightline.platforms.pricing import Prices
from sightline.platforms.redirects import resolve_sources
from sightline.platforms.transport import NetworkTransport
from tests.platforms.scripted import CONNECTOR, SECRET, TEXT, answer, parse, platform, raw, refuse
from tests.unit.properties import prove


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


@pytest.mark.parametrize("bad", [raw(b"<html>"), answer(""), answer("too short"), raw(b'{"other": 1}')])
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
    pause = pause_before(attempt, policy, retry_after, chance)
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
        outcome = await asyncio.wait_for(scene.ask(deadline=0.1, first_pause=0.01), 2)
    assert (outcome.status, outcome.fault.kind, outcome.attempts) == ("failed", "unavailable", 1)
    assert scene.gate.in_flight == 1


# Follow-ups


async def test_a_follow_up_is_followed_once_and_counts_as_the_same_attempt():
    async with platform(answer("", token="abc"), answer()) as scene:
        outcome = await scene.ask()
    assert (outcome.status, outcome.attempts) == ("ok", 1)
    first, second = scene.script.requests
    assert (first.method, second.method, second.query["token"]) == ("POST", "GET", "abc")
    assert TEXT.encode() in zlib.decompress(outcome.raw)


async def test_a_second_follow_up_is_malformed():
    async with platform(answer("", token="abc")) as scene:
        outcome = await scene.ask(attempts=1)
    assert outcome.fault.kind == "malformed" and len(scene.script.requests) == 2


# Replies that are none


async def drip(request):
    response = web.StreamResponse()
    await response.prepare(request)
    with contextlib.suppress(ConnectionError):
        for _ in range(200):
            await response.write(b" ")
            await asyncio.sleep(0.02)
    return response


async def cut(request):
    response = web.StreamResponse(headers={"Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b"{")
    request.transport.abort()
    return response


async def hang_up(request):
    request.transport.abort()
    return web.Response()


async def redirect(request):
    return web.json_response({"error": "moved"}, status=302, headers={"Location": "/elsewhere"})


@pytest.mark.parametrize(
    ("handler", "kind"), [(drip, "timeout"), (cut, "unavailable"), (hang_up, "unavailable"), (redirect, "unavailable")]
)
async def test_replies_that_never_become_one(handler, kind):
    async with platform(handler) as scene:
        began = time.monotonic()
        outcome = await scene.ask(attempts=1, timeout=0.2)
        assert time.monotonic() - began < 1.5
    assert (outcome.status, outcome.fault.kind) == ("failed", kind)
    assert len(scene.script.requests) == 1 and scene.gate.in_flight == 0
    assert "127.0.0.1" not in outcome.fault.message


async def test_an_answer_that_is_too_large_is_not_read_to_its_end():
    sent = []

    async def flood(request):
        response = web.StreamResponse()
        await response.prepare(request)
        with contextlib.suppress(ConnectionError):
            for _ in range(1_000):
                await response.write(b"x" * 100_000)
                sent.append(1)
        return response

    async with platform(flood) as scene, open_session() as session:
        scene.transport = NetworkTransport(session, max_bytes=300_000)
        outcome = await scene.ask(attempts=1)
    assert outcome.fault.kind == "malformed" and "300,000" in outcome.fault.message
    assert len(sent) < 500


@pytest.mark.parametrize("packed", [gzip.compress(bytes(50_000_000), 1), b"x" * 10_001])
async def test_the_cap_counts_what_a_packed_answer_unpacks_to(packed):
    headers = {"Content-Encoding": "gzip"} if packed.startswith(b"\x1f") else {}

    async def handle(request):
        return web.Response(body=packed, headers=headers)

    async with platform(handle) as scene, open_session() as session:
        scene.transport = NetworkTransport(session, max_bytes=10_000)
        outcome = await scene.ask(attempts=1)
    assert outcome.fault.kind == "malformed" and "10,000" in outcome.fault.message


async def test_a_packed_answer_is_unpacked():
    async def handle(request):
        body = gzip.compress(msgspec.json.encode({"text": TEXT}))
        return web.Response(body=body, headers={"Content-Encoding": "gzip"})

    async with platform(handle) as scene:
        assert (await scene.ask()).answer.text == TEXT


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/?key=hidden", "http://nowhere.invalid/?key=hidden"])
async def test_nobody_there(url):
    async with open_session() as session:
        with pytest.raises(PlatformFault) as fault:
            await NetworkTransport(session).send(HttpRequest(url=url), timeout=5, attempt=1)
    assert fault.value.kind == "unavailable"
    assert "hidden" not in fault.value.message and fault.value.__suppress_context__


@pytest.mark.parametrize("timeout", [0, -1.0])
async def test_no_time_left_is_not_no_limit(timeout):
    async with platform(drip) as scene:
        with pytest.raises(PlatformFault) as fault:
            await asyncio.wait_for(
                scene.transport.send(HttpRequest(url=scene.script.url), timeout=timeout, attempt=1), 2
            )
    assert fault.value.kind == "timeout" and scene.script.requests == []


@pytest.mark.parametrize(
    ("url", "headers"),
    [
        ("http:///?key=hidden", {}),
        ("ftp://example.com/hidden", {}),
        ("{server}/", {"Authorization": "hidden\r\nX: y"}),
    ],
)
async def test_what_cannot_be_sent_is_not_tried_again(url, headers):
    async with platform(answer()) as scene:
        request = HttpRequest(url=url.format(server=scene.script.url), headers=headers)
        with pytest.raises(PlatformFault) as fault:
            await scene.transport.send(request, timeout=5, attempt=1)
    assert fault.value.kind == "rejected" and "hidden" not in fault.value.message
    assert scene.script.requests == []


async def test_header_names_are_in_lower_case_and_bodies_arrive_whole():
    body = bytes(range(256)) * 4_000

    async def handle(request):
        return web.Response(body=body, headers={"X-Request-ID": "r1"})

    async with platform(handle) as scene:
        reply = await scene.transport.send(HttpRequest(url=scene.script.url), timeout=5, attempt=1)
    assert (reply.status, reply.headers["x-request-id"], reply.body) == (200, "r1", body)


# Mistakes of a connector, secrets, cancellation


async def test_an_unexpected_error_of_a_parser_is_malformed_logged_and_keeps_the_payload():
    def stumble(reply, question, connection):
        raise KeyError(connection.secret)

    async with platform(answer()) as scene:
        with capture_logs() as logs:
            outcome = await scene.ask(msgspec.structs.replace(CONNECTOR, parse=stumble), attempts=1)
    assert (outcome.status, outcome.fault.kind) == ("failed", "malformed")
    assert TEXT.encode() in zlib.decompress(outcome.raw)
    (line,) = [line for line in logs if line["log_level"] == "error"]
    assert (line["platform"], line["error"]) == ("chatgpt", "KeyError") and "test_ask" in line["where"]
    assert SECRET not in str(logs) + str(outcome.fault)


async def test_a_connector_that_cannot_build_its_request_or_read_an_error():
    def stumble(*_):
        raise ZeroDivisionError

    async with platform(refuse(500)) as scene:
        outcome = await scene.ask(msgspec.structs.replace(CONNECTOR, request=stumble))
        assert (outcome.fault.kind, outcome.attempts, scene.script.requests) == ("rejected", 0, [])
        outcome = await scene.ask(msgspec.structs.replace(CONNECTOR, fault=stumble), attempts=1)
        assert outcome.fault.kind == "malformed"


async def test_a_transport_that_breaks_is_an_outcome_as_well():
    async with platform(answer()) as scene:
        async with open_session() as session:
            pass
        scene.transport = NetworkTransport(session)  # closed
        outcome = await scene.ask(attempts=2)
    assert (outcome.fault.kind, outcome.attempts, scene.gate.in_flight) == ("unavailable", 2, 0)


async def test_a_key_that_the_platform_repeats_is_hidden():
    async with platform(refuse(401, message=f"wrong key {SECRET}!")) as scene:
        outcome = await scene.ask()
    assert outcome.fault.message == "401: wrong key [hidden]!"


async def test_what_no_database_takes_as_text_is_not_in_the_message():
    def read(reply):
        return PlatformFault("rejected", "no\0 \udcff\nway")

    async with platform(refuse(400)) as scene:
        outcome = await scene.ask(msgspec.structs.replace(CONNECTOR, fault=read))
    assert outcome.fault.message == "no    way"


async def test_a_large_reply_is_read_while_others_are_asked_on():
    main = threading.get_ident()
    threads = []

    def note(reply, question, connection):
        threads.append(threading.get_ident() == main)
        return parse(reply, question, connection)

    connector = msgspec.structs.replace(CONNECTOR, parse=note)
    async with platform(answer("Acme. " * 200_000), answer()) as scene:
        assert [(await scene.ask(connector)).status for _ in range(2)] == ["ok", "ok"]
    assert threads == [False, True]


@pytest.mark.parametrize("where", ["at the gate", "under way", "in a pause"])
async def test_cancellation_passes_through_at_once_and_frees_the_place(where):
    async with platform(drip if where == "under way" else refuse(500)) as scene:
        scene.gate = Gate(1, 1)
        if where == "at the gate":
            entered = await scene.gate.enter()
        scene.sleep = asyncio.sleep
        task = asyncio.create_task(scene.ask(first_pause=60, longest_pause=60))
        await asyncio.sleep(0.1)
        began = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert time.monotonic() - began < 0.5
        if where == "at the gate":
            scene.gate.leave(entered, "fine")
        assert scene.gate.in_flight == 0
        assert await asyncio.wait_for(scene.gate.enter(), 1) == 0


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


# Redirects


LINK = "https://redirects.test/r/{}"
HOSTS = frozenset({"redirects.test"})
REDIRECTING = msgspec.structs.replace(CONNECTOR, redirect_hosts=HOSTS)


async def test_redirects_are_resolved_and_fall_back_on_the_title():
    asked = []

    async def resolve(url):
        asked.append(url)
        if url.endswith("1"):
            return "https://acme.com/page"
        if url.endswith("2"):
            raise OSError
        return LINK.format("again") if url.endswith("3") else None

    cited = [
        [LINK.format(1), "acme.com"], [LINK.format(2), "Globex.co.uk"], [LINK.format(3), "initech.com"],
        [LINK.format(4), "How to choose"], [LINK.format(5), None], ["https://other.test/1", "other.test"],
        [LINK.format(1), "acme.com"],
    ]  # fmt: skip
    async with platform(answer(cited=cited)) as scene:
        outcome = await scene.ask(REDIRECTING, resolve=resolve)
    assert [source.url for source in outcome.answer.cited] == [
        "https://acme.com/page", "https://globex.co.uk/", "https://initech.com/", LINK.format(4), LINK.format(5),
        "https://other.test/1",
    ]  # fmt: skip
    assert outcome.answer.cited[0].title == "acme.com"
    assert sorted(asked) == [LINK.format(number) for number in range(1, 6)]
    assert LINK.format(1).encode() in zlib.decompress(outcome.raw)


async def test_redirects_are_resolved_a_few_at_once_and_never_hold_an_answer_up():
    under_way = most = 0

    async def resolve(url):
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.005 if int(url.rsplit("/", 1)[1]) < 20 else 60)
        under_way -= 1
        return url.replace("redirects.test", "acme.com")

    cited = [[LINK.format(number), "fallback.com"] for number in range(21)]
    async with platform(answer(cited=cited)) as scene:
        outcome = await scene.ask(REDIRECTING, resolve=resolve, redirect_deadline=0.6)
    urls = [source.url for source in outcome.answer.cited]
    assert urls == [f"https://acme.com/r/{number}" for number in range(20)] + ["https://fallback.com/"]
    assert most == 8 and outcome.latency_ms < 500


async def test_links_that_lead_to_one_page_are_one_page_and_what_is_cited_is_not_retrieved_as_well():
    async def resolve(url):
        return "https://acme.com/page" if url[-1] in "123" else "https://other.test/"

    cited = (Source(LINK.format(1), "acme.com", (Span(0, 4),)), Source(LINK.format(2), None, (Span(5, 9), Span(0, 4))))
    retrieved = (Source(LINK.format(3)), Source(LINK.format(4), "b"), Source("https://other.test"))
    given = ProviderAnswer(text=TEXT, cited=cited, retrieved=retrieved)
    found = await resolve_sources(given, HOSTS, resolve, deadline=1)
    assert found.cited == (Source("https://acme.com/page", "acme.com", (Span(0, 4), Span(5, 9))),)
    assert found.retrieved == (Source("https://other.test/", "b"),)


async def test_redirects_go_through_the_guard():
    async def lead(request):
        if request.path == "/ask":
            return await answer(cited=[[f"{scene.script.url}/r", "acme.com"]])(request)
        return web.Response(status=302, headers={"Location": "https://acme.com/page"})

    async with platform(lead) as scene:
        connector = msgspec.structs.replace(CONNECTOR, redirect_hosts=frozenset({"127.0.0.1"}))
        port = frozenset({int(scene.script.url.rsplit(":", 1)[1])})
        for allowed, url in ((False, "https://acme.com/"), (True, "https://acme.com/page")):
            guard = Guard(port, allow_loopback=allowed)
            async with open_guarded_session(guard) as session:
                outcome = await scene.ask(connector, resolve=partial(resolve_redirect, session, guard))
            assert [source.url for source in outcome.answer.cited] == [url]
    assert [request.path for request in scene.script.requests] == ["/ask", "/ask", "/r"]


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
