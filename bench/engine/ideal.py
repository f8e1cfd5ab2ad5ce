"""Scan time next to the ideal: what the latencies of the platforms alone would take."""

import asyncio
from functools import partial
from statistics import median

import msgspec

from bench.comparison import Aborted, Target
from bench.engine.cpu import ReadCpu, cpu_ms_per_answer, print_cpu
from bench.engine.customers import KEYWORDS, PLATFORMS, Timing, open_customers
from bench.engine.latencies import CALLS, DRAWN, SLOW_SECONDS, USUAL_SECONDS, draw_latencies, first_come_seconds
from bench.engine.settings import AT_ONCE
from bench.engine.site import Site, measure_with_workers, open_site
from bench.engine.targets import to_target
from bench.environment import BenchEnvironment
from bench.plan import Plan

_SHORT_MS = 200
_SHORT_SCANS = 8
_SHORT_AT_MOST = 1.6
_LEAST_SCANS = 4  # more calls than places
_REALISTIC_AT_MOST = 1.05


class Round(msgspec.Struct, frozen=True):
    timing: Timing
    cpu_ms_per_answer: dict[str, float]
    most_at_once: tuple[int, int]
    """The lowest and highest peak of concurrent calls among the five platforms, as counted by them."""


class IdealFigures(msgspec.Struct, frozen=True):
    case: str
    ideal_seconds: float
    at_most: float
    """The time that is allowed, in multiples of the ideal."""
    rounds: dict[str, list[Round]]
    """For one worker and for two."""

    @property
    def targets(self) -> list[Target]:
        return [
            to_target(
                f"ideal time ({self.case})",
                f"the time of {workers}",
                round(1 / self.at_most, 3),
                [self.ideal_seconds / one.timing.completed for one in rounds],
            )
            for workers, rounds in self.rounds.items()
        ]

    def print(self) -> None:
        print(f"  Platforms that answer after {self.case}; ideal: {self.ideal_seconds:.2f} s\n")
        print(f"  {'':<18}{'completed s':>12}{'to ideal':>10}{'stored s':>10}{'submitted s':>13}{'most at once':>14}")
        for workers, rounds in self.rounds.items():
            completed, stored, submitted = (
                median(getattr(one.timing, field) for one in rounds) for field in ("completed", "stored", "submitted")
            )
            least, most = min(one.most_at_once[0] for one in rounds), max(one.most_at_once[1] for one in rounds)
            print(
                f"  {workers:<18}{completed:>12.2f}{completed / self.ideal_seconds:>10.3f}{stored:>10.2f}"
                f"{submitted:>13.2f}{f'{least} to {most}':>14}"
            )
        print_cpu({workers: [one.cpu_ms_per_answer for one in rounds] for workers, rounds in self.rounds.items()})
        print(f"\n  Medians; rounds: {len(rounds)}. The CPU of a worker includes its children.\n")


def measure_short(environment: BenchEnvironment, plan: Plan) -> IdealFigures:
    """Measure with short latencies, where CPU time decides. The first round is a warm-up and is left out."""
    scans = max(_LEAST_SCANS, int(_SHORT_SCANS * plan.share))
    run = partial(_run_rounds, scans=scans, rounds=plan.engine_rounds + 1)
    with open_site(environment, str(_SHORT_MS)) as site:
        measured = measure_with_workers(site, run)
    ideal = first_come_seconds([_SHORT_MS / 1000] * scans * KEYWORDS, AT_ONCE)
    rounds = {workers: rounds[1:] for workers, rounds in measured.items()}
    return IdealFigures(f"{_SHORT_MS} ms", ideal, _SHORT_AT_MOST, rounds)


def measure_realistic(environment: BenchEnvironment, plan: Plan) -> IdealFigures:
    """Measure with the latencies of real platforms.

    One round is enough: it takes a hundred seconds, in which a disturbance of the machine is a small part.
    """
    scans = max(_LEAST_SCANS, int(CALLS * plan.share) // KEYWORDS)
    with open_site(environment, DRAWN) as site:
        rounds = measure_with_workers(site, partial(_run_realistic, scans=scans))
    calls = scans * KEYWORDS
    ideal = max(first_come_seconds(draw_latencies(seed)[:calls], AT_ONCE) for seed in range(len(PLATFORMS)))
    case = f"{USUAL_SECONDS:.0f} s, one in twenty after {SLOW_SECONDS:.0f} s"
    return IdealFigures(case, ideal, _REALISTIC_AT_MOST, rounds)


async def _run_realistic(site: Site, read_cpu: ReadCpu, *, scans: int) -> list[Round]:
    async with open_customers(site.environment.database_url, site.api_port, 1) as (customer,):
        await customer.check(1, KEYWORDS // 5)  # a warm-up
    return await _run_rounds(site, read_cpu, scans=scans, rounds=1, poll_seconds=0.1)


async def _run_rounds(
    site: Site, read_cpu: ReadCpu, *, scans: int, rounds: int, poll_seconds: float = 0.01
) -> list[Round]:
    done = []
    async with open_customers(site.environment.database_url, site.api_port, scans) as (customer,):
        for _ in range(rounds):
            await site.reset_calls()
            before = read_cpu()
            timing = await customer.check(scans, KEYWORDS, poll_seconds=poll_seconds)
            used = cpu_ms_per_answer(before, read_cpu(), scans * KEYWORDS * len(PLATFORMS))
            done.append(Round(timing, used, await _read_peaks(site, scans * KEYWORDS)))
            await asyncio.sleep(0.3)  # the cleanup after a scan belongs to no round
    if not any(one.most_at_once[0] == AT_ONCE for one in done):
        raise Aborted(f"{AT_ONCE} calls at once were never reached on every platform: {done[-1].most_at_once}")
    return done


async def _read_peaks(site: Site, expected_calls: int) -> tuple[int, int]:
    counted = await site.reset_calls()
    if [one.calls for one in counted.values()] != [expected_calls] * len(PLATFORMS):
        raise Aborted(f"each of {len(PLATFORMS)} platforms should be called {expected_calls} times: {counted}")
    peaks = [one.most_at_once for one in counted.values()]
    return min(peaks), max(peaks)
