"""A year in seconds, leap day included: the exact list of checks, whatever happens to the schedulers."""

import asyncio
import contextlib
import random
from datetime import timedelta

import pytest

from sightline.db.engine import Database
from sightline.plans.table import Plan
from sightline.scans.scheduling.tick import tick
from tests.scans.scheduling.world import ANCHOR, on

FULL, DAILY = "full_check", "daily_check"
STEP = timedelta(hours=8)


def days(first, last):
    """The checks of these days, each at its minute."""
    return [(DAILY if day % 7 else FULL, on(day)) for day in range(first, last + 1)]


def late(first, last):
    """Those of a domain whose minute lies five hours later: it is found due eight hours later."""
    return [(scope, at + STEP) for scope, at in days(first, last)]


async def kill_one_at_work(world, url, chance):
    """A scheduler whose connections break at a random moment of its tick, as by kill -9."""
    db = Database(url, pool_size=1)
    await db.open()
    pid = await db.fetchval("SELECT pg_backend_pid()")
    task = asyncio.create_task(tick(db, world.settings, now=world.now))
    await asyncio.sleep(chance.uniform(0, 0.02))
    db._pool.terminate()
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError, Exception):
        await task
    await db.close()
    while await world.db.fetchval("SELECT true FROM pg_stat_activity WHERE pid = $1", pid):
        await asyncio.sleep(0.001)  # until PostgreSQL has noticed, what it held is left out by the others


@pytest.mark.slow
@pytest.mark.timeout(180)
async def test_a_year_of_checks_with_outages_plan_changes_and_killed_schedulers(world, database_url):
    chance = random.Random(20280229)
    changing = await world.workspace(Plan.TRIAL)
    steady = await world.workspace(Plan.AGENCY)
    moved = await world.domain(changing, "best crm", "cheapest crm")
    always = await world.domain(steady, "best crm", anchor=ANCHOR + timedelta(hours=5))
    plans = {
        on(20) + STEP: Plan.STARTER,  # after the trial ended on day 14
        on(149) + STEP: Plan.PROFESSIONAL,
        on(199) + STEP: Plan.FREE,
        on(230): Plan.STARTER,
        on(301): Plan.FREE,  # both while the service is down
        on(303): Plan.AGENCY,
    }
    outages = [
        (on(50), on(59) + STEP),  # ten days, a Full Check among them
        (on(100), on(102) + STEP),  # three days without one
        (on(300), on(305)),
        (on(340) + STEP, on(340) + 2 * STEP),  # between two checks: nobody notices
    ]
    while (now := world.now + STEP) <= on(366):
        world.installation.clock.now = now
        if world.now in plans:
            await world.plan(changing, plans[world.now])
        if any(begin <= world.now < end for begin, end in outages):
            continue
        if chance.random() < 0.15:
            await kill_one_at_work(world, database_url, chance)
        await asyncio.gather(*(world.tick() for _ in range(chance.choice([1, 1, 1, 2, 3]))))
        await world.end_scans()

    assert on(8).strftime("%d %B %Y") == "29 February 2028"
    assert await world.started(moved) == [
        *days(1, 13),  # the trial
        *days(21, 49),  # Free from day 14 to 20
        (FULL, on(59) + STEP),
        *days(60, 99),
        (DAILY, on(102) + STEP),
        *days(103, 199),
        *days(231, 299),  # Free on days 200 to 230
        (FULL, on(305)),  # one for days 300 to 305, of which day 301 has a Full Check
        *days(306, 366),
    ]
    assert await world.started(always) == [
        *late(1, 49),
        (FULL, on(59) + STEP),
        *late(60, 99),
        *late(102, 299),
        (FULL, on(305)),
        *late(305, 339),
        (DAILY, on(340) + 2 * STEP),
        *late(341, 365),
    ]
    keys = [key for (key,) in await world.db.fetch("SELECT dedupe_key FROM jobs.pgqueuer")]
    scans = [scan for (scan,) in await world.db.fetch("SELECT id FROM scans")]
    assert sorted(keys) == sorted(f"start:{scan}" for scan in scans)  # each has its job, and no job is without one
    platforms = await world.db.fetch(
        "SELECT created_at, cardinality(selected_platforms) FROM scans WHERE domain_id = $1", moved.id
    )
    plan_at = [(13, 3), (149, 4), (199, 6), (299, 4), (366, 11)]  # until which day how many
    assert all(count == next(n for day, n in plan_at if at <= on(day) + STEP) for at, count in platforms)
