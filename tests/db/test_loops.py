"""`run_forever`: a loop survives an outage of the database, logs what it does not expect, and ends when told to."""

import asyncio

import pytest
import structlog

from sightline.db.engine import DatabaseUnavailable
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
