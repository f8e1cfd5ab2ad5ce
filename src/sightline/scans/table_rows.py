"""The rows of a completed check in the flat tables of `tables/`, built from the same values as its results. Pure.

Ids of brands are their main domains. What all rows of a check share, such as its scope, is not repeated in them.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

import msgspec

from sightline.answers.models import BrandAnalysis
from sightline.metrics.visibility import value_facts
from sightline.scans.models import ScanAnswer, ScanPlan
from sightline.scans.schemas.results import PromptCell, ScanMeasurements
from sightline.scans.stored import Scope


class PromptTableRow(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt of the check. Rows of other tables have only its id."""

    prompt_id: str
    prompt: str
    language: str | None
    country: str | None
    branded: bool


class CellTableRow(msgspec.Struct, frozen=True, kw_only=True):
    """A planned answer, as numbers that `daily_metrics` and `prompt_metrics` add up."""

    prompt_id: str
    platform: str
    surface: str | None
    valid: int
    no_surface: int
    failed: int
    mentioned: int
    cited: int
    visibility: float


class AnswerTableRow(msgspec.Struct, frozen=True, kw_only=True):
    row_id: str
    answer_id: str
    prompt_id: str
    platform: str
    surface: str
    status: str
    platform_cites: bool
    mentioned: bool | None = None
    rank: int | None = None
    stance: str | None = None
    sentiment: float | None = None
    cited: bool | None = None
    visibility: float | None = None
    citations: int | None = None
    brand_citations: int | None = None
    vendor: str
    model: str | None
    latency_ms: int
    cost_usd: float | None
    answered_at: datetime


class MentionRow(msgspec.Struct, frozen=True, kw_only=True):
    row_id: str
    answer_id: str
    prompt_id: str
    platform: str
    surface: str
    brand_id: str | None
    brand: str
    is_own: bool
    mentioned: bool
    occurrences: int
    rank: int | None
    stance: str | None
    sentiment: float | None
    sentiment_label: str | None
    cited_pages: int
    visibility: float


class CitationRow(msgspec.Struct, frozen=True, kw_only=True):
    row_id: str
    answer_id: str
    prompt_id: str
    platform: str
    surface: str
    place: int
    url: str
    site: str
    brand_id: str | None
    is_own: bool


class SourceRow(msgspec.Struct, frozen=True, kw_only=True):
    row_id: str
    site: str
    type: str
    pages: int
    answers: int
    is_own: bool
    is_competitor: bool


class CompetitorTableRow(msgspec.Struct, frozen=True, kw_only=True):
    row_id: str
    brand_id: str | None
    brand: str
    is_own: bool
    visibility_score: float | None
    visibility_low: float | None
    visibility_high: float | None
    position: int | None = None
    position_low: int | None = None
    position_high: int | None = None
    mentions: int | None
    share_of_voice_pct: float | None = None


ScanTableRows = Mapping[str, Sequence[msgspec.Struct]]
"""The rows by the name of their table; those named `prompts` and `cells` are parts of several tables."""


def build_table_rows(
    scan_id: uuid.UUID,
    scope: Scope,
    plan: ScanPlan,
    results: ScanMeasurements,
    answers: Iterable[tuple[ScanAnswer, datetime]],
) -> ScanTableRows:
    """Build the rows of a check. The answers come with the time at which each was stored."""
    rows: dict[str, list[msgspec.Struct]] = {"answers": [], "mentions": [], "citations": []}
    for answer, answered_at in answers:
        rows["answers"].append(_build_answer(plan, answer, answered_at))
        rows["mentions"] += _list_mentions(plan, answer)
        rows["citations"] += _list_citations(plan, answer)
    surfaces = {each.platform: each.surface for each in results.platforms}
    asked = list(zip(plan.prompts, results.prompts, strict=True))
    return {
        **rows,
        "prompts": [
            PromptTableRow(
                prompt_id=prompt.id,
                prompt=prompt.text,
                language=prompt.language,
                country=prompt.country,
                branded=found.branded,
            )
            for prompt, found in asked
        ],
        "cells": [
            _build_cell(plan, prompt.id, cell, surfaces.get(cell.platform))
            for prompt, found in asked
            for cell in found.platforms
        ],
        "sources": [
            SourceRow(
                row_id=f"{scan_id}/{each.domain}",
                site=each.domain,
                type=each.type,
                pages=each.urls,
                answers=each.answers,
                is_own=each.is_own,
                is_competitor=each.is_competitor,
            )
            for each in results.sources
        ],
        "competitors": build_competitor_rows(scan_id, scope, results),
    }


def build_competitor_rows(scan_id: uuid.UUID, scope: Scope, results: ScanMeasurements) -> Sequence[CompetitorTableRow]:
    """Build the rows of the ranking. Only Full Checks rank."""
    rows = []
    for each in results.competitors:
        brand_id = each.domains[0] if each.domains else None
        row = CompetitorTableRow(
            row_id=_join(str(scan_id), brand_id),
            brand_id=brand_id,
            brand=each.name,
            is_own=each.is_own,
            visibility_score=each.score.value,
            visibility_low=each.score.low,
            visibility_high=each.score.high,
            mentions=each.mentions,
        )
        if scope != "daily_check":
            row = msgspec.structs.replace(
                row,
                position=each.position,
                position_low=each.position_low,
                position_high=each.position_high,
                share_of_voice_pct=each.share_of_voice_pct,
            )
        rows.append(row)
    return rows


def _build_cell(plan: ScanPlan, prompt_id: str, cell: PromptCell, surface: str | None) -> CellTableRow:
    valid = cell.status == "ok"
    value = value_facts(
        mentioned=bool(cell.mentioned),
        rank=cell.position,
        cited=bool(cell.cited),
        platform_cites=cell.platform not in plan.uncited,
    )
    return CellTableRow(
        prompt_id=prompt_id,
        platform=cell.platform,
        surface=surface,
        valid=int(valid),
        no_surface=int(cell.status == "no_surface"),
        failed=int(cell.status not in {"ok", "no_surface"}),
        mentioned=int(valid and bool(cell.mentioned)),
        cited=int(valid and bool(cell.cited)),
        visibility=value if valid else 0.0,
    )


def _value(plan: ScanPlan, platform: str, brand: BrandAnalysis) -> float:
    return value_facts(
        mentioned=brand.mentioned, rank=brand.rank, cited=brand.cited, platform_cites=platform not in plan.uncited
    )


def _build_answer(plan: ScanPlan, answer: ScanAnswer, answered_at: datetime) -> AnswerTableRow:
    row = AnswerTableRow(
        row_id=answer.id,
        answer_id=answer.id,
        prompt_id=answer.prompt.id,
        platform=answer.platform,
        surface=answer.provenance.surface,
        status=answer.status,
        platform_cites=answer.platform not in plan.uncited,
        vendor=answer.provenance.vendor,
        model=answer.provenance.model_served,
        latency_ms=answer.provenance.latency_ms,
        cost_usd=answer.provenance.cost_usd,
        answered_at=answered_at,
    )
    if answer.analysis is None:
        return row
    own = answer.analysis.brands[0]
    return msgspec.structs.replace(
        row,
        mentioned=own.mentioned,
        rank=own.rank,
        stance=own.stance,
        sentiment=None if own.sentiment is None else own.sentiment.score,
        cited=own.cited,
        visibility=_value(plan, answer.platform, own),
        citations=len(answer.analysis.citations),
        brand_citations=len(own.cited_urls),
    )


def _list_mentions(plan: ScanPlan, answer: ScanAnswer) -> list[MentionRow]:
    if answer.analysis is None:
        return []
    return [
        MentionRow(
            row_id=_join(answer.id, brand_id),
            answer_id=answer.id,
            prompt_id=answer.prompt.id,
            platform=answer.platform,
            surface=answer.provenance.surface,
            brand_id=brand_id,
            brand=found.name,
            is_own=place == 0,
            mentioned=found.mentioned,
            occurrences=len(found.occurrences),
            rank=found.rank,
            stance=found.stance,
            sentiment=None if found.sentiment is None else found.sentiment.score,
            sentiment_label=None if found.sentiment is None else found.sentiment.label,
            cited_pages=len(found.cited_urls),
            visibility=_value(plan, answer.platform, found),
        )
        for place, (brand_id, found) in enumerate(zip(_list_brand_ids(plan), answer.analysis.brands, strict=True))
        if found.mentioned or found.cited
    ]


def _list_citations(plan: ScanPlan, answer: ScanAnswer) -> list[CitationRow]:
    if answer.analysis is None:
        return []
    owners: dict[str, int] = {}
    for place, found in enumerate(answer.analysis.brands):
        for url in found.cited_urls:
            owners.setdefault(url, place)
    brand_ids = _list_brand_ids(plan)
    return [
        CitationRow(
            row_id=_join(answer.id, each.url),
            answer_id=answer.id,
            prompt_id=answer.prompt.id,
            platform=answer.platform,
            surface=answer.provenance.surface,
            place=place,
            url=each.url,
            site=each.domain,
            brand_id=brand_ids[owners[each.url]] if each.url in owners else None,
            is_own=owners.get(each.url) == 0,
        )
        for place, each in enumerate(answer.analysis.citations, 1)
    ]


def _list_brand_ids(plan: ScanPlan) -> list[str | None]:
    return [brand.domains[0] if brand.domains else None for brand in (plan.brand, *plan.competitors)]


def _join(first: str, second: str | None) -> str:
    return first if second is None else f"{first}/{second}"
