"""A simulated leap year: the exact list of checks, with outages, plan changes and killed schedulers."""

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


def checks_of_days(first, last):
    """Return the checks of these days, each at its scheduled minute."""
    return [(DAILY if day % 7 else FULL, on(day)) for day in range(first, last + 1)]


def late_checks_of_days(first, last):
    """Return the checks of a domain scheduled five hours later, which the next tick finds: eight hours later."""
    return [(scope, at + STEP) for scope, at in checks_of_days(first, last)]


async def kill_scheduler_during_tick(world, url, rng):
    """Tick with a scheduler whose connections break at a random moment, as after SIGKILL."""
    db = Database(url, pool_size=1)
    await db.open()
    pid = await db.fetchval("SELECT pg_backend_pid()")
    task = asyncio.create_task(tick(db, world.settings, now=world.now))
    await asyncio.sleep(rng.uniform(0, 0.02))
    db.pool.terminate()
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError, Exception):
        await task
    await db.close()
    while await world.db.fetchval("SELECT true FROM pg_stat_activity WHERE pid = $1", pid):
        await asyncio.sleep(0.001)  # other schedulers skip its locked rows until PostgreSQL ends the session


@pytest.mark.slow
@pytest.mark.timeout(180)
async def test_a_year_of_checks_despite_outages_plan_changes_and_killed_schedulers(world, database_url):
    rng = random.Random(20280229)
    changing = await world.workspace(Plan.TRIAL)
    steady = await world.workspace(Plan.AGENCY)
    changing_domain = await world.domain(changing, "best crm", "cheapest crm")
    steady_domain = await world.domain(steady, "best crm", anchor=ANCHOR + timedelta(hours=5))
    plans = {
        on(20) + STEP: Plan.STARTER,  # the trial ended on day 14
        on(149) + STEP: Plan.PROFESSIONAL,
        on(199) + STEP: Plan.FREE,
        on(230): Plan.STARTER,
        on(301): Plan.FREE,  # this and the next change happen during an outage
        on(303): Plan.AGENCY,
    }
    outages = [
        (on(50), on(59) + STEP),  # ten days with a Full Check
        (on(100), on(102) + STEP),  # three days without a Full Check
        (on(300), on(305)),
        (on(340) + STEP, on(340) + 2 * STEP),  # only the steady domain has a check due
    ]
    while (now := world.now + STEP) <= on(366):
        world.installation.clock.now = now
        if world.now in plans:
            await world.set_plan(changing, plans[world.now])
        if any(begin <= world.now < end for begin, end in outages):
            continue
        if rng.random() < 0.15:
            await kill_scheduler_during_tick(world, database_url, rng)
        await asyncio.gather(*(world.tick() for _ in range(rng.choice([1, 1, 1, 2, 3]))))
        await world.end_scans()

    assert on(8).strftime("%d %B %Y") == "29 February 2028"
    assert await world.started_checks(changing_domain) == [
        *checks_of_days(1, 13),  # the trial
        *checks_of_days(21, 49),  # Free from day 14 to 20
        (FULL, on(59) + STEP),
        *checks_of_days(60, 99),
        (DAILY, on(102) + STEP),
        *checks_of_days(103, 199),
        *checks_of_days(231, 299),  # Free on days 200 to 230
        (FULL, on(305)),  # one check for days 300 to 305, as a Full Check was due on day 301
        *checks_of_days(306, 366),
    ]
    assert await world.started_checks(steady_domain) == [
        *late_checks_of_days(1, 49),
        (FULL, on(59) + STEP),
        *late_checks_of_days(60, 99),
        *late_checks_of_days(102, 299),
        (FULL, on(305)),
        *late_checks_of_days(305, 339),
        (DAILY, on(340) + 2 * STEP),
        *late_checks_of_days(341, 365),
    ]
    keys = [key for (key,) in await world.db.fetch("SELECT key FROM jobs")]
    scans = [scan for (scan,) in await world.db.fetch("SELECT id FROM scans")]
    assert sorted(keys) == sorted(f"start:{scan}" for scan in scans)  # one job for each scan
    platforms = await world.db.fetch(
        "SELECT created_at, cardinality(selected_platforms) FROM scans WHERE domain_id = $1", changing_domain.id
    )
    plan_at = [(13, 3), (149, 4), (199, 6), (299, 4), (366, 11)]  # (last day, number of platforms)
    assert all(count == next(n for day, n in plan_at if at <= on(day) + STEP) for at, count in platforms)
