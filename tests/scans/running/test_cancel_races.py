"""Cancelling a scan while something else happens to it: one final state, one event, and a matching ledger."""

import asyncio
import random
import uuid

from sightline.credits.ledger import build_credit_rules
from sightline.platforms.costs.call_log import CallLog
from sightline.scans.jobs import ScanJob
from sightline.scans.running.analyzers import InProcessAnalyzer
from sightline.scans.running.client_pool import open_client_pool
from sightline.scans.running.finish import FinishDependencies, finish_scan
from tests.running_worker import until, working
from tests.scans.running.provider import build_keywords


async def count(installation, table: str) -> int:
    return await installation.db.fetchval(f"SELECT count(*) FROM {table}")


async def assert_one_end(installation, scan_id: str, *, refunded: bool) -> str:
    """Assert that events, results, credits and lanes match the final status, and return it."""
    row = await installation.db.fetchrow("SELECT status, completed_at FROM scans WHERE id = $1", uuid.UUID(scan_id))
    events = await installation.db.fetch("SELECT type FROM events WHERE cause = $1", scan_id)
    assert [event[0] for event in events] == [f"scan.{row[0]}"] and row[1] is not None
    results = await installation.db.fetchval("SELECT count(*) FROM scan_results WHERE scan_id = $1", uuid.UUID(scan_id))
    assert results == (row[0] == "completed")
    reasons = await installation.db.fetch("SELECT reason FROM credit_entries WHERE scan_id = $1", uuid.UUID(scan_id))
    assert sorted(reason[0] for reason in reasons) == ["refund"] * refunded + ["scan_consumption"]
    assert await installation.db.fetchval("SELECT count(*) FROM scan_lanes WHERE scan_id = $1", uuid.UUID(scan_id)) == 0
    return row[0]


async def test_cancelling_a_pending_scan_refunds_it_and_nothing_is_asked(live_installation, live, provider):
    before = await live.balance()
    scan = await live.submit(await live.domain(), keywords=build_keywords(5), platforms=["chatgpt"])
    cancelled = (await live.post(f"/scans/{scan['id']}/cancel")).json()["data"]
    assert cancelled["status"] == "cancelled" and cancelled["started_at"] is None
    async with working(live_installation):

        async def idle():
            return await count(live_installation, "jobs") == 0

        await until(idle)
    assert provider.asked.total() == 0 and await live.balance() == before
    await assert_one_end(live_installation, scan["id"], refunded=True)


async def test_a_cancelled_scan_is_refunded_exactly_if_it_had_not_started(installation, console):
    chance = random.Random(7)
    seen = set()
    async with working(installation):
        for number in range(12):
            domain = await console.domain(f"start{number}.com")
            scan = await console.submit(domain, keywords=["sandbox:slow"], platforms=["chatgpt"])
            await asyncio.sleep(chance.random() * 0.06)
            answer = await console.post(f"/scans/{scan['id']}/cancel")
            assert answer.status_code == 200, answer.text
            started = answer.json()["data"]["started_at"] is not None
            seen.add(started)
            assert await assert_one_end(installation, scan["id"], refunded=not started) == "cancelled"

        async def nothing_left():
            return await count(installation, "jobs WHERE kind LIKE 'cell%'") == 0

        await until(nothing_left)  # a worker that had claimed a cell just before settles it itself


async def test_a_scan_cancelled_around_its_last_answer_has_one_final_state(installation, console):
    """Thirty scans, each cancelled at a random moment around its last answer and its end."""
    chance = random.Random(11)
    domains = [await console.domain(f"race{number}.com") for number in range(30)]
    ends = []
    async with working(installation):

        async def race(domain):
            scan = await console.submit(domain, keywords=build_keywords(2), platforms=["chatgpt"])

            async def counted():
                found = await console.scan(scan["id"])
                return found["answers_completed"] >= 1 or found["status"] != "running"

            if chance.random() < 0.8:
                await until(counted)
            await asyncio.sleep(chance.random() * 0.04)
            answer = await console.post(f"/scans/{scan['id']}/cancel")
            ended = await console.ended(scan["id"])
            assert answer.status_code == (200 if ended["status"] == "cancelled" else 409), answer.text
            refunded = ended["status"] == "cancelled" and ended["started_at"] is None
            ends.append(await assert_one_end(installation, scan["id"], refunded=refunded))

        for group in range(0, 30, 5):
            await asyncio.gather(*(race(domain) for domain in domains[group : group + 5]))
    assert len(ends) == 30 and set(ends) <= {"completed", "cancelled"}


async def run_until_answered(installation, console) -> ScanJob:
    """Run a scan until it has all its answers, and undo its end."""
    scan = await console.submit(await console.domain(), keywords=build_keywords(3), platforms=["chatgpt"])
    async with working(installation):
        await console.ended(scan["id"])
    for table in ("scan_results", "events", "jobs"):
        await installation.db.execute(f"DELETE FROM {table}")
    await installation.db.execute("UPDATE scans SET status = 'running', completed_at = NULL")
    workspace = await installation.db.fetchval("SELECT workspace_id FROM scans")
    return ScanJob(workspace, uuid.UUID(scan["id"]))


def build_dependencies(settings, clients) -> FinishDependencies:
    return FinishDependencies(build_credit_rules(settings), settings.public_url, clients, InProcessAnalyzer())


async def test_finishing_a_scan_repeatedly_and_concurrently_gives_one_result_and_one_event(installation, console):
    job = await run_until_answered(installation, console)
    settings = installation.app_context.settings
    async with open_client_pool(settings, CallLog(installation.db, clock=installation.clock)) as clients:
        dependencies = build_dependencies(settings, clients)

        async def finish():
            await finish_scan(installation.db, job, dependencies, clock=installation.clock)

        await asyncio.gather(*(finish() for _ in range(5)))
        await finish()
    assert await assert_one_end(installation, str(job.scan_id), refunded=False) == "completed"


async def test_either_finishing_or_cancelling_wins(installation, console):
    job = await run_until_answered(installation, console)
    settings = installation.app_context.settings
    async with open_client_pool(settings, CallLog(installation.db, clock=installation.clock)) as clients:
        dependencies = build_dependencies(settings, clients)
        answer, *_ = await asyncio.gather(
            console.post(f"/scans/{job.scan_id}/cancel"),
            finish_scan(installation.db, job, dependencies, clock=installation.clock),
            finish_scan(installation.db, job, dependencies, clock=installation.clock),
        )
    status = await assert_one_end(installation, str(job.scan_id), refunded=False)
    assert (answer.status_code, status) in {(200, "cancelled"), (409, "completed")}


async def test_finishing_a_scan_without_all_its_answers_does_nothing(installation, console):
    scan = await console.submit(await console.domain(), keywords=build_keywords(3), platforms=["chatgpt"])
    workspace = await installation.db.fetchval("SELECT workspace_id FROM scans")
    settings = installation.app_context.settings
    async with open_client_pool(settings, CallLog(installation.db, clock=installation.clock)) as clients:
        dependencies = build_dependencies(settings, clients)
        for identity in (uuid.UUID(scan["id"]), uuid.uuid4()):
            await finish_scan(installation.db, ScanJob(workspace, identity), dependencies, clock=installation.clock)
    assert (await console.scan(scan["id"]))["status"] == "pending" and await count(installation, "events") == 0
