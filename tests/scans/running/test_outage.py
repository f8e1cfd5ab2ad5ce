"""PostgreSQL goes away in the middle of a scan and comes back: work goes on, no answer is lost or stored twice."""

import asyncio
import contextlib
import uuid

from sightline.db.engine import DatabaseUnavailable
from sightline.scans.running.queries import lock_lanes_any_workspace, mark_admitted_any_workspace
from tests.jobs.test_stopping import cut_all_connections
from tests.running_worker import until, working
from tests.scans.running.provider import build_keywords


async def try_fetch(installation, query):
    with contextlib.suppress(DatabaseUnavailable):
        return await installation.db.fetchval(query)


async def test_no_answer_is_lost_when_connections_break_repeatedly(live_installation, live, provider, database_url):
    provider.latency = 0.05
    scan = await live.submit(await live.domain(), keywords=build_keywords(50), platforms=["chatgpt"])
    async with working(live_installation):
        for _ in range(3):
            await asyncio.sleep(0.15)
            await cut_all_connections(database_url)

        async def ended():
            return await try_fetch(live_installation, "SELECT status = 'completed' FROM scans")

        await until(ended, seconds=40)
    row = await live_installation.db.fetchrow("SELECT answers_completed, answers_failed FROM scans")
    assert tuple(row) == (50, 0)
    assert await live_installation.db.fetchval("SELECT count(*) FROM answers") == 50
    assert await live_installation.db.fetchval("SELECT count(*) FROM scan_results") == 1
    assert scan["answers_total"] == 50


async def test_an_answer_waits_for_the_database_and_is_not_asked_again(live_installation, live, provider):
    await live.submit(await live.domain(), keywords=build_keywords(6), platforms=["chatgpt"])
    provider.held.clear()
    async with working(live_installation, worker_timeout=30):

        async def asked():
            return provider.in_flight == 6

        await until(asked)
        await live_installation.db.close()
        provider.held.set()
        await asyncio.sleep(0.6)
        await live_installation.db.open()

        async def ended():
            return await try_fetch(live_installation, "SELECT status = 'completed' FROM scans")

        await until(ended)
    assert provider.asked == dict.fromkeys(build_keywords(6), 1)


async def test_a_worker_that_stops_puts_its_cells_back_and_another_one_continues(live_installation, live, provider):
    scan = await live.submit(await live.domain(), keywords=build_keywords(20), platforms=["chatgpt"])
    provider.held.clear()
    loop = asyncio.get_running_loop()
    async with working(live_installation, worker_grace=0.5):

        async def asked():
            claimed = await live_installation.db.fetchval("SELECT count(*) FROM jobs WHERE worker_id IS NOT NULL")
            return provider.in_flight == 10 and claimed == 12

        await until(asked)
        stopped = loop.time()
    assert loop.time() - stopped < 10
    rows = await live_installation.db.fetch("SELECT worker_id, failed_at FROM jobs")
    assert {tuple(row) for row in rows} == {(None, None)}
    assert len(rows) == 12, "for the ten slots, and a few ahead of them"
    provider.held.set()
    async with working(live_installation):
        assert (await live.ended(scan["id"]))["answers_completed"] == 20


async def test_answers_within_the_grace_period_are_stored(live_installation, live, provider):
    await live.submit(await live.domain(), keywords=build_keywords(20), platforms=["chatgpt"])
    provider.latency = 0.4
    async with working(live_installation, worker_grace=20):

        async def asked():
            return provider.in_flight == 10

        await until(asked)
    assert await live_installation.db.fetchval("SELECT answers_completed FROM scans") == 10
    assert provider.asked.total() == 10, "nothing new was asked"
    assert await live_installation.db.fetchval("SELECT count(*) FROM workers") == 0


async def test_admission_leaves_out_lanes_that_are_locked_or_have_changed(installation, console):
    """A transaction that counts answers or ends the scan holds its lanes. They are admitted in the next round."""
    await console.submit(await console.domain(), keywords=build_keywords(5), platforms=["chatgpt", "grok"])
    await installation.db.execute(
        """INSERT INTO scan_lanes
           SELECT workspace_id, id, p, 'sandbox.' || p, 40, 5, 0, 0, created_at
           FROM scans CROSS JOIN unnest(selected_platforms) AS p"""
    )
    worker_id = uuid.uuid4()
    await installation.db.execute("INSERT INTO workers (id, seen_at) VALUES ($1, now())", worker_id)
    free_slots = {"sandbox.chatgpt": 2, "sandbox.grok": 2}
    async with installation.db.transaction() as holder:
        await holder.execute("UPDATE scan_lanes SET settled = settled WHERE platform = 'grok'")
        async with installation.db.transaction() as tx:
            lanes = await lock_lanes_any_workspace(tx, worker_id, free_slots, now=installation.clock())
            cells = [(lane, index) for lane in lanes for index in (0, 1)]
            marked = await mark_admitted_any_workspace(tx, cells)
    assert [(lane.platform, index) for lane, index in marked] == [("chatgpt", 0), ("chatgpt", 1)]
    async with installation.db.transaction() as tx:
        lanes = await lock_lanes_any_workspace(tx, worker_id, free_slots, now=installation.clock())
        # The scan runs out of time meanwhile.
        await installation.db.execute("UPDATE scan_lanes SET admitted = cells")
        assert await mark_admitted_any_workspace(tx, [(lane, lane.admitted) for lane in lanes]) == []
