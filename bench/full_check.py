"""`full_check`: a Full Check of 200 prompts on one platform, with sentiment, next to the ideal time."""

from statistics import median

import msgspec

from bench.comparison import Target
from bench.engine.settings import AT_ONCE
from bench.engine.targets import to_target
from bench.environment import BenchEnvironment
from bench.plan import Plan
from bench.tracking.daily import STEPS, Cost, measure_full_checks

NAME = "full_check"
TITLE = f"A Full Check of 200 prompts on one platform: 200 ms, {AT_ONCE} calls at once, sentiment by the model"
_PROMPTS = 200
_LATENCY_MS = 200
_AT_MOST = 2.0
_MAX_CPU_SECONDS = 1.4


class FullCheckResult(msgspec.Struct, frozen=True):
    benchmark: str
    title: str
    ideal_seconds: float
    checks: list[Cost]
    targets: list[Target]


def measure(environment: BenchEnvironment, plan: Plan) -> FullCheckResult:
    checks = measure_full_checks(environment, prompts=_PROMPTS, latency_ms=_LATENCY_MS, rounds=plan.engine_rounds)
    ideal = _PROMPTS / AT_ONCE * _LATENCY_MS / 1000
    ratios = [ideal / check.completed for check in checks]
    targets = [to_target("ideal time", "the time of a Full Check", 1 / _AT_MOST, ratios)]
    if cpu := [check.cpu["worker"] for check in checks if "worker" in check.cpu]:
        seconds = f"{_MAX_CPU_SECONDS} s"
        targets.append(to_target(seconds, "the CPU of a Full Check", 1.0, [_MAX_CPU_SECONDS / each for each in cpu]))
    return FullCheckResult(NAME, TITLE, ideal, checks, targets)


def print_figures(result: FullCheckResult) -> None:
    completed = median(check.completed for check in result.checks)
    cpu = [
        1000 * check.steps["answers"]["worker"] / check.answers
        for check in result.checks
        if "worker" in check.steps["answers"]
    ]
    print(f"  completed: {completed:.2f} s, {completed / result.ideal_seconds:.2f} of the ideal time")
    if cpu:
        print(f"  worker:    {median(cpu):.2f} CPU ms per answer until all are stored, its children included")
        total = median(check.cpu["worker"] for check in result.checks)
        steps = {step: median(check.steps[step]["worker"] for check in result.checks) for step in STEPS}
        parts = ", ".join(f"{step} {seconds:.2f}" for step, seconds in steps.items())
        print(f"  CPU:       {total:.2f} s for a Full Check until its report is stored: {parts}")
    print(f"  Medians of {len(result.checks)} checks of {result.checks[0].answers} answers.\n")
