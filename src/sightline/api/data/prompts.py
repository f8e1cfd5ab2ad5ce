"""Tracked prompts: list, add (which pins), remove."""

import uuid
from datetime import datetime
from typing import Annotated

import msgspec

from sightline.accounts.models import Role
from sightline.api.console.domains import Removed
from sightline.api.edge.envelope import One, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import operation
from sightline.domains.tracked import read_tracked_domain
from sightline.kit.clock import Timestamp, to_iso, to_iso_or_none
from sightline.kit.ids import parse_id
from sightline.kit.rounding import round_half_away_or_none
from sightline.metrics.sentiment import Label
from sightline.prompts import models, read, track, untrack
from sightline.prompts.period import MOST_CO_MENTIONED, MeasurementState, ShownPeriod, show_period
from sightline.prompts.track import PromptInput
from sightline.prompts.values import monthly_value, to_dollars, traffic_value


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


def shape_prompt(row: models.PromptRow, now: datetime) -> Prompt:
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
        _shape_sentiment(period),
        period.co_mentioned_brands,
        _shape_period(period),
        row.consecutive_uncited,
        to_iso_or_none(row.last_scanned_at),
        to_iso(row.created_at),
    )


def _shape_sentiment(period: ShownPeriod) -> PromptSentiment:
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


def _shape_period(period: ShownPeriod) -> PromptMetricsPeriod:
    end = to_iso_or_none(period.end)
    return PromptMetricsPeriod(to_iso_or_none(period.start), end, refreshed_at=end, is_current=period.is_current)


@operation(
    "data",
    "GET",
    "/domains/{domain_id}/prompts",
    tag="Prompts",
    summary="List tracked prompts",
    paged=True,
    data_api="insights",
    problems=("domain_not_found",),
)
async def list_prompts(exchange: Exchange, domain_id: str) -> Page[Prompt]:
    """Active prompts, pinned first, then most recently added, 50 to a page."""
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    paging = exchange.paging(f"data.prompts:{domain.id}")
    rows = await read.list_prompts(
        exchange.db, exchange.actor.workspace_id, domain.id, after=paging.after, page_size=paging.size
    )
    return paging.page(rows.map(lambda row: shape_prompt(row, exchange.now)))


@operation(
    "data",
    "POST",
    "/domains/{domain_id}/prompts",
    tag="Prompts",
    summary="Add and pin a prompt",
    role=Role.EDITOR,
    data_api="write",
    body=PromptInput,
    idempotency="required",
    success=201,
    problems=("domain_not_found", "not_found", "language_conflict", "pin_limit_reached", "prompt_limit_reached"),
)
async def add_prompt(exchange: Exchange, domain_id: str) -> One[Prompt]:
    """A prompt is its text, country and language. A new one is tracked and pinned, and counts toward the workspace's
    prompt limit. One that the domain tracks or tracked before is made active and pinned under its own id, and takes no
    new slot. One that is pinned already stays as it is."""
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    given = exchange.given(PromptInput)
    added = await track.add_prompt(
        exchange.tx, exchange.actor.workspace_id, domain.id, given, exchange.app_context.plans, now=exchange.now
    )
    return One(shape_prompt(added, exchange.now))


@operation(
    "data",
    "DELETE",
    "/domains/{domain_id}/prompts/{prompt_id}",
    tag="Prompts",
    summary="Remove a prompt",
    role=Role.EDITOR,
    data_api="write",
    idempotency="required",
    problems=("domain_not_found", "not_found"),
)
async def remove_prompt(exchange: Exchange, domain_id: str, prompt_id: str) -> One[Removed]:
    """It leaves the list and the scoreboard, is no longer checked, and frees its slot and its pin. Past results stay in
    history. What is not an active tracked prompt of the domain is not found."""
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    workspace_id = exchange.actor.workspace_id
    removed = await untrack.remove_prompt(exchange.tx, workspace_id, domain.id, parse_id(prompt_id), now=exchange.now)
    return One(Removed(id=removed, deleted=True))
