"""The results of a check as they leave the house: in JSON, in the terminal and in the report."""

import uuid
from typing import Literal

import msgspec

from sightline.metrics.figure import Figure, Number
from sightline.metrics.sentiment import SentimentSummary
from sightline.platforms.models import FaultKind, Status

CellStatus = Status | Literal["unanswered"]
SourceType = Literal[
    "review", "list", "forum", "news", "video", "encyclopaedia", "government", "shop", "own", "competitor", "other"
]


class Headline(msgspec.Struct, frozen=True, kw_only=True):
    visibility_score: Figure
    brand_coverage_pct: Figure
    ai_mentions: Figure
    citation_count: Figure
    market_position: Figure
    share_of_voice_pct: Figure


class FaultCount(msgspec.Struct, frozen=True):
    kind: FaultKind
    answers: int
    message: str
    """Of the latest of them."""


class PlatformResult(Headline, frozen=True, kw_only=True):
    platform: str
    planned: int
    valid: int
    no_surface: int
    failed: int
    unanswered: int
    """Planned, and neither answered nor failed: the check was stopped before."""
    incomplete: bool
    surface_rate: Figure | None
    """Only where the platform showed no answer at least once."""
    faults: tuple[FaultCount, ...]


class PromptCell(msgspec.Struct, frozen=True, kw_only=True):
    """`mentioned`, `cited` and `position` are null where there is no valid answer; `position` also without a rank."""

    platform: str
    status: CellStatus
    mentioned: bool | None
    cited: bool | None
    position: int | None
    answer_id: str | None


class PromptResult(msgspec.Struct, frozen=True, kw_only=True):
    prompt: str
    language: str | None
    country: str | None
    branded: bool
    platforms: tuple[PromptCell, ...]


class CompetitorResult(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the ranking. The measured brand is among them."""

    name: str
    domains: tuple[str, ...]
    is_own: bool
    score: Figure
    position: int | None
    """None: neither named nor cited, "Not ranked"."""
    position_low: int
    position_high: int
    tied: bool
    mentions: int | None
    share_of_voice_pct: Number | None


class SourceResult(msgspec.Struct, frozen=True, kw_only=True):
    domain: str
    type: SourceType
    urls: int
    answers: int
    is_own: bool
    is_competitor: bool


class CandidateResult(msgspec.Struct, frozen=True, kw_only=True):
    """A name to track or to leave alone; the score only orders them."""

    name: str
    domain: str | None
    score: Number
    answers: int
    prompts: int
    platforms: int


class Range(msgspec.Struct, frozen=True):
    low: Number
    high: Number


class Details(msgspec.Struct, frozen=True, kw_only=True):
    """Secondary figures, and the market intervals ("other questions like these"), null below five prompts."""

    visibility_score_market: Range | None
    brand_coverage_pct_market: Range | None
    prompt_reach: Figure
    citation_rate: Figure
    citation_share: Figure
    mention_occurrences: Figure
    weighted_share_of_voice_pct: Figure


class ScanMeasurements(msgspec.Struct, frozen=True, kw_only=True):
    planned: int
    valid: int
    no_surface: int
    failed: int
    unanswered: int
    incomplete: bool
    early_reading: bool
    only_branded: bool
    """Every prompt names the brand, so the figures are those of branded prompts."""
    headline: Headline
    details: Details
    branded: Headline | None
    """The same figures over the prompts that name the brand; null without such a prompt."""
    platforms: tuple[PlatformResult, ...]
    prompts: tuple[PromptResult, ...]
    competitors: tuple[CompetitorResult, ...]
    sources: tuple[SourceResult, ...]
    candidates: tuple[CandidateResult, ...]
    sentiment: SentimentSummary | None
    """Null where the answers were not scored."""
    scorers: tuple[str, ...] = ()
    """Who scored the sentiment, with the version; more than one where a judge was asked as well."""


class ScanResults(ScanMeasurements, frozen=True, kw_only=True):
    """The results of a completed check. Every number comes from this one check alone."""

    scan_id: uuid.UUID
    status: Literal["completed"]
    metrics_version: str
    extractor_version: str
