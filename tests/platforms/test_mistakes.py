"""Mistakes of a connector, secrets that are repeated, callers who give up: each costs one answer at the most."""

import asyncio
import threading
import zlib

import msgspec
import pytest
from structlog.testing import capture_logs

from sightline.http.session import open_session
from sightline.platforms.gate import Gate
from sightline.platforms.models import PlatformFault
from sightline.platforms.transport import NetworkTransport
from tests.platforms.scripted import (
    CONNECTOR,
    SECRET,
    TEXT,
    answer,
    drip,
    parse,
    platform,
    refuse,
)


async def test_an_unexpected_error_of_a_parser_is_malformed_logged_and_keeps_the_payload():
    def stumble(reply, question, connection):
        raise KeyError(connection.secret)

    async with platform(answer()) as scene:
        with capture_logs() as logs:
            outcome = await scene.ask(msgspec.structs.replace(CONNECTOR, parse=stumble), attempts=1)
    assert (outcome.status, outcome.fault.kind) == ("failed", "malformed")
    assert TEXT.encode() in zlib.decompress(outcome.raw)
    (line,) = [line for line in logs if line["log_level"] == "error"]
    assert (line["platform"], line["error"]) == ("chatgpt", "KeyError") and "test_mistakes" in line["where"]
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


@pytest.mark.parametrize("spelling", ["login:pa55word", "login", "pa55word", "bG9naW46cGE1NXdvcmQ="])
async def test_a_key_of_two_parts_is_hidden_whole_in_part_and_packed(spelling):
    async with platform(refuse(401, message=f"wrong: {spelling}!")) as scene:
        scene.secret = "login:pa55word"
        outcome = await scene.ask()
    assert outcome.fault.message in {"401: wrong: [hidden]!", "401: wrong: [hidden]:[hidden]!"}


async def test_a_key_too_short_to_be_one_tears_no_words_apart():
    async with platform(refuse(401, message="wrong key, no way")) as scene:
        scene.secret = "k:no"
        outcome = await scene.ask()
    assert outcome.fault.message == "401: wrong key, no way"


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
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(asyncio.shield(task), 30)  # the pause alone is a minute
        if where == "at the gate":
            scene.gate.leave(entered, "fine")
        assert scene.gate.in_flight == 0
        assert await asyncio.wait_for(scene.gate.enter(), 30) == 0
