"""A live scan without keywords gets its prompts from the platform when it starts."""

import asyncio
import json
import socket
import uuid

import pytest

from sightline.answers.models import Brand
from sightline.insights.editor.setup import ask_for_first_prompts
from sightline.scans.suggest import SuggestionInput
from sightline.scans.suggestions.site_words import SiteWords
from tests.running_worker import until, working

BRAND = Brand("Acme", domains=("acme.com",))
WANTED = SuggestionInput(domain="acme.com", brand=BRAND, competitors=(), language=None, country=None)
ASKED = ask_for_first_prompts(WANTED, SiteWords()).text
THINGS = ("CRM", "help desk", "invoice tool", "mail tool", "wiki", "phone", "calendar", "chat", "survey", "vault")
QUESTIONS = [
    f"{'Which' if place % 2 else 'What kind of'} {thing} is best for us?" for place, thing in enumerate(THINGS)
]


@pytest.fixture(autouse=True)
def no_names(monkeypatch):
    """Resolve no name but those of this machine, as on a machine without a network."""
    resolve = socket.getaddrinfo

    def refuse(host, *args, **kwargs):
        if host in {None, "localhost", "127.0.0.1"}:
            return resolve(host, *args, **kwargs)
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    # As on a machine without a network.
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


async def test_a_scan_asks_for_its_prompts_once_and_then_asks_them(live_installation, live, provider):
    provider.says[ASKED] = json.dumps({"items": [{"question": text} for text in QUESTIONS]})
    scan = await live.submit(await live.domain(), platforms=["chatgpt"])
    assert scan["answers_total"] == 10 and scan["customer_keywords"] == []
    async with working(live_installation):
        ended = await live.ended(scan["id"])
    assert ended["status"] == "completed" and ended["answers_total"] == ended["answers_completed"] == 10
    assert provider.asked == {ASKED: 1, **dict.fromkeys(QUESTIONS, 1)}
    results = (await live.get(f"/scans/{scan['id']}/results")).json()["data"]
    assert [each["prompt"] for each in results["prompts"]] == QUESTIONS
    assert ended["customer_keywords"] == [] and ended["credits_charged"] == 1 and ended["keywords_note"] is None


async def test_ten_general_prompts_are_asked_when_the_platform_suggests_none(live_installation, live, provider):
    provider.faults[ASKED] = 500
    scan = await live.submit(await live.domain(), platforms=["chatgpt"])
    async with working(live_installation):
        ended = await live.ended(scan["id"])
    assert ended["status"] == "completed" and ended["answers_total"] == 10
    assert len(provider.asked) == 11 and not any("Acme" in prompt for prompt in provider.asked if prompt != ASKED)
    assert "All ten prompts are general questions" in ended["keywords_note"]


async def test_a_scan_runs_before_it_asks_for_prompts_so_cancelling_it_then_refunds_nothing(
    live_installation, live, provider
):
    """A pending scan has cost nothing: else cancelling would make the platform's calls free."""
    provider.held.clear()
    before = await live.balance()
    scan = await live.submit(await live.domain(), platforms=["chatgpt"])
    async with working(live_installation):

        async def asked():
            return provider.asked[ASKED] == 1

        await until(asked)
        assert (await live.scan(scan["id"]))["status"] == "running"
        cancelled = (await live.post(f"/scans/{scan['id']}/cancel")).json()["data"]
        assert (cancelled["status"], cancelled["credits_refunded"]) == ("cancelled", 0)
        provider.held.set()

        async def idle():
            return await live_installation.db.fetchval("SELECT count(*) FROM jobs") == 0

        await until(idle)
    assert provider.asked.total() == 1 and await live.balance() == before - 1
    assert await live_installation.db.fetchval("SELECT count(*) FROM scan_lanes") == 0


async def test_a_scan_whose_worker_died_while_it_asked_for_prompts_is_started_again(live_installation, live, provider):
    scan = await live.submit(await live.domain(), platforms=["chatgpt"])
    db, clock = live_installation.db, live_installation.clock
    await db.execute("UPDATE scans SET status = 'running', started_at = $1", clock())
    await db.execute("DELETE FROM jobs")
    clock.advance(seconds=11)
    async with working(live_installation):
        ended = await live.ended(scan["id"])
    assert (ended["status"], ended["answers_completed"]) == ("completed", 10)


@pytest.mark.slow
async def test_a_scan_that_runs_out_of_time_without_prompts_fails_and_is_refunded(live_installation, live, provider):
    before = await live.balance()
    scan = await live.submit(await live.domain(), platforms=["chatgpt"])
    provider.held.clear()
    async with working(live_installation):

        async def asked():
            return provider.asked[ASKED] == 1

        await until(asked)
        live_installation.clock.advance(hours=2)
        ended = await live.ended(scan["id"])
    assert (ended["status"], ended["credits_refunded"], await live.balance()) == ("failed", 1, before)
    assert ended["error_message"] == "No prompts could be prepared before the check ran out of time."


async def test_a_worker_that_stops_while_it_waits_to_ask_for_prompts_puts_the_job_back(
    live_installation, live, provider
):
    db = live_installation.db
    other = uuid.uuid4()
    await db.execute("INSERT INTO workers (id, seen_at) VALUES ($1, now() + interval '1 hour')", other)
    await db.execute("INSERT INTO platform_leases VALUES ('live.chatgpt', $1, 10)", other)  # no slot is left
    scan = await live.submit(await live.domain(), platforms=["chatgpt"])
    async with working(live_installation):

        async def begun():
            return await db.fetchval("SELECT worker_id IS NOT NULL FROM jobs WHERE kind = 'scan.start'")

        await until(begun)
        await asyncio.sleep(0.1)
    returned = await db.fetchrow("SELECT worker_id, run_after <= now() FROM jobs")
    assert tuple(returned) == (None, True), "without a delay: nothing has gone wrong"
    assert provider.asked.total() == 0
    await db.execute("DELETE FROM workers")
    async with working(live_installation):
        assert (await live.ended(scan["id"]))["status"] == "completed"
