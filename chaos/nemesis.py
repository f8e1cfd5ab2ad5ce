"""Which faults happen and when, drawn from the seed alone, so that a run can be repeated."""

import asyncio
import random
import signal
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from chaos.history import History
from chaos.proxy import USUAL_DELAY
from chaos.world import World


class Trouble(msgspec.Struct, frozen=True):
    """A fault with its time, in seconds from the start, and its duration."""

    at: float
    kind: str
    place: int
    """Selects one of several processes."""
    lasts: float


# The weight of each kind, and its shortest and longest duration in seconds.
_KINDS: dict[str, tuple[int, float, float]] = {
    "kill_api": (3, 0.2, 2.0),
    "kill_worker": (4, 0.2, 3.0),
    "end_worker": (1, 0.2, 1.0),
    "freeze_api": (2, 0.5, 10.0),
    "freeze_worker": (3, 1.0, 10.0),
    "crash_postgresql": (1, 0.2, 2.0),
    "kill_postgresql": (1, 0.2, 2.0),
    "reset": (4, 0.0, 0.1),
    "delay": (2, 1.0, 4.0),
    "drip": (2, 1.0, 4.0),
    "refuse": (1, 0.5, 3.0),
    "hang": (1, 1.0, 12.0),
}


def plan_troubles(seed: int, seconds: float) -> list[Trouble]:
    """Draw the faults of a run. None begins in the last second, so that each has an effect."""
    chance = random.Random(f"nemesis {seed}")
    kinds, weights = list(_KINDS), [weight for weight, _, _ in _KINDS.values()]
    troubles: list[Trouble] = []
    at = chance.uniform(0.5, 2.0)
    while at < seconds - 1:
        kind = chance.choices(kinds, weights)[0]
        _, least, most = _KINDS[kind]
        troubles.append(Trouble(round(at, 2), kind, chance.randrange(1_000), round(chance.uniform(least, most), 2)))
        at += chance.uniform(0.5, 4.0)
    return troubles


class Nemesis:
    def __init__(self, world: World, history: History) -> None:
        self._world = world
        self._history = history

    async def strike(self, troubles: Sequence[Trouble]) -> None:
        """Cause the faults, some of which overlap. The caller heals those that are still active at the end."""
        began = self._history.now()
        under_way: set[asyncio.Task[None]] = set()
        try:
            for trouble in troubles:
                await asyncio.sleep(max(0.0, trouble.at - (self._history.now() - began)))
                under_way.add(asyncio.create_task(self._cause(trouble)))
            await asyncio.gather(*under_way)
        finally:
            for task in under_way:
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)

    async def _cause(self, trouble: Trouble) -> None:
        cause: Callable[[Trouble], Awaitable[None]] = getattr(self, f"_{trouble.kind}")
        self._history.strike(f"{trouble.kind} {trouble.place} for {trouble.lasts} s")
        await cause(trouble)

    async def _kill_api(self, trouble: Trouble) -> None:
        process = self._world.apis[trouble.place % len(self._world.apis)]
        process.pause = trouble.lasts
        process.kill()

    async def _kill_worker(self, trouble: Trouble) -> None:
        process = self._world.workers[trouble.place % len(self._world.workers)]
        process.pause = trouble.lasts
        process.kill()

    async def _end_worker(self, trouble: Trouble) -> None:
        process = self._world.workers[trouble.place % len(self._world.workers)]
        process.pause = trouble.lasts
        process.ask_to_end()

    async def _freeze_api(self, trouble: Trouble) -> None:
        process = self._world.apis[trouble.place % len(self._world.apis)]
        process.freeze()
        await asyncio.sleep(trouble.lasts)
        process.thaw()

    async def _freeze_worker(self, trouble: Trouble) -> None:
        process = self._world.workers[trouble.place % len(self._world.workers)]
        process.freeze()
        await asyncio.sleep(trouble.lasts)
        process.thaw()

    async def _crash_postgresql(self, trouble: Trouble) -> None:
        await self._down(signal.SIGQUIT, trouble.lasts)

    async def _kill_postgresql(self, trouble: Trouble) -> None:
        await self._down(signal.SIGKILL, trouble.lasts)

    async def _down(self, number: signal.Signals, seconds: float) -> None:
        self._world.crash_postgresql(number)
        await asyncio.sleep(seconds)
        await self._world.start_postgresql()

    async def _reset(self, _: Trouble) -> None:
        self._world.proxy.reset()

    async def _delay(self, trouble: Trouble) -> None:
        self._world.proxy.delay = 0.02 + trouble.place / 10_000
        await asyncio.sleep(trouble.lasts)
        self._world.proxy.delay = USUAL_DELAY

    async def _drip(self, trouble: Trouble) -> None:
        self._world.proxy.drips = True
        await asyncio.sleep(trouble.lasts)
        self._world.proxy.drips = False

    async def _refuse(self, trouble: Trouble) -> None:
        self._world.proxy.refuses = True
        self._world.proxy.reset()
        await asyncio.sleep(trouble.lasts)
        self._world.proxy.refuses = False

    async def _hang(self, trouble: Trouble) -> None:
        self._world.proxy.hang()
        await asyncio.sleep(trouble.lasts)
        self._world.proxy.heal()
