"""Schemas of tracked prompts in the Data API."""

import uuid
from datetime import datetime
from typing import Annotated

import msgspec

from sightline.kit.clock import Timestamp, to_iso, to_iso_or_none
from sightline.kit.rounding import round_half_away_or_none
from sightline.metrics.sentiment import Label
from sightline.prompts import models
from sightline.prompts.period import MOST_CO_MENTIONED, MeasurementState, ShownPeriod, show_period
from sightline.prompts.values import monthly_value, to_dollars, traffic_value


class PromptInput(msgspec.Struct, frozen=True, omit_defaults=True):
    """A prompt to add and pin. `language_code` is needed for new ones; `existing_id` names a record to pin."""

    prompt: str
    language_code: str | None = None
    country_iso_2: str | None = None
    existing_id: str | None = None


class PromptSentiment(msgspec.Struct, frozen=True):
    """Median score and modal label of the scored answers that name the brand, over the recorded period."""

    score: float | None
    label: Label | None
    responses_analyzed: int
    low_data: bool
    mixed: bool
    measurement_state: MeasurementState
    period_start: Timestamp | None
    period_end: Timestamp | None


class PromptMetricsPeriod(msgspec.Struct, frozen=True):
    """The window that the prompt's metrics describe: as of its end, not of the request."""

    period_start: Timestamp | None
    period_end: Timestamp | None
    refreshed_at: Timestamp | None
    is_current: bool


class Prompt(msgspec.Struct, frozen=True):
    """A tracked prompt. Null is not measured or not known, never zero."""

    id: uuid.UUID
    domain_id: uuid.UUID
    prompt: str
    language_code: str | None
    country_iso_2: str | None
    user_pinned: bool
    pinned_at: Timestamp | None
    source: models.Source
    status: str
    search_volume: int | None
    ai_search_volume: int | None
    ai_search_volume_state: models.VolumeState
    cpc_usd: float | None
    estimated_traffic_value_usd: float | None
    monthly_value_usd: float | None
    sentiment: PromptSentiment
    co_mentioned_brands: Annotated[list[str], msgspec.Meta(max_length=MOST_CO_MENTIONED)]
    prompt_metrics_period: PromptMetricsPeriod
    consecutive_uncited: int
    last_scanned_at: Timestamp | None
    created_at: Timestamp


def to_prompt(row: models.PromptRow, now: datetime) -> Prompt:
    period = show_period(row, now)
    monthly = monthly_value(row.search_volume, row.cpc_usd)
    return Prompt(
        row.id,
        row.domain_id,
        row.prompt,
        row.language_code,
        row.country_iso_2,
        row.pinned_at is not None,
        to_iso_or_none(row.pinned_at),
        row.source,
        row.status,
        row.search_volume,
        row.ai_search_volume,
        row.ai_search_volume_state,
        to_dollars(row.cpc_usd),
        to_dollars(traffic_value(monthly, period.named_share)),
        to_dollars(monthly),
        _to_sentiment(period),
        period.co_mentioned_brands,
        _to_metrics_period(period),
        row.consecutive_uncited,
        to_iso_or_none(row.last_scanned_at),
        to_iso(row.created_at),
    )


def _to_sentiment(period: ShownPeriod) -> PromptSentiment:
    return PromptSentiment(
        round_half_away_or_none(period.score),
        period.label,
        period.responses_analyzed,
        period.low_data,
        period.mixed,
        period.state,
        to_iso_or_none(period.start),
        to_iso_or_none(period.end),
    )


def _to_metrics_period(period: ShownPeriod) -> PromptMetricsPeriod:
    end = to_iso_or_none(period.end)
    return PromptMetricsPeriod(to_iso_or_none(period.start), end, refreshed_at=end, is_current=period.is_current)
