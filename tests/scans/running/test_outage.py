"""PostgreSQL goes away in the middle of a scan and comes back: work goes on, no answer is lost or stored twice."""

import asyncio
import contextlib

from sightline.db.engine import DatabaseUnavailable
from sightline.scans.running.cells import Grant
from sightline.scans.running.queries import lock_lanes_any_workspace, mark_admitted_any_workspace
from tests.jobs.test_stopping import cut_all_connections
from tests.running_worker import until, working
from tests.scans.running.provider import build_keywords


async def look(installation, query):
    with contextlib.suppress(DatabaseUnavailable):
        return await installation.db.fetchval(query)


async def test_connections_that_break_again_and_again_cost_no_answer(live_installation, live, provider, database_url):
    provider.latency = 0.05
    scan = await live.submit(await live.domain(), keywords=build_keywords(50), platforms=["chatgpt"])
    async with working(live_installation):
        for _ in range(3):
            await asyncio.sleep(0.15)
            await cut_all_connections(database_url)

        async def ended():
            return await look(live_installation, "SELECT status = 'completed' FROM scans")

        await until(ended, seconds=40)
    row = await live_installation.db.fetchrow("SELECT answers_completed, answers_failed FROM scans")
    assert tuple(row) == (50, 0)
    assert await live_installation.db.fetchval("SELECT count(*) FROM answers") == 50
    assert await live_installation.db.fetchval("SELECT count(*) FROM scan_results") == 1
    assert scan["answers_total"] == 50


async def test_an_answer_that_was_paid_for_waits_for_the_database_and_is_not_asked_again(
    live_installation, live, provider
):
    await live.submit(await live.domain(), keywords=build_keywords(6), platforms=["chatgpt"])
    provider.held.clear()
    async with working(live_installation, job_heartbeat=30):

        async def asked():
            return provider.in_flight == 6

        await until(asked)
        pool, live_installation.db._pool = live_installation.db._pool, None
        provider.held.set()
        await asyncio.sleep(0.6)
        live_installation.db._pool = pool

        async def ended():
            return await look(live_installation, "SELECT status = 'completed' FROM scans")

        await until(ended)
    assert provider.asked == dict.fromkeys(build_keywords(6), 1)


async def test_a_worker_that_stops_gives_its_cells_back_and_another_goes_on(live_installation, live, provider):
    scan = await live.submit(await live.domain(), keywords=build_keywords(20), platforms=["chatgpt"])
    provider.held.clear()
    loop = asyncio.get_running_loop()
    async with working(live_installation, worker_grace=0.5):

        async def asked():
            return provider.in_flight == 8  # the share of one workspace

        await until(asked)
        stopped = loop.time()
    assert loop.time() - stopped < 10
    rows = await live_installation.db.fetch("SELECT status::text, queue_manager_id FROM jobs.pgqueuer")
    assert {tuple(row) for row in rows} == {("queued", None)} and len(rows) == 20
    provider.held.set()
    async with working(live_installation):
        assert (await live.ended(scan["id"]))["answers_completed"] == 20


async def test_what_is_answered_within_the_grace_period_is_kept(live_installation, live, provider):
    await live.submit(await live.domain(), keywords=build_keywords(20), platforms=["chatgpt"])
    provider.latency = 0.4
    async with working(live_installation, worker_grace=20):

        async def asked():
            return provider.in_flight == 8

        await until(asked)
    assert await live_installation.db.fetchval("SELECT answers_completed FROM scans") == 8
    assert provider.asked.total() == 8, "nothing new was begun"
    assert await live_installation.db.fetchval("SELECT count(*) FROM workers") == 0


async def test_admission_against_the_time_limit_and_the_counting_does_not_break_the_worker(installation, console):
    """Whoever ends a scan holds its lanes; admission leaves them for the next time."""
    await console.submit(await console.domain(), keywords=build_keywords(5), platforms=["chatgpt", "grok"])
    await installation.db.execute(
        """INSERT INTO scan_lanes
           SELECT workspace_id, id, p, 'sandbox.' || p, 40, 5, 0, 0, created_at
           FROM scans CROSS JOIN unnest(selected_platforms) AS p"""
    )
    async with installation.db.transaction() as holder:
        await holder.execute("UPDATE scan_lanes SET settled = settled WHERE platform = 'grok'")
        async with installation.db.transaction() as tx:
            grants = [Grant(lane, 2, 2) for lane in await lock_lanes_any_workspace(tx)]
            marked = await mark_admitted_any_workspace(tx, grants)
    assert [grant.lane.platform for grant in marked] == ["chatgpt"]
    async with installation.db.transaction() as tx:
        lanes = await lock_lanes_any_workspace(tx)
        await installation.db.execute(
            "UPDATE scan_lanes SET admitted = cells"
        )  # the scan has run out of time meanwhile
        assert await mark_admitted_any_workspace(tx, [Grant(lane, 2, 2) for lane in lanes]) == []
