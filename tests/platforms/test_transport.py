"""Network failures: replies that break off, are too large, or never arrive."""

import asyncio
import contextlib
import gzip
import time
import tracemalloc

import msgspec
import pytest
from aiohttp import web

from sightline.api.edge.compression import zstd
from sightline.http.session import open_session
from sightline.platforms.models import HttpRequest, PlatformFault
from sightline.platforms.transport import NetworkTransport
from tests.platforms.scripted import (
    TEXT,
    answer,
    cut,
    drip,
    hang_up,
    raw,
    redirect,
    run_platform,
)


@pytest.mark.parametrize(
    ("handler", "kind", "timeout"),
    [(drip, "timeout", 0.2), (cut, "unavailable", 8), (hang_up, "unavailable", 8), (redirect, "unavailable", 8)],
)
async def test_broken_and_incomplete_responses_are_faults(handler, kind, timeout):
    async with run_platform(handler) as platform:
        began = time.monotonic()
        outcome = await platform.ask(attempts=1, timeout=timeout)
        assert time.monotonic() - began < 10
    assert (outcome.status, outcome.fault.kind) == ("failed", kind)
    assert len(platform.script.requests) == 1 and platform.gate.in_flight == 0
    assert "127.0.0.1" not in outcome.fault.message


async def test_an_answer_that_is_too_large_is_not_read_completely():
    sent = []

    async def flood(request):
        response = web.StreamResponse()
        await response.prepare(request)
        with contextlib.suppress(ConnectionError):
            for _ in range(1_000):
                await response.write(b"x" * 100_000)
                sent.append(1)
        return response

    async with run_platform(flood) as platform, open_session() as session:
        platform.transport = NetworkTransport(session, max_bytes=300_000)
        outcome = await platform.ask(attempts=1)
    assert outcome.fault.kind == "malformed" and "300,000" in outcome.fault.message
    assert len(sent) < 500


@pytest.mark.parametrize("packed", [gzip.compress(bytes(50_000_000), 1), b"x" * 10_001])
async def test_the_size_limit_applies_to_the_decompressed_answer(packed):
    headers = {"Content-Encoding": "gzip"} if packed.startswith(b"\x1f") else {}

    async def handle(request):
        return web.Response(body=packed, headers=headers)

    async with run_platform(handle) as platform, open_session() as session:
        platform.transport = NetworkTransport(session, max_bytes=10_000)
        outcome = await platform.ask(attempts=1)
    assert outcome.fault.kind == "malformed" and "10,000" in outcome.fault.message


@pytest.mark.parametrize(("encoding", "pack"), [("gzip", gzip.compress), ("zstd", zstd.compress)])
async def test_a_bomb_takes_no_more_memory_than_the_limit(encoding, pack):
    bomb = pack(bytes(200_000_000))

    async def handle(request):
        return web.Response(body=bomb, headers={"Content-Encoding": encoding})

    async with run_platform(handle) as platform, open_session() as session:
        platform.transport = NetworkTransport(session, max_bytes=1_000_000)
        tracemalloc.start()
        try:
            outcome = await platform.ask(attempts=1)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert outcome.fault.kind == "malformed" and "1,000,000" in outcome.fault.message
    assert peak < 20_000_000


async def test_a_compressed_answer_is_decompressed():
    async def handle(request):
        body = gzip.compress(msgspec.json.encode({"text": TEXT}))
        return web.Response(body=body, headers={"Content-Encoding": "gzip"})

    async with run_platform(handle) as platform:
        assert (await platform.ask()).answer.text == TEXT


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/?key=hidden", "http://nowhere.invalid/?key=hidden"])
async def test_an_unreachable_server_is_unavailable(url):
    async with open_session() as session:
        with pytest.raises(PlatformFault) as fault:
            await NetworkTransport(session).send(HttpRequest(url=url), timeout=5, attempt=1)
    assert fault.value.kind == "unavailable"
    assert "hidden" not in fault.value.message and fault.value.__suppress_context__


@pytest.mark.parametrize("timeout", [0, -1.0])
async def test_a_timeout_of_zero_or_less_does_not_mean_unlimited(timeout):
    async with run_platform(drip) as platform:
        with pytest.raises(PlatformFault) as fault:
            await asyncio.wait_for(
                platform.transport.send(HttpRequest(url=platform.script.url), timeout=timeout, attempt=1), 2
            )
    assert fault.value.kind == "timeout" and platform.script.requests == []


@pytest.mark.parametrize(
    ("url", "headers"),
    [
        ("http:///?key=hidden", {}),
        ("ftp://example.com/hidden", {}),
        ("{server}/", {"Authorization": "hidden\r\nX: y"}),
    ],
)
async def test_a_request_that_cannot_be_sent_is_rejected(url, headers):
    async with run_platform(answer()) as platform:
        request = HttpRequest(url=url.format(server=platform.script.url), headers=headers)
        with pytest.raises(PlatformFault) as fault:
            await platform.transport.send(request, timeout=5, attempt=1)
    assert fault.value.kind == "rejected" and "hidden" not in fault.value.message
    assert platform.script.requests == []


async def test_header_names_are_lowercase_and_bodies_arrive_complete():
    body = bytes(range(256)) * 4_000

    async def handle(request):
        return web.Response(body=body, headers={"X-Request-ID": "r1"})

    async with run_platform(handle) as platform:
        reply = await platform.transport.send(HttpRequest(url=platform.script.url), timeout=5, attempt=1)
    assert (reply.status, reply.headers["x-request-id"], reply.body) == (200, "r1", body)


async def test_the_payload_of_an_earlier_attempt_is_dropped_when_the_last_has_no_reply():
    async with run_platform(raw(b"<html>"), hang_up) as platform:
        outcome = await platform.ask(attempts=2)
    assert (outcome.fault.kind, outcome.attempts, outcome.raw) == ("unavailable", 2, b"")
