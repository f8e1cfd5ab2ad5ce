"""Detecting platform-wide changes (metrics 3.5): did the whole market drop, or this brand alone? Pure."""

from collections.abc import Sequence

from sightline.insights.alerts.daily_checks import DailyCheck
from sightline.insights.alerts.detect_drops import ScopeOutcome
from sightline.insights.alerts.drop_statistics import run_segment_test
from sightline.metrics.alerts import is_platform_wide
from sightline.metrics.compare import match_cells
from sightline.metrics.observation import Observation
from sightline.scans.observations import make_observations
from sightline.scoreboard.completed_scans import CompletedScan


def find_platform_wide_changes(before: CompletedScan, now: CompletedScan) -> frozenset[str]:
    """Find the platforms on which half of the brands measured by both scans have dropped."""
    earlier, later = _group_by_brand(before), _group_by_brand(now)
    pairs = [match_cells(earlier[name], later[name]) for name in later if name in earlier]
    return frozenset(
        platform
        for platform in now.plan.platforms
        if is_platform_wide([_count_flips(pair, platform) for pair in pairs])
    )


def is_explained_by_platforms(outcome: ScopeOutcome, today: DailyCheck, platforms: frozenset[str]) -> bool:
    """Return whether the drop disappears when the platforms that changed for everybody are left out."""
    remaining = [key for key in outcome.keys if key[1] not in platforms]
    if len(remaining) == len(outcome.keys):
        return False
    test = None if outcome.baseline is None else run_segment_test(remaining, today, outcome.baseline)
    return test is None or not any(test.is_drop(rule) for rule in test.findings)


def _group_by_brand(scan: CompletedScan) -> dict[str, tuple[Observation, ...]]:
    observations = make_observations(scan.plan, scan.answers)
    return {brand.name: found for brand, found in zip(scan.plan.tracked, observations, strict=True)}


def _count_flips(pairs: Sequence[tuple[Observation, Observation]], platform: str) -> tuple[int, int, int]:
    flips = [(before.mentioned, now.mentioned) for before, now in pairs if now.platform == platform]
    return flips.count((True, False)), flips.count((False, True)), len(flips)
