"""Estimating the number of answers of a week before anything is asked. Pure."""

import msgspec

from sightline.plans.table import Entitlements, Plan, runs_scheduled_checks

_DAILY_CHECKS = 6  # on the days between two Full Checks


class WeeklyAnswers(msgspec.Struct, frozen=True):
    """`full` answers in the Full Check (on the Free plan, in its one audit) and `daily` in each Daily Check."""

    prompts: int
    platforms: int
    daily_prompts: int
    full: int
    daily: int
    once: bool
    """Whether the plan runs only one audit."""

    @property
    def total(self) -> int:
        return self.full if self.once else self.full + _DAILY_CHECKS * self.daily

    @property
    def per_platform(self) -> int:
        return self.total // max(1, self.platforms)


def count_weekly_answers(
    plan: Plan, grants: Entitlements, *, texts: int, markets: int, platforms: int
) -> WeeklyAnswers:
    """Count the answers of a week, in which every text is asked in every market and on every platform."""
    prompts = texts * max(1, markets)
    daily = min(prompts, grants.daily_prompts) if runs_scheduled_checks(plan) else 0
    return WeeklyAnswers(
        prompts=prompts,
        platforms=platforms,
        daily_prompts=daily,
        full=prompts * platforms,
        daily=daily * platforms,
        once=not runs_scheduled_checks(plan),
    )
