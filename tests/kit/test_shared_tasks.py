"""One task for everybody who wants the same result at the same time."""

import asyncio

import pytest

from sightline.kit.shared_tasks import SharedTasks


async def test_callers_at_the_same_time_share_one_task_and_a_later_one_starts_another():
    tasks: SharedTasks[int] = SharedTasks()
    go, started = asyncio.Event(), []

    async def work():
        started.append(len(started))
        await go.wait()
        return started[-1]

    waiting = [asyncio.create_task(tasks.run("a", work)) for _ in range(5)]
    other = asyncio.create_task(tasks.run("b", work))
    await asyncio.sleep(0)
    waiting[0].cancel()
    await asyncio.sleep(0)
    assert started == [0, 1]
    go.set()
    with pytest.raises(asyncio.CancelledError):
        await waiting[0]
    assert len(set(await asyncio.gather(*waiting[1:]))) == 1, "one that leaves does not stop the others"
    await other
    await tasks.run("a", work)
    assert started == [0, 1, 2]
