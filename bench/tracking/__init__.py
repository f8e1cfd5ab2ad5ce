"""`tracking`: whether reading a tracked domain becomes slower with age or with other domains.

It also finds how many domains a machine can serve.
"""

import logging
import sys
from statistics import median

import msgspec
import structlog

from bench.comparison import Target
from bench.engine.installation import run_limited
from bench.engine.targets import to_target
from bench.environment import BenchEnvironment
from bench.plan import FULL, Plan
from bench.tracking.arithmetic import Capacity, carry
from bench.tracking.brand import PROMPTS, Brand, run_week
from bench.tracking.daily import Load, measure_load
from bench.tracking.databases import copy_database
from bench.tracking.fill import YEAR, Filler
from bench.tracking.follow_up import compare_following
from bench.tracking.reads import Read, compare_reads
from bench.tracking.tables import print_carried, print_load, print_reads

NAME = "tracking"
TITLE = "Tracked domains: 100 prompts on 6 platforms, a year of checks"
_AT_MOST = 1.3
_LIMIT_SECONDS = 600


class Size(msgspec.Struct, frozen=True):
    young: int
    """Stored answers."""
    old: int
    older_years: int
    """Of the measured domain, beyond the year that both have."""
    others: int
    """Domains with a year of checks."""
    many: int
    """Domains beside which the measured one is read."""
    loaded: int
    """Domains whose checks run together; each with so many prompts, and so often."""
    prompts: int
    rounds: int


_FULL = Size(young=100_000, old=3_000_000, older_years=3, others=20, many=1_000, loaded=4, prompts=PROMPTS, rounds=2)
_QUICK = Size(young=5_000, old=20_000, older_years=0, others=1, many=5, loaded=2, prompts=5, rounds=1)


class TrackingResult(msgspec.Struct, frozen=True):
    benchmark: str
    title: str
    answers: tuple[int, int]
    domains: tuple[int, int]
    by_age: list[Read]
    following_by_age: Read
    by_domains: list[Read]
    load: Load
    carried: Capacity
    targets: list[Target]
    throughput: dict[str, list[float]]
    """Answers per second from due to followed up, several domains together."""


class _Worlds(msgspec.Struct, frozen=True):
    one: BenchEnvironment
    young: BenchEnvironment
    old: BenchEnvironment
    many: BenchEnvironment
    brand: Brand
    answers: tuple[int, int]


def measure(environment: BenchEnvironment, plan: Plan) -> TrackingResult:
    size = _FULL if plan == FULL else _QUICK
    # Standard output holds the result alone, and parts of the product run in this process.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    loaded = run_limited(copy_database(environment, "loaded"), _LIMIT_SECONDS)
    _print_progress(f"{size.loaded} domains whose checks run together")
    load = measure_load(loaded, domains=size.loaded, prompts=size.prompts, rounds=size.rounds)
    worlds = run_limited(_build(environment, size), _LIMIT_SECONDS)
    _print_progress("reading with few answers and with many, in turn")
    by_age = compare_reads(worlds.young, worlds.old, worlds.brand, plan)
    following = run_limited(
        compare_following(worlds.young, worlds.old, worlds.brand, rounds=max(2, plan.rounds // 2)), _LIMIT_SECONDS
    )
    _print_progress("reading with one domain and with many, in turn")
    by_domains = compare_reads(worlds.one, worlds.many, worlds.brand, plan)
    return _to_result(worlds.answers, (1, 1 + size.many), by_age, following, by_domains, load)


async def _build(environment: BenchEnvironment, size: Size) -> _Worlds:
    one = await copy_database(environment, "one")
    _print_progress("a week of checks of the measured domain")
    brand = await run_week(one)
    filler = await Filler.open(one, brand)
    await filler.prepare()
    await filler.add_checks(YEAR)  # all that the trend ever shows is in each of the databases
    await filler.close()
    young, old, many = [await copy_database(one, name) for name in ("young", "old", "many")]
    _print_progress(f"filling: {size.young:,} answers, {size.old:,} answers, {size.many:,} domains")
    filler = await Filler.open(young, brand)
    few = await filler.add_answers(size.young)
    await filler.close()
    filler = await Filler.open(old, brand)
    await filler.add_checks(size.older_years * YEAR)
    await filler.copy_domain(size.others)
    await filler.add_checks(YEAR, first=1, last=size.others)
    lots = await filler.add_answers(size.old)
    await filler.close()
    filler = await Filler.open(many, brand)
    await filler.copy_domain(size.many)
    await filler.add_checks(7, first=1, last=size.many)
    await filler.close()
    return _Worlds(one, young, old, many, brand, (few, lots))


def _to_result(
    answers: tuple[int, int],
    domains: tuple[int, int],
    by_age: list[Read],
    following: Read,
    by_domains: list[Read],
    load: Load,
) -> TrackingResult:
    at_least = round(1 / _AT_MOST, 3)
    targets = [
        to_target(f"{read.name} ({unit}: {few:,})", f"that with {lots:,}", at_least, read.ratios)
        for unit, (few, lots), reads in (("answers", answers, by_age), ("domains", domains, by_domains))
        for read in reads
    ]
    speed = {
        "full checks": [cost.answers / cost.followed for cost in load.together if cost.scope == "full_check"],
        "daily checks": [cost.answers / cost.followed for cost in load.together if cost.scope == "daily_check"],
    }
    return TrackingResult(
        NAME, TITLE, answers, domains, by_age, following, by_domains, load, carry(load), targets, speed
    )


def print_figures(result: TrackingResult) -> None:
    few, lots = result.answers
    print_reads(f"{few:,} answers", f"{lots:,} answers", [*result.by_age, result.following_by_age])
    print_reads(f"{result.domains[0]:,} domain", f"{result.domains[1]:,} domains", result.by_domains)
    rounds = len(result.by_age[0].small.ms)
    print(
        f"  ms per request on one connection, medians over {rounds} alternating rounds; growth is made within a round."
        f"\n  Following up runs in the benchmark's process ({len(result.following_by_age.small.ms)} rounds); it has"
        " no target.\n"
    )
    print_load(result.load, {name: median(speeds) for name, speeds in result.throughput.items()})
    print_carried(result.carried)


def _print_progress(sentence: str) -> None:
    """Print progress to standard error; standard output holds the result alone."""
    print(sentence, file=sys.stderr, flush=True)
