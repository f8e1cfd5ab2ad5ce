"""A platform's limit holds for all workers together, whoever comes, goes, dies or loses the database."""

import asyncio
import uuid
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.db.engine import Database
from sightline.platforms.gate import Gate
from sightline.scans.running.leases import platform_leases as module
from sightline.scans.running.leases import queries
from sightline.scans.running.leases.platform_leases import PlatformLeases, equal_share
from tests.property_testing import prove
from tests.running_worker import until, working
from tests.scans.running.provider import build_keywords

LANE = "live.chatgpt"


class LeaseHolder:
    """A worker as far as leases go."""

    def __init__(self, db, limit=10):
        self.gates = {LANE: Gate(1, limit)}
        self.gate.window.resize(0)
        self.leases = PlatformLeases(db, uuid.uuid4(), self.gates, limit)

    @property
    def gate(self):
        return self.gates[LANE]

    @property
    def places(self):
        return self.gate.window.upper


@asynccontextmanager
async def at_work(holder):
    task = asyncio.create_task(holder.leases.run())
    try:
        yield holder
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@prove
@given(st.integers(0, 200), st.integers(1, 30))
def test_parts_are_equal_and_add_up(total, workers):
    parts = [equal_share(total, workers, place) for place in range(workers)]
    assert sum(parts) == total and max(parts) - min(parts) <= 1


async def test_one_worker_has_everything_two_have_half_each_and_who_goes_gives_back_at_once(installation):
    first, second = LeaseHolder(installation.db), LeaseHolder(installation.db)
    async with at_work(first):

        async def alone():
            return first.places == 10

        await until(alone)
        async with at_work(second):

            async def shared():
                assert first.places + second.places <= 10
                return (first.places, second.places) == (5, 5)

            await until(shared, seconds=5)
        await until(alone, seconds=3)
    assert await installation.db.fetchval("SELECT count(*) FROM platform_leases") == 0


async def test_calls_that_are_under_way_keep_their_slots_until_they_end(installation):
    first, second = LeaseHolder(installation.db), LeaseHolder(installation.db)
    await first.leases.renew()
    places = [await first.gate.enter() for _ in range(8)]
    await second.leases.renew()
    assert second.places == 0, "the first holds all ten"
    assert not await first.leases.renew() and first.places == 5
    await second.leases.renew()
    assert second.places == 2
    for _ in range(8):
        first.gate.leave(places.pop(), "fine")
        await first.leases.renew()
        await second.leases.renew()
        assert first.gate.in_flight + second.places <= 10
    assert (first.places, second.places) == (5, 5)


async def test_nobody_slips_in_while_a_part_is_being_given_up(installation, monkeypatch):
    """Between counting the calls under way and writing them down, the gate must not let in more."""
    first, second = LeaseHolder(installation.db), LeaseHolder(installation.db)
    await first.leases.renew()
    await second.leases.renew()
    write = queries.write_slots

    async def while_it_is_written(tx, worker_id, slots):
        entering = [asyncio.create_task(first.gate.enter()) for _ in range(10)]
        await write(tx, worker_id, slots)
        await asyncio.sleep(0.01)
        entered.extend(task for task in entering if task.done())
        for task in entering:
            if not task.done():
                task.cancel()

    entered = []
    monkeypatch.setattr(queries, "write_slots", while_it_is_written)
    await first.leases.renew()
    monkeypatch.setattr(queries, "write_slots", write)
    await second.leases.renew()
    assert first.gate.in_flight == len(entered)
    assert first.gate.in_flight + second.places <= 10


async def test_a_dead_workers_part_is_waited_for_until_its_lease_has_run_out(installation, monkeypatch):
    monkeypatch.setattr(module, "LIFETIME_SECONDS", 1.0)
    dead = uuid.uuid4()
    await installation.db.execute("INSERT INTO workers (id, seen_at) VALUES ($1, now())", dead)
    await installation.db.execute("INSERT INTO platform_leases VALUES ($1, $2, 10)", LANE, dead)
    holder = LeaseHolder(installation.db)
    async with at_work(holder):
        await asyncio.sleep(0.5)
        assert holder.places == 0

        async def all_of_it():
            return holder.places == 10

        await until(all_of_it, seconds=5)


async def test_without_a_database_for_longer_than_the_lease_the_gates_are_shut(database_url, monkeypatch):
    monkeypatch.setattr(module, "LIFETIME_SECONDS", 0.8)
    db = Database(database_url, pool_size=2)
    await db.open()
    holder = LeaseHolder(db)
    async with at_work(holder):

        async def has_places():
            return holder.places == 10

        await until(has_places)
        pool, db._pool = db._pool, None

        async def shut():
            return holder.places == 0

        await until(shut, seconds=5)
        db._pool = pool
        await until(has_places, seconds=5)
    await db.close()


async def test_a_database_that_hangs_does_not_keep_the_gates_open(installation, monkeypatch):
    monkeypatch.setattr(module, "LIFETIME_SECONDS", 0.5)
    holder = LeaseHolder(installation.db)
    async with at_work(holder):

        async def has_places():
            return holder.places == 10

        await until(has_places)

        async def hang(*_, **__):
            await asyncio.sleep(60)

        monkeypatch.setattr(queries, "renew_worker", hang)

        async def shut():
            return holder.places == 0

        await until(shut, seconds=3)


async def test_two_workers_together_never_ask_more_than_the_limit_and_both_ask(live_installation, live, provider):
    provider.latency = 0.1
    scans = []
    async with working(live_installation):
        for number in range(3):
            domain = await live.domain(f"brand{number}.com")
            scans.append(
                await live.submit(domain, keywords=build_keywords(50, f"tool {number}"), platforms=["chatgpt"])
            )

        async def both():
            rows = await live_installation.db.fetch("SELECT slots FROM platform_leases WHERE lane = $1", LANE)
            return [row[0] for row in rows] == [5, 5]

        async def both_ask():
            return await live_installation.db.fetchval(
                """SELECT count(DISTINCT queue_manager_id) = 2 FROM jobs.pgqueuer
                   WHERE status = 'picked' AND entrypoint LIKE 'cell%'"""
            )

        async with working(live_installation):
            await until(both, seconds=10)
            await until(both_ask, seconds=10)
            for scan in scans[:2]:
                assert (await live.ended(scan["id"]))["status"] == "completed"
        assert (await live.ended(scans[2]["id"]))["status"] == "completed"
    assert provider.asked.total() == 150, "and every answer was asked once"
    assert provider.most <= 10


async def test_a_worker_that_was_forgotten_registers_again(installation):
    holder = LeaseHolder(installation.db)
    await holder.leases.renew()
    await installation.db.execute("UPDATE workers SET seen_at = now() - $1::interval", timedelta(hours=1))
    other = LeaseHolder(installation.db)
    await other.leases.renew()
    assert other.places == 10
    await holder.leases.renew()
    assert holder.places == 0, "its part went to another; it waits until that gives half back"
    await other.leases.renew()
    await holder.leases.renew()
    assert sorted((holder.places, other.places)) == [5, 5]


def test_a_lease_lives_long_enough_to_be_renewed_several_times():
    assert pytest.approx(6) == module.LIFETIME_SECONDS and module._RENEW_SECONDS * 5 < module.LIFETIME_SECONDS
