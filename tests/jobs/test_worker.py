"""What a worker guarantees: every job runs, in order, within the capacity, and again after a failure."""

import asyncio

import msgspec
import pytest

from sightline.jobs.queue import NewJob, claim_jobs, enqueue
from sightline.jobs.retry import DEFAULT_RETRY, Retry
from sightline.jobs.worker import JobHandler
from tests.jobs.job_recorder import Note
from tests.running_worker import until


async def test_jobs_are_done_once_and_leave_the_queue(recorder):
    await recorder.put("note", *range(200))
    async with recorder.open(recorder.handlers()):

        async def empty():
            return not await recorder.statuses()

        await until(empty)
    assert sorted(recorder.ended) == list(range(200))


async def test_jobs_run_by_priority_and_then_by_age(recorder):
    for number, priority in ((1, 0), (2, 5), (3, 0), (4, 9)):
        await recorder.put("note", number, priority=priority)

    async with recorder.open(recorder.handlers()):

        async def done():
            return len(recorder.ended) == 4

        await until(done)
    assert recorder.begun == [4, 2, 1, 3]


async def test_at_most_one_job_with_a_key_waits_or_runs(recorder):
    await recorder.put("note", 1, 2, key="same")
    await recorder.put("note", 3, key="same")
    assert await recorder.statuses() == {"waiting": 1}
    async with recorder.db.transaction() as tx:
        await enqueue(tx, NewJob(kind="note", payload=Note(4), key="same"))
    assert await recorder.statuses() == {"waiting": 1}


async def test_each_kind_is_claimed_only_up_to_its_capacity(recorder):
    """Claiming more would keep jobs from an idle worker."""
    await recorder.put("full", *range(10))
    await recorder.put("some", *range(10))
    release = asyncio.Event()
    left = {"some": 3}

    async def hold(job, number):
        left["some"] -= 1
        await release.wait()

    handlers = {
        "full": JobHandler(handle=recorder.handler(), capacity=lambda: 0),
        "some": JobHandler(handle=recorder.handler(hold), capacity=lambda: left["some"]),
    }
    async with recorder.open(handlers):

        async def some_begun():
            return len(recorder.begun) == 3

        await until(some_begun)
        await asyncio.sleep(0.1)
        assert await recorder.statuses("some") == {"claimed": 3, "waiting": 7}
        assert await recorder.statuses("full") == {"waiting": 10}
        release.set()


async def test_a_job_that_asks_to_be_retried_waits_as_long_as_it_asked(recorder):
    await recorder.put("note", 1)
    asked = []

    async def again(job, number):
        asked.append(job.attempts)
        if len(asked) == 1:
            raise Retry(60)

    async with recorder.open(recorder.handlers(again)):

        async def put_back():
            return asked and await recorder.statuses() == {"waiting": 1}

        await until(put_back)
        assert 50 < await recorder.due_in() <= 60
        await recorder.db.execute("UPDATE jobs SET run_after = now()")

        async def done():
            return recorder.ended == [1]

        await until(done)
    assert asked == [0, 1]


async def test_a_job_that_raises_is_retried_with_growing_pauses_and_finally_given_up(recorder):
    await recorder.put("note", 1)
    attempts, pauses = [], []

    async def fail(job, number):
        attempts.append(job.attempts)
        raise ValueError("no")

    async with recorder.open(recorder.handlers(fail)):
        for count in range(1, DEFAULT_RETRY.max_attempts):

            async def put_back(count=count):
                return len(attempts) == count and await recorder.statuses() == {"waiting": 1}

            await until(put_back)
            pauses.append(await recorder.due_in())
            await recorder.db.execute("UPDATE jobs SET run_after = now() - interval '1 second'")
            await recorder.db.execute("SELECT pg_notify('jobs', '')")

        async def given_up():
            return await recorder.statuses() == {"failed": 1}

        await until(given_up)
    assert attempts == list(range(DEFAULT_RETRY.max_attempts))
    expected = [DEFAULT_RETRY.delay_before(number) for number in range(1, DEFAULT_RETRY.max_attempts)]
    assert expected[:4] == [1, 2, 4, 8] and expected[-1] == 300
    assert all(want - 2 < got <= want for want, got in zip(expected, pauses, strict=True))


async def test_a_failed_job_does_not_block_a_new_one_with_its_key(recorder):
    await recorder.put("note", 1, key="same")
    await recorder.db.execute("UPDATE jobs SET failed_at = now()")
    await recorder.put("note", 2, key="same")
    assert await recorder.statuses() == {"failed": 1, "waiting": 1}


async def test_a_handler_may_delete_its_job_itself(recorder):
    await recorder.put("note", 1)

    async def settle(job, number):
        await recorder.db.execute("DELETE FROM jobs WHERE id = $1", job.id)

    async with recorder.open(recorder.handlers(settle, settles=True)):

        async def done():
            return recorder.ended == [1]

        await until(done)
    assert not await recorder.statuses()


async def test_several_workers_share_the_jobs_and_no_job_is_done_twice(recorder):
    await recorder.put("note", *range(300))
    async with (
        recorder.open(recorder.handlers()),
        recorder.open(recorder.handlers()),
        recorder.open(recorder.handlers()),
    ):

        async def empty():
            return not await recorder.statuses()

        await until(empty)
    assert sorted(recorder.ended) == list(range(300))


async def test_claiming_takes_each_kind_up_to_its_capacity(recorder):
    await recorder.put("a", *range(5))
    await recorder.put("b", *range(5))
    worker_id = await recorder.register()
    claimed = await claim_jobs(recorder.db, worker_id, {"a": 2, "b": 64})
    assert [job.kind for job in claimed].count("a") == 2 and len(claimed) == 7
    assert {job.worker_id for job in claimed} == {worker_id}
    assert await claim_jobs(recorder.db, await recorder.register(), {"b": 64}) == []


async def test_claimed_jobs_come_by_priority_and_then_by_age_whatever_their_kind(recorder):
    for kind, number, priority in (("a", 1, 0), ("b", 2, 5), ("a", 3, 0), ("a", 4, 9), ("a", 5, 0), ("b", 6, 0)):
        await recorder.put(kind, number, priority=priority)
    claimed = await claim_jobs(recorder.db, await recorder.register(), {"a": 3, "b": 3})
    assert [msgspec.json.decode(job.payload, type=Note).number for job in claimed] == [4, 2, 1, 3, 6]
    assert await recorder.statuses() == {"claimed": 5, "waiting": 1}


async def test_free_capacity_causes_no_poll_when_nothing_was_left_in_the_queue(recorder, monkeypatch):
    # Nothing is found by polling once a second.
    monkeypatch.setattr("sightline.jobs.worker.IDLE_SECONDS", 60)
    polls = []

    async def claim(*given):
        polls.append(found := await claim_jobs(*given))
        return found

    async def act(job, number):
        await asyncio.sleep(0.05 + number * 0.02)

    # Polls that find nothing leave no trace.
    monkeypatch.setattr("sightline.jobs.queue.claim_jobs", claim)
    async with recorder.open(recorder.handlers(act)) as worker:
        await recorder.wait_until_registered(worker)
        await asyncio.sleep(0.2)  # until it listens
        polls.clear()
        await recorder.put("note", *range(20))

        async def all_done():
            return len(recorder.ended) == 20

        await until(all_done)
    # All jobs were found at once. They ended at twenty different moments, and none of these caused a poll; the few
    # empty ones are those of a notification that arrived late.
    assert sum(bool(poll) for poll in polls) == 1 and len(polls) < 10


async def test_waiting_jobs_begin_as_soon_as_there_is_capacity_and_new_ones_at_once(recorder, monkeypatch):
    # Nothing is found by polling once a second.
    # Nothing is found by polling once a second.
    monkeypatch.setattr("sightline.jobs.worker.IDLE_SECONDS", 60)
    most = 2

    async def act(job, number):
        await asyncio.sleep(0.01)

    handlers = recorder.handlers(act, capacity=lambda: most - (len(recorder.begun) - len(recorder.ended)))
    async with recorder.open(handlers) as worker:
        await recorder.wait_until_registered(worker)
        await recorder.put("note", *range(6))

        async def all_done():
            return len(recorder.ended) == 6

        await until(all_done)
        await recorder.put("note", 6)

        async def new_done():
            return len(recorder.ended) == 7

        await until(new_done)


@pytest.mark.parametrize(("attempt", "pause"), [(1, 1), (2, 2), (9, 256), (10, 300), (10_000, 300)])
def test_delays_grow_up_to_five_minutes(attempt, pause):
    assert DEFAULT_RETRY.delay_before(attempt) == pause
