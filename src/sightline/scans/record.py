"""The record of a scan that has ended: its plan, its answers and its results."""

from collections.abc import Collection, Sequence
from datetime import date, datetime
from statistics import median
from typing import Literal

import msgspec

from sightline.answers.analyze import EXTRACTOR_VERSION
from sightline.metrics.registry import METRICS_VERSION
from sightline.scans.answer_files.models import FileOpinion
from sightline.scans.models import AnswersSource, PromptsSource, ScanAnswer, ScanPlan
from sightline.scans.results import build_results
from sightline.scans.rivals import finalize_ranks, find_rivals
from sightline.scans.schemas.results import ScanMeasurements
from sightline.scans.tally import SpotChecks


class ScanRecord(msgspec.Struct, frozen=True, kw_only=True):
    plan: ScanPlan
    answers_source: AnswersSource | Literal["file"]
    prompts_source: PromptsSource
    note: str | None = None
    """A note about the prompts."""
    day: date | None = None
    """The day that the sandbox answers simulate."""
    started_at: datetime
    stopped: bool
    """Stopped early: the answers are those that had arrived by then."""
    answers: tuple[ScanAnswer, ...]
    """Of a file only the first ones, because it may hold many more than a page can show."""
    answered_at: tuple[datetime, datetime] | None = None
    """When the first and the last answer of a file were given, where it says so."""
    spot_checks: SpotChecks = {}
    """Only of a file: a check asks each question once."""
    opinion: FileOpinion | None = None
    """Only of a file."""
    results: ScanMeasurements
    metrics_version: str = METRICS_VERSION
    extractor_version: str = EXTRACTOR_VERSION

    @property
    def has_repeats(self) -> bool:
        """Return whether a prompt was asked more than once on a platform."""
        return any(figure.n > 1 for figure in self.spot_checks.values())

    @property
    def incomplete(self) -> bool:
        return self.results.incomplete or self.results.unanswered > 0


class PlatformProvenance(msgspec.Struct, frozen=True, kw_only=True):
    """Where the valid answers of one platform came from. Several models may have served them."""

    platform: str
    vendors: tuple[str, ...]
    models_asked: tuple[str, ...]
    models_served: tuple[str, ...]
    countries_honoured: tuple[bool, ...]
    """Empty where no country was requested; both values where it was honored only sometimes."""
    median_latency_ms: int
    cost_usd: float | None
    """Null where no answer reports its cost: it is unknown, not free."""


def summarize_scan(
    plan: ScanPlan,
    answers: Sequence[ScanAnswer],
    *,
    answers_source: AnswersSource,
    prompts_source: PromptsSource,
    started_at: datetime,
    stopped: bool,
    note: str | None = None,
    day: date | None = None,
    sentiment: bool = False,
    settled: Collection[str] = frozenset(),
) -> ScanRecord:
    """Build the record of a scan: final ranks, results, and the answers in the order of the plan.

    `settled` are the ids of answers whose ranks are final already.
    """
    place = {prompt.id: number for number, prompt in enumerate(plan.prompts)}
    order = {platform: number for number, platform in enumerate(plan.platforms)}
    ordered = sorted(answers, key=lambda each: (place[each.prompt.id], order[each.platform]))
    rivals = find_rivals(plan, ordered)  # settling the ranks changes none of them
    ranked = finalize_ranks(plan, ordered, rivals=rivals, settled=settled)
    return ScanRecord(
        plan=plan,
        answers_source=answers_source,
        prompts_source=prompts_source,
        note=note,
        day=day,
        started_at=started_at,
        stopped=stopped,
        answers=ranked,
        results=build_results(plan, ranked, sentiment=sentiment, rivals=rivals),
    )


def summarize_provenance(check: ScanRecord) -> tuple[PlatformProvenance, ...]:
    found = []
    for platform in check.plan.platforms:
        origins = [each.provenance for each in check.answers if each.platform == platform and each.status != "failed"]
        if not origins:
            continue
        costs = [origin.cost_usd for origin in origins if origin.cost_usd is not None]
        honoured = {origin.country_honoured for origin in origins if origin.country_honoured is not None}
        found.append(
            PlatformProvenance(
                platform=platform,
                vendors=tuple(sorted({origin.vendor for origin in origins})),
                models_asked=tuple(sorted({origin.model_asked for origin in origins if origin.model_asked})),
                models_served=tuple(sorted({origin.model_served for origin in origins if origin.model_served})),
                countries_honoured=tuple(sorted(honoured)),
                median_latency_ms=round(median(origin.latency_ms for origin in origins)),
                cost_usd=sum(costs) if costs else None,
            )
        )
    return tuple(found)
