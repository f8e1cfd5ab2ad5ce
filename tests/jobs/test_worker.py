"""What a worker guarantees: every job runs, in order, within the capacity, and again after a failure."""

import asyncio
from collections import Counter
from uuid import uuid4

import msgspec
import pytest

from sightline.jobs.queue import NewJob, WorkerShare, claim_jobs, enqueue
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
    assert await recorder.statuses() == {"queued": 1}
    async with recorder.db.transaction() as tx:
        await enqueue(tx, NewJob(kind="note", payload=Note(4), key="same"))
    assert await recorder.statuses() == {"queued": 1}


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
        assert await recorder.statuses("some") == {"picked": 3, "queued": 7}
        assert await recorder.statuses("full") == {"queued": 10}
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
            return asked and await recorder.statuses() == {"queued": 1}

        await until(put_back)
        assert 50 < await recorder.due_in() <= 60
        await recorder.db.execute("UPDATE jobs.pgqueuer SET execute_after = now()")

        async def done():
            return recorder.ended == [1]

        await until(done)
    assert asked == [0, 1]


async def test_a_job_that_raises_is_retried_with_growing_pauses_and_held_as_failed_in_the_end(recorder):
    await recorder.put("note", 1)
    attempts, pauses = [], []

    async def fail(job, number):
        attempts.append(job.attempts)
        raise ValueError("no")

    async with recorder.open(recorder.handlers(fail)):
        for count in range(1, DEFAULT_RETRY.max_attempts):

            async def put_back(count=count):
                return len(attempts) == count and await recorder.statuses() == {"queued": 1}

            await until(put_back)
            pauses.append(await recorder.due_in())
            await recorder.db.execute("UPDATE jobs.pgqueuer SET execute_after = now() - interval '1 second'")
            await recorder.db.execute("SELECT pg_notify('ch_pgqueuer', '')")

        async def held():
            return await recorder.statuses() == {"failed": 1}

        await until(held)
    assert attempts == list(range(DEFAULT_RETRY.max_attempts))
    expected = [DEFAULT_RETRY.delay_before(number) for number in range(1, DEFAULT_RETRY.max_attempts)]
    assert expected[:4] == [1, 2, 4, 8] and expected[-1] == 300
    assert all(want - 2 < got <= want for want, got in zip(expected, pauses, strict=True))


async def test_a_failed_job_does_not_block_a_new_one_with_its_key(recorder):
    await recorder.put("note", 1, key="same")
    await recorder.db.execute("UPDATE jobs.pgqueuer SET status = 'failed'")
    await recorder.put("note", 2, key="same")
    assert await recorder.statuses() == {"failed": 1, "queued": 1}


async def test_the_jobs_of_a_worker_that_died_are_taken_over_after_its_heartbeat_and_not_before(recorder):
    await recorder.put("note", 1, 2)
    await recorder.claim_by_other_worker(last_heartbeat=0.5)
    async with recorder.open(recorder.handlers(), heartbeat=1.5):
        await asyncio.sleep(0.3)
        assert recorder.begun == []

        async def taken():
            return sorted(recorder.ended) == [1, 2]

        await until(taken, seconds=10)


async def test_a_long_job_keeps_its_heartbeat_and_is_not_taken_over(recorder):
    await recorder.put("note", 1)
    release = asyncio.Event()

    async def hold(job, number):
        await release.wait()

    async with (
        recorder.open(recorder.handlers(hold), heartbeat=0.4),
        recorder.open(recorder.handlers(hold), heartbeat=0.4),
    ):
        await asyncio.sleep(1.5)
        assert recorder.begun == [1]
        release.set()


async def test_a_handler_that_settles_its_job_itself_is_believed(recorder):
    await recorder.put("note", 1)

    async def settle(job, number):
        await recorder.db.execute("DELETE FROM jobs.pgqueuer WHERE id = $1", job.id)

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
    taken = (await claim_jobs(recorder.db, uuid4(), {"a": 2, "b": 64})).jobs
    assert [job.kind for job in taken].count("a") == 2 and len(taken) == 7
    assert (await claim_jobs(recorder.db, uuid4(), {"b": 64})).jobs == []


@pytest.mark.parametrize(
    ("waiting", "part", "taken"),
    [
        (40, WorkerShare(fraction=0.5, slots=10, waiting=0, free=0), 20),  # its half
        (40, WorkerShare(fraction=0.5, slots=10, waiting=30, free=0), 5),  # half of all that is waited with: 35 and 35
        (40, WorkerShare(fraction=0.5, slots=10, waiting=50, free=0), 0),  # it has more than its half
        (40, WorkerShare(fraction=0.5, slots=50, waiting=0, free=7), 7),  # fewer jobs than slots: only what can begin
        (
            3,
            WorkerShare(fraction=0.5, slots=2, waiting=0, free=3),
            3,
        ),  # what it can begin at once is more than its half
        (4, WorkerShare(fraction=0.25, slots=2, waiting=0, free=0), 1),
    ],
)
async def test_each_of_several_workers_claims_its_share_of_the_waiting_jobs(recorder, waiting, part, taken):
    await recorder.put("a", *range(waiting))
    await recorder.put("b", *range(3))
    claim = await claim_jobs(recorder.db, uuid4(), {"a": 60, "b": 64}, {"a": part})
    assert Counter(job.kind for job in claim.jobs) == Counter(a=taken, b=3)
    assert claim.left == ({"a": waiting - taken} if taken < waiting else {})


@pytest.mark.parametrize(
    ("own", "others", "queued", "free", "taken"),
    [
        (0, 0, 12, 0, 6),  # its half
        (0, 6, 6, 0, 6),  # somebody else has his
        (6, 0, 6, 0, 0),  # it has its own, and leaves the rest
        (30, 20, 10, 0, 0),  # half of all sixty, though none of the thirty may have begun
        (20, 30, 10, 0, 10),
        (6, 0, 6, 4, 4),  # what it can begin at once does not wait for anybody
        (0, 0, 7, 0, 4),
    ],
)
async def test_a_share_of_all_jobs_includes_the_running_ones(recorder, own, others, queued, free, taken):
    me, somebody = uuid4(), uuid4()
    await recorder.put("b", *range(9))
    await claim_jobs(recorder.db, me, {"b": 9})
    for worker, count in ((me, own), (somebody, others)):
        await recorder.put("a", *range(count))
        assert len((await claim_jobs(recorder.db, worker, {"a": count})).jobs) == count
    await recorder.put("a", *range(queued))
    claim = await claim_jobs(recorder.db, me, {"a": 64}, {"a": WorkerShare(fraction=0.5, free=free)})
    assert len(claim.jobs) == taken
    assert claim.left == ({"a": queued - taken} if taken < queued else {})


async def test_a_share_is_never_more_than_the_capacity(recorder):
    await recorder.put("a", *range(40))
    part = WorkerShare(fraction=0.5, slots=10, waiting=0, free=9)
    assert len((await claim_jobs(recorder.db, uuid4(), {"a": 3}, {"a": part})).jobs) == 3


async def test_jobs_are_claimed_in_their_order_whatever_is_left(recorder):
    for number, priority in ((1, 0), (2, 5), (3, 0), (4, 9), (5, 0)):
        await recorder.put("a", number, priority=priority)
    claim = await claim_jobs(
        recorder.db, uuid4(), {"a": 4}, {"a": WorkerShare(fraction=0.8, slots=1, waiting=0, free=0)}
    )
    assert [msgspec.json.decode(job.payload, type=Note).number for job in claim.jobs] == [4, 2, 1, 3]
    assert claim.left == {"a": 1}


async def test_a_worker_that_left_nothing_to_others_does_not_poll_again_when_it_has_capacity(recorder, monkeypatch):
    monkeypatch.setattr("sightline.jobs.worker._IDLE_SECONDS", 60)
    looks = []

    async def claim(*given):
        looks.append(found := await claim_jobs(*given))
        return found

    monkeypatch.setattr("sightline.jobs.worker.claim_jobs", claim)
    await recorder.put("note", *range(20))

    async def act(job, number):
        await asyncio.sleep(0.05 + number * 0.02)

    handlers = recorder.handlers(act, share=lambda: WorkerShare(fraction=0.5, slots=100, waiting=0, free=100))
    async with recorder.open(handlers):

        async def all_done():
            return len(recorder.ended) == 20

        await until(all_done)
    # All were found at once, and then nothing came that would have been worth a look.
    assert sum(bool(look.jobs) for look in looks) == 1 and len(looks) <= 3


async def test_jobs_left_to_others_run_here_when_nobody_takes_them(recorder, monkeypatch):
    monkeypatch.setattr("sightline.jobs.worker._IDLE_SECONDS", 60)  # nobody is found by the look once a second
    await recorder.put("note", *range(20))

    def part():
        begun = len(recorder.begun) - len(recorder.ended)
        return WorkerShare(fraction=0.5, slots=100, waiting=0, free=max(0, 2 - begun))

    async with recorder.open(recorder.handlers(share=part)):

        async def all_done():
            return len(recorder.ended) == 20

        await until(all_done)


async def test_waiting_jobs_begin_as_soon_as_there_is_capacity_and_new_ones_at_once(recorder, monkeypatch):
    monkeypatch.setattr("sightline.jobs.worker._IDLE_SECONDS", 60)  # nobody is found by the look once a second
    most = 2
    await recorder.put("note", *range(6))

    async def act(job, number):
        await asyncio.sleep(0.01)

    handlers = recorder.handlers(act, capacity=lambda: most - (len(recorder.begun) - len(recorder.ended)))
    async with recorder.open(handlers):

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
