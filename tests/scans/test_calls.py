"""Platform calls of a running scan: how a stop and a cancellation end them."""

import asyncio
import uuid
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from sightline.answers.models import Brand
from sightline.platforms.fault_log import FaultLog
from sightline.platforms.models import Question
from sightline.scans.brands import MeasuredBrands
from sightline.scans.models import ScanPrompt
from sightline.scans.running.running_scans import RunningScan
from sightline.scans.states import Priority
from sightline.scans.stored import encode_measured, encode_prompts

QUESTION = Question("best crm for teams")


class SlowClients:
    source = "live"
    uncited = frozenset()

    def __init__(self):
        self.asked = asyncio.Event()
        self.answer = asyncio.get_running_loop().create_future()

    async def ask(self, platform, question, *, on_fault):
        self.asked.set()
        return await self.answer


@pytest.fixture
async def clients():
    return SlowClients()


@pytest.fixture
async def running_scan(clients):
    scan = SimpleNamespace(
        workspace_id=uuid.uuid4(),
        id=uuid.uuid4(),
        priority=Priority.CONSOLE,
        started_at=datetime(2026, 11, 15, tzinfo=UTC),
        measurement_scope="console_check",
        domain="acme.com",
        brand=encode_measured(MeasuredBrands(Brand("Acme"))),
        prompts=encode_prompts([ScanPrompt(id="1", text=QUESTION.prompt)]),
        selected_platforms=["chatgpt"],
    )
    return RunningScan(scan, clients, faults=FaultLog())


async def test_a_stopped_scan_ends_its_calls_without_cancelling_the_callers(running_scan, clients):
    async def call():
        outcome = await running_scan.ask("chatgpt", QUESTION)
        await asyncio.sleep(0)  # the caller still runs, and no cancellation is pending
        return outcome, asyncio.current_task().cancelling()

    call_task = asyncio.create_task(call())
    await clients.asked.wait()
    running_scan.stop()
    assert await call_task == (None, 0)
    assert await running_scan.ask("chatgpt", QUESTION) is None


@pytest.mark.parametrize("order", ["worker first", "scan first", "worker alone"])
async def test_a_cancellation_by_the_worker_is_raised_even_if_the_scan_is_stopped(running_scan, clients, order):
    call_task = asyncio.create_task(running_scan.ask("chatgpt", QUESTION))
    await clients.asked.wait()
    steps = [call_task.cancel, running_scan.stop] if order == "worker first" else [running_scan.stop, call_task.cancel]
    for step in steps if order != "worker alone" else [call_task.cancel]:
        step()
    with pytest.raises(asyncio.CancelledError):
        await call_task


async def test_a_stop_wins_over_an_answer_that_arrives_at_the_same_time(running_scan, clients):
    call_task = asyncio.create_task(running_scan.ask("chatgpt", QUESTION))
    await clients.asked.wait()
    clients.answer.set_result("an answer")
    running_scan.stop()
    assert await call_task is None
