"""A worker's places are shared evenly: nobody's slow jobs keep another workspace, or another endpoint, waiting."""

import asyncio
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from sightline.jobs.concurrency import ConcurrencyLimit
from sightline.jobs.queue import list_waiting_shares
from sightline.jobs.shares import WaitingShare, share_places
from sightline.jobs.worker import JobHandler
from tests.running_worker import until

NOW = datetime(2026, 11, 15, tzinfo=UTC)


def wait(share, count=1_000, minutes=0):
    return WaitingShare(share, NOW + timedelta(minutes=minutes), count)


def share(waiting, running=None, free=200, at_most=10_000):
    return dict(share_places(waiting, running or {}, free, at_most=at_most))


def test_a_workspace_that_is_alone_leaves_room_for_another():
    taken = share([wait("a/x")])
    assert taken == {"a/x": 67}
    assert share([wait("b/y")], taken, free=200 - 67)["b/y"] >= 40
    assert share([wait("a/y")], taken, free=200 - 67)["a/y"] >= 20, "and an endpoint for others of its workspace"


def test_workspaces_and_then_endpoints_get_the_same():
    assert share([wait("a/x"), wait("a/y"), wait("b/x")], at_most=40) == {"a/x": 10, "a/y": 10, "b/x": 20}


def test_what_runs_already_counts():
    taken = share([wait("a/x"), wait("b/x")], {"a/x": 10}, free=190, at_most=10)
    assert taken == {"b/x": 10}


def test_among_equals_the_one_that_has_waited_longest_begins():
    assert share([wait("a/x", minutes=1), wait("b/x"), wait("c/x", minutes=2)], free=1) == {"b/x": 1}


@pytest.mark.parametrize(("free", "at_most", "total"), [(0, 64, 0), (1, 64, 1), (200, 5, 5)])
def test_no_more_begin_than_there_are_places(free, at_most, total):
    assert sum(share([wait("a/x"), wait("b/x", 1)], free=free, at_most=at_most).values()) == total


def test_no_more_begin_than_wait():
    assert share([wait("a/x", 2), wait("b/x", 1)]) == {"a/x": 2, "b/x": 1}


async def test_slow_jobs_of_one_workspace_do_not_delay_those_of_another(recorder):
    """Ninety jobs of a workspace never end, and there are twenty places."""
    forever = asyncio.Event()
    limit = ConcurrencyLimit(20)

    async def hold(job, number):
        if number < 100:
            await forever.wait()

    run = recorder.handler(hold)
    handlers = {"note": JobHandler(handle=lambda job: limit.run(run(job)), capacity=limit.free, shared=True)}
    await recorder.put("note", *range(90), share="a/x")
    async with recorder.open(handlers):

        async def is_busy():
            return len(recorder.begun) >= 7

        await until(is_busy)
        await recorder.put("note", *range(100, 110), share="b/x")

        async def are_done():
            return len(recorder.ended) == 10

        await until(are_done)
        assert sorted(recorder.ended) == list(range(100, 110))
        assert await recorder.statuses() == Counter({"claimed": 7, "waiting": 83})
        forever.set()


async def test_every_job_of_a_share_is_done_in_its_order(recorder):
    limit = ConcurrencyLimit(4)
    run = recorder.handler()
    handlers = {"note": JobHandler(handle=lambda job: limit.run(run(job)), capacity=limit.free, shared=True)}
    await recorder.put("note", *range(30), share="a/x")
    await recorder.put("note", *range(30, 40))  # enqueued by a process that knows no shares
    async with recorder.open(handlers):

        async def are_done():
            return len(recorder.ended) == 40

        await until(are_done)
    assert [number for number in recorder.begun if number < 30] == list(range(30))


async def test_only_due_jobs_count_as_waiting(recorder):
    await recorder.put("note", 1, 2, 3, share="a/x")
    await recorder.put("note", 4, share="a/y", delay=timedelta(hours=1))
    await recorder.put("note", 5, share="b/x")
    found = await list_waiting_shares(recorder.db, "note", limit=2)
    assert [(each.share, each.count) for each in found] == [("a/x", 2), ("b/x", 1)]
    assert await list_waiting_shares(recorder.db, "other", limit=2) == []
