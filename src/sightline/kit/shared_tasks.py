"""One task for everybody who wants the same result at the same time."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")


class SharedTasks(Generic[Result]):
    """Tasks by key. All callers wait for the task that runs; one that leaves does not stop it for the others."""

    def __init__(self) -> None:
        self._running: dict[Hashable, asyncio.Task[Result]] = {}

    async def run(self, key: Hashable, start: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        task = self._running.get(key)
        if task is None:
            task = self._running[key] = asyncio.create_task(start())
            task.add_done_callback(lambda _: self._running.pop(key, None))
        return await asyncio.shield(task)
