"""A worker that is told to stop, and one whose PostgreSQL goes away: no job is lost or stays claimed."""

import asyncio
import contextlib
import time

import asyncpg

from sightline.db.engine import Database, DatabaseUnavailable
from sightline.jobs import queue, workers
from sightline.jobs.retry import Retry
from tests.jobs.job_recorder import JobRecorder
from tests.running_worker import until


async def cut_all_connections(database_url):
    """Cut all connections, as a restart of PostgreSQL does."""
    connection = await asyncpg.connect(database_url)
    try:
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    finally:
        await connection.close()


async def test_waiting_jobs_are_given_back_at_once_and_running_ones_after_the_grace_period(recorder):
    await recorder.put("note", *range(6))
    closing = asyncio.Event()

    async def act(job, number):
        if number % 2:
            await closing.wait()  # as a cell that waits for a slot
            raise Retry
        await asyncio.sleep(60)

    async with recorder.open(recorder.handlers(act), grace=3, on_stopping=closing.set) as worker:

        async def all_begun():
            return len(recorder.begun) == 6

        await until(all_begun)
        worker.stop()
        stopped = time.monotonic()

        async def half_back():
            return (await recorder.statuses())["waiting"] == 3

        await until(half_back)
        assert time.monotonic() - stopped < 3, "before the grace period is over"
    assert time.monotonic() - stopped >= 3
    assert await recorder.statuses() == {"waiting": 6}
    assert await recorder.db.fetchval("SELECT count(*) FROM jobs WHERE worker_id IS NOT NULL") == 0


async def test_jobs_that_end_within_the_grace_period_are_done(recorder):
    await recorder.put("note", 1, 2)

    async def act(job, number):
        await asyncio.sleep(0.3)

    async with recorder.open(recorder.handlers(act), grace=20) as worker:

        async def begun():
            return len(recorder.begun) == 2

        await until(begun)
        worker.stop()
    assert sorted(recorder.ended) == [1, 2]
    assert not await recorder.statuses(), "a job that ended while the worker stopped is deleted"


async def test_outcomes_are_written_however_the_worker_is_stopped(recorder):
    """The worker may be writing outcomes when it is told to stop."""
    for number in range(15):
        await recorder.put("note", number)
        async with recorder.open(recorder.handlers()) as worker:

            async def done(number=number):
                return number in recorder.ended

            await until(done)
            await asyncio.sleep(0.002 * number)
            worker.stop()
        assert not await recorder.statuses(), number


async def test_a_job_given_back_goes_to_another_worker_within_a_second_or_two(recorder):
    await recorder.put("note", 1)
    release = asyncio.Event()

    async def hold(job, number):
        await release.wait()

    async with recorder.open(recorder.handlers(hold), grace=0) as first:

        async def begun():
            return recorder.begun == [1]

        await until(begun)
        async with recorder.open(recorder.handlers()):
            first.stop()

            async def done():
                return recorder.ended == [1]

            await until(done, seconds=5)


async def test_broken_connections_stop_no_work_and_listening_resumes(recorder, database_url):
    async def act(job, number):
        await asyncio.sleep(0.02)

    async with recorder.open(recorder.handlers(act)):
        for round_ in range(2):

            async def put(first=round_ * 20):
                with contextlib.suppress(DatabaseUnavailable):  # we are cut off for a moment, too
                    await recorder.put("note", *range(first, first + 20))
                    return True

            await until(put)
            await asyncio.sleep(0.03)
            await cut_all_connections(database_url)

            async def back(count=round_ * 20 + 20):
                return set(range(count)) <= set(recorder.ended)

            await until(back)

            async def listens():
                """Check over a connection that is not cut."""
                other = await asyncpg.connect(database_url)
                try:
                    return await other.fetchval(
                        "SELECT count(*) FROM pg_stat_activity "
                        "WHERE datname = current_database() AND query LIKE 'LISTEN%'"
                    )
                finally:
                    await other.close()

            await until(listens)

        async def empty():
            with contextlib.suppress(DatabaseUnavailable):
                return not await recorder.statuses()

        await until(empty)


async def test_an_unexpected_error_does_not_end_the_reports_of_a_worker(recorder, monkeypatch):
    # Reports are seconds apart.
    monkeypatch.setattr(workers, "REPORT_SECONDS", 0.1)
    report, failed = workers.report_alive, []

    async def fail_once(*given, **more):
        if not failed:
            failed.append(given)
            raise asyncpg.DeadlockDetectedError("another worker locked the rows in another order")
        await report(*given, **more)

    # PostgreSQL finds deadlocks by chance.
    monkeypatch.setattr(workers, "report_alive", fail_once)
    async with recorder.open(recorder.handlers()) as worker:
        await recorder.wait_until_registered(worker)
        assert failed
        first = await recorder.db.fetchval("SELECT seen_at FROM workers")

        async def reported_again():
            return await recorder.db.fetchval("SELECT seen_at > $1 FROM workers", first)

        await until(reported_again)


async def test_a_worker_without_a_database_stops_in_time(database_url):
    db = Database(database_url, pool_size=2)
    await db.open()
    recorder = JobRecorder(db)
    await recorder.put("note", 1)

    async def hold(job, number):
        await asyncio.sleep(60)

    async with recorder.open(recorder.handlers(hold), grace=0.2) as worker:

        async def begun():
            return recorder.begun == [1]

        await until(begun)
        await db.close()  # nothing can be reached
        worker.stop()
        stopped = time.monotonic()
    assert time.monotonic() - stopped < 5
    await db.open()
    assert await recorder.statuses() == {"claimed": 1}, "another worker takes it over"
    await db.close()


async def test_a_job_that_could_not_be_put_back_is_free_once_the_worker_has_stopped(recorder, monkeypatch):
    await recorder.put("note", 1)

    async def hold(job, number):
        await asyncio.sleep(60)

    async def fail(*_):
        raise DatabaseUnavailable("away for a moment")

    # Only this statement has to fail, while the worker stays registered.
    monkeypatch.setattr(queue, "put_back", fail)
    async with recorder.open(recorder.handlers(hold), grace=0) as worker:

        async def begun():
            return recorder.begun == [1]

        await until(begun)
        worker.stop()
    assert await recorder.statuses() == {"waiting": 1}


async def test_a_job_that_met_an_outage_runs_again_soon_after_it(recorder, monkeypatch):
    await recorder.put("note", 1)
    met = asyncio.Event()

    async def act(job, number):
        if not met.is_set():
            met.set()
            raise DatabaseUnavailable("away")

    put_back, tried = queue.put_back, []

    async def away_at_first(*arguments):
        tried.append(arguments)
        if len(tried) < 3:
            raise DatabaseUnavailable("away")
        await put_back(*arguments)

    # Only this statement has to fail, while the worker stays registered.
    monkeypatch.setattr(queue, "put_back", away_at_first)
    async with recorder.open(recorder.handlers(act), timeout=60):

        async def done():
            return recorder.ended == [1]

        await until(done, seconds=10)
    assert len(tried) == 3


async def test_a_deadlock_while_a_job_ends_is_tried_again_and_not_left_behind(recorder):
    await recorder.db.execute(
        """CREATE SEQUENCE conflicts;
           CREATE FUNCTION collide() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
               IF nextval('conflicts') <= 2 THEN
                   RAISE EXCEPTION 'deadlock detected' USING ERRCODE = 'deadlock_detected';
               END IF;
               RETURN NULL;
           END $$;
           CREATE TRIGGER collide AFTER DELETE ON jobs EXECUTE FUNCTION collide()"""
    )
    await recorder.put("note", 1)
    async with recorder.open(recorder.handlers()):

        async def empty():
            return not await recorder.statuses()

        await until(empty)
    assert recorder.begun == [1], "the job was done the first time"
