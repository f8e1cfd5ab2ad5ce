"""Errors in a connector, repeated secrets and cancelled callers each cost one answer at most."""

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
    refuse,
    run_platform,
)


async def test_a_parser_error_is_malformed_and_logged_and_the_payload_is_stored():
    def fail(reply, question, connection):
        raise KeyError(connection.secret)

    async with run_platform(answer()) as platform:
        with capture_logs() as logs:
            outcome = await platform.ask(msgspec.structs.replace(CONNECTOR, parse=fail), attempts=1)
    assert (outcome.status, outcome.fault.kind) == ("failed", "malformed")
    assert TEXT.encode() in zlib.decompress(outcome.raw)
    (line,) = [line for line in logs if line["log_level"] == "error"]
    assert (line["platform"], line["error"]) == ("chatgpt", "KeyError") and "test_mistakes" in line["where"]
    assert SECRET not in str(logs) + str(outcome.fault)


async def test_errors_in_building_a_request_or_reading_a_fault_are_outcomes():
    def fail(*_):
        raise ZeroDivisionError

    async with run_platform(refuse(500)) as platform:
        outcome = await platform.ask(msgspec.structs.replace(CONNECTOR, request=fail))
        assert (outcome.fault.kind, outcome.attempts, platform.script.requests) == ("rejected", 0, [])
        outcome = await platform.ask(msgspec.structs.replace(CONNECTOR, fault=fail), attempts=1)
        assert outcome.fault.kind == "malformed"


async def test_a_broken_transport_is_an_outcome():
    async with run_platform(answer()) as platform:
        async with open_session() as session:
            pass
        platform.transport = NetworkTransport(session)  # closed
        outcome = await platform.ask(attempts=2)
    assert (outcome.fault.kind, outcome.attempts, platform.gate.in_flight) == ("unavailable", 2, 0)


async def test_a_key_repeated_by_the_platform_is_hidden():
    async with run_platform(refuse(401, message=f"wrong key {SECRET}!")) as platform:
        outcome = await platform.ask()
    assert outcome.fault.message == "401: wrong key [hidden]!"


@pytest.mark.parametrize("spelling", ["login:pa55word", "login", "pa55word", "bG9naW46cGE1NXdvcmQ="])
async def test_a_key_of_two_parts_is_hidden_in_every_spelling(spelling):
    async with run_platform(refuse(401, message=f"wrong: {spelling}!")) as platform:
        platform.secret = "login:pa55word"
        outcome = await platform.ask()
    assert outcome.fault.message in {"401: wrong: [hidden]!", "401: wrong: [hidden]:[hidden]!"}


async def test_a_very_short_key_is_not_hidden_inside_words():
    async with run_platform(refuse(401, message="wrong key, no way")) as platform:
        platform.secret = "k:no"
        outcome = await platform.ask()
    assert outcome.fault.message == "401: wrong key, no way"


async def test_characters_that_cannot_be_stored_are_removed_from_the_message():
    def read(reply):
        return PlatformFault("rejected", "no\0 \udcff\nway")

    async with run_platform(refuse(400)) as platform:
        outcome = await platform.ask(msgspec.structs.replace(CONNECTOR, fault=read))
    assert outcome.fault.message == "no    way"


async def test_a_large_reply_is_parsed_in_another_thread():
    main = threading.get_ident()
    threads = []

    def note(reply, question, connection):
        threads.append(threading.get_ident() == main)
        return parse(reply, question, connection)

    connector = msgspec.structs.replace(CONNECTOR, parse=note)
    async with run_platform(answer("Acme. " * 200_000), answer()) as platform:
        assert [(await platform.ask(connector)).status for _ in range(2)] == ["ok", "ok"]
    assert threads == [False, True]


@pytest.mark.parametrize("where", ["at the gate", "under way", "in a pause"])
async def test_cancellation_takes_effect_at_once_and_frees_the_place(where):
    async with run_platform(drip if where == "under way" else refuse(500)) as platform:
        platform.gate = Gate(1, 1)
        if where == "at the gate":
            entered = await platform.gate.enter()
        platform.sleep = asyncio.sleep
        task = asyncio.create_task(platform.ask(first_pause=60, longest_pause=60))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(asyncio.shield(task), 30)  # the pause alone is a minute
        if where == "at the gate":
            platform.gate.leave(entered, "fine")
        assert platform.gate.in_flight == 0
        assert await asyncio.wait_for(platform.gate.enter(), 30) == 0
