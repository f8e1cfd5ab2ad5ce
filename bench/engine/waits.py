"""How much longer a check takes behind a huge one of another customer."""

import asyncio
import time
import uuid
from collections.abc import Callable
from functools import partial
from statistics import median

import msgspec

from bench.comparison import Aborted, Target
from bench.engine.cpu import ReadCpu
from bench.engine.customers import KEYWORDS, PLATFORMS, Customer, open_customers
from bench.engine.site import Site, measure_with_workers, open_site
from bench.engine.targets import to_target
from bench.environment import BenchEnvironment
from bench.plan import Plan

_LATENCY = 2.0  # the same for every call: the difference is then waiting, and not the luck of the draw
_QUICK_LATENCY = 0.5
_HUGE_SCANS = 8
_PLATFORM = PLATFORMS[:1]
_ALLOWED_SECONDS = {10: 2.0, 50: 4.0}  # by the number of answers
_MAX_WAIT_SECONDS = 60


class Wait(msgspec.Struct, frozen=True):
    """The seconds that a check takes alone, and behind a huge one."""

    alone: float
    behind: float

    @property
    def longer(self) -> float:
        return self.behind - self.alone


class WaitCase(msgspec.Struct, frozen=True):
    workers: str
    answers: int
    allowed_seconds: float
    waits: list[Wait]


class WaitFigures(msgspec.Struct, frozen=True):
    cases: list[WaitCase]

    @property
    def targets(self) -> list[Target]:
        return [
            to_target(
                f"alone plus {case.allowed_seconds:.0f} s ({case.answers} answers)",
                f"behind a huge check, {case.workers}",
                1.0,
                [(wait.alone + case.allowed_seconds) / wait.behind for wait in case.waits],
            )
            for case in self.cases
        ]

    def print(self) -> None:
        print(f"  A check behind a huge one of another customer; platforms answer after {_LATENCY:.0f} s\n")
        print(f"  {'':<26}{'alone s':>9}{'behind s':>10}{'longer s':>10}{'longest':>9}{'allowed':>9}")
        for case in self.cases:
            alone, behind, longer = (
                median(getattr(wait, field) for wait in case.waits) for field in ("alone", "behind", "longer")
            )
            most = max(wait.longer for wait in case.waits)
            print(
                f"  {f'{case.answers} answers, {case.workers}':<26}{alone:>9.2f}{behind:>10.2f}{longer:>10.2f}"
                f"{most:>9.2f}{case.allowed_seconds:>9.2f}"
            )
        print(f"\n  Medians over {len(case.waits)} rounds, which begin at different moments of the huge check.\n")


def measure(environment: BenchEnvironment, plan: Plan) -> WaitFigures:
    latency = _LATENCY if plan.share == 1 else _QUICK_LATENCY
    with open_site(environment, str(1000 * latency)) as site:
        measured = measure_with_workers(site, partial(_run_waits, rounds=plan.engine_rounds, latency=latency))
    return WaitFigures(
        [
            WaitCase(workers, answers, _ALLOWED_SECONDS[answers], waits)
            for workers, by_answers in measured.items()
            for answers, waits in by_answers.items()
        ]
    )


async def _run_waits(site: Site, _: ReadCpu, *, rounds: int, latency: float) -> dict[int, list[Wait]]:
    async with open_customers(site.environment.database_url, site.api_port, _HUGE_SCANS, 1) as (huge, small):
        await small.check(1, KEYWORDS, _PLATFORM)  # a warm-up
        waits: dict[int, list[Wait]] = {answers: [] for answers in _ALLOWED_SECONDS}
        for number in range(rounds):
            # Calls of the huge check end in waves, one per latency: the rounds are spread evenly over a wave.
            pause = latency * number / rounds
            for answers, of_size in waits.items():
                alone = (await small.check(1, answers, _PLATFORM)).completed
                of_size.append(Wait(alone, await _check_behind(huge, small, answers, pause)))
                await site.reset_calls()
    return waits


async def _check_behind(huge: Customer, small: Customer, answers: int, pause: float) -> float:
    ids = await huge.submit(_HUGE_SCANS, KEYWORDS, _PLATFORM)
    await _wait_for(huge, ids, lambda _, stored: stored > 0)
    await asyncio.sleep(pause)
    took = (await small.check(1, answers, _PLATFORM)).completed
    if (await huge.progress(ids))[0] == _HUGE_SCANS:
        raise Aborted("the huge check ended before the small one, so the small one did not have to wait")
    await _wait_for(huge, ids, lambda completed, _: completed == _HUGE_SCANS)
    await asyncio.sleep(0.3)
    return took


async def _wait_for(customer: Customer, ids: list[uuid.UUID], is_reached: Callable[[int, int], bool]) -> None:
    deadline = time.perf_counter() + _MAX_WAIT_SECONDS
    while not is_reached(*await customer.progress(ids)):
        if time.perf_counter() > deadline:
            raise Aborted(f"a scan is not done after {_MAX_WAIT_SECONDS} seconds")
        await asyncio.sleep(0.01)
