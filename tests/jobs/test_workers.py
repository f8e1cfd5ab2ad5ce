"""Which workers are alive: a dead one loses its jobs within seconds, a slow one keeps them, no job runs twice."""

import asyncio
import threading
import time
import uuid
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial

import pytest

from sightline.db.engine import Database, DatabaseUnavailable
from sightline.jobs import queue, workers
from sightline.jobs.queue import claim_jobs
from sightline.jobs.worker import Worker
from tests.jobs.job_recorder import JobRecorder
from tests.running_worker import until

TIMEOUT = 1.0


@pytest.fixture(autouse=True)
async def server_is_old_enough(recorder):
    """Wait until PostgreSQL has run for longer than the timeout: before that nobody is taken for dead."""

    async def is_old_enough():
        return await recorder.db.fetchval("SELECT now() - pg_postmaster_start_time() > interval '3 seconds'")

    await until(is_old_enough)


def run_worker(recorder, act=None):
    """Run a worker that records its jobs of the kind "note", until the end of the block."""
    return recorder.open(recorder.handlers(act), timeout=TIMEOUT)


async def register(recorder, *, silent_for=0.0):
    """Register another worker, which reported for the last time so many seconds ago. It has no session."""
    worker_id = uuid.uuid4()
    await recorder.db.execute(
        "INSERT INTO workers VALUES ($1, now() - $2::interval)", worker_id, timedelta(seconds=silent_for)
    )
    return worker_id


@asynccontextmanager
async def hold_session(recorder, worker_id):
    """Hold the session of a worker for the duration of the block, unless it is terminated before."""
    session = await workers.open_session(recorder.db.url, worker_id)
    try:
        yield session
    finally:
        session.terminate()


async def claim(recorder, worker_id, count=1):
    jobs = await claim_jobs(recorder.db, worker_id, {"note": count})
    assert len(jobs) == count
    return jobs


async def report(recorder, worker_id=None, *, timeout=TIMEOUT):
    """Report as a worker does every second. It frees the jobs of dead workers."""
    worker_id = worker_id or uuid.uuid4()
    await workers.report_alive(recorder.db, worker_id, timeout=timeout)
    return worker_id


async def find_session(recorder, worker):
    """Return the process of the session that holds the lock of a worker."""
    return await recorder.db.fetchval(
        """SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
             AND (classid::bigint << 32) | objid::bigint = hashtextextended($1, 0)""",
        str(worker.id),
    )


async def list_owners(recorder):
    return [row[0] for row in await recorder.db.fetch("SELECT worker_id FROM jobs ORDER BY id")]


async def list_workers(recorder):
    return {row[0] for row in await recorder.db.fetch("SELECT id FROM workers")}


# Who is dead


async def test_the_jobs_of_a_killed_worker_are_run_by_another_one_within_the_timeout_and_two_seconds(recorder):
    await recorder.put("note", 1, 2, 3)
    killed = await register(recorder)
    await claim(recorder, killed, 3)
    async with hold_session(recorder, killed) as session, run_worker(recorder):
        session.terminate()
        began = time.monotonic()

        async def all_done():
            return not await recorder.db.fetchval("SELECT count(*) FROM jobs")

        await until(all_done)
        assert time.monotonic() - began < TIMEOUT + 2
    assert sorted(recorder.ended) == [1, 2, 3]
    assert killed not in await list_workers(recorder)


async def test_a_worker_without_a_session_keeps_its_jobs_until_it_has_been_silent_for_the_timeout(recorder):
    await recorder.put("note", 1)
    worker_id = await register(recorder, silent_for=TIMEOUT / 2)
    await claim(recorder, worker_id)
    reporting = await report(recorder)
    assert await list_owners(recorder) == [worker_id]
    assert await list_workers(recorder) == {worker_id, reporting}
    await recorder.db.execute("UPDATE workers SET seen_at = seen_at - interval '1 second' WHERE id = $1", worker_id)
    await report(recorder, reporting)
    assert await list_owners(recorder) == [None]
    assert await list_workers(recorder) == {reporting}


async def test_a_job_that_is_taken_from_a_dead_worker_keeps_its_attempts_and_is_due_at_once(recorder):
    await recorder.put("note", 1)
    await claim(recorder, await register(recorder, silent_for=60))
    reporting = await report(recorder)
    (job,) = await claim_jobs(recorder.db, reporting, {"note": 1})
    assert job.attempts == 0


async def test_a_silent_worker_with_an_open_session_keeps_its_jobs(recorder):
    await recorder.put("note", 1)
    slow = await register(recorder, silent_for=240)
    await claim(recorder, slow)
    async with hold_session(recorder, slow):
        reporting = await report(recorder)
    assert await list_owners(recorder) == [slow]
    assert await list_workers(recorder) == {slow, reporting}


async def test_a_worker_whose_event_loop_is_blocked_for_longer_than_the_timeout_keeps_its_jobs(recorder):
    """The slow worker runs in a thread of its own, with a handler that blocks its loop."""
    await recorder.put("note", 1)
    is_blocked, slow_ended = threading.Event(), []

    async def block(job, number):
        is_blocked.set()
        time.sleep(TIMEOUT + 1.5)

    async def work_slowly():
        db = Database(recorder.db.url, pool_size=3)
        await db.open()
        slow = JobRecorder(db)
        async with run_worker(slow, block):

            async def is_done():
                return slow.ended and not await db.fetchval("SELECT count(*) FROM jobs")

            await until(is_done, seconds=10)
        slow_ended.extend(slow.ended)
        await db.close()

    thread = asyncio.create_task(asyncio.to_thread(lambda: asyncio.run(work_slowly())))
    await asyncio.to_thread(is_blocked.wait, 10)
    async with run_worker(recorder):
        await thread
    assert (slow_ended, recorder.begun) == ([1], [])


async def test_a_worker_that_has_been_silent_for_five_minutes_loses_its_jobs_in_spite_of_its_session(recorder):
    await recorder.put("note", 1)
    hung = await register(recorder, silent_for=301)
    await claim(recorder, hung)
    async with hold_session(recorder, hung):
        reporting = await report(recorder)
    assert await list_owners(recorder) == [None]
    assert await list_workers(recorder) == {reporting}


async def test_a_worker_that_lost_its_session_and_reports_keeps_its_jobs_and_opens_a_new_session(recorder):
    await recorder.put("note", 1)
    may_end = asyncio.Event()

    async def act(job, number):
        await may_end.wait()

    async with run_worker(recorder, act) as worker:

        async def has_begun():
            return recorder.begun and await find_session(recorder, worker)

        session = await until(has_begun)
        await recorder.db.execute("SELECT pg_terminate_backend($1)", session)
        await report(recorder)
        assert await list_owners(recorder) == [worker.id]

        async def has_another_session():
            return await find_session(recorder, worker) not in (None, session)

        await until(has_another_session)
        assert await list_owners(recorder) == [worker.id]
        may_end.set()
    assert recorder.begun == recorder.ended == [1]


class RestartedServer:
    """A database whose server seems to have started just now."""

    def __init__(self, db):
        self._db = db

    @asynccontextmanager
    async def transaction(self):
        async with self._db.transaction() as tx:
            await tx.execute(
                """CREATE FUNCTION public.pg_postmaster_start_time() RETURNS timestamptz LANGUAGE sql
                   AS 'SELECT now() - interval ''0.5 seconds''';
                   SET LOCAL search_path = public, pg_catalog"""
            )
            yield tx
            await tx.execute("DROP FUNCTION public.pg_postmaster_start_time()")


async def test_nobody_is_taken_for_dead_right_after_a_restart_of_the_server(recorder):
    """All sessions are gone then, and nobody could report while the server was away."""
    await recorder.put("note", 1)
    silent = await register(recorder, silent_for=60)
    await claim(recorder, silent)
    reporting = uuid.uuid4()
    await workers.report_alive(RestartedServer(recorder.db), reporting, timeout=TIMEOUT)
    assert await list_owners(recorder) == [silent]
    assert await list_workers(recorder) == {silent, reporting}
    await report(recorder, reporting)
    assert await list_owners(recorder) == [None], "it is dead when it does not come back"


async def test_of_several_dead_workers_only_theirs_and_all_of_their_jobs_are_freed(recorder):
    await recorder.put("note", 1, 2, 3)
    dead = [await register(recorder, silent_for=60) for _ in range(2)]
    alive = await register(recorder)
    for worker_id in (*dead, alive):
        await claim(recorder, worker_id)
    await asyncio.gather(*(report(recorder) for _ in range(3)))
    assert await list_owners(recorder) == [None, None, alive]
    assert not set(dead) & await list_workers(recorder)


async def test_jobs_of_a_worker_that_is_not_registered_are_freed_by_the_housekeeping(recorder):
    """A claim that commits right after its worker was taken for dead leaves such a job."""
    await recorder.put("note", 1)
    await recorder.db.execute("UPDATE jobs SET worker_id = gen_random_uuid()")
    async with recorder.db.transaction() as tx:
        await workers.free_abandoned_jobs(tx)
    assert await list_owners(recorder) == [None]


# A worker that was taken for dead and comes back


async def test_a_worker_that_was_taken_for_dead_claims_nothing_before_it_is_registered_again(recorder):
    await recorder.put("note", 1)
    worker_id = await register(recorder, silent_for=60)
    await report(recorder)
    assert await claim_jobs(recorder.db, worker_id, {"note": 1}) == []
    assert await list_owners(recorder) == [None]
    await report(recorder, worker_id)
    assert [job.worker_id for job in await claim_jobs(recorder.db, worker_id, {"note": 1})] == [worker_id]


@pytest.mark.parametrize(
    "change",
    [queue.end_job, partial(queue.put_back, delay=timedelta(seconds=60)), partial(queue.give_up, failure="no")],
    ids=["end_job", "put_back", "give_up"],
)
async def test_a_worker_that_was_taken_for_dead_cannot_change_a_job_that_another_one_has_claimed(recorder, change):
    await recorder.put("note", 1)
    (old_job,) = await claim(recorder, await register(recorder, silent_for=60))
    await claim(recorder, await report(recorder))
    before = await recorder.db.fetchrow("SELECT * FROM jobs")
    await change(recorder.db, old_job)
    assert await recorder.db.fetchrow("SELECT * FROM jobs") == before
    await report(recorder, old_job.worker_id)
    await change(recorder.db, old_job)
    assert await recorder.db.fetchrow("SELECT * FROM jobs") == before, "nor when it is registered again"


async def test_a_worker_that_ends_its_job_after_another_one_has_claimed_it_leaves_it_to_that_one(recorder):
    await recorder.put("note", 1)
    may_end = asyncio.Event()

    async def act(job, number):
        await may_end.wait()

    async with run_worker(recorder, act):

        async def has_begun():
            return recorder.begun

        await until(has_begun)
        other = await register(recorder)
        await recorder.db.execute("UPDATE jobs SET worker_id = $1", other)
        may_end.set()

    assert recorder.ended == [1]
    assert await list_owners(recorder) == [other]


async def test_a_worker_that_gets_its_own_job_back_does_not_run_it_a_second_time(recorder):
    await recorder.put("note", 1)
    may_end = asyncio.Event()

    async def act(job, number):
        await may_end.wait()

    async with run_worker(recorder, act) as worker:

        async def has_begun():
            return recorder.begun

        await until(has_begun)
        await recorder.db.execute("UPDATE jobs SET worker_id = NULL")  # as if it had been taken for dead
        await recorder.put("other", 1)  # wakes it

        async def has_it_back():
            return worker.id in await list_owners(recorder)

        await until(has_it_back)
        may_end.set()

        async def is_done():
            return not await recorder.db.fetchval("SELECT count(*) FROM jobs WHERE kind = 'note'")

        await until(is_done)
    assert recorder.begun == recorder.ended == [1]


# A worker that lives, but does not know of its job


class LossyDatabase:
    """Loses the answer to the first statement that claims a job, as a connection does that breaks at that moment."""

    def __init__(self, db):
        self._db = db
        self.has_lost = False

    def __getattr__(self, name):
        return getattr(self._db, name)

    async def fetch(self, query, *args):
        rows = await self._db.fetch(query, *args)
        if rows and "UPDATE jobs SET worker_id" in query and not self.has_lost:
            self.has_lost = True
            raise DatabaseUnavailable("the connection is lost")
        return rows


async def test_a_job_whose_claim_was_committed_but_not_confirmed_is_run(recorder):
    await recorder.put("note", 1)
    db = LossyDatabase(recorder.db)
    async with recorder.open(recorder.handlers(), timeout=TIMEOUT, db=db):

        async def is_done():
            return recorder.ended

        await until(is_done, seconds=8)
    assert db.has_lost


async def test_claimed_jobs_are_run_although_admission_fails_right_after_the_claim(recorder):
    await recorder.put("note", 1)
    failed = asyncio.Event()

    async def fail_once(worker_id, capacities):
        if not failed.is_set() and await recorder.db.fetchval(
            "SELECT count(*) FROM jobs WHERE worker_id = $1", worker_id
        ):
            failed.set()
            raise DatabaseUnavailable("the connection is lost")
        return []

    async def act(job, number):
        await failed.wait()  # otherwise the job may have ended before its claim is seen

    stopping = asyncio.Event()
    worker = Worker(recorder.db, recorder.db.url, recorder.handlers(act), timeout=TIMEOUT, grace=1, admit=fail_once)
    task = asyncio.create_task(worker.run(stopping))
    try:

        async def is_done():
            return recorder.ended

        await until(is_done, seconds=8)
    finally:
        stopping.set()
        await task
    assert failed.is_set()


# Stopping


async def test_a_worker_that_stops_removes_its_row_its_leases_and_its_session(recorder):
    async with run_worker(recorder) as worker:

        async def is_registered():
            return worker.id in await list_workers(recorder)

        await until(is_registered)
        assert await until(lambda: find_session(recorder, worker))
        await recorder.db.execute("INSERT INTO platform_leases VALUES ('live.chatgpt', $1, 5)", worker.id)
    assert await list_workers(recorder) == set()
    assert await recorder.db.fetchval("SELECT count(*) FROM platform_leases") == 0

    async def has_no_session():
        return await find_session(recorder, worker) is None

    await until(has_no_session, seconds=5)


async def test_a_worker_that_stops_frees_a_job_that_it_could_not_put_back(recorder):
    """As after an outage of PostgreSQL: the job is claimed, and nothing in the worker runs it."""
    await recorder.put("note", 1)
    async with run_worker(recorder) as worker:

        async def is_done():
            return recorder.ended and not await recorder.statuses()

        await until(is_done)
        await recorder.put("other", 2)
        await recorder.db.execute("UPDATE jobs SET worker_id = $1", worker.id)
    assert await list_owners(recorder) == [None]


async def test_the_leases_of_a_dead_worker_are_free_with_its_jobs(recorder):
    dead = await register(recorder, silent_for=60)
    await recorder.db.execute("INSERT INTO platform_leases VALUES ('live.chatgpt', $1, 5)", dead)
    await report(recorder)
    assert await recorder.db.fetchval("SELECT count(*) FROM platform_leases") == 0
