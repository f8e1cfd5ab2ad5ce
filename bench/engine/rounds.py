"""The measurements of the engine, round by round."""

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
_MAX_WAIT_SECONDS = 60

Cpu = Callable[[], dict[str, float | None]]


class Round(msgspec.Struct, frozen=True):
    timing: Timing
    cpu_ms_per_answer: dict[str, float]
    most_at_once: tuple[int, int]
    """The lowest and highest peak of concurrent calls among the five platforms, as counted by them."""


class Race(msgspec.Struct, frozen=True):
    timing: Timing
    bare_per_second: float
    one_by_one_per_second: float
    """The rate of the bare loop with one call at a time."""
    cpu_ms_per_answer: dict[str, float]


class Wait(msgspec.Struct, frozen=True):
    """The seconds that a scan takes alone, and behind a huge scan of another customer."""

    alone: float
    behind: float


async def run_rounds(database_url: str, api_port: int, platform_port: int, rounds: int, cpu: Cpu) -> list[Round]:
    """Measure scans round by round. The first round is a warm-up and is left out."""
    done = []
    async with open_customers(database_url, api_port, SCANS) as (customer,), aiohttp.ClientSession() as session:
        for _ in range(rounds + 1):
            await _read_most(session, platform_port)
            before = cpu()
            timing = await customer.check(SCANS, KEYWORDS)
            used = _per_answer(before, cpu())
            done.append(Round(timing, used, _require_within_limit(await _read_most(session, platform_port))))
            await asyncio.sleep(0.3)  # the cleanup after a scan belongs to no round
    if not any(one.most_at_once[0] == AT_ONCE for one in done):
        raise Aborted(f"{AT_ONCE} calls at once were never reached on every platform: {done[-1].most_at_once}")
    return done[1:]


async def run_races(database_url: str, api_port: int, platform_port: int, rounds: int, cpu: Cpu) -> list[Race]:
    """Measure engine and bare loop in alternating order. The first round is a warm-up and is left out."""
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
    """Measure how long a scan takes alone and behind a huge one. The first round is a warm-up and is left out."""
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
        raise Aborted("the huge scan ended before the small one, so the small one did not have to wait")
    await _wait_for(huge, ids, lambda completed, _: completed == SCANS)
    await asyncio.sleep(0.3)
    return took


async def _wait_for(customer: Customer, ids: list[uuid.UUID], is_reached: Callable[[int, int], bool]) -> None:
    deadline = time.perf_counter() + _MAX_WAIT_SECONDS
    while not is_reached(*await customer.progress(ids)):
        if time.perf_counter() > deadline:
            raise Aborted(f"a scan is not done after {_MAX_WAIT_SECONDS} seconds")
        await asyncio.sleep(0.01)


async def _read_most(session: aiohttp.ClientSession, platform_port: int) -> dict[str, int]:
    async with session.get(f"http://127.0.0.1:{platform_port}/most") as response:
        return msgspec.json.decode(await response.read(), type=dict[str, int])


def _require_within_limit(most: dict[str, int]) -> tuple[int, int]:
    if len(most) != len(PLATFORMS) or max(most.values()) > AT_ONCE:
        raise Aborted(f"at most {AT_ONCE} calls at once on each of {len(PLATFORMS)} platforms, but it was {most}")
    return min(most.values()), max(most.values())


def _per_answer(before: dict[str, float | None], after: dict[str, float | None]) -> dict[str, float]:
    """Return the CPU milliseconds per answer; a process without known CPU time is left out."""
    return {
        name: 1000 * (now - then) / ANSWERS
        for name, now in after.items()
        if now is not None and (then := before[name]) is not None
    }
