"""Rows of tracked prompts, and prompts as they are given."""

import uuid
from datetime import datetime
from decimal import Decimal
from typing import Literal

import msgspec

from sightline.metrics.sentiment import Label

Source = Literal["added_by_you", "suggested"]
VolumeState = Literal["estimated", "no_estimate", "pending", "failed", "unsupported", "legacy_unknown"]


class PromptRow(msgspec.Struct, frozen=True):
    """A row of `prompts`, in the order of `columns(PromptRow)`. `sentiment` is JSON, written by the scoreboard."""

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
    consecutive_unnamed: int
    last_scanned_at: datetime | None
    created_at: datetime
    tags: list[str] = []
    replaces: uuid.UUID | None = None
    """The prompt whose text was edited into this one."""


class StoredSentiment(msgspec.Struct, frozen=True):
    """The JSON of `PromptRow.sentiment`: the scored answers of the period that ends at `period_end` (metrics 1.8)."""

    score: float | None
    label: Label | None
    responses_analyzed: int
    low_data: bool
    mixed: bool


class TrackedPrompt(msgspec.Struct, frozen=True):
    """The columns of an active prompt that a scan needs."""

    id: uuid.UUID
    prompt: str
    language_code: str | None
    country_iso_2: str | None
    pinned_at: datetime | None
    daily: bool
    ai_search_volume: int | None
    created_at: datetime


class NewPrompt(msgspec.Struct, frozen=True):
    """A prompt that is given at setup. A missing country means Global."""

    prompt: str
    language_code: str
    country_iso_2: str | None = None


class PromptStatistics(msgspec.Struct, frozen=True, kw_only=True):
    prompt_id: uuid.UUID
    sentiment: StoredSentiment
    co_mentioned_brands: tuple[str, ...]
    named_share: float | None
