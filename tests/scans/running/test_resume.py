"""After a crash only unfinished answers are asked again; the sweeper finds what was left without a job."""

import asyncio
import uuid
from datetime import timedelta

from sightline.scans.running.sweeping.sweep import sweep_scans
from tests.running_worker import until, working
from tests.scans.running.provider import build_keywords
from tests.sent_events import decode_event


async def count(installation, table: str) -> int:
    return await installation.db.fetchval(f"SELECT count(*) FROM {table}")


async def sweep(installation):
    await sweep_scans(installation.db, deadline=timedelta(hours=1), patience=timedelta(0), clock=installation.clock)


async def crash_after(live_installation, live, provider, answers: int) -> dict:
    """Run a scan of 20 answers until so many are stored, then stop its worker without a grace period."""
    scan = await live.submit(await live.domain(), keywords=build_keywords(20), platforms=["chatgpt"])
    provider.holds = set(build_keywords(20)[answers:])
    async with working(live_installation, worker_grace=0):

        async def some():
            return (await live.scan(scan["id"]))["answers_completed"] == answers

        await until(some)
    provider.holds.clear()
    return scan


async def test_after_a_crash_only_unfinished_answers_are_asked_again(live_installation, live, provider):
    scan = await crash_after(live_installation, live, provider, 5)
    stored = {row[0] for row in await live_installation.db.fetch("SELECT prompt_index FROM answers")}
    assert len(stored) == 5
    # As kill -9 leaves it: the jobs are claimed by a worker that has no session and no longer reports.
    dead = uuid.uuid4()
    await live_installation.db.execute(
        "INSERT INTO workers (id, seen_at) VALUES ($1, now() - interval '10 seconds')", dead
    )
    await live_installation.db.execute("UPDATE jobs SET worker_id = $1 WHERE kind LIKE 'cell.%'", dead)
    before = dict(provider.asked)
    async with working(live_installation):
        ended = await live.ended(scan["id"])
    assert ended["status"] == "completed" and ended["answers_completed"] == 20
    again = {word for word in provider.asked if provider.asked[word] > before.get(word, 0)}
    assert again == {word for number, word in enumerate(build_keywords(20)) if number not in stored}
    assert await count(live_installation, "answers") == 20


async def test_a_scan_whose_jobs_are_all_gone_is_resumed_by_the_sweeper(live_installation, live, provider):
    scan = await crash_after(live_installation, live, provider, 5)
    stored = await count(live_installation, "answers")
    await live_installation.db.execute("DELETE FROM jobs")
    before = provider.asked.total()
    async with working(live_installation):
        ended = await live.ended(scan["id"])
    assert ended["status"] == "completed" and ended["answers_completed"] == 20
    assert provider.asked.total() - before == 20 - stored


async def test_a_pending_scan_without_a_job_starts_after_ten_seconds(installation, console):
    scan = await console.submit(await console.domain(), keywords=["best crm"], platforms=["chatgpt"])
    await installation.db.execute("DELETE FROM jobs")
    await sweep(installation)
    assert await count(installation, "jobs") == 0, "it may have been submitted just now"
    installation.clock.advance(seconds=11)
    async with working(installation):
        assert (await console.ended(scan["id"]))["status"] == "completed"


async def test_a_cell_without_a_job_gets_exactly_one(installation, console):
    await console.submit(await console.domain(), keywords=build_keywords(3), platforms=["chatgpt"])
    await installation.db.execute("UPDATE scans SET status = 'running', started_at = created_at")
    await installation.db.execute("DELETE FROM jobs")
    await installation.db.execute(
        """INSERT INTO scan_lanes SELECT workspace_id, id, 'chatgpt', 'sandbox.chatgpt', 40, 3, 2, 0, created_at
           FROM scans"""
    )
    await asyncio.gather(*(sweep(installation) for _ in range(5)))
    await sweep(installation)
    rows = await installation.db.fetch("SELECT key, kind, priority FROM jobs ORDER BY key")
    scan = await installation.db.fetchval("SELECT id FROM scans")
    assert [tuple(row) for row in rows] == [
        (f"cell:{scan}:chatgpt:{number}", "cell.sandbox.chatgpt", 0) for number in (0, 1)
    ]
    async with working(installation):
        assert (await console.ended(str(scan)))["answers_completed"] == 3


async def test_a_scan_with_all_its_answers_and_no_job_is_finished_once(installation, console):
    scan = await console.submit(await console.domain(), keywords=build_keywords(4), platforms=["chatgpt"])
    async with working(installation):
        await console.ended(scan["id"])
    await installation.db.execute("DELETE FROM scan_results")
    await installation.db.execute("DELETE FROM events")
    await installation.db.execute("DELETE FROM jobs")
    await installation.db.execute("UPDATE scans SET status = 'running', completed_at = NULL")
    await asyncio.gather(*(sweep(installation) for _ in range(4)))
    assert await installation.db.fetch("SELECT kind FROM jobs") == [("scan.finish",)]
    async with working(installation):
        assert (await console.ended(scan["id"]))["status"] == "completed"
    assert (
        await count(installation, "scan_results") == 1
        and await count(installation, "events WHERE type = 'scan.completed'") == 1
    )


async def test_sweeping_a_scan_that_has_its_jobs_changes_nothing(installation, console):
    scan = await console.submit(await console.domain(), keywords=["sandbox:slow"], platforms=["chatgpt"])
    async with working(installation, worker_grace=0):

        async def asked():
            return await count(installation, "jobs WHERE worker_id IS NOT NULL AND kind LIKE 'cell%'") == 1

        await until(asked)
        before = await installation.db.fetch("SELECT id, attempts FROM jobs")
        for _ in range(3):
            await sweep(installation)
        assert await installation.db.fetch("SELECT id, attempts FROM jobs") == before
        await console.post(f"/scans/{scan['id']}/cancel")


async def test_a_scan_past_its_deadline_completes_with_the_answers_it_has(live_installation, live, provider):
    """SIGHTLINE_SCAN_DEADLINE: "ends; missing answers count as failed"."""
    provider.held.clear()
    scan = await live.submit(await live.domain(), keywords=build_keywords(20), platforms=["chatgpt"])
    async with working(live_installation, worker_grace=0):

        async def asked():
            return provider.in_flight >= 8

        await until(asked)
        provider.held.set()

        async def some():
            return (await live.scan(scan["id"]))["answers_completed"] >= 8

        provider.held.clear()
        await until(some)
        live_installation.clock.advance(seconds=3601)
        await sweep(live_installation)
        ended = await live.ended(scan["id"])
        assert ended["status"] == "completed"
        assert 8 <= ended["answers_completed"] < 20 and ended["answers_completed"] + ended["answers_failed"] == 20
        kept = (await live.get(f"/scans/{scan['id']}/answers", params={"page_size": 200})).json()["data"]
        assert {each["fault"]["message"] for each in kept if each["status"] == "failed"} == {
            "the check ran out of time before this prompt was answered"
        }

        async def idle():
            return provider.in_flight == 0

        await until(idle, seconds=5)


async def test_a_scan_past_its_deadline_without_any_answer_fails_and_is_refunded(live_installation, live, provider):
    provider.held.clear()
    before = await live.balance()
    scan = await live.submit(await live.domain(), keywords=build_keywords(12), platforms=["chatgpt"])
    async with working(live_installation, worker_grace=0):

        async def asked():
            return provider.in_flight >= 8

        await until(asked)
        live_installation.clock.advance(seconds=3601)
        await asyncio.gather(sweep(live_installation), sweep(live_installation))
        ended = await live.ended(scan["id"])
    assert ended["status"] == "failed" and ended["answers_failed"] == 12
    assert "ran out of time" in ended["error_message"]
    assert await live.balance() == before
    assert await count(live_installation, "credit_entries WHERE reason = 'refund'") == 1
    (event,) = await live_installation.db.fetch("SELECT body FROM events WHERE type = 'scan.failed'")
    assert decode_event(event["body"])["data"]["id"] == scan["id"]
