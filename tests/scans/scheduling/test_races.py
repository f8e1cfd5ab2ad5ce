"""Any number of schedulers at once, killed at any point: nothing is lost and nothing is doubled."""

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
    """Processes that tick at a moment of the grid until they are killed."""

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


async def many_domains(world, number):
    workspace_id = await world.workspace(Plan.AGENCY)
    return [await world.domain(workspace_id, "best crm", name=f"acme{i}.com") for i in range(number)]


async def find_jobs(world):
    """The scans that have a job waiting, once per job."""
    rows = await world.db.fetch("SELECT dedupe_key FROM jobs.pgqueuer WHERE entrypoint = 'scan.start'")
    return sorted(key.removeprefix("start:") for (key,) in rows)


async def prove_each_once(world, domains, day):
    assert [await world.started(domain) for domain in domains] == [[(DAILY, on(day))]] * len(domains)
    assert {await world.next_check(domain) for domain in domains} == {(DAILY, on(day + 1))}
    scans = await world.db.fetch("SELECT id::text FROM scans")
    assert await find_jobs(world) == sorted(scan for (scan,) in scans)


async def start_as_listed(world, domain):
    """What a scheduler does that has found the domain due a while ago."""
    rules = build_check_rules(world.settings)
    return await start_due_check(world.db, domain.workspace_id, domain.id, rules, now=world.now)


async def test_a_scheduler_that_comes_late_to_a_domain_finds_it_done(world):
    (domain,) = await many_domains(world, 1)
    await world.walk([1])  # another one was there before, and the check has even ended
    assert not await start_as_listed(world, domain)
    assert await world.started(domain) == [(DAILY, on(1))]


async def test_schedulers_that_tick_at_once_start_each_due_check_once(world):
    domains = await many_domains(world, 20)
    world.installation.clock.now = on(1)
    started = await asyncio.gather(*(world.tick() for _ in range(4)))
    assert sum(started) == 20
    await prove_each_once(world, domains, 1)


async def test_a_scheduler_whose_clock_is_behind_or_ahead_starts_nothing_twice(world):
    domains = await many_domains(world, 3)
    for hours in (0, 1, -1, 0.5):
        await world.walk([1], hours=hours)
    assert [len(await world.started(domain)) for domain in domains] == [1, 1, 1]


@pytest.mark.parametrize(("point", "kept"), [("before_due_commit", 0), ("after_due_commit", 1)])
async def test_a_scheduler_that_dies_at_this_point_leaves_all_of_a_check_or_nothing(world, schedulers, point, kept):
    domains = await many_domains(world, 3)
    dying = schedulers.start(on(1), test_crash_at=point)
    assert await asyncio.to_thread(dying.wait, 60) == 137
    assert await world.db.fetchval("SELECT count(*) FROM scans") == kept
    assert len(await find_jobs(world)) == kept
    world.installation.clock.now = on(1)
    await world.tick()
    await prove_each_once(world, domains, 1)


@pytest.mark.slow
@pytest.mark.timeout(180)
async def test_two_schedulers_killed_at_random_lose_nothing_and_double_nothing(world, schedulers):
    domains = await many_domains(world, 40)
    chance = random.Random(7)
    for begun in (8, 20):
        for _ in range(2):
            schedulers.start(on(1))
        await wait_until(world, f"count(*) >= {begun} FROM scans")
        await asyncio.sleep(chance.uniform(0, 0.02))
        schedulers.kill_all()
    schedulers.start(on(1))
    await wait_until(world, "NOT EXISTS (SELECT FROM domains WHERE next_check_at <= '2028-02-22T09:30:11Z')")
    await prove_each_once(world, domains, 1)


async def test_a_check_that_is_ending_and_a_due_one_do_not_wait_for_each_other(world):
    """The engine holds the scan and wants the domain; a scheduler that holds the domain must not want the scan."""
    (domain,) = await many_domains(world, 1)
    await world.walk([1], end=False)
    world.installation.clock.now = on(2)
    async with world.db.transaction() as tx:
        await tx.execute("UPDATE scans SET status = 'cancelled', completed_at = $1", on(2))
        assert not await asyncio.wait_for(start_as_listed(world, domain), 10)
        await tx.execute("UPDATE domains SET latest_visibility_score = 1")
    assert await world.tick() == 1
    assert [at for _, at in await world.started(domain)] == [on(1), on(2)]
