"""How many domains a machine can serve, from what their scans cost."""

from statistics import median

import msgspec

from bench.tracking.daily import Cost, Load, Scope

CORES = 2
DAY = 86_400
DAILY_CHECKS = 6
# The product's default, and how long a platform that searches the web takes: both only for the sentence about them.
PLATFORM_CALLS = 20
PLATFORM_SECONDS = 10
PLATFORMS = 6


class Capacity(msgspec.Struct, frozen=True):
    """Domains of one machine, if all have a Full Check a week and a Daily Check on each of the other days."""

    full_answers: int
    daily_answers: int
    full_cpu: float
    """Seconds per check, of the worker with its reader and of PostgreSQL, from due to followed up."""
    daily_cpu: float
    full_seconds: float
    """Per check when several run together: seconds until followed up, divided by their number."""
    daily_seconds: float
    megabytes_per_day: float

    @property
    def answers_a_day(self) -> float:
        return (self.full_answers + DAILY_CHECKS * self.daily_answers) / 7

    @property
    def cpu_a_day(self) -> float:
        return (self.full_cpu + DAILY_CHECKS * self.daily_cpu) / 7

    @property
    def seconds_a_day(self) -> float:
        return (self.full_seconds + DAILY_CHECKS * self.daily_seconds) / 7

    @property
    def by_cpu(self) -> int:
        """Return the number if both cores were busy all day."""
        return int(CORES * DAY / self.cpu_a_day)

    @property
    def as_measured(self) -> int:
        """Return the number for one worker, all day as in the rounds."""
        return int(DAY / self.seconds_a_day)

    @property
    def by_platforms(self) -> int:
        calls = PLATFORM_CALLS * DAY / PLATFORM_SECONDS
        return int(calls / (self.answers_a_day / PLATFORMS))


def carry(load: Load) -> Capacity:
    full, daily = of_scope(load.together, "full_check"), of_scope(load.together, "daily_check")
    carried = Capacity(
        full_answers=full[0].answers // full[0].checks,
        daily_answers=daily[0].answers // daily[0].checks,
        full_cpu=median(sum(cost.cpu.values()) / cost.checks for cost in full),
        daily_cpu=median(sum(cost.cpu.values()) / cost.checks for cost in daily),
        full_seconds=median(cost.followed / cost.checks for cost in full),
        daily_seconds=median(cost.followed / cost.checks for cost in daily),
        megabytes_per_day=0.0,
    )
    return msgspec.structs.replace(carried, megabytes_per_day=load.bytes_per_answer * carried.answers_a_day / 1e6)


def of_scope(costs: list[Cost], scope: Scope) -> list[Cost]:
    return [cost for cost in costs if cost.scope == scope]
