"""Comparing a scan with the one before it: the change of each headline metric, exact or as a trend. Pure."""

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from sightline.metrics.compare import (
    Change,
    compare_citations,
    compare_coverage,
    compare_mentions,
    compare_visibility,
)
from sightline.metrics.completeness import is_incomplete
from sightline.metrics.figure import Comparison, to_comparison
from sightline.metrics.market_change import compare_position, compare_share_of_voice
from sightline.metrics.observation import Observation, find_surfaces
from sightline.metrics.trend import Reason, ResultStamp, find_trend_reasons
from sightline.scans.models import ScanAnswer, ScanPlan
from sightline.scans.observations import make_observations
from sightline.scans.stored import Scope


class ComparableScan(msgspec.Struct, frozen=True, kw_only=True):
    """What a scan found for the brand, and under which conditions."""

    scan_id: uuid.UUID
    observations: tuple[Observation, ...]
    competitors: Mapping[str, tuple[Observation, ...]]
    """What it found for each competitor, by name."""
    stamp: ResultStamp


class Comparisons(msgspec.Struct, frozen=True, kw_only=True):
    """The change of each metric; None without a previous scan, or if the two scans have no cell in common.

    Market Position and Share of Voice have none without a competitor that both scans measured, either.
    """

    visibility_score: Comparison | None = None
    brand_coverage_pct: Comparison | None = None
    ai_mentions: Comparison | None = None
    citation_count: Comparison | None = None
    market_position: Comparison | None = None
    share_of_voice_pct: Comparison | None = None

    def without_market(self) -> "Comparisons":
        """Return the comparisons without those against competitors."""
        return msgspec.structs.replace(self, market_position=None, share_of_voice_pct=None)


def drop_competitors(plan: ScanPlan) -> ScanPlan:
    """Return the plan for the brand alone."""
    return msgspec.structs.replace(plan, competitors=())


def drop_competitor_analyses(answers: Sequence[ScanAnswer]) -> list[ScanAnswer]:
    """Return the answers with the analysis of the brand alone: competitors may differ between scans."""
    return [
        answer
        if answer.analysis is None
        else msgspec.structs.replace(
            answer, analysis=msgspec.structs.replace(answer.analysis, brands=answer.analysis.brands[:1])
        )
        for answer in answers
    ]


def to_comparable_scan(
    scan_id: uuid.UUID,
    scope: Scope,
    plan: ScanPlan,
    answers: Sequence[ScanAnswer],
    *,
    metrics_version: str,
    extractor_version: str,
) -> ComparableScan:
    observations, *competitors = make_observations(plan, answers)
    return ComparableScan(
        scan_id=scan_id,
        observations=observations,
        competitors=dict(zip((brand.name for brand in plan.competitors), competitors, strict=True)),
        stamp=ResultStamp(
            scope=scope,
            cells=frozenset(observation.cell for observation in observations),
            metrics_version=metrics_version,
            extractor_version=extractor_version,
            competitors=frozenset(brand.name for brand in plan.competitors),
            models=_find_served_models(answers),
            surfaces=find_surfaces(observations),
            incomplete=is_incomplete(observations),
        ),
    )


def compare_scans(before: ComparableScan, now: ComparableScan) -> Comparisons:
    """Compare each headline metric over matched cells, those against competitors over the competitors of both."""
    reasons = find_trend_reasons(before.stamp, now.stamp)
    market_reasons = find_trend_reasons(before.stamp, now.stamp, against_competitors=True)
    names = [name for name in now.competitors if name in before.competitors]
    brands_before, brands_now = (
        [scan.observations, *(scan.competitors[name] for name in names)] for scan in (before, now)
    )

    def compare(change: Change | None, reasons: tuple[Reason, ...] = reasons) -> Comparison | None:
        return to_comparison(change, against_scan_id=str(before.scan_id), reasons=reasons)

    return Comparisons(
        visibility_score=compare(compare_visibility(before.observations, now.observations)),
        brand_coverage_pct=compare(compare_coverage(before.observations, now.observations)),
        ai_mentions=compare(compare_mentions(before.observations, now.observations)),
        citation_count=compare(compare_citations(before.observations, now.observations)),
        market_position=compare(compare_position(brands_before, brands_now), market_reasons),
        share_of_voice_pct=compare(compare_share_of_voice(brands_before, brands_now), market_reasons),
    )


def _find_served_models(answers: Sequence[ScanAnswer]) -> dict[str, str | None]:
    """Find the model that served most answers of each platform."""
    found: dict[str, Counter[str]] = {}
    for answer in answers:
        if answer.status == "ok" and answer.provenance.model_served:
            found.setdefault(answer.platform, Counter())[answer.provenance.model_served] += 1
    return {platform: min(models, key=lambda name: (-models[name], name)) for platform, models in found.items()}
