"""Password hashers for tests that count hashes, or that look around while one runs."""

import asyncio
import threading

from argon2 import PasswordHasher


class RecordingHasher(PasswordHasher):
    """Hashes cheaply and remembers which passwords it hashed."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=64, parallelism=1)
        self.hashed: list[str] = []

    def hash(self, password: str) -> str:
        self.hashed.append(password)
        return super().hash(password)


class BlockingHasher(RecordingHasher):
    """Hashes only after the test has set `finish`."""

    def __init__(self) -> None:
        super().__init__()
        self.finish = threading.Event()

    def hash(self, password: str) -> str:
        hashed = super().hash(password)
        assert self.finish.wait(30)
        return hashed

    async def wait_until_running(self, threads: int) -> None:
        async with asyncio.timeout(10):
            while len(self.hashed) < threads:
                await asyncio.sleep(0.001)
