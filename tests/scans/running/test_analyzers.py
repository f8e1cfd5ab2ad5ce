"""Answers are analyzed in child processes: with the same results, and the death of one costs nothing but time."""

import asyncio
import os
import signal
import subprocess
import sys
import uuid
from datetime import UTC, datetime

import msgspec
import pytest

from sightline.answers.models import Brand
from sightline.platforms.models import Outcome, ProviderAnswer, Question, Source
from sightline.scans.models import ScanPlan, ScanPrompt
from sightline.scans.running.analysis import ScanContext
from sightline.scans.running.analyzer_process import HEADER_SIZE, AnalyzeRequest, OpenPlan, to_frame
from sightline.scans.running.analyzers import AnalyzerPool, InProcessAnalyzer, SubprocessAnalyzer, open_analyzer
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
    context = ScanContext("live", suggested=False, started_at=0.0)
    async with open_analyzer(0) as in_process, open_analyzer(1) as subprocess_analyzer, open_analyzer(2) as pool:
        assert isinstance(in_process, InProcessAnalyzer) and isinstance(subprocess_analyzer, SubprocessAnalyzer)
        assert isinstance(pool, AnalyzerPool)
        rows = await analyze_all(in_process)
        assert await analyze_all(subprocess_analyzer) == await analyze_all(pool) == rows
        summary = await in_process.summarize(PLAN, rows, context)
        assert (
            await subprocess_analyzer.summarize(PLAN, rows, context)
            == await pool.summarize(PLAN, rows, context)
            == summary
        )
        assert await pool.reanalyze(PLAN, rows, context) == await in_process.reanalyze(PLAN, rows, context)
        assert (await pool.summarize(PLAN, [], context)).updated_records == {}


async def test_a_scan_stays_with_one_process_unless_that_one_is_far_behind():
    async with open_analyzer(2) as analyzers:
        assert isinstance(analyzers, AnalyzerPool)
        first, second = analyzers._analyzers
        await analyze_all(analyzers)
        mine = analyzers._assigned["key"]
        other = second if mine is first else first
        assert list(mine._plans) == ["key"] and not other._plans
        mine._child.send_signal(signal.SIGSTOP)
        waiting = asyncio.gather(*(analyze_all(analyzers) for _ in range(20)))

        async def taken_over():
            return "key" in other._plans

        await until(taken_over)
        mine._child.send_signal(signal.SIGCONT)
        assert {row.status for rows in await asyncio.wait_for(waiting, 30) for row in rows} == {"ok"}


@pytest.mark.slow
@pytest.mark.parametrize(("behind", "busy", "after"), [(30, 20, (31, 20)), (30, 4, (30, 5)), (4, 0, (5, 0))])
async def test_a_process_keeps_its_scans_while_it_has_not_much_more_to_do_than_another(behind, busy, after):
    """An answer that another process analyzed may have to be prepared again when its scan is summarized."""
    async with open_analyzer(2) as analyzers:
        assert isinstance(analyzers, AnalyzerPool)
        await analyze_all(analyzers)
        mine = analyzers._assigned["key"]
        (other,) = (analyzer for analyzer in analyzers._analyzers if analyzer is not mine)
        requests = []
        for analyzer, count in ((mine, behind), (other, busy)):
            analyzer._child.send_signal(signal.SIGSTOP)
            requests += [asyncio.create_task(analyze_all(analyzer)) for _ in range(count)]
        await asyncio.sleep(0.05)
        requests += [asyncio.create_task(analyze_all(analyzers))]
        await asyncio.sleep(0.05)
        assert (mine.open_requests, other.open_requests) == after
        for analyzer in (mine, other):
            analyzer._child.send_signal(signal.SIGCONT)
        await asyncio.wait_for(asyncio.gather(*requests), 60)


async def test_analyzers_run_at_lower_priority_than_their_worker():
    async with open_analyzer(1) as analyzer:
        assert isinstance(analyzer, SubprocessAnalyzer)
        await analyze_all(analyzer)
        niceness = os.getpriority(os.PRIO_PROCESS, analyzer._child.pid)
    assert niceness == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10)


async def test_an_answer_that_kills_its_process_does_not_harm_the_others(monkeypatch):
    monkeypatch.setenv("SIGHTLINE_TEST_CRASH_AT", "while_analyzing")
    async with open_analyzer(1) as analyzer:
        assert isinstance(analyzer, SubprocessAnalyzer)
        first = asyncio.create_task(analyzer.analyze("key", PLAN, 0, str(uuid.UUID(int=1)), outcome("chatgpt")))
        await asyncio.sleep(0)
        monkeypatch.delenv("SIGHTLINE_TEST_CRASH_AT")  # seen by children that are started from now on

        async def dead_once():
            return analyzer._tries.get(1) == 1

        others = [asyncio.create_task(analyze_all(analyzer)) for _ in range(3)]
        await until(dead_once)
        assert (await asyncio.wait_for(first, 30)).status == "ok"
        assert set(analyzer._tries) <= {1}
        assert {row.status for rows in await asyncio.wait_for(asyncio.gather(*others), 30) for row in rows} == {"ok"}


async def test_a_killed_process_is_replaced_and_its_answers_are_analyzed():
    async with open_analyzer(1) as analyzer:
        assert isinstance(analyzer, SubprocessAnalyzer)
        await analyze_all(analyzer)
        analyzer._child.send_signal(signal.SIGSTOP)  # it takes the wishes, and does not answer
        waiting = asyncio.create_task(analyze_all(analyzer))
        await asyncio.sleep(0.05)
        dead = analyzer._child.pid
        os.kill(dead, signal.SIGKILL)
        rows = await asyncio.wait_for(waiting, 20)
        assert [row.status for row in rows] == ["ok"] * 8 and analyzer._child.pid != dead


async def test_an_answer_that_kills_every_process_is_stored_as_failed(monkeypatch):
    monkeypatch.setenv("SIGHTLINE_TEST_CRASH_AT", "while_analyzing")  # seen by the child only: we have been started
    async with open_analyzer(1) as analyzer:
        analyzed = await asyncio.wait_for(
            analyzer.analyze("key", PLAN, 0, str(uuid.UUID(int=1)), outcome("chatgpt")), 30
        )
    kept = decode_record(analyzed.record)
    assert (
        analyzed.status == "failed"
        and analyzed.text == TEXT
        and kept.fault.kind == "malformed"
        and kept.analysis is None
    )


def test_an_analyzer_process_ends_with_its_worker():
    """Its input is a pipe from the worker: however the worker ends, so does the pipe."""
    child = subprocess.Popen(
        [sys.executable, "-m", "sightline.scans.running.analyzer_process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    request = AnalyzeRequest(1, "key", 0, str(uuid.UUID(int=1)), outcome("chatgpt"))
    child.stdin.write(to_frame(OpenPlan("key", PLAN)) + to_frame(request))
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

    def break_down(*_):
        raise ZeroDivisionError

    monkeypatch.setattr("sightline.scans.running.analyzers.summarize_answers", break_down)
    before = await console.balance()
    scan = await console.submit(await console.domain(), keywords=["best crm"], platforms=["chatgpt"])
    async with working(installation):
        ended = await console.ended(scan["id"])
    assert ended["status"] == "failed" and "could not be computed" in ended["error_message"]
    assert await console.balance() == before
