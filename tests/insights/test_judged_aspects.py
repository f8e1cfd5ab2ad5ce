"""Themes of answers without word lists: a connected model is asked about them, within bounds, and never trusted."""

import json
import uuid
from contextlib import asynccontextmanager

import pytest
import structlog

from sightline.db.engine import Database
from sightline.insights import judged_aspects
from sightline.insights.generate import generate_insights
from sightline.insights.read import read_unread_languages
from sightline.jobs.retry import Retry
from sightline.kit.clock import utc_now
from sightline.plans.table import Plan
from sightline.platforms.costs.call_log import CallLog
from sightline.presentation.phrases import describe_unread_themes
from sightline.scans.jobs import ScanJob
from sightline.scans.running.client_pool import open_client_pool
from sightline.scans.running.engine import open_engine
from tests.fakes.chat import Local
from tests.fakes.content import Statement
from tests.fakes.faults import Faults
from tests.fakes.server import PROVIDERS, FakeServer
from tests.installation import build_settings
from tests.scan_history import UNCITED, ScanHistory

PROMPTS = ("おすすめのイヤホン", "通勤用のイヤホン", "安いイヤホン")


class JudgingModel(Local):
    """A fake local model that proposes what the answers say, and something that they do not."""

    def answer(self, request, statements):
        proposals = [
            {"brand": "Acme", "aspect": "音質", "polarity": "positive", "quote": "Acmeは音質が良いです"},
            {"brand": "Acme", "aspect": "価格", "polarity": "negative", "quote": "Globexは価格が高いです"},
            {"brand": "Acme", "aspect": "電池", "polarity": "negative", "quote": "Acmeは電池が弱いです"},
            {"brand": "Globex", "aspect": "価格", "polarity": "negative", "quote": "Globexは価格が高いです"},
        ]
        return super().answer(request, (Statement(json.dumps({"aspects": proposals}, ensure_ascii=False)),))


@pytest.fixture(autouse=True)
def logs():
    with structlog.testing.capture_logs() as captured:
        yield captured


@pytest.fixture
async def server(monkeypatch):
    # The usual model answers, but does not judge.
    monkeypatch.setitem(PROVIDERS, "local", JudgingModel())
    async with FakeServer() as opened:
        yield opened


def connect_local(server):
    return {
        name.removeprefix("SIGHTLINE_").lower(): value
        for name, value in server.settings().items()
        if name.startswith("SIGHTLINE_LOCAL_")
    }


@asynccontextmanager
async def open_judge(server, **changes):
    """Open the judge as a worker does; its gate is open, because no lease is needed here."""
    settings = build_settings(**(connect_local(server) | {"theme_judge": "local", "ask_attempts": 1} | changes))
    calls = CallLog(Database("", pool_size=1), clock=utc_now)  # nothing is written
    async with open_client_pool(settings, calls) as pool:
        for gate in pool.gates.values():
            gate.window.resize(4)
        yield pool.open_theme_judge(uuid.uuid4(), uuid.uuid4())


def say_in_japanese(prompt, platform):
    return f"{prompt.text}についてお答えします。\n\nAcmeは音質が良いです。\n\nGlobexは価格が高いです。"


async def run_check(installation, judge, *, say=say_in_japanese, source="live", plan=Plan.AGENCY, history=None):
    """Run a Full Check with answers in Japanese, two platforms saying the same."""
    if history is None:
        history = await ScanHistory.open(installation, plan=plan)
        for text in PROMPTS:
            await history.add_prompt(text, language="ja")
    installation.clock.advance(days=1)
    scan_id = await history.run_scan("full_check", say, insights=False)
    await installation.db.execute("UPDATE scans SET answers_source = $1 WHERE id = $2", source, scan_id)
    await generate(history, scan_id, judge)
    return history, scan_id


async def generate(history, scan_id, judge):
    db, clock = history.installation.db, history.installation.clock
    job = ScanJob(history.workspace_id, scan_id)
    await generate_insights(db, job, uncited=UNCITED, clock=clock, base_url="https://x.example", judge=judge)


async def list_themes(history):
    return {row["descriptor"]: row for row in (json.loads(each["theme"]) for each in await history.rows("themes"))}


async def find_unread(history):
    return await read_unread_languages(history.installation.db, history.workspace_id, history.domain_id)


async def list_parts(history):
    return {row[0] for row in await history.installation.db.fetch("SELECT part FROM drawn_insights")}


async def test_proven_proposals_become_themes_and_are_asked_for_once(installation, server):
    async with open_judge(server) as judge:
        history, scan_id = await run_check(installation, judge)
        themes = await list_themes(history)
        assert set(themes) == {"音質"}
        assert themes["音質"]["answers"] == len(PROMPTS) * len(history.platforms)
        assert themes["音質"]["quotes"][0]["text"] == "Acmeは音質が良いです"
        assert await find_unread(history) == []
        assert len(server.requests["local"]) == len(PROMPTS)  # equal texts are one call

        await installation.db.execute("DELETE FROM drawn_insights")  # as if the worker had died before the themes
        await generate(history, scan_id, judge)
        assert len(server.requests["local"]) == len(PROMPTS)
        assert (await list_themes(history)).keys() == themes.keys()

        await run_check(installation, judge, history=history)  # the next Full Check asks about its own answers
        assert len(server.requests["local"]) == 2 * len(PROMPTS)
    rows = await installation.db.fetch("SELECT DISTINCT scan_id FROM judged_answers")
    assert len(rows) == 1 and rows[0][0] != scan_id


@pytest.mark.parametrize(
    ("plan", "source", "judged"),
    [(Plan.STARTER, "live", True), (Plan.AGENCY, "sandbox", True), (Plan.AGENCY, "live", False)],
    ids=["plan without themes", "sandbox", "no judge"],
)
async def test_nobody_is_asked_without_need(installation, server, plan, source, judged):
    async with open_judge(server, **({} if judged else {"theme_judge": ""})) as judge:
        history, _ = await run_check(installation, judge, source=source, plan=plan)
    assert not server.requests["local"] and await list_themes(history) == {}
    (unread,) = await find_unread(history)
    assert (unread.language_code, unread.reason) == ("ja", "no_word_lists")


async def test_answers_with_word_lists_are_not_asked_about(installation, server):
    async with open_judge(server) as judge:
        await run_check(installation, judge, say=lambda *_: "Acme is reliable and easy to use.")
    assert not server.requests["local"]


@pytest.mark.parametrize("fault", [Faults.server_error(), Faults.no_money(), Faults.gateway_page(), Faults.cut()])
async def test_a_platform_that_fails_leaves_themes_out_with_a_reason(installation, server, logs, fault):
    server.script("local", *[fault] * 20)
    async with open_judge(server) as judge:
        history, _ = await run_check(installation, judge)
    assert await list_themes(history) == {}
    assert await list_parts(history) >= {"themes", "recommendations", "opportunities", "suggestions"}
    (unread,) = await find_unread(history)
    assert (unread.answers, unread.reason) == (len(PROMPTS) * len(history.platforms), "judge_failed")
    assert len(server.requests["local"]) <= 6
    assert describe_unread_themes(["ja"], unread.reason) == (
        "Themes are incomplete for answers in Japanese: the platform that analyzes them did not respond."
    )
    (event,) = (entry for entry in logs if entry["event"] == "themes_not_judged")
    assert event["reason"] == "judge_failed"


async def test_what_arrived_before_a_failure_is_kept(installation, server, monkeypatch):
    # One after the other, so that some arrive before the failure.
    monkeypatch.setattr(judged_aspects, "AT_ONCE", 1)
    server.script("local", Faults.none(), *[Faults.server_error()] * 2)
    async with open_judge(server) as judge:
        history, scan_id = await run_check(installation, judge)
        (unread,) = await find_unread(history)
        assert unread.answers == 2 * len(history.platforms)
        await installation.db.execute("DELETE FROM drawn_insights")
        await generate(history, scan_id, judge)
    assert await find_unread(history) == []
    assert len(server.requests["local"]) == 3 + 2  # the first one is not asked about again


async def test_a_model_that_does_not_understand_the_question_counts_as_failed(installation, server, monkeypatch):
    # The model of the fixture is another one here.
    monkeypatch.setattr(JudgingModel, "answer", Local.answer)
    async with open_judge(server) as judge:
        history, _ = await run_check(installation, judge)
    (unread,) = await find_unread(history)
    assert unread.reason == "judge_failed" and await list_themes(history) == {}


async def test_a_full_check_causes_at_most_so_many_calls(installation, server, monkeypatch):
    # A check of this test has fewer answers than the limit.
    monkeypatch.setattr(judged_aspects, "MAX_CALLS", 2)
    async with open_judge(server) as judge:
        history, scan_id = await run_check(installation, judge)
        await installation.db.execute("DELETE FROM drawn_insights")
        await generate(history, scan_id, judge)
    assert len(server.requests["local"]) == 2
    (unread,) = await find_unread(history)
    assert (unread.answers, unread.reason) == (len(history.platforms), "judge_limit")


async def test_a_slow_platform_does_not_hold_the_insights_up(installation, server, monkeypatch):
    # The limit is minutes.
    monkeypatch.setattr(judged_aspects, "PATIENCE", 0.2)
    server.script("local", *[Faults.silence()] * 10)
    async with open_judge(server) as judge:
        history, _ = await run_check(installation, judge)
    (unread,) = await find_unread(history)
    assert unread.reason == "judge_failed"
    assert "suggestions" in await list_parts(history)


async def test_a_judge_that_is_not_connected_is_none(server, logs):
    async with open_judge(server, theme_judge="claude") as judge:
        assert judge is None
    assert any(entry["event"] == "theme_judge_not_connected" for entry in logs)


async def test_a_stopping_worker_leaves_the_question_to_another_one(installation, server):
    settings = build_settings(**connect_local(server), theme_judge="local")
    async with open_engine(settings, installation.db, clock=installation.clock) as engine:
        engine.stop()
        with pytest.raises(Retry):
            await engine.open_theme_judge(uuid.uuid4(), uuid.uuid4())("Which aspects?")
    async with open_engine(build_settings(), installation.db, clock=installation.clock) as engine:
        assert engine.open_theme_judge(uuid.uuid4(), uuid.uuid4()) is None
