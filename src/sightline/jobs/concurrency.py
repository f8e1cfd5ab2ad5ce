"""How many jobs of a kind, or of several kinds together, a worker runs at the same time."""

from collections.abc import Coroutine
from typing import Any


class ConcurrencyLimit:
    """Counts the jobs under way. The worker fetches no more than `free` further ones."""

    def __init__(self, limit: int) -> None:
        self._free = limit

    def free(self) -> int:
        return self._free

    async def run(self, work: Coroutine[Any, Any, None]) -> None:
        self._free -= 1
        try:
            await work
        finally:
            self._free += 1
