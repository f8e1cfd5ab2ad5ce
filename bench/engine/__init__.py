"""`engine`: scan time against the ideal, cost per answer against a bare loop, and waiting behind a huge scan."""

from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from statistics import median
from typing import Any, TypeVar

import msgspec

from bench.comparison import Target
from bench.engine.cpu import postgres_cpu_seconds
from bench.engine.customers import PLATFORMS
from bench.engine.installation import (
    Child,
    run_limited,
    running_api,
    running_fake,
    running_worker,
    wait_for_workers,
)
from bench.engine.rounds import ANSWERS, Race, Round, Wait, run_races, run_rounds, run_waits
from bench.engine.settings import AT_ONCE, platform_settings
from bench.engine.targets import to_target
from bench.environment import BenchEnvironment
from bench.plan import Plan
from bench.profiling import Profile, read_profile

NAME = "engine"
TITLE = f"The engine: {ANSWERS:,} answers of {len(PLATFORMS)} platforms, {AT_ONCE} calls at once on each"
LATENCY = 0.2
IDEAL = ANSWERS / len(PLATFORMS) / AT_ONCE * LATENCY
SMALL, LARGER = 10, 50
_CLOSE_TO_IDEAL = 0.8
_OF_BARE = 0.4
_LONGER_BEHIND = 1.5
_LIMIT_SECONDS = 300

T = TypeVar("T")


class Waits(msgspec.Struct, frozen=True):
    """The time that a small scan and a larger one take alone and behind a huge one."""

    workers: str
    small: list[Wait]
    larger: list[Wait]

    @property
    def targets(self) -> list[Target]:
        # One latency is added: a larger scan finds fewer free places than it could use, and takes turns for the rest.
        at_most = f"{_LONGER_BEHIND} times alone plus {LATENCY * 1000:.0f} ms ({LARGER} answers)"
        behind = f"behind a huge one, {self.workers}"
        return [
            to_target(
                f"alone ({SMALL} answers)",
                behind,
                round(1 / _LONGER_BEHIND, 3),
                [wait.alone / wait.behind for wait in self.small],
            ),
            to_target(
                at_most, behind, 1.0, [(_LONGER_BEHIND * wait.alone + LATENCY) / wait.behind for wait in self.larger]
            ),
        ]


class EngineResult(msgspec.Struct, frozen=True):
    benchmark: str
    title: str
    ideal_seconds: float
    one_worker: list[Round]
    two_workers: list[Round]
    races: list[Race]
    waits: list[Waits]
    targets: list[Target]
    throughput: dict[str, list[float]]
    """Answers per second, with platforms that answer immediately."""


class _Site(msgspec.Struct, frozen=True):
    environment: BenchEnvironment
    api: Child
    api_port: int
    platform: Child
    platform_port: int
    settings: Mapping[str, str]

    def cpu(self, *workers: Child) -> dict[str, float | None]:
        used = [worker.cpu_seconds() for worker in workers]
        return {
            "worker": None if None in used else sum(filter(None, used)),
            "api": self.api.cpu_seconds(),
            "postgresql": postgres_cpu_seconds(self.environment),
            "platform": self.platform.cpu_seconds(),
        }

    @property
    def ports(self) -> tuple[str, int, int]:
        return self.environment.database_url, self.api_port, self.platform_port


def measure(environment: BenchEnvironment, plan: Plan) -> EngineResult:
    rounds = _rounds(plan)
    with _site(environment, 1000 * LATENCY) as site, running_worker(environment, site.settings) as first:
        wait_for_workers(environment, first)
        one = _limited(run_rounds(*site.ports, rounds, partial(site.cpu, first)), site, first)
        waits = [_measure_waits("one worker", rounds, site, first)]
        with running_worker(environment, site.settings, number=2) as second:
            wait_for_workers(environment, first, second)
            two = _limited(run_rounds(*site.ports, rounds, partial(site.cpu, first, second)), site, first, second)
            waits.append(_measure_waits("two workers", rounds, site, first, second))
    with _site(environment, 0) as site, running_worker(environment, site.settings) as worker:
        wait_for_workers(environment, worker)
        races = _limited(run_races(*site.ports, rounds, partial(site.cpu, worker)), site, worker)
    return _to_result(one, two, races, waits)


def _measure_waits(name: str, rounds: int, site: _Site, *workers: Child) -> Waits:
    small, larger = (
        _limited(run_waits(site.environment.database_url, site.api_port, rounds, answers), site, *workers)
        for answers in (SMALL, LARGER)
    )
    return Waits(name, small, larger)


def profile(environment: BenchEnvironment, plan: Plan) -> Profile:
    """Profile the CPU time of a worker per answer, with platforms that answer immediately."""
    file = environment.folder / "profile"
    rounds = _rounds(plan)
    with _site(environment, 0) as site, running_worker(environment, site.settings, profile=file) as worker:
        wait_for_workers(environment, worker)
        _limited(run_races(*site.ports, rounds, dict), site, worker)
    return read_profile(file, (rounds + 1) * ANSWERS)


def _rounds(plan: Plan) -> int:
    return max(2, plan.rounds // 3)


@contextmanager
def _site(environment: BenchEnvironment, latency_ms: float) -> Iterator[_Site]:
    with running_fake("platform", environment, "bench.engine.platform", str(latency_ms)) as (platform, platform_port):
        settings = platform_settings(platform_port)
        with running_api(environment, settings) as (api, api_port):
            yield _Site(environment, api, api_port, platform, platform_port, settings)


def _limited(work: Coroutine[Any, Any, T], site: _Site, *workers: Child) -> T:
    return run_limited(work, _LIMIT_SECONDS, site.api, *workers)


def _to_result(one: list[Round], two: list[Round], races: list[Race], waits: list[Waits]) -> EngineResult:
    speed = {
        "engine": [ANSWERS / race.timing.completed for race in races],
        "bare": [race.bare_per_second for race in races],
        "bare, one by one": [race.one_by_one_per_second for race in races],
    }
    of_bare = [ours / bare for ours, bare in zip(speed["engine"], speed["bare"], strict=True)]
    return EngineResult(
        benchmark=NAME,
        title=TITLE,
        ideal_seconds=IDEAL,
        one_worker=one,
        two_workers=two,
        races=races,
        waits=waits,
        targets=[
            to_target("ideal time", "one worker's", _CLOSE_TO_IDEAL, [IDEAL / each.timing.completed for each in one]),
            to_target("ideal time", "two workers'", _CLOSE_TO_IDEAL, [IDEAL / each.timing.completed for each in two]),
            to_target("engine", "bare", _OF_BARE, of_bare),
            *(target for each in waits for target in each.targets),
        ],
        throughput=speed,
    )


def print_figures(result: EngineResult) -> None:
    print(f"  Platforms that answer after {LATENCY * 1000:.0f} ms; ideal: {result.ideal_seconds:.2f} s\n")
    print(f"  {'':<14}{'completed s':>12}{'to ideal':>10}{'stored s':>10}{'submitted s':>13}{'most at once':>14}")
    for name, rounds in (("one worker", result.one_worker), ("two workers", result.two_workers)):
        completed, stored, submitted = (
            median(getattr(one.timing, field) for one in rounds) for field in ("completed", "stored", "submitted")
        )
        least, most = min(one.most_at_once[0] for one in rounds), max(one.most_at_once[1] for one in rounds)
        print(
            f"  {name:<14}{completed:>12.2f}{completed / result.ideal_seconds:>10.2f}{stored:>10.2f}{submitted:>13.2f}"
            f"{f'{least} to {most}':>14}"
        )
    print("\n  CPU ms per answer\n")
    print(f"  {'':<22}{'worker':>10}{'API':>10}{'PostgreSQL':>12}{'platform':>10}")
    for name, used in (
        ("one worker", [one.cpu_ms_per_answer for one in result.one_worker]),
        ("two workers", [one.cpu_ms_per_answer for one in result.two_workers]),
        ("one, without latency", [race.cpu_ms_per_answer for race in result.races]),
    ):
        worker, api, postgresql, platform = (_cpu(used, who) for who in ("worker", "api", "postgresql", "platform"))
        print(f"  {name:<22}{worker:>10}{api:>10}{postgresql:>12}{platform:>10}")
    engine, bare, one_by_one = (median(result.throughput[name]) for name in ("engine", "bare", "bare, one by one"))
    stored = median(ANSWERS / race.timing.stored for race in result.races)
    print(
        f"\n  Platforms that answer at once: {engine:,.0f} answers per second until all checks are completed,"
        f"\n  {stored:,.0f} until all are stored; bare loop: {bare:,.0f}, with one call at a time {one_by_one:,.0f}\n"
    )
    for each in result.waits:
        for answers, waits in ((SMALL, each.small), (LARGER, each.larger)):
            alone, behind = median(wait.alone for wait in waits), median(wait.behind for wait in waits)
            print(
                f"  A check of {answers} answers, {each.workers}: {alone:.2f} s alone, {behind:.2f} s behind a huge one"
                " of somebody else"
            )
    print(f"\n  Medians over {len(result.one_worker)} rounds; a worker's CPU is that with its children.\n")


def _cpu(used: list[dict[str, float]], who: str) -> str:
    known = [one[who] for one in used if who in one]
    return f"{median(known):.3f}" if known else "-"
