"""Each of several workers claims its share of the jobs, and never so many that another one is idle."""

import asyncio

from sightline.jobs.queue import WorkerShare
from sightline.platforms.gate import Gate
from sightline.scans.running.engine import worker_share


async def enter(gate, party, count):
    tasks = [asyncio.create_task(gate.enter(party)) for _ in range(count)]
    await asyncio.sleep(0)
    return tasks


async def part(*, express=False, **parties):
    """Return the share of a worker with half of 62 slots, of which one party may use 25."""
    gate = Gate(1, 31, share=0.8)
    tasks = [task for party, count in parties.items() for task in await enter(gate, party, count)]
    found = worker_share(gate, 62, express=express)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return found


def of_half(waiting, free):
    return WorkerShare(fraction=0.5, slots=25, waiting=waiting, free=free)


def express_of_half(free):
    return WorkerShare(fraction=0.5, free=free)


async def test_the_only_worker_has_no_share():
    assert worker_share(Gate(1, 62, share=0.8), 62, express=False) is None
    assert worker_share(Gate(1, 62, share=0.8), 62, express=True) is None


async def test_a_worker_without_work_begins_as_many_as_one_party_may_have():
    assert await part() == of_half(waiting=0, free=25)
    assert await part(acme=10) == of_half(waiting=0, free=15)


async def test_calls_under_way_and_waiting_use_the_slots():
    assert await part(acme=25) == of_half(waiting=0, free=0)
    assert await part(acme=51) == of_half(waiting=26, free=0)


async def test_slots_reserved_for_others_are_free_for_express_jobs_however_many_wait():
    assert await part(express=True) == express_of_half(free=31)
    assert await part(express=True, acme=25) == express_of_half(free=6)
    assert await part(express=True, acme=60) == express_of_half(free=6)
    assert await part(express=True, acme=40, globex=4) == express_of_half(free=2)
    assert await part(express=True, acme=40, globex=9) == express_of_half(free=0)


async def test_a_shut_gate_claims_nothing():
    gate = Gate(1, 31, share=0.8)
    gate.window.resize(0)
    assert worker_share(gate, 62, express=False) == WorkerShare(fraction=0.0, slots=0, waiting=0, free=0)
    assert worker_share(gate, 62, express=True) == WorkerShare(fraction=0.0, free=0)
