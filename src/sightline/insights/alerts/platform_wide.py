""" "Platform-wide change, not you" (metrics 3.5): whether all of a market fell, and not this brand alone. Pure."""

from collections.abc import Sequence

from sightline.insights.alerts.daily_checks import DailyCheck, find_baseline
from sightline.insights.alerts.detect import ScopeOutcome
from sightline.insights.alerts.drop_tests import run_part_test
from sightline.metrics.alerts import is_platform_wide
from sightline.metrics.compare import match_cells
from sightline.metrics.observation import Observation
from sightline.scans.observations import make_observations
from sightline.scoreboard.completed_scans import CompletedScan


def find_platform_wide_changes(before: CompletedScan, now: CompletedScan) -> frozenset[str]:
    """The platforms on which half of all brands that both checks looked for have fallen."""
    earlier, later = _by_brand(before), _by_brand(now)
    pairs = [match_cells(earlier[name], later[name]) for name in later if name in earlier]
    return frozenset(
        platform
        for platform in now.plan.platforms
        if is_platform_wide([_count_flips(pair, platform) for pair in pairs])
    )


def is_explained_by_platforms(
    each: ScopeOutcome, today: DailyCheck, earlier: Sequence[DailyCheck], wide: frozenset[str]
) -> bool:
    """Whether nothing is left of a fall without the platforms that changed for everybody."""
    rest = [key for key in each.keys if key[1] not in wide]
    if len(rest) == len(each.keys):
        return False
    baseline = find_baseline(each.alert, earlier)
    tested = None if baseline is None or each.type == "cell_lost" else run_part_test(rest, today, baseline)
    return tested is None or not any(tested.falls(rule) for rule in tested.findings)


def _by_brand(check: CompletedScan) -> dict[str, tuple[Observation, ...]]:
    observations = make_observations(check.plan, check.answers)
    return {brand.name: found for brand, found in zip(check.plan.tracked, observations, strict=True)}


def _count_flips(pairs: Sequence[tuple[Observation, Observation]], platform: str) -> tuple[int, int, int]:
    here = [(before.mentioned, now.mentioned) for before, now in pairs if now.platform == platform]
    return here.count((True, False)), here.count((False, True)), len(here)
