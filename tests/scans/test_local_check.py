"""A check in one process: it asks every cell once, loses no answer when stopped, and never mixes sandbox and live."""

import asyncio
import time
from datetime import date

import pytest

from sightline.scans.local_check import run_check
from sightline.scans.models import ScanPlan, ScanPrompt
from sightline.scans.platform_clients import build_subject, open_platform_clients
from sightline.settings import Settings
from tests.scans.small_scans import ACME, GLOBEX

DAY = date(2026, 11, 15)
FAST = {"sandbox_latency_ms": 0, "ask_attempts": 1}


def open_clients(**settings):
    return open_platform_clients(Settings(**{**FAST, **settings}), build_subject("acme.com", ACME, (GLOBEX,)), DAY)


def plan_for(clients, *prompts, country=None):
    return ScanPlan(
        domain="acme.com",
        brand=ACME,
        competitors=(GLOBEX,),
        prompts=tuple(ScanPrompt(id=text, text=text, country=country) for text in prompts),
        platforms=tuple(clients.connectors),
        uncited=clients.uncited,
    )


def ids():
    numbers = iter(range(10_000))
    return lambda: f"{next(numbers):05}"


async def test_every_cell_is_answered_once_and_repeated_runs_give_the_same_answers():
    texts = []
    for _ in range(2):
        async with open_clients() as clients:
            made = plan_for(clients, "best coffee", "sandbox:fail", "sandbox:refuse")
            answers = [each async for each in run_check(made, clients, new_id=ids(), stop=asyncio.Event())]
        assert len(answers) == len({each.key for each in answers}) == len({each.id for each in answers}) == made.size
        assert {each.status for each in answers if each.prompt.text == "sandbox:fail"} == {"failed"}
        refused = [each for each in answers if each.prompt.text == "sandbox:refuse"]
        assert not any(each.analysis.brands[0].mentioned for each in refused if each.status == "ok")
        assert {each.provenance.surface for each in answers} == {"sandbox"}
        texts.append({each.key: each.text for each in answers})
    assert texts[0] == texts[1]


async def test_stopping_yields_the_answers_that_have_arrived_and_cancels_the_rest():
    stop, tasks = asyncio.Event(), asyncio.all_tasks()
    began = time.monotonic()
    async with open_clients() as clients:
        made = plan_for(clients, "best coffee", "sandbox:slow")
        answers = []
        async for each in run_check(made, clients, new_id=ids(), stop=stop):
            answers.append(each)
            if len(answers) == 3:  # the other quick answers may have arrived already, and must not be lost
                await asyncio.sleep(0.3)
                stop.set()
    assert {each.prompt.text for each in answers} == {"best coffee"} and len(answers) == len(clients.connectors)
    assert time.monotonic() - began < 15
    assert asyncio.all_tasks() == tasks


async def test_a_check_that_is_stopped_before_it_starts_yields_nothing():
    stop = asyncio.Event()
    stop.set()
    async with open_clients() as clients:
        assert [each async for each in run_check(plan_for(clients, "a b"), clients, new_id=ids(), stop=stop)] == []


async def test_closing_a_check_leaves_no_task_running():
    tasks = asyncio.all_tasks()
    async with open_clients() as clients:
        running = run_check(
            plan_for(clients, "best coffee", "sandbox:slow"), clients, new_id=ids(), stop=asyncio.Event()
        )
        async for _ in running:
            break
        await running.aclose()
    assert asyncio.all_tasks() == tasks


async def test_one_connected_platform_makes_the_whole_check_live():
    async with open_clients(openai_api_key="sk-test", serpapi_api_key="x", paused_platforms="copilot") as clients:
        assert clients.source == "live"
        assert set(clients.connectors) == {"chatgpt", "google_ai_overviews", "google_ai_mode"}
        assert {connector.surface for connector, _ in clients.connectors.values()} == {"api", "serp"}
    async with open_clients(paused_platforms="grok") as clients:
        assert clients.source == "sandbox" and "grok" not in clients.connectors and len(clients.connectors) == 10


async def test_an_exception_in_a_cell_is_raised():
    def broken():
        raise RuntimeError("no more ids")

    async with open_clients() as clients:
        with pytest.raises(RuntimeError, match="no more ids"):
            async for _ in run_check(plan_for(clients, "best coffee"), clients, new_id=broken, stop=asyncio.Event()):
                pass
