"""Calls of a running scan: what cancels them, and what a cancellation means."""

import asyncio
from types import SimpleNamespace

import pytest

from sightline.answers.models import Brand
from sightline.platforms.models import Question
from sightline.scans.brands import MeasuredBrands
from sightline.scans.models import ScanPrompt
from sightline.scans.running.analyzer_process import take_frames, to_frame
from sightline.scans.running.running_scans import RunningScan
from sightline.scans.stored import encode_measured, encode_prompts

QUESTION = Question("best crm for teams")


class SlowClients:
    source = "live"
    uncited = frozenset()

    def __init__(self):
        self.asked = asyncio.Event()
        self.answer = asyncio.get_running_loop().create_future()

    async def ask(self, platform, question):
        self.asked.set()
        return await self.answer


@pytest.fixture
async def clients():
    return SlowClients()


@pytest.fixture
async def check(clients):
    scan = SimpleNamespace(
        measurement_scope="console_check",
        domain="acme.com",
        brand=encode_measured(MeasuredBrands(Brand("Acme"))),
        prompts=encode_prompts([ScanPrompt(id="1", text=QUESTION.prompt)]),
        selected_platforms=["chatgpt"],
    )
    return RunningScan(scan, clients)


async def test_a_stopped_scan_gives_up_its_calls_and_its_callers_go_on(check, clients):
    async def call():
        outcome = await check.ask("chatgpt", QUESTION)
        await asyncio.sleep(0)  # whoever called has something left to do, and is not cancelled any more
        return outcome, asyncio.current_task().cancelling()

    calling = asyncio.create_task(call())
    await clients.asked.wait()
    assert check.is_busy()
    check.stop()
    assert await calling == (None, 0)
    assert not check.is_busy() and await check.ask("chatgpt", QUESTION) is None


@pytest.mark.parametrize("order", ["worker first", "scan first", "worker alone"])
async def test_a_cancellation_by_the_worker_counts_even_with_a_stop(check, clients, order):
    calling = asyncio.create_task(check.ask("chatgpt", QUESTION))
    await clients.asked.wait()
    steps = [calling.cancel, check.stop] if order == "worker first" else [check.stop, calling.cancel]
    for step in steps if order != "worker alone" else [calling.cancel]:
        step()
    with pytest.raises(asyncio.CancelledError):
        await calling
    assert not check.is_busy()


async def test_a_stop_at_the_moment_of_the_answer_is_a_stop(check, clients):
    calling = asyncio.create_task(check.ask("chatgpt", QUESTION))
    await clients.asked.wait()
    clients.answer.set_result("an answer")
    check.stop()
    assert await calling is None


@pytest.mark.parametrize("size", [1, 3, 4, 5, 7, 64, 10_000])
def test_messages_are_complete_however_the_pipe_splits_them(size):
    messages = [Question("x" * length) for length in (0, 1, 300, 70)]
    sent = b"".join(to_frame(message) for message in messages)
    buffer, found = bytearray(), []
    for at in range(0, len(sent), size):
        buffer += sent[at : at + size]
        found += take_frames(buffer)
    assert [to_frame(message)[4:] for message in messages] == found and not buffer
