"""`engine`: scan time next to the ideal, cost per answer next to a bare loop, and waiting behind a huge check."""

import sys
from collections.abc import Callable, Sequence

import msgspec

from bench.comparison import Target
from bench.engine import ideal, throughput, waits
from bench.engine.customers import PLATFORMS
from bench.engine.settings import AT_ONCE
from bench.environment import BenchEnvironment
from bench.plan import Plan

NAME = "engine"
TITLE = f"The engine: {len(PLATFORMS)} platforms, at most {AT_ONCE} calls at once on each"

PartFigures = ideal.IdealFigures | throughput.ThroughputFigures | waits.WaitFigures

# The realistic part is the last: the thousands of answers that it stores burden no other part.
PARTS: dict[str, Callable[[BenchEnvironment, Plan], PartFigures]] = {
    "200ms": ideal.measure_short,
    "throughput": throughput.measure,
    "waits": waits.measure,
    "realistic": ideal.measure_realistic,
}

profile = throughput.profile


class EngineResult(msgspec.Struct, frozen=True):
    benchmark: str
    title: str
    parts: dict[str, PartFigures]
    targets: list[Target]


def measure(environment: BenchEnvironment, plan: Plan, parts: Sequence[str] = tuple(PARTS)) -> EngineResult:
    figures = {}
    for name in parts:
        print(f"measuring {NAME}-{name}", file=sys.stderr, flush=True)
        figures[name] = PARTS[name](environment, plan)
    return EngineResult(NAME, TITLE, figures, [target for part in figures.values() for target in part.targets])


def print_figures(result: EngineResult) -> None:
    for part in result.parts.values():
        part.print()
