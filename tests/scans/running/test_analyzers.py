"""Answers are analyzed in child processes: with the same results, and the death of one costs nothing but time."""

import asyncio
import os
import signal
import subprocess
import sys
import uuid
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import msgspec
import psutil
import pytest

from sightline.answers.models import Brand
from sightline.platforms.models import Outcome, ProviderAnswer, Question, Source
from sightline.scans.models import ScanPlan, ScanPrompt
from sightline.scans.running.analysis import ScanContext
from sightline.scans.running.analyzer_process import HEADER_SIZE, AnalyzeRequest, to_frame
from sightline.scans.running.analyzers import AnalyzerPool, InProcessAnalyzer, open_analyzer
from sightline.scans.stored import AnswerRow, decode_record
from tests.running_worker import until, working

PLAN = ScanPlan(
    domain="acme.com",
    brand=Brand("Acme", (), ("acme.com",)),
    competitors=(Brand("Globex", (), ("globex.com",)),),
    prompts=tuple(ScanPrompt(id=str(place), text=f"best crm {place}") for place in range(4)),
    platforms=("chatgpt", "grok"),
)
TEXT = "1. **Globex** is the first choice.\n2. **Initech** follows.\n3. **Acme** is fine, too ([site](https://acme.com/a))."


def outcome(platform: str, text: str = TEXT) -> Outcome:
    return Outcome(
        platform=platform,
        surface="api",
        vendor="v",
        question=Question("best crm"),
        status="ok",
        answer=ProviderAnswer(text=text, cited=(Source("https://globex.com/x", "Globex"),), model="m"),
        model_asked="m",
        cost_usd=None,
        latency_ms=3,
        attempts=1,
        raw=b"packed",
    )


async def analyze_all(analyzer) -> list[AnswerRow]:
    rows = []
    for index in range(len(PLAN.prompts)):
        for platform in PLAN.platforms:
            answer_id = uuid.UUID(int=len(rows) + 1)
            analyzed = await analyzer.analyze("key", PLAN, index, str(answer_id), outcome(platform))
            rows.append(
                AnswerRow(
                    uuid.UUID(int=9), answer_id, index, platform, None, analyzed.status, analyzed.text, analyzed.record,
                    datetime(2026, 11, 15, tzinfo=UTC),
                )
            )  # fmt: skip
    return rows


async def test_all_analyzers_give_the_same_results():
    context = ScanContext("live", suggested=False, started_at=0.0, scan_id=uuid.UUID(int=1), scope="console_check")
    async with open_analyzer(0) as in_process, open_analyzer(1) as single, open_analyzer(2) as pool:
        assert isinstance(in_process, InProcessAnalyzer)
        rows = await analyze_all(in_process)
        assert await analyze_all(single) == await analyze_all(pool) == rows
        summary = await in_process.summarize(PLAN, rows, context)
        assert await single.summarize(PLAN, rows, context) == await pool.summarize(PLAN, rows, context) == summary
        again = await in_process.summarize(PLAN, rows, context, reanalyze=True)
        assert await pool.summarize(PLAN, rows, context, reanalyze=True) == again
        assert (await pool.summarize(PLAN, [], context)).updated_records == {}


def list_children():
    """Return the processes of the analyzers, in the order of their start."""
    children = [
        child for child in psutil.Process().children() if "sightline.scans.running.analyzer_process" in child.cmdline()
    ]
    return sorted(children, key=psutil.Process.create_time)


async def test_each_request_goes_to_the_process_with_the_fewest_open_requests():
    async with open_analyzer(2) as pool:
        assert isinstance(pool, AnalyzerPool)
        await analyze_all(pool)
        for child in list_children():
            child.suspend()
        requests = [asyncio.create_task(analyze_all(pool.analyzers[0])) for _ in range(3)]
        await asyncio.sleep(0)
        for expected in ((3, 1), (3, 2), (3, 3), (4, 3)):
            requests.append(asyncio.create_task(analyze_all(pool)))
            await asyncio.sleep(0)
            assert tuple(analyzer.open_requests for analyzer in pool.analyzers) == expected
        for child in list_children():
            child.resume()
        answered = await asyncio.wait_for(asyncio.gather(*requests), 30)
    assert {row.status for rows in answered for row in rows} == {"ok"}


async def test_a_process_that_does_not_respond_does_not_delay_the_others():
    async with open_analyzer(2) as pool:
        assert isinstance(pool, AnalyzerPool)
        await analyze_all(pool)
        stopped = list_children()[0]
        stopped.suspend()
        requests = {asyncio.create_task(analyze_all(pool)) for _ in range(2)}  # one for each process
        for _ in range(2):
            done, stuck = await asyncio.wait(requests, timeout=30, return_when=asyncio.FIRST_COMPLETED)
            assert [len(request.result()) for request in done] == [8] and len(stuck) == 1
            requests = {*stuck, asyncio.create_task(analyze_all(pool))}
        stopped.resume()
        await asyncio.wait_for(asyncio.gather(*requests), 30)


@asynccontextmanager
async def open_single_analyzer():
    async with open_analyzer(1) as pool:
        assert isinstance(pool, AnalyzerPool)
        (analyzer,) = pool.analyzers
        yield analyzer


async def test_analyzers_run_at_lower_priority_and_without_secrets(monkeypatch):
    for name in ("SIGHTLINE_SECRET_KEY", "SIGHTLINE_OPENAI_API_KEY", "PGPASSWORD", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "hidden-from-children")
    async with open_single_analyzer() as analyzer:
        await analyze_all(analyzer)
        (child,) = list_children()
        environment, niceness = child.environ(), child.nice()
    assert "PATH" in environment and "hidden-from-children" not in environment.values()
    assert niceness == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10)


async def test_an_answer_that_kills_its_process_does_not_harm_the_others(monkeypatch):
    monkeypatch.setenv("SIGHTLINE_TEST_CRASH_AT", "while_analyzing")
    async with open_single_analyzer() as analyzer:
        first = asyncio.create_task(analyzer.analyze("key", PLAN, 0, str(uuid.UUID(int=1)), outcome("chatgpt")))
        await asyncio.sleep(0)
        monkeypatch.delenv("SIGHTLINE_TEST_CRASH_AT")  # seen by children that are started from now on

        (first_child,) = list_children()

        async def dead_once():
            return not first_child.is_running() or first_child.status() == psutil.STATUS_ZOMBIE

        others = [asyncio.create_task(analyze_all(analyzer)) for _ in range(3)]
        await until(dead_once)
        assert (await asyncio.wait_for(first, 30)).status == "ok"
        assert {row.status for rows in await asyncio.wait_for(asyncio.gather(*others), 30) for row in rows} == {"ok"}


async def test_a_killed_process_is_replaced_and_its_answers_are_analyzed():
    async with open_single_analyzer() as analyzer:
        await analyze_all(analyzer)
        (child,) = list_children()
        child.suspend()  # it receives requests and does not respond
        waiting = asyncio.create_task(analyze_all(analyzer))
        await asyncio.sleep(0.05)
        child.kill()
        rows = await asyncio.wait_for(waiting, 20)
        assert [row.status for row in rows] == ["ok"] * 8 and child not in list_children()


async def test_an_answer_that_kills_every_process_is_stored_as_failed(monkeypatch):
    monkeypatch.setenv("SIGHTLINE_TEST_CRASH_AT", "while_analyzing")  # seen by the child only: we have been started
    async with open_analyzer(1) as analyzer:
        analyzed = await asyncio.wait_for(
            analyzer.analyze("key", PLAN, 0, str(uuid.UUID(int=1)), outcome("chatgpt")), 30
        )
    stored = decode_record(analyzed.record)
    assert (
        analyzed.status == "failed"
        and analyzed.text == TEXT
        and stored.fault.kind == "malformed"
        and stored.analysis is None
    )


def test_an_analyzer_process_ends_with_its_worker():
    """Its input is a pipe from the worker: however the worker ends, so does the pipe."""
    child = subprocess.Popen(
        [sys.executable, "-m", "sightline.scans.running.analyzer_process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    plan = msgspec.structs.replace(PLAN, prompts=PLAN.prompts[:1])
    child.stdin.write(to_frame(AnalyzeRequest(1, "key", plan, str(uuid.UUID(int=1)), outcome("chatgpt"))))
    child.stdin.flush()
    assert child.stdout.read(HEADER_SIZE)
    for number in (signal.SIGINT, signal.SIGTERM):
        child.send_signal(number)  # meant for the worker, which may still need it
    with pytest.raises(subprocess.TimeoutExpired):
        child.wait(1)
    child.stdin.close()
    assert child.wait(10) == 0
    child.stdout.close()


async def test_a_scan_runs_with_an_analyzer_process(installation, console):
    scan = await console.submit(await console.domain(), platforms=["chatgpt", "grok"])
    async with working(installation, analyzer_processes=1):
        assert (await console.ended(scan["id"]))["status"] == "completed"
        second = await console.submit((await console.domain("globex.com")), keywords=["best crm"])

        async def ended():
            return (await console.scan(second["id"]))["status"] == "completed"

        await until(ended)
    assert msgspec.json.decode((await console.get(f"/scans/{scan['id']}/results")).content)["data"]["valid"] > 0


async def test_a_scan_whose_results_cannot_be_computed_fails_and_is_refunded(installation, console, monkeypatch):
    """It must not run forever: the domain would be blocked, and the credits spent."""

    def break_down(*_, **__):
        raise ZeroDivisionError

    # No answers are known that cannot be summarized.
    monkeypatch.setattr("sightline.scans.running.analyzers.summarize_answers", break_down)
    before = await console.balance()
    scan = await console.submit(await console.domain(), keywords=["best crm"], platforms=["chatgpt"])
    async with working(installation):
        ended = await console.ended(scan["id"])
    assert ended["status"] == "failed" and "could not be computed" in ended["error_message"]
    assert await console.balance() == before
