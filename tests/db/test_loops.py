"""`run_forever`: a loop survives an outage of the database, logs what it does not expect, and ends when told to."""

import asyncio

import pytest
import structlog

from sightline.db.engine import DatabaseUnavailable, SchemaMissing
from sightline.db.loops import run_forever


class Steps:
    """Raises the given exceptions one after the other, and then sets `done`."""

    def __init__(self, *failures):
        self.failures = list(failures)
        self.calls = 0
        self.done = asyncio.Event()

    async def __call__(self):
        self.calls += 1
        if self.failures:
            raise self.failures.pop(0)
        self.done.set()


async def test_it_goes_on_after_an_outage_and_after_a_failure_which_it_logs():
    step = Steps(DatabaseUnavailable("away"), ZeroDivisionError())
    with structlog.testing.capture_logs() as logs:
        await run_forever(step, every=0, failure_event="step_failed", until=step.done)
    assert step.calls == 3
    assert [each["event"] for each in logs if each["log_level"] == "error"] == ["step_failed"]


async def test_without_a_name_for_failures_it_survives_only_outages():
    step = Steps(DatabaseUnavailable("away"), ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        await run_forever(step, every=0)
    assert step.calls == 2


async def test_it_waits_between_steps_as_long_as_it_is_told():
    pauses = []

    def pause():
        pauses.append(0.0)
        return 0.0

    step = Steps()
    await run_forever(step, every=pause, wait_first=True, until=step.done)
    assert step.calls == 1 and len(pauses) == 2


async def test_it_can_be_cancelled():
    task = asyncio.create_task(run_forever(Steps(), every=60))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_loops_that_wait_together_are_one_line_and_one_more_when_they_continue():
    steps = [Steps(*(DatabaseUnavailable("away") for _ in range(5))) for _ in range(3)]
    with structlog.testing.capture_logs() as logs:
        await asyncio.gather(
            *(run_forever(step, every=0, failure_event="step_failed", until=step.done) for step in steps)
        )
    assert [each["event"] for each in logs] == ["waiting_for_database", "database_available"]
    assert logs[0]["reason"] == "away" and logs[0]["remedy"].endswith("sightline doctor")


async def test_a_database_without_a_schema_is_waited_for_even_by_a_loop_that_survives_nothing_else():
    step = Steps(*(SchemaMissing("the database has no schema yet") for _ in range(5)))
    with structlog.testing.capture_logs() as logs:
        await run_forever(step, every=0, until=step.done)
    assert [each["event"] for each in logs] == ["waiting_for_database", "database_available"]
    assert logs[0]["remedy"].endswith("sightline migrate")


async def test_a_loop_that_ends_while_it_waits_is_forgotten():
    for _ in range(2):
        with structlog.testing.capture_logs() as logs, pytest.raises(ZeroDivisionError):
            await run_forever(Steps(DatabaseUnavailable("away"), ZeroDivisionError()), every=0)
        assert [each["event"] for each in logs] == ["waiting_for_database"]
