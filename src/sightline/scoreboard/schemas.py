"""The scoreboard and the analytics of one check, as they leave the house."""

import uuid
from typing import Literal

import msgspec

from sightline.kit.clock import Timestamp
from sightline.metrics.figure import Comparison, Figure, Number
from sightline.metrics.sentiment import Label
from sightline.scans.schemas.results import CompetitorResult, Headline, PlatformResult, SourceResult
from sightline.scans.stored import Scope

CellState = Literal["named", "cited_only", "absent", "no_surface", "failed", "not_asked"]


class ComparedFigure(Figure, frozen=True, kw_only=True):
    """A metric, and how it changed against the previous check of the same scope."""

    comparison: Comparison | None = None


class ComparedHeadline(msgspec.Struct, frozen=True, kw_only=True):
    visibility_score: ComparedFigure
    brand_coverage_pct: ComparedFigure
    ai_mentions: ComparedFigure
    citation_count: ComparedFigure
    market_position: ComparedFigure
    share_of_voice_pct: ComparedFigure


class CountryResult(Headline, frozen=True, kw_only=True):
    country: str | None
    """Null: prompts that ask for no market."""
    planned: int
    valid: int


class BoardCell(msgspec.Struct, frozen=True, kw_only=True):
    """The latest known answer of one prompt on one platform. `position` and `cited` are null without a valid one."""

    platform: str
    state: CellState
    in_headline: bool
    """False: the latest Full Check did not ask it; it joins the figures with the next one."""
    position: int | None = None
    cited: bool | None = None
    answer_id: uuid.UUID | None = None
    scan_id: uuid.UUID | None = None
    scope: Scope | None = None
    checked_at: Timestamp | None = None
    stale: bool = False
    """A later check asked again and got no valid answer."""


class BoardPrompt(msgspec.Struct, frozen=True, kw_only=True):
    prompt_id: uuid.UUID
    prompt: str
    language_code: str | None
    country_iso_2: str | None
    branded: bool
    in_headline: bool
    """False: added after the latest Full Check; it joins the figures with the next one."""
    cells: tuple[BoardCell, ...]


class SentimentResult(msgspec.Struct, frozen=True, kw_only=True):
    """From the answers of the latest Full Check that no later check has asked again."""

    score: Number | None
    label: Label | None
    net: Figure
    """Positive less negative answers in percent, averaged over prompts."""
    responses_analyzed: int
    unscored: int
    low_data: bool
    mixed: bool
    positive: int
    neutral: int
    negative: int


class TrendPoint(msgspec.Struct, frozen=True, kw_only=True):
    """One check of the past, by its own cells alone."""

    scan_id: uuid.UUID
    scope: Scope
    completed_at: Timestamp
    incomplete: bool
    visibility_score: Figure
    brand_coverage_pct: Figure
    ai_mentions: Figure
    citation_count: Figure
    market_position: Figure
    share_of_voice_pct: Figure


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of a scoreboard, or of one check. What changes with the time of the request is not in it."""

    metrics_version: str
    extractor_version: str
    planned: int
    valid: int
    incomplete: bool
    """Too few valid answers to compare with, over all or on one platform."""
    early_reading: bool
    only_branded: bool
    headline: ComparedHeadline
    platforms: tuple[PlatformResult, ...]
    countries: tuple[CountryResult, ...]
    prompts: tuple[BoardPrompt, ...]
    sources: tuple[SourceResult, ...]
    competitors: tuple[CompetitorResult, ...]
    sentiment: SentimentResult | None
    """Null before the first Full Check: only that analyses sentiment."""
    branded: Headline | None
    """The same figures over the prompts that name the brand; null without such a prompt."""
