"""How much memory a process takes while something happens."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

_SAMPLE_SECONDS = 0.02


class Memory:
    """Megabytes of the resident set: before, and the peak so far. None without /proc."""

    def __init__(self, before: float | None) -> None:
        self.before = before
        self.most = before or 0.0


@asynccontextmanager
async def watch_memory(pid: int) -> AsyncIterator[Memory]:
    memory = Memory(_read_rss(pid))

    async def sample() -> None:
        while (now := _read_rss(pid)) is not None:
            memory.most = max(memory.most, now)
            await asyncio.sleep(_SAMPLE_SECONDS)

    sampling = asyncio.create_task(sample())
    try:
        yield memory
    finally:
        sampling.cancel()
        with suppress(asyncio.CancelledError):
            await sampling


def _read_rss(pid: int) -> float | None:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    kilobytes = status.partition("VmRSS:")[2].split()[0]
    return int(kilobytes) * 1024 / 1e6
