"""What is measured of the engine, round by round."""

import asyncio
import time
import uuid
from collections.abc import Callable

import aiohttp
import msgspec

from bench.comparison import Aborted
from bench.engine.bare import BareLoop, open_pool
from bench.engine.customers import KEYWORDS, PLATFORMS, Customer, Timing, open_customers
from bench.engine.settings import AT_ONCE

SCANS = 8
ANSWERS = SCANS * KEYWORDS * len(PLATFORMS)
_ONE_BY_ONE = 300  # answers
_PATIENCE_SECONDS = 60

Cpu = Callable[[], dict[str, float | None]]


class Round(msgspec.Struct, frozen=True):
    timing: Timing
    cpu_ms_per_answer: dict[str, float]
    most_at_once: tuple[int, int]
    """Calls under way on one platform, as the platform itself counts: the least and the most of the five."""


class Race(msgspec.Struct, frozen=True):
    timing: Timing
    bare_per_second: float
    one_by_one_per_second: float
    """The bare loop with a single call under way."""
    cpu_ms_per_answer: dict[str, float]


class Wait(msgspec.Struct, frozen=True):
    """Seconds that a check takes alone, and behind a huge one of somebody else."""

    alone: float
    behind: float


async def run_rounds(database_url: str, api_port: int, platform_port: int, rounds: int, cpu: Cpu) -> list[Round]:
    """The first is a warm-up, and left out."""
    done = []
    async with open_customers(database_url, api_port, SCANS) as (customer,), aiohttp.ClientSession() as session:
        for _ in range(rounds + 1):
            await _read_most(session, platform_port)
            before = cpu()
            timing = await customer.check(SCANS, KEYWORDS)
            used = _per_answer(before, cpu())
            done.append(Round(timing, used, _require_kept(await _read_most(session, platform_port))))
            await asyncio.sleep(0.3)  # what is tidied up after a check belongs to no round
    if not any(one.most_at_once[0] == AT_ONCE for one in done):
        raise Aborted(f"{AT_ONCE} calls at once were never reached on every platform: {done[-1].most_at_once}")
    return done[1:]


async def run_races(database_url: str, api_port: int, platform_port: int, rounds: int, cpu: Cpu) -> list[Race]:
    """Engine and bare loop in turn, there and back again. The first round is a warm-up, and left out."""
    pool = await open_pool(database_url)
    races = []
    try:
        async with open_customers(database_url, api_port, SCANS) as (customer,), aiohttp.ClientSession() as session:
            loop = BareLoop(session, pool, platform_port)
            for number in range(rounds + 1):
                per_second = await loop.run(ANSWERS) if number % 2 else 0.0
                before = cpu()
                timing = await customer.check(SCANS, KEYWORDS)
                used = _per_answer(before, cpu())
                await asyncio.sleep(0.3)
                per_second = per_second or await loop.run(ANSWERS)
                races.append(Race(timing, per_second, await loop.run(_ONE_BY_ONE, 1), used))
    finally:
        pool.terminate()
    return races[1:]


async def run_waits(database_url: str, api_port: int, rounds: int, keywords: int) -> list[Wait]:
    """The first is a warm-up, and left out."""
    waits = []
    async with open_customers(database_url, api_port, SCANS, 1) as (huge, small):
        for _ in range(rounds + 1):
            alone = (await small.check(1, keywords, PLATFORMS[:1])).completed
            waits.append(Wait(alone, await _check_behind(huge, small, keywords)))
    return waits[1:]


async def _check_behind(huge: Customer, small: Customer, keywords: int) -> float:
    ids = await huge.submit(SCANS, KEYWORDS, PLATFORMS[:1])
    await _wait_for(huge, ids, lambda _, answers: answers > 0)
    took = (await small.check(1, keywords, PLATFORMS[:1])).completed
    if (await huge.progress(ids))[0] == SCANS:
        raise Aborted("the huge check ended before the small one: there was nothing to wait behind")
    await _wait_for(huge, ids, lambda completed, _: completed == SCANS)
    await asyncio.sleep(0.3)
    return took


async def _wait_for(customer: Customer, ids: list[uuid.UUID], is_so: Callable[[int, int], bool]) -> None:
    deadline = time.perf_counter() + _PATIENCE_SECONDS
    while not is_so(*await customer.progress(ids)):
        if time.perf_counter() > deadline:
            raise Aborted(f"a check is not done after {_PATIENCE_SECONDS} seconds")
        await asyncio.sleep(0.01)


async def _read_most(session: aiohttp.ClientSession, platform_port: int) -> dict[str, int]:
    async with session.get(f"http://127.0.0.1:{platform_port}/most") as response:
        return msgspec.json.decode(await response.read(), type=dict[str, int])


def _require_kept(most: dict[str, int]) -> tuple[int, int]:
    if len(most) != len(PLATFORMS) or max(most.values()) > AT_ONCE:
        raise Aborted(f"at most {AT_ONCE} calls at once on each of {len(PLATFORMS)} platforms, but it was {most}")
    return min(most.values()), max(most.values())


def _per_answer(before: dict[str, float | None], after: dict[str, float | None]) -> dict[str, float]:
    """Without /proc there is no CPU time to speak of."""
    return {
        name: 1000 * (now - then) / ANSWERS
        for name, now in after.items()
        if now is not None and (then := before[name]) is not None
    }
