"""How many jobs of a kind, or of several together, run at once in a worker."""

from collections.abc import Coroutine
from typing import Any


class Room:
    """Counts what is under way. Fetching asks how many more there is room for."""

    def __init__(self, most: int) -> None:
        self._left = most

    def left(self) -> int:
        return self._left

    async def run(self, work: Coroutine[Any, Any, None]) -> None:
        self._left -= 1
        try:
            await work
        finally:
            self._left += 1
