"""Task mode: a question is posted once and fetched when it is done, and waits in the queue in between."""

import asyncio
import json
import uuid
from collections import Counter
from datetime import timedelta

import pytest

from sightline.scans.progress import read_progress
from sightline.scans.queries import find_scan
from sightline.scans.running import tasks
from tests.console_customers import Customer
from tests.fakes.content import STATEMENTS
from tests.fakes.dataforseo import TASK_COST
from tests.fakes.faults import Faults
from tests.fakes.server import FakeServer
from tests.installation import Installation
from tests.process.serving.processes import Running
from tests.running_worker import until, working

SETTINGS = {"platform_surfaces": {"chatgpt": "app"}, "platform_tasks": "chatgpt", "ask_timeout": 5}


@pytest.fixture
async def server():
    async with FakeServer() as opened:
        yield opened


@pytest.fixture
def settings(server):
    keys = {name.removeprefix("SIGHTLINE_").lower(): value for name, value in server.settings().items()}
    return {name: value for name, value in keys.items() if name.startswith("dataforseo_")} | SETTINGS


@pytest.fixture
async def customer(database_url, tmp_path, settings, monkeypatch):
    for name in ("FIRST_WAIT", "NEXT_WAIT", "LATER_WAIT"):
        # A minute is too long for a test.
        monkeypatch.setattr(tasks, name, 0.2)
    async with (
        Installation.open(database_url, tmp_path, analyzer_processes=0, **settings) as installation,
        installation.client() as client,
    ):
        yield await Customer.create(installation, client)


def count_calls(server):
    return Counter(request.path.split("/llm_scraper/")[1].split("/")[0] for request in server.requests["dataforseo"])


async def has_ended(customer, scan_id):
    found = (await customer.get(f"/{scan_id}")).json()["data"]
    return found if found["status"] in {"completed", "failed", "cancelled"} else None


async def read_answer(customer, scan_id):
    results = (await customer.get(f"/{scan_id}/results")).json()["data"]
    answer_id = results["prompts"][0]["platforms"][0]["answer_id"]
    return (await customer.get(f"/{scan_id}/answers/{answer_id}")).json()["data"]


async def test_a_question_is_posted_once_and_fetched_when_it_is_done(customer, server):
    db = customer.installation.db
    scan_id = await customer.accepted()
    async with working(customer.installation):
        await until(lambda: db.fetchval("SELECT count(*) FROM platform_tasks WHERE task_id IS NOT NULL"))
        ended = await until(lambda: has_ended(customer, scan_id))
    assert (ended["status"], ended["answers_completed"]) == ("completed", 1)
    assert count_calls(server) == {"task_post": 1, "task_get": 2}
    answer = await read_answer(customer, scan_id)
    assert answer["provenance"]["surface"] == "app" and STATEMENTS[0].text.strip() in answer["text"]
    costs = await db.fetchrow("SELECT sum(cost_usd), sum(answers), sum(failed_calls) FROM platform_costs")
    assert [float(each) for each in costs] == [TASK_COST, 1, 0]
    assert await db.fetch("SELECT FROM platform_tasks") == []


async def test_a_task_that_waits_holds_no_slot(customer, server, monkeypatch):
    # The task waits for the whole test.
    monkeypatch.setattr(tasks, "FIRST_WAIT", 60.0)
    db = customer.installation.db
    scan_id = await customer.accepted()
    async with working(customer.installation, platform_concurrency=1):
        await until(lambda: db.fetchval("SELECT count(*) FROM platform_tasks WHERE task_id IS NOT NULL"))
        scan = await find_scan(db, customer.workspace_id, uuid.UUID(scan_id))
        (row,) = [each for each in await read_progress(db, scan) if each.platform == "chatgpt"]
        assert (row.completed, row.waiting) == (0, 1)
        job = await until(lambda: db.fetchrow("SELECT * FROM jobs WHERE kind LIKE 'cell.%' AND worker_id IS NULL"))
        assert job["failed_at"] is None and job["run_after"] is not None
        other = await customer.installation.console_domain(customer.key, "globex.com")
        await customer.accepted(domain_id=other)
        await until(lambda: _is(db, "SELECT count(*) FROM platform_tasks WHERE task_id IS NOT NULL", 2))
    assert count_calls(server) == {"task_post": 2}


async def _is(db, query, expected):
    return await db.fetchval(query) == expected


async def test_a_lost_reply_is_found_by_its_tag_and_not_posted_again(customer, server):
    server.script("dataforseo", Faults.cut())
    scan_id = await customer.accepted()
    async with working(customer.installation):
        ended = await until(lambda: has_ended(customer, scan_id))
    assert ended["status"] == "completed"
    calls = count_calls(server)
    assert calls["task_post"] == 1 and calls["tasks_ready"] >= 1


async def test_a_task_that_is_never_found_fails_and_is_not_posted_again(customer, server, monkeypatch):
    # Half an hour is too long for a test.
    monkeypatch.setattr(tasks, "LOST_AFTER", timedelta(seconds=-1))
    server.script("dataforseo", Faults.silence())
    scan_id = await customer.accepted()
    async with working(customer.installation, ask_timeout=1):
        ended = await until(lambda: has_ended(customer, scan_id))
    assert ended["status"] == "failed" and count_calls(server)["task_post"] == 1


@pytest.mark.parametrize(
    ("fault", "kind", "posts"),
    [(Faults.no_money(), "no_money", 1), (Faults.unauthorised(), "unauthorised", 1)],
    ids=["no_money", "unauthorised"],
)
async def test_a_refused_task_fails_at_once(customer, server, fault, kind, posts):
    server.script("dataforseo", fault)
    scan_id = await customer.accepted()
    async with working(customer.installation):
        ended = await until(lambda: has_ended(customer, scan_id))
    assert ended["status"] == "failed" and count_calls(server) == {"task_post": posts}
    assert await customer.installation.db.fetch("SELECT FROM platform_tasks") == []


async def test_a_busy_platform_gets_the_task_later(customer, server):
    server.script("dataforseo", Faults.rate_limited(), Faults.none(), Faults.overloaded())
    scan_id = await customer.accepted()
    async with working(customer.installation):
        ended = await until(lambda: has_ended(customer, scan_id))
    assert ended["status"] == "completed" and count_calls(server)["task_post"] == 2


@pytest.mark.slow
@pytest.mark.parametrize("point", ["before_task_posted", "after_task_posted"])
async def test_after_a_kill_no_question_is_posted_twice(point, customer, server, settings, database_url, tmp_path):
    scan_id = await customer.accepted()
    process = Running(
        "worker",
        database_url=database_url,
        secret_key="s" * 40,
        data_dir=tmp_path / "data",
        test_crash_at=point,
        analyzer_processes=1,
        worker_timeout=1,
        **settings | {"platform_surfaces": json.dumps(settings["platform_surfaces"])},
    )
    try:
        assert await asyncio.to_thread(process.process.wait, 60) == 137, process.printed
    finally:
        process.kill()
    posted = count_calls(server)["task_post"]
    assert posted == (point == "after_task_posted")
    async with working(customer.installation, worker_timeout=1):
        if posted:
            ended = await until(lambda: has_ended(customer, scan_id), seconds=60)
            assert ended["status"] == "completed"
        else:
            await until(lambda: _has_looked(server), seconds=60)
    assert count_calls(server)["task_post"] == posted


async def _has_looked(server):
    return count_calls(server)["tasks_ready"] > 0
