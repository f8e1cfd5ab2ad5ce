"""What a network does to a question: replies that never become one, that are too large, that nobody sends."""

import asyncio
import contextlib
import gzip
import time

import msgspec
import pytest
from aiohttp import web

from sightline.http.session import open_session
from sightline.platforms.models import HttpRequest, PlatformFault
from sightline.platforms.transport import NetworkTransport
from tests.platforms.scripted import (
    TEXT,
    answer,
    cut,
    drip,
    hang_up,
    platform,
    raw,
    redirect,
)


@pytest.mark.parametrize(
    ("handler", "kind", "timeout"),
    [(drip, "timeout", 0.2), (cut, "unavailable", 8), (hang_up, "unavailable", 8), (redirect, "unavailable", 8)],
)
async def test_replies_that_never_become_one(handler, kind, timeout):
    async with platform(handler) as scene:
        began = time.monotonic()
        outcome = await scene.ask(attempts=1, timeout=timeout)
        assert time.monotonic() - began < 10
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


async def test_nothing_is_kept_of_an_earlier_attempt_when_the_last_brought_no_reply():
    async with platform(raw(b"<html>"), hang_up) as scene:
        outcome = await scene.ask(attempts=2)
    assert (outcome.fault.kind, outcome.attempts, outcome.raw) == ("unavailable", 2, b"")
