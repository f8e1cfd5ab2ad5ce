"""What a worker promises: every job is done, in its order, as far as there is room, and again when it went wrong."""

import asyncio
from collections import Counter
from uuid import uuid4

import msgspec
import pytest

from sightline.jobs.queue import NewJob, WorkerShare, claim_jobs, enqueue
from sightline.jobs.retry import DEFAULT_RETRY, Retry
from sightline.jobs.worker import JobHandler
from tests.jobs.sample_jobs import Note
from tests.running_worker import until


async def test_jobs_are_done_once_and_leave_the_queue(shop):
    await shop.put("note", *range(200))
    async with shop.open(shop.works()):

        async def empty():
            return not await shop.statuses()

        await until(empty)
    assert sorted(shop.ended) == list(range(200))


async def test_higher_priority_goes_first_and_then_who_came_first(shop):
    for number, priority in ((1, 0), (2, 5), (3, 0), (4, 9)):
        await shop.put("note", number, priority=priority)

    async with shop.open(shop.works()):

        async def done():
            return len(shop.ended) == 4

        await until(done)
    assert shop.begun == [4, 2, 1, 3]


async def test_of_jobs_with_one_key_that_wait_or_run_there_is_only_one(shop):
    await shop.put("note", 1, 2, key="same")
    await shop.put("note", 3, key="same")
    assert await shop.statuses() == {"queued": 1}
    async with shop.db.transaction() as tx:
        await enqueue(tx, NewJob(kind="note", payload=Note(4), key="same"))
    assert await shop.statuses() == {"queued": 1}


async def test_only_kinds_with_room_are_fetched_and_never_more_than_there_is_room_for(shop):
    """Over-fetching would keep jobs from a worker that has nothing to do."""
    await shop.put("full", *range(10))
    await shop.put("some", *range(10))
    release = asyncio.Event()
    left = {"some": 3}

    async def hold(job, number):
        left["some"] -= 1
        await release.wait()

    works = {
        "full": JobHandler(handle=shop.handler(), capacity=lambda: 0),
        "some": JobHandler(handle=shop.handler(hold), capacity=lambda: left["some"]),
    }
    async with shop.open(works):

        async def some_begun():
            return len(shop.begun) == 3

        await until(some_begun)
        await asyncio.sleep(0.1)
        assert await shop.statuses("some") == {"picked": 3, "queued": 7}
        assert await shop.statuses("full") == {"queued": 10}
        release.set()


async def test_a_job_that_asks_to_be_retried_waits_as_long_as_it_asked(shop):
    await shop.put("note", 1)
    asked = []

    async def again(job, number):
        asked.append(job.attempts)
        if len(asked) == 1:
            raise Retry(60)

    async with shop.open(shop.works(again)):

        async def put_back():
            return asked and await shop.statuses() == {"queued": 1}

        await until(put_back)
        assert 50 < await shop.due_in() <= 60
        await shop.db.execute("UPDATE jobs.pgqueuer SET execute_after = now()")

        async def done():
            return shop.ended == [1]

        await until(done)
    assert asked == [0, 1]


async def test_a_job_that_raises_is_retried_with_growing_pauses_and_held_as_failed_in_the_end(shop):
    await shop.put("note", 1)
    attempts, pauses = [], []

    async def fail(job, number):
        attempts.append(job.attempts)
        raise ValueError("no")

    async with shop.open(shop.works(fail)):
        for count in range(1, DEFAULT_RETRY.max_attempts):

            async def put_back(count=count):
                return len(attempts) == count and await shop.statuses() == {"queued": 1}

            await until(put_back)
            pauses.append(await shop.due_in())
            await shop.db.execute("UPDATE jobs.pgqueuer SET execute_after = now() - interval '1 second'")
            await shop.db.execute("SELECT pg_notify('ch_pgqueuer', '')")

        async def held():
            return await shop.statuses() == {"failed": 1}

        await until(held)
    assert attempts == list(range(DEFAULT_RETRY.max_attempts))
    expected = [DEFAULT_RETRY.delay_before(number) for number in range(1, DEFAULT_RETRY.max_attempts)]
    assert expected[:4] == [1, 2, 4, 8] and expected[-1] == 300
    assert all(want - 2 < got <= want for want, got in zip(expected, pauses, strict=True))


async def test_one_that_is_held_does_not_stand_in_the_way_of_a_new_one_with_its_key(shop):
    await shop.put("note", 1, key="same")
    await shop.db.execute("UPDATE jobs.pgqueuer SET status = 'failed'")
    await shop.put("note", 2, key="same")
    assert await shop.statuses() == {"failed": 1, "queued": 1}


async def test_the_jobs_of_a_worker_that_died_are_taken_over_after_its_heartbeat_and_not_before(shop):
    await shop.put("note", 1, 2)
    await shop.steal(heard_of=0.5)
    async with shop.open(shop.works(), heartbeat=1.5):
        await asyncio.sleep(0.3)
        assert shop.begun == []

        async def taken():
            return sorted(shop.ended) == [1, 2]

        await until(taken, seconds=10)


async def test_a_long_job_keeps_its_heartbeat_and_is_not_taken_over(shop):
    await shop.put("note", 1)
    release = asyncio.Event()

    async def hold(job, number):
        await release.wait()

    async with shop.open(shop.works(hold), heartbeat=0.4), shop.open(shop.works(hold), heartbeat=0.4):
        await asyncio.sleep(1.5)
        assert shop.begun == [1]
        release.set()


async def test_a_handler_that_settles_its_job_itself_is_believed(shop):
    await shop.put("note", 1)

    async def settle(job, number):
        await shop.db.execute("DELETE FROM jobs.pgqueuer WHERE id = $1", job.id)

    async with shop.open(shop.works(settle, settles=True)):

        async def done():
            return shop.ended == [1]

        await until(done)
    assert not await shop.statuses()


async def test_several_workers_share_the_jobs_and_no_job_is_done_twice(shop):
    await shop.put("note", *range(300))
    async with shop.open(shop.works()), shop.open(shop.works()), shop.open(shop.works()):

        async def empty():
            return not await shop.statuses()

        await until(empty)
    assert sorted(shop.ended) == list(range(300))


async def test_claiming_takes_each_kind_up_to_its_room(shop):
    await shop.put("a", *range(5))
    await shop.put("b", *range(5))
    taken = (await claim_jobs(shop.db, uuid4(), {"a": 2, "b": 64})).jobs
    assert [job.kind for job in taken].count("a") == 2 and len(taken) == 7
    assert (await claim_jobs(shop.db, uuid4(), {"b": 64})).jobs == []


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
async def test_of_several_workers_each_takes_its_part_of_what_waits(shop, waiting, part, taken):
    await shop.put("a", *range(waiting))
    await shop.put("b", *range(3))
    claim = await claim_jobs(shop.db, uuid4(), {"a": 60, "b": 64}, {"a": part})
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
async def test_a_part_of_all_jobs_counts_those_that_are_being_done(shop, own, others, queued, free, taken):
    me, somebody = uuid4(), uuid4()
    await shop.put("b", *range(9))
    await claim_jobs(shop.db, me, {"b": 9})
    for worker, count in ((me, own), (somebody, others)):
        await shop.put("a", *range(count))
        assert len((await claim_jobs(shop.db, worker, {"a": count})).jobs) == count
    await shop.put("a", *range(queued))
    claim = await claim_jobs(shop.db, me, {"a": 64}, {"a": WorkerShare(fraction=0.5, free=free)})
    assert len(claim.jobs) == taken
    assert claim.left == ({"a": queued - taken} if taken < queued else {})


async def test_a_part_is_never_more_than_the_room(shop):
    await shop.put("a", *range(40))
    part = WorkerShare(fraction=0.5, slots=10, waiting=0, free=9)
    assert len((await claim_jobs(shop.db, uuid4(), {"a": 3}, {"a": part})).jobs) == 3


async def test_jobs_are_claimed_in_their_order_whatever_is_left(shop):
    for number, priority in ((1, 0), (2, 5), (3, 0), (4, 9), (5, 0)):
        await shop.put("a", number, priority=priority)
    claim = await claim_jobs(shop.db, uuid4(), {"a": 4}, {"a": WorkerShare(fraction=0.8, slots=1, waiting=0, free=0)})
    assert [msgspec.json.decode(job.payload, type=Note).number for job in claim.jobs] == [4, 2, 1, 3]
    assert claim.left == {"a": 1}


async def test_a_worker_that_left_nothing_to_others_does_not_look_again_because_it_has_room(shop, monkeypatch):
    monkeypatch.setattr("sightline.jobs.worker._IDLE_SECONDS", 60)
    looks = []

    async def claim(*given):
        looks.append(found := await claim_jobs(*given))
        return found

    monkeypatch.setattr("sightline.jobs.worker.claim_jobs", claim)
    await shop.put("note", *range(20))

    async def act(job, number):
        await asyncio.sleep(0.05 + number * 0.02)

    works = shop.works(act, share=lambda: WorkerShare(fraction=0.5, slots=100, waiting=0, free=100))
    async with shop.open(works):

        async def all_done():
            return len(shop.ended) == 20

        await until(all_done)
    # All were found at once, and then nothing came that would have been worth a look.
    assert sum(bool(look.jobs) for look in looks) == 1 and len(looks) <= 3


async def test_what_was_left_to_others_is_done_when_they_do_not_come(shop, monkeypatch):
    monkeypatch.setattr("sightline.jobs.worker._IDLE_SECONDS", 60)  # nobody is found by the look once a second
    await shop.put("note", *range(20))

    def part():
        begun = len(shop.begun) - len(shop.ended)
        return WorkerShare(fraction=0.5, slots=100, waiting=0, free=max(0, 2 - begun))

    async with shop.open(shop.works(share=part)):

        async def all_done():
            return len(shop.ended) == 20

        await until(all_done)


async def test_what_waits_for_room_is_begun_as_soon_as_there_is_some_and_what_comes_as_soon_as_it_comes(
    shop, monkeypatch
):
    monkeypatch.setattr("sightline.jobs.worker._IDLE_SECONDS", 60)  # nobody is found by the look once a second
    most = 2
    await shop.put("note", *range(6))

    async def act(job, number):
        await asyncio.sleep(0.01)

    works = shop.works(act, capacity=lambda: most - (len(shop.begun) - len(shop.ended)))
    async with shop.open(works):

        async def all_done():
            return len(shop.ended) == 6

        await until(all_done)
        await shop.put("note", 6)

        async def new_done():
            return len(shop.ended) == 7

        await until(new_done)


@pytest.mark.parametrize(("attempt", "pause"), [(1, 1), (2, 2), (9, 256), (10, 300), (10_000, 300)])
def test_pauses_grow_up_to_five_minutes(attempt, pause):
    assert DEFAULT_RETRY.delay_before(attempt) == pause
