"""Concurrent schedulers, killed at any point, start every due check exactly once."""

import asyncio
import random
import subprocess
import sys

import pytest

from sightline.plans.table import Plan
from sightline.scans.scheduling.due_checks import start_due_check
from sightline.scans.scheduling.models import build_check_rules
from tests.process.serving.processes import environment
from tests.scans.scheduling.world import on

DAILY = "daily_check"


class Schedulers:
    """Processes that tick at a fixed time until they are killed."""

    def __init__(self, url, data_dir):
        self._url = url
        self._data_dir = data_dir
        self._running = []

    def start(self, now, **settings):
        command = [sys.executable, "-m", "tests.scans.scheduling.scheduler", self._url, now.isoformat()]
        process = subprocess.Popen(
            command,
            env=environment(data_dir=self._data_dir, **settings),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._running.append(process)
        return process

    def kill_all(self):
        for process in self._running:
            process.kill()
            process.wait()
        self._running.clear()


async def wait_until(world, condition):
    while not await world.db.fetchval(f"SELECT {condition}"):
        await asyncio.sleep(0.01)


@pytest.fixture
def schedulers(database_url, tmp_path):
    opened = Schedulers(database_url, tmp_path / "process")
    yield opened
    opened.kill_all()


async def create_domains(world, number):
    workspace_id = await world.workspace(Plan.AGENCY)
    return [await world.domain(workspace_id, "best crm", name=f"acme{i}.com") for i in range(number)]


async def find_scans_with_jobs(world):
    """Return the scan ID of each waiting job."""
    rows = await world.db.fetch("SELECT key FROM jobs WHERE kind = 'scan.start'")
    return sorted(key.removeprefix("start:") for (key,) in rows)


async def assert_started_once(world, domains, day):
    assert [await world.started_checks(domain) for domain in domains] == [[(DAILY, on(day))]] * len(domains)
    assert {await world.next_check(domain) for domain in domains} == {(DAILY, on(day + 1))}
    scans = await world.db.fetch("SELECT id::text FROM scans")
    assert await find_scans_with_jobs(world) == sorted(scan for (scan,) in scans)


async def start_listed_check(world, domain):
    """Start the check as a scheduler does that listed the domain as due some time ago."""
    rules = build_check_rules(world.settings)
    return await start_due_check(world.db, domain.workspace_id, domain.id, rules, now=world.now)


async def test_a_late_scheduler_does_not_start_a_check_again(world):
    (domain,) = await create_domains(world, 1)
    await world.tick_on([1])  # another scheduler has started the check, and it has ended
    assert not await start_listed_check(world, domain)
    assert await world.started_checks(domain) == [(DAILY, on(1))]


async def test_concurrent_schedulers_start_each_due_check_once(world):
    domains = await create_domains(world, 20)
    world.installation.clock.now = on(1)
    started = await asyncio.gather(*(world.tick() for _ in range(4)))
    assert sum(started) == 20
    await assert_started_once(world, domains, 1)


async def test_a_scheduler_with_a_wrong_clock_starts_no_check_twice(world):
    domains = await create_domains(world, 3)
    for hours in (0, 1, -1, 0.5):
        await world.tick_on([1], hours=hours)
    assert [len(await world.started_checks(domain)) for domain in domains] == [1, 1, 1]


@pytest.mark.parametrize(("point", "stored"), [("before_due_commit", 0), ("after_due_commit", 1)])
async def test_a_scheduler_that_crashes_stores_a_check_completely_or_not_at_all(world, schedulers, point, stored):
    domains = await create_domains(world, 3)
    crashing = schedulers.start(on(1), test_crash_at=point)
    assert await asyncio.to_thread(crashing.wait, 60) == 137
    assert await world.db.fetchval("SELECT count(*) FROM scans") == stored
    assert len(await find_scans_with_jobs(world)) == stored
    world.installation.clock.now = on(1)
    await world.tick()
    await assert_started_once(world, domains, 1)


@pytest.mark.slow
@pytest.mark.timeout(180)
async def test_schedulers_killed_at_random_start_each_due_check_once(world, schedulers):
    domains = await create_domains(world, 40)
    rng = random.Random(7)
    for started in (8, 20):
        for _ in range(2):
            schedulers.start(on(1))
        await wait_until(world, f"count(*) >= {started} FROM scans")
        await asyncio.sleep(rng.uniform(0, 0.02))
        schedulers.kill_all()
    schedulers.start(on(1))
    await wait_until(world, "NOT EXISTS (SELECT FROM domains WHERE next_check_at <= '2028-02-22T09:30:11Z')")
    await assert_started_once(world, domains, 1)


async def test_a_due_check_does_not_deadlock_with_a_scan_that_is_ending(world):
    """A worker locks the scan, then the domain. A scheduler that has locked the domain must not wait for the scan."""
    (domain,) = await create_domains(world, 1)
    await world.tick_on([1], end=False)
    world.installation.clock.now = on(2)
    async with world.db.transaction() as tx:
        await tx.execute("UPDATE scans SET status = 'cancelled', completed_at = $1", on(2))
        assert not await asyncio.wait_for(start_listed_check(world, domain), 10)
        await tx.execute("UPDATE domains SET latest_visibility_score = 1")
    assert await world.tick() == 1
    assert [at for _, at in await world.started_checks(domain)] == [on(1), on(2)]
