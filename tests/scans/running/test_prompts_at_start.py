"""A live scan without keywords gets its prompts from the platform when it starts."""

import asyncio
import socket
import uuid

import pytest

from sightline.answers.models import Brand
from sightline.scans.suggest import build_question
from tests.running_worker import until, working

BRAND = Brand("Acme", domains=("acme.com",))
ASKED = build_question("acme.com", BRAND, language=None, country=None)
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

    monkeypatch.setattr(socket, "getaddrinfo", refuse)


async def test_a_scan_asks_for_its_prompts_once_and_then_asks_them(live_installation, live, provider):
    provider.says[ASKED] = "\n".join(f"{place}. {text}" for place, text in enumerate(QUESTIONS, 1))
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
    assert "acme.com could not be read (no connection)" in ended["keywords_note"]


async def test_a_scan_cancelled_while_it_asks_for_prompts_is_refunded_and_asks_nothing_more(
    live_installation, live, provider
):
    provider.held.clear()
    before = await live.balance()
    scan = await live.submit(await live.domain(), platforms=["chatgpt"])
    async with working(live_installation):

        async def asked():
            return provider.asked[ASKED] == 1

        await until(asked)
        assert (await live.post(f"/scans/{scan['id']}/cancel")).json()["data"]["status"] == "cancelled"
        provider.held.set()

        async def idle():
            return await live_installation.db.fetchval("SELECT count(*) FROM jobs") == 0

        await until(idle)
    assert provider.asked.total() == 1 and await live.balance() == before


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
