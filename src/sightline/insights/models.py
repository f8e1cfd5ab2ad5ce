"""Rows of insights and the JSON inside them, except for alerts."""

import uuid
from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sightline.metrics.recommendations import Kind
from sightline.metrics.sentiment import Label
from sightline.metrics.themes import Kind as ThemeKind
from sightline.scans.schemas.results import SourceType

InsightPart = Literal["alerts", "competitors", "themes", "recommendations", "opportunities", "suggestions"]


class Proof(msgspec.Struct, frozen=True):
    """An answer that proves something, and the scan that it belongs to."""

    scan_id: uuid.UUID
    answer_id: uuid.UUID


class StoredTheme(msgspec.Struct, frozen=True, kw_only=True):
    """The JSON in `themes.theme`, at full precision."""

    descriptor: str
    kind: ThemeKind
    answers: int
    share: float
    log_odds: float
    z: float
    polarity: float | None
    polarity_label: Label | None
    quote: str
    answer_ids: tuple[uuid.UUID, ...]


class StoredRecommendation(msgspec.Struct, frozen=True, kw_only=True):
    """The JSON in `recommendations.recommendation`."""

    kind: Kind
    subject: str | None
    prompt_id: uuid.UUID | None
    prompt: str | None
    pages: tuple[str, ...]
    proofs: tuple[Proof, ...]


class NamedCompetitor(msgspec.Struct, frozen=True):
    """A competitor, and the number of answers that name it and not the brand."""

    name: Annotated[str, Meta(description="Name of the competitor.")]
    answers: Annotated[int, Meta(description="Number of answers without the brand that name the competitor.")]


class CitedSource(msgspec.Struct, frozen=True):
    """A site that the answers to the prompt cite."""

    domain: Annotated[str, Meta(description="Domain of the site.")]
    type: Annotated[SourceType, Meta(description="Kind of site.")]
    citations: Annotated[int, Meta(description="Number of times that the answers cite the site.")]
    winnable: Annotated[
        bool, Meta(description="Whether a brand can get itself named there: reviews, lists, forums, news and video.")
    ]


class StoredOpportunity(msgspec.Struct, frozen=True, kw_only=True):
    """The JSON in `opportunities.opportunity`, at full precision."""

    prompt_id: uuid.UUID
    prompt: str
    language_code: str | None
    country_iso_2: str | None
    score: float
    demand: float
    gap: float
    winnability: float
    demand_unknown: bool
    low_evidence: bool
    competitors: tuple[NamedCompetitor, ...]
    sources: tuple[CitedSource, ...]
    answer_ids: tuple[uuid.UUID, ...]


class RankedRow(msgspec.Struct, frozen=True):
    """A theme or a recommendation: its JSON, and its place in the order of its scan."""

    id: uuid.UUID
    scan_id: uuid.UUID
    place: int
    found: bytes


class DoneMark(msgspec.Struct, frozen=True):
    """A recommendation marked as done: `subject` is its task key, `done_by` the name of the person."""

    subject: str
    done_by: str
    done_at: datetime


class OpportunityRow(msgspec.Struct, frozen=True):
    id: uuid.UUID
    opportunity_score: float
    low_evidence: bool
    opportunity: bytes
    updated_at: datetime
