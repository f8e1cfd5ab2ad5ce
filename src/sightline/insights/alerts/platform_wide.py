"""Detecting platform-wide changes (metrics 3.5): did the whole market change, or this brand alone? Pure."""

from collections.abc import Sequence

from sightline.insights.alerts.change_statistics import run_segment_test
from sightline.insights.alerts.outcomes import ScopeOutcome
from sightline.metrics.alerts import Direction, is_platform_wide
from sightline.metrics.compare import match_cells
from sightline.metrics.observation import Observation
from sightline.scans.observations import make_observations
from sightline.scoreboard.completed_scans import CompletedScan


def find_platform_wide_changes(before: CompletedScan, now: CompletedScan, direction: Direction) -> frozenset[str]:
    """Find the platforms on which half of the brands measured by both scans have dropped, or gained."""
    earlier, later = _group_by_brand(before), _group_by_brand(now)
    pairs = [match_cells(earlier[name], later[name]) for name in later if name in earlier]
    return frozenset(
        platform
        for platform in now.plan.platforms
        if is_platform_wide([_count_flips(pair, platform) for pair in pairs], direction=direction)
    )


def is_explained_by_platforms(outcome: ScopeOutcome, platforms: frozenset[str]) -> bool:
    """Return whether the change disappears when the platforms that changed for everybody are left out."""
    remaining = [key for key in outcome.keys if key[1] not in platforms]
    if len(remaining) == len(outcome.keys):
        return False
    if outcome.baseline is None or outcome.today is None:  # a single cell
        return True
    test = run_segment_test(remaining, outcome.today, outcome.baseline, outcome.direction)
    return test is None or not any(test.holds_by(rule) for rule in test.findings)


def _group_by_brand(scan: CompletedScan) -> dict[str, tuple[Observation, ...]]:
    observations = make_observations(scan.plan, scan.answers)
    return {brand.name: found for brand, found in zip(scan.plan.tracked, observations, strict=True)}


def _count_flips(pairs: Sequence[tuple[Observation, Observation]], platform: str) -> tuple[int, int, int]:
    flips = [(before.mentioned, now.mentioned) for before, now in pairs if now.platform == platform]
    return flips.count((True, False)), flips.count((False, True)), len(flips)
