"""Answers per second next to a bare loop, with platforms that answer immediately: the cost of the engine itself."""

import asyncio
from functools import partial
from statistics import median

import aiohttp
import msgspec

from bench.comparison import Target
from bench.engine.bare import BareLoop, open_pool
from bench.engine.cpu import ReadCpu, cpu_ms_per_answer, print_cpu
from bench.engine.customers import KEYWORDS, PLATFORMS, Timing, open_customers
from bench.engine.installation import running_worker, wait_for_workers
from bench.engine.site import Site, open_site
from bench.engine.targets import to_target
from bench.environment import BenchEnvironment
from bench.plan import Plan
from bench.profiling import Profile, read_profile

_SCANS = 8
_ANSWERS = _SCANS * KEYWORDS * len(PLATFORMS)
_ONE_BY_ONE = 300  # answers
_OF_BARE = 0.35


class Race(msgspec.Struct, frozen=True):
    timing: Timing
    bare_per_second: float
    one_by_one_per_second: float
    """The rate of the bare loop with one call at a time."""
    cpu_ms_per_answer: dict[str, float]

    @property
    def per_second(self) -> float:
        return _ANSWERS / self.timing.completed

    @property
    def stored_per_second(self) -> float:
        return _ANSWERS / self.timing.stored


class ThroughputFigures(msgspec.Struct, frozen=True):
    races: list[Race]

    @property
    def targets(self) -> list[Target]:
        return [to_target("engine", "bare", _OF_BARE, [race.per_second / race.bare_per_second for race in self.races])]

    def print(self) -> None:
        engine, stored, bare, one_by_one = (
            median(getattr(race, field) for race in self.races)
            for field in ("per_second", "stored_per_second", "bare_per_second", "one_by_one_per_second")
        )
        print("  Platforms that answer immediately, one worker: answers per second\n")
        print(f"  {'completed':>11}{'stored':>9}{'bare loop':>12}{'bare, one by one':>19}")
        print(f"  {engine:>11,.0f}{stored:>9,.0f}{bare:>12,.0f}{one_by_one:>19,.0f}")
        print_cpu({"one worker": [race.cpu_ms_per_answer for race in self.races]})
        print(f"\n  Medians over {len(self.races)} rounds.\n")


def measure(environment: BenchEnvironment, plan: Plan) -> ThroughputFigures:
    with open_site(environment, "0") as site, running_worker(environment, site.settings) as worker:
        wait_for_workers(environment, worker)
        races = site.run(_run_races(site, partial(site.read_cpu, worker), plan.engine_rounds), worker)
    return ThroughputFigures(races)


def profile(environment: BenchEnvironment, plan: Plan) -> Profile:
    """Profile the CPU time of a worker per answer."""
    file = environment.folder / "profile"
    with open_site(environment, "0") as site, running_worker(environment, site.settings, profile=file) as worker:
        wait_for_workers(environment, worker)
        site.run(_run_races(site, dict, plan.engine_rounds), worker)
    return read_profile(file, (plan.engine_rounds + 1) * _ANSWERS)


async def _run_races(site: Site, read_cpu: ReadCpu, rounds: int) -> list[Race]:
    """Measure engine and bare loop in alternating order. The first round is a warm-up and is left out."""
    database_url = site.environment.database_url
    pool = await open_pool(database_url)
    races = []
    try:
        async with (
            open_customers(database_url, site.api_port, _SCANS) as (customer,),
            aiohttp.ClientSession() as session,
        ):
            loop = BareLoop(session, pool, site.platform_port)
            for number in range(rounds + 1):
                per_second = await loop.run(_ANSWERS) if number % 2 else 0.0
                before = read_cpu()
                timing = await customer.check(_SCANS, KEYWORDS)
                used = cpu_ms_per_answer(before, read_cpu(), _ANSWERS)
                await asyncio.sleep(0.3)
                per_second = per_second or await loop.run(_ANSWERS)
                races.append(Race(timing, per_second, await loop.run(_ONE_BY_ONE, 1), used))
    finally:
        pool.terminate()
    return races[1:]
