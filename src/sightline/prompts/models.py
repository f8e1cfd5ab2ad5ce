"""Prompts of a tracked domain, as rows."""

import uuid
from datetime import datetime
from decimal import Decimal
from typing import Literal

import msgspec

from sightline.metrics.sentiment import Label

Source = Literal["added_by_you", "suggested"]
VolumeState = Literal["estimated", "no_estimate", "pending", "failed", "unsupported", "legacy_unknown"]


class PromptRow(msgspec.Struct, frozen=True):
    """One row of `prompts`, in the order of `columns(PromptRow)`. `sentiment` is JSON, written by the scoreboard."""

    id: uuid.UUID
    domain_id: uuid.UUID
    prompt: str
    language_code: str | None
    country_iso_2: str | None
    source: Source
    status: str
    pinned_at: datetime | None
    search_volume: int | None
    ai_search_volume: int | None
    ai_search_volume_state: VolumeState
    cpc_usd: Decimal | None
    period_end: datetime | None
    sentiment: bytes | None
    co_mentioned_brands: list[str]
    named_share: float | None
    consecutive_uncited: int
    last_scanned_at: datetime | None
    created_at: datetime


class StoredSentiment(msgspec.Struct, frozen=True):
    """`PromptRow.sentiment`: what the scored answers of the period that ends at `period_end` say (metrics 1.8)."""

    score: float | None
    label: Label | None
    responses_analyzed: int
    low_data: bool
    mixed: bool


class TrackedPrompt(msgspec.Struct, frozen=True):
    """What a check needs to know of an active prompt."""

    id: uuid.UUID
    prompt: str
    language_code: str | None
    country_iso_2: str | None
    pinned_at: datetime | None
    daily: bool
    ai_search_volume: int | None
    created_at: datetime


class NewPrompt(msgspec.Struct, frozen=True):
    """A prompt as somebody gives it at setup. No country is Global."""

    prompt: str
    language_code: str
    country_iso_2: str | None = None


Origin = Literal["fan_out", "question", "template", "setup"]


class FoundPrompt(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt that we propose, best first by `priority` (metrics 1.12)."""

    prompt: str
    language_code: str | None
    country_iso_2: str | None
    priority: float
    origin: Origin
    scan_id: uuid.UUID | None = None


class SuggestionRow(msgspec.Struct, frozen=True):
    """One row of `prompt_suggestions`, in the order of `columns(SuggestionRow)`."""

    id: uuid.UUID
    domain_id: uuid.UUID
    scan_id: uuid.UUID | None
    prompt: str
    language_code: str | None
    country_iso_2: str | None
    priority: float
    origin: Origin
    status: Literal["open", "accepted", "dismissed"]
    created_at: datetime
    decided_at: datetime | None


class Market(msgspec.Struct, frozen=True):
    """Where and in which language demand is looked up. No country is Global; no language is history."""

    country: str | None
    language: str | None


class DuePrompt(msgspec.Struct, frozen=True):
    """An active prompt whose demand is to be looked up."""

    id: uuid.UUID
    prompt: str
    country_iso_2: str | None
    language_code: str | None

    @property
    def market(self) -> Market:
        return Market(self.country_iso_2, self.language_code)


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """What a source says of one prompt. `searched` is False when its search data could not be had: what was known of
    it before stays."""

    state: Literal["estimated", "no_estimate", "failed", "unsupported"]
    ai_search_volume: int | None = None
    searched: bool = False
    search_volume: int | None = None
    cpc_usd: Decimal | None = None
