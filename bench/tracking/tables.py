"""Prints the figures as tables."""

from collections.abc import Mapping, Sequence
from statistics import median

from bench.tracking.arithmetic import CORES, DAY, PLATFORM_CALLS, PLATFORM_SECONDS, PLATFORMS, Capacity, of_scope
from bench.tracking.daily import STEPS, Cost, Load, Step
from bench.tracking.reads import Read

_PROCESSES = ("worker", "postgresql")


def print_reads(small: str, large: str, reads: Sequence[Read]) -> None:
    print(f"  {'':<26}{'kB':>6}{small:>18}{large:>20}{'growth':>9}   {'CPU ms per request: API':>23}{'PostgreSQL':>15}")
    for read in reads:
        size = "" if read.kilobytes is None else f"{read.kilobytes:.0f}"
        api, postgresql = (
            f"{_ms(getattr(read.small, name))} to {_ms(getattr(read.large, name))}"
            for name in ("api_cpu_ms", "postgresql_cpu_ms")
        )
        print(
            f"  {read.name:<26}{size:>6}{median(read.small.ms):>18.2f}{median(read.large.ms):>20.2f}"
            f"{read.growth:>9.2f}   {api:>23}{postgresql:>15}"
        )
    print()


def print_load(load: Load, speed: Mapping[str, float]) -> None:
    print("  One domain alone: CPU ms by step (worker with its reader + PostgreSQL)\n")
    print(f"  {'':<14}{'answers':>9}{'completed s':>13}{'followed s':>12}" + "".join(f"{step:>15}" for step in STEPS))
    for scope in ("full_check", "daily_check"):
        costs = of_scope(load.alone, scope)
        print(
            f"  {scope.replace('_', ' '):<14}{costs[0].answers:>9}{median(cost.completed for cost in costs):>13.2f}"
            f"{median(cost.followed for cost in costs):>12.2f}" + "".join(f"{_step(costs, step):>15}" for step in STEPS)
        )
    print("\n  A step that is over between two looks (10 ms) counts to the one before it.\n")
    print(f"  {load.domains} domains together, from due to followed up (scoreboard, insights, report)\n")
    print(f"  {'':<14}{'answers/s':>11}{'until completed':>17}{'CPU ms per answer: worker':>27}{'PostgreSQL':>12}")
    for scope in ("full_check", "daily_check"):
        costs, name = of_scope(load.together, scope), scope.replace("_", " ")
        asked = median(cost.answers / cost.completed for cost in costs)
        worker, postgresql = (_per_answer(costs, process) for process in _PROCESSES)
        print(f"  {name:<14}{speed[name + 's']:>11.0f}{asked:>17.0f}{worker:>27}{postgresql:>12}")
    print(f"\n  The database grew by {load.bytes_per_answer / 1000:.1f} kB per answer, with all that hangs on it.\n")


def print_carried(one: Capacity) -> None:
    calls = PLATFORM_CALLS * DAY // PLATFORM_SECONDS
    print(
        f"  A domain of {one.full_answers // PLATFORMS} prompts:"
        f" ({one.full_answers} + 6 x {one.daily_answers}) / 7 = {one.answers_a_day:.0f} answers a day"
        f"\n  CPU: ({one.full_cpu:.2f} s a Full Check + 6 x {one.daily_cpu:.2f} s a Daily Check) / 7 ="
        f" {one.cpu_a_day:.2f} s a day"
        f"\n  {CORES} cores x {DAY:,} s / {one.cpu_a_day:.2f} s = {one.by_cpu:,} domains, were both always busy with it"
        f"\n  One worker as measured: {DAY:,} s / (({one.full_seconds:.2f} + 6 x {one.daily_seconds:.2f}) / 7 s) ="
        f" {one.as_measured:,} domains"
        f"\n  Platforms: {PLATFORM_CALLS} calls at once of {PLATFORM_SECONDS} s = {calls:,}"
        f" calls a day and platform, for {one.by_platforms:,} domains"
        f"\n  Disk: {one.megabytes_per_day:.1f} MB a day and domain\n"
    )


def _ms(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _step(costs: Sequence[Cost], step: Step) -> str:
    known = [cost.steps[step] for cost in costs if step in cost.steps]
    if not known:
        return "-"
    return " + ".join(f"{1000 * median(one.get(process, 0.0) for one in known):.0f}" for process in _PROCESSES)


def _per_answer(costs: Sequence[Cost], process: str) -> str:
    known = [1000 * cost.cpu[process] / cost.answers for cost in costs if process in cost.cpu]
    return f"{median(known):.2f}" if known else "-"
