"""A platform's limit holds for all workers together, also when workers start, stop, die or lose the database."""

import asyncio
import uuid
from contextlib import asynccontextmanager

from hypothesis import given
from hypothesis import strategies as st

from sightline.db.engine import Database
from sightline.jobs.workers import sign_off
from sightline.platforms.gate import Gate
from sightline.scans.running.leases import platform_leases as module
from sightline.scans.running.leases import queries
from sightline.scans.running.leases.platform_leases import PlatformLeases, equal_share
from sightline.settings import Settings
from tests.property_testing import prove
from tests.running_worker import until, working
from tests.scans.running.provider import build_keywords

LANE = "live.chatgpt"


class LeaseHolder:
    """A worker as far as leases go. It has to be registered before it gets slots."""

    def __init__(self, db, limit=10, *, lifetime=5.0):
        self.db = db
        self.worker_id = uuid.uuid4()
        self.gates = {LANE: Gate(1, limit)}
        self.gate.window.resize(0)
        self.leases = PlatformLeases(db, self.worker_id, self.gates, limit, lifetime=lifetime)

    @property
    def gate(self):
        return self.gates[LANE]

    @property
    def slots(self):
        return self.gate.window.upper

    async def register(self):
        await self.db.execute("INSERT INTO workers (id, seen_at) VALUES ($1, now())", self.worker_id)
        return self

    async def sign_off(self):
        await sign_off(self.db, self.worker_id)


@asynccontextmanager
async def at_work(holder):
    await holder.register()
    task = asyncio.create_task(holder.leases.run())
    try:
        yield holder
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await holder.sign_off()


@prove
@given(st.integers(0, 200), st.integers(1, 30))
def test_shares_are_equal_and_add_up(total, workers):
    shares = [equal_share(total, workers, position) for position in range(workers)]
    assert sum(shares) == total and max(shares) - min(shares) <= 1


async def test_one_worker_has_all_slots_two_have_half_each_and_one_that_stops_returns_its_share_at_once(installation):
    first, second = LeaseHolder(installation.db), LeaseHolder(installation.db)
    async with at_work(first):

        async def alone():
            return first.slots == 10

        await until(alone)
        async with at_work(second):

            async def shared():
                assert first.slots + second.slots <= 10
                return (first.slots, second.slots) == (5, 5)

            await until(shared, seconds=5)
        await until(alone, seconds=3)
    assert await installation.db.fetchval("SELECT count(*) FROM platform_leases") == 0


async def test_calls_that_are_under_way_keep_their_slots_until_they_end(installation):
    first = await LeaseHolder(installation.db).register()
    await first.leases.renew()
    second = await LeaseHolder(installation.db).register()
    entered = [await first.gate.enter() for _ in range(8)]
    await second.leases.renew()
    assert second.slots == 0, "the first holds all ten"
    await first.leases.renew()
    assert first.slots == 5
    await second.leases.renew()
    assert second.slots == 2
    for _ in range(8):
        first.gate.leave(entered.pop(), "fine")
        await first.leases.renew()
        await second.leases.renew()
        assert first.gate.in_flight + second.slots <= 10
    assert (first.slots, second.slots) == (5, 5)


async def test_no_call_begins_while_a_share_is_reduced(installation, monkeypatch):
    """Between counting the calls under way and writing the count, the gate must not admit more."""
    first = await LeaseHolder(installation.db).register()
    await first.leases.renew()
    second = await LeaseHolder(installation.db).register()
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
    # Calls have to enter at the moment between reading and writing.
    monkeypatch.setattr(queries, "write_slots", while_it_is_written)
    await first.leases.renew()
    # From here on, as usual.
    monkeypatch.setattr(queries, "write_slots", write)
    await second.leases.renew()
    assert first.gate.in_flight == len(entered)
    assert first.gate.in_flight + second.slots <= 10


async def test_the_slots_of_another_worker_are_free_once_it_is_no_longer_registered(installation):
    dead = uuid.uuid4()
    await installation.db.execute("INSERT INTO workers (id, seen_at) VALUES ($1, now())", dead)
    await installation.db.execute("INSERT INTO platform_leases VALUES ($1, $2, 10)", LANE, dead)
    holder = LeaseHolder(installation.db)
    async with at_work(holder):
        await asyncio.sleep(0.5)
        assert holder.slots == 0
        await installation.db.execute("DELETE FROM workers WHERE id = $1", dead)

        async def has_all():
            return holder.slots == 10

        await until(has_all, seconds=5)


async def test_a_worker_that_is_not_registered_has_no_slots(installation):
    holder = LeaseHolder(installation.db)
    await holder.leases.renew()
    assert holder.slots == 0
    await holder.register()
    await holder.leases.renew()
    assert holder.slots == 10
    await holder.sign_off()  # as other workers do that take it for dead
    await holder.leases.renew()
    assert holder.slots == 0


async def test_the_gates_are_shut_when_the_database_is_away_for_longer_than_a_lease_lives(database_url):
    db = Database(database_url, pool_size=2)
    await db.open()
    holder = LeaseHolder(db, lifetime=1.5)
    async with at_work(holder):

        async def has_slots():
            return holder.slots == 10

        await until(has_slots)
        await db.close()

        async def shut():
            return holder.slots == 0

        await until(shut, seconds=5)
        await db.open()
        await until(has_slots, seconds=5)
    await db.close()


async def test_a_database_that_hangs_does_not_keep_the_gates_open(installation):
    holder = LeaseHolder(installation.db, lifetime=0.5)
    async with at_work(holder):

        async def has_slots():
            return holder.slots == 10

        await until(has_slots)

        async def shut():
            return holder.slots == 0

        async with installation.db.transaction() as tx:
            await tx.execute("LOCK TABLE platform_leases")
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

        async def both_have_half():
            rows = await live_installation.db.fetch("SELECT slots FROM platform_leases WHERE lane = $1", LANE)
            return [row[0] for row in rows] == [5, 5]

        async def both_ask():
            return await live_installation.db.fetchval(
                """SELECT count(DISTINCT worker_id) = 2 FROM jobs
                   WHERE worker_id IS NOT NULL AND kind LIKE 'cell%'"""
            )

        async with working(live_installation):
            await until(both_have_half, seconds=10)
            await until(both_ask, seconds=10)
            for scan in scans[:2]:
                assert (await live.ended(scan["id"]))["status"] == "completed"
        assert (await live.ended(scans[2]["id"]))["status"] == "completed"
    assert provider.asked.total() == 150, "every question is asked once"
    assert provider.most <= 10


async def test_a_worker_that_registers_again_waits_until_others_have_reduced_their_share(installation):
    holder = await LeaseHolder(installation.db).register()
    await holder.leases.renew()
    await holder.sign_off()
    other = await LeaseHolder(installation.db).register()
    await other.leases.renew()
    assert other.slots == 10
    await holder.register()
    await holder.leases.renew()
    assert holder.slots == 0
    await other.leases.renew()
    await holder.leases.renew()
    assert sorted((holder.slots, other.slots)) == [5, 5]


def test_by_default_a_lease_is_renewed_several_times_before_it_expires():
    assert Settings.model_fields["worker_timeout"].default > module.RENEW_SECONDS * 4
