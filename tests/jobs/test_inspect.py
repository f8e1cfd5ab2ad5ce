"""What operators do with held jobs: list, retry and drop them."""

from sightline.jobs.inspect import drop_held_job, list_jobs, retry_job
from sightline.jobs.retry import RetryRule
from tests.running_worker import until


async def hold_a_job(recorder, **more):
    async def fail(job, number):
        raise ValueError("the server answered 500")

    await recorder.put("note", 1, **more)
    async with recorder.open(recorder.handlers(fail, retry=RetryRule(max_attempts=1))):

        async def is_held():
            return await recorder.statuses() == {"failed": 1}

        await until(is_held)
    (held,) = await list_jobs(recorder.db, state="held")
    return held


async def test_a_held_job_says_why_and_runs_once_when_it_is_retried(recorder):
    held = await hold_a_job(recorder)
    assert held.failure.startswith("ValueError: the server answered 500 (tests.jobs.test_inspect:")
    recorder.begun.clear()
    assert [await retry_job(recorder.db, held.id) for _ in range(2)] == ["retried", "not_held"]
    async with recorder.open(recorder.handlers()):

        async def is_done():
            return recorder.ended == [1] and not await recorder.statuses()

        await until(is_done)
    assert recorder.begun == [1]
    assert await retry_job(recorder.db, held.id) == "not_held"


async def test_a_held_job_whose_work_is_queued_again_stays_held(recorder):
    held = await hold_a_job(recorder, key="same")
    await recorder.put("note", 1, key="same")
    assert await retry_job(recorder.db, held.id) == "already_queued"
    assert await recorder.statuses() == {"failed": 1, "waiting": 1}
    assert [job.state for job in await list_jobs(recorder.db)] == ["held", "waiting"]
    assert await drop_held_job(recorder.db, held.id) == "note"


async def test_only_held_jobs_are_dropped_or_retried(recorder):
    await recorder.put("note", 1)
    (waiting,) = await list_jobs(recorder.db, kind="note")
    assert await drop_held_job(recorder.db, waiting.id) is None
    assert await retry_job(recorder.db, waiting.id) == "not_held"
    assert await list_jobs(recorder.db, kind="note") == [waiting]


async def test_jobs_and_workers_of_the_release_before_need_no_new_column(recorder):
    worker_id = await recorder.register()  # with the columns of that release
    await recorder.db.execute(
        """INSERT INTO jobs (kind, payload, priority, run_after, key, share)
           VALUES ('note', '{"number": 7}', 0, now(), NULL, '')"""
    )
    async with recorder.open(recorder.handlers()):

        async def is_done():
            return recorder.ended == [7]

        await until(is_done)
    assert await recorder.db.fetchval("SELECT version IS NULL FROM workers WHERE id = $1", worker_id)
