"""Completed scans of tracked domains, read with their answers decoded."""

import asyncio
from collections.abc import Callable

import msgspec

from sightline.answers.analyze import EXTRACTOR_VERSION
from sightline.db.engine import Reader
from sightline.metrics.registry import METRICS_VERSION
from sightline.platforms.access import find_uncited_platforms
from sightline.scans.models import ScanAnswer, ScanPlan, ScanPrompt
from sightline.scans.queries import find_results
from sightline.scans.running.running_scans import build_plan
from sightline.scans.stored import ScanRow, StoredResults, to_answer
from sightline.scoreboard import queries
from sightline.scoreboard.cells import TRACKED_SCOPES
from sightline.scoreboard.compare import ComparableScan, to_comparable_scan
from sightline.scoreboard.models import UncitedPlatforms
from sightline.settings import Settings


def uncited_platforms(settings: Settings) -> UncitedPlatforms:
    """Return the platforms that structurally show no sources."""
    return {
        "live": find_uncited_platforms(settings, sandbox=False),
        "sandbox": find_uncited_platforms(settings, sandbox=True),
    }


class CompletedScan(msgspec.Struct, frozen=True):
    """A completed scan of a tracked domain with its decoded answers."""

    scan: ScanRow
    plan: ScanPlan
    answers: list[ScanAnswer]
    stored: StoredResults

    def to_comparable_scan(self) -> ComparableScan:
        return to_comparable_scan(
            self.scan.id,
            self.scan.measurement_scope,
            self.plan,
            self.answers,
            metrics_version=self.stored.metrics_version,
            extractor_version=self.stored.extractor_version,
        )


async def read_completed_scan(
    db: Reader,
    scan: ScanRow,
    *,
    uncited: UncitedPlatforms,
    platform: str = "",
    includes: Callable[[ScanPrompt], bool] | None = None,
) -> CompletedScan:
    """Read a scan with its answers, or only those of one platform, and to the prompts that `includes` accepts."""
    stored = await find_results(db, scan.workspace_id, scan.id)
    assert stored is not None  # written by the transaction that completed the scan
    plan = build_plan(scan, uncited[scan.answers_source])
    indexes = None if includes is None else [place for place, each in enumerate(plan.prompts) if includes(each)]
    rows = await queries.read_answers_without_text(
        db, scan.workspace_id, scan.id, platform=platform, prompt_indexes=indexes
    )
    answers = await asyncio.to_thread(lambda: [to_answer(row, plan.prompts[row.prompt_index]) for row in rows])
    return CompletedScan(scan, plan, answers, stored)


async def read_previous_scan(db: Reader, scan: ScanRow, *, uncited: UncitedPlatforms) -> CompletedScan | None:
    """Return the previous scan of the same scope, or else of any scope, which only allows a trend."""
    for scopes in ((scan.measurement_scope,), TRACKED_SCOPES):
        previous = await queries.find_previous_scan(db, scan, scopes=scopes)
        if previous is not None:
            return await read_completed_scan(db, previous, uncited=uncited)
    return None


def has_current_versions(stored: StoredResults) -> bool:
    """Return whether the results were made by the current extractor and the current formulas."""
    return (stored.metrics_version, stored.extractor_version) == (METRICS_VERSION, EXTRACTOR_VERSION)
