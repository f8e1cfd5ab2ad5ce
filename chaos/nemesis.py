"""Causes the planned faults in a running world, and records each in the history."""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from chaos.history import History
from chaos.plan import Trouble
from chaos.processes import Process
from chaos.proxy import USUAL_DELAY, Direction, Proxy
from chaos.world import World

# Seconds that a clock is off: from what NTP corrects silently to a wrong time zone.
_JUMPS = (-7_200.0, -3_600.0, -600.0, -61.0, -5.0, -0.5, 0.5, 5.0, 61.0, 600.0, 3_600.0, 7_200.0)
_PARTITIONS: tuple[tuple[Direction, ...], ...] = (("requests", "replies"), ("requests",), ("replies",))


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
        cause: Callable[[Trouble], Awaitable[None]]
        if trouble.kind.startswith("platform_"):
            cause = partial(self._disturb_platforms, trouble.kind.removeprefix("platform_"))
        else:
            cause = getattr(self, f"_{trouble.kind}")
        self._history.strike(trouble.kind, f"{trouble.place} for {trouble.lasts} s")
        await cause(trouble)

    # Processes

    async def _kill_api(self, trouble: Trouble) -> None:
        self._kill(self._choose(self._world.apis, trouble), trouble)

    async def _kill_worker(self, trouble: Trouble) -> None:
        self._kill(self._choose(self._world.workers, trouble), trouble)

    async def _end_worker(self, trouble: Trouble) -> None:
        process = self._choose(self._world.workers, trouble)
        process.pause = trouble.lasts
        process.ask_to_end()

    async def _freeze_api(self, trouble: Trouble) -> None:
        await self._freeze(self._choose(self._world.apis, trouble), trouble)

    async def _freeze_worker(self, trouble: Trouble) -> None:
        await self._freeze(self._choose(self._world.workers, trouble), trouble)

    async def _jump_clock(self, trouble: Trouble) -> None:
        """Set the clock of one process forward or back, and right again."""
        process = self._choose(self._world.processes, trouble)
        process.clock.seconds = _JUMPS[trouble.place // 10 % len(_JUMPS)]
        self._note(f"the clock of {process.name} is off by {process.clock.seconds} s")
        await asyncio.sleep(trouble.lasts)
        process.clock.seconds = 0.0

    async def _replace_process(self, trouble: Trouble) -> None:
        """End a process as an operator does, and start it from the other release."""
        process = self._choose(self._world.processes, trouble)
        process.source = self._world.release_before if process.source is None else None
        self._note(f"{process.name} gets {'this release' if process.source is None else 'the release before'}")
        process.pause = trouble.lasts
        process.ask_to_end()

    # PostgreSQL and its disk

    async def _crash_postgresql(self, trouble: Trouble) -> None:
        await self._down(signal.SIGQUIT, trouble.lasts)

    async def _kill_postgresql(self, trouble: Trouble) -> None:
        await self._down(signal.SIGKILL, trouble.lasts)

    async def _fill_disk(self, trouble: Trouble) -> None:
        """Fill the disk, and start PostgreSQL afterwards, should it have stopped because it could not write its log."""
        disk = self._world.disk
        if disk is None:
            self._history.strike(f"{trouble.kind}_skipped", "no file system can be mounted here")
            return
        ends = self._history.now() + trouble.lasts
        while self._history.now() < ends:
            disk.fill()
            await asyncio.sleep(0.2)
        disk.free()
        await self._world.start_postgresql()

    # The network between processes and PostgreSQL

    async def _reset(self, trouble: Trouble) -> None:
        for proxy in self._choose_proxies(trouble):
            proxy.reset()

    async def _delay(self, trouble: Trouble) -> None:
        await self._slow_down(self._choose_proxies(trouble), 0.02 + trouble.place / 10_000, trouble.lasts)

    async def _delay_worker(self, trouble: Trouble) -> None:
        """Let each message between a worker and PostgreSQL take up to half a second."""
        process = self._choose(self._world.workers, trouble)
        await self._slow_down([self._world.proxies[process.name]], 0.05 + trouble.place / 2_200, trouble.lasts)

    async def _drip(self, trouble: Trouble) -> None:
        proxies = self._choose_proxies(trouble)
        for proxy in proxies:
            proxy.drips = True
        await asyncio.sleep(trouble.lasts)
        for proxy in proxies:
            proxy.drips = False

    async def _refuse(self, trouble: Trouble) -> None:
        proxies = self._choose_proxies(trouble)
        for proxy in proxies:
            proxy.refuses = True
            proxy.reset()
        await asyncio.sleep(trouble.lasts)
        for proxy in proxies:
            proxy.refuses = False

    async def _hang(self, trouble: Trouble) -> None:
        await self._cut(self._choose_proxies(trouble), (), trouble.lasts)

    async def _part_worker(self, trouble: Trouble) -> None:
        """Cut a worker off from PostgreSQL: wholly, or only what it sends, or only what it would receive."""
        process = self._choose(self._world.workers, trouble)
        directions = _PARTITIONS[trouble.place // 10 % len(_PARTITIONS)]
        self._note(f"{process.name} loses {' and '.join(directions)}")
        await self._cut([self._world.proxies[process.name]], directions, trouble.lasts)

    # Platforms

    async def _disturb_platforms(self, kind: str, trouble: Trouble) -> None:
        platforms = self._world.platforms
        assert platforms is not None, "planned for platforms that are asked over the network"
        platforms.begin(kind)
        await asyncio.sleep(trouble.lasts)
        platforms.end(kind)

    # What several faults share

    def _note(self, detail: str) -> None:
        self._history.strike("note", detail)

    def _choose(self, processes: Sequence[Process], trouble: Trouble) -> Process:
        return processes[trouble.place % len(processes)]

    def _choose_proxies(self, trouble: Trouble) -> list[Proxy]:
        """Return the connections of all processes, or in half of the cases those of one."""
        proxies = list(self._world.proxies.values())
        return proxies if trouble.place < 500 else [proxies[trouble.place % len(proxies)]]

    def _kill(self, process: Process, trouble: Trouble) -> None:
        process.pause = trouble.lasts
        process.kill()

    async def _freeze(self, process: Process, trouble: Trouble) -> None:
        process.freeze()
        await asyncio.sleep(trouble.lasts)
        process.thaw()

    async def _down(self, number: signal.Signals, seconds: float) -> None:
        self._world.crash_postgresql(number)
        await asyncio.sleep(seconds)
        await self._world.start_postgresql()

    async def _slow_down(self, proxies: Sequence[Proxy], delay: float, seconds: float) -> None:
        for proxy in proxies:
            proxy.delay = delay
        await asyncio.sleep(seconds)
        for proxy in proxies:
            proxy.delay = USUAL_DELAY

    async def _cut(self, proxies: Sequence[Proxy], directions: Sequence[Direction], seconds: float) -> None:
        for proxy in proxies:
            proxy.hang(*directions)
        await asyncio.sleep(seconds)
        for proxy in proxies:
            proxy.heal()
