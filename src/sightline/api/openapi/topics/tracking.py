"""How the reference speaks of the checks of tracked domains, and of their analytics."""

from collections.abc import Mapping
from uuid import UUID

import msgspec

from sightline.api.edge.envelope import Meta, One, Page, PageMeta
from sightline.api.openapi.example import REQUEST_ID, Example
from sightline.api.openapi.topics import scans
from sightline.insights.schemas import Analytics
from sightline.metrics.figure import Comparison, Figure
from sightline.scans.schemas.results import SourceResult
from sightline.scoreboard.schemas import (
    BoardCell,
    BoardPrompt,
    ComparedFigure,
    ComparedHeadline,
    CountryResult,
    SentimentResult,
    TrendPoint,
)

TRACKED_ID = UUID("01990f66-5b08-7d90-a1f4-e27c3b96084d")
PROMPT_ID = UUID("01990f66-7e51-7c2b-8f0d-31a9b6c4d7e2")
_SCAN_ID = UUID("01990f70-51c2-7e6f-a3d8-47b0c95e1f28")
_PREVIOUS_ID = UUID("01990b4c-61d0-7a11-9c3e-52f8ab07d6e4")
_ANSWER_ID = UUID("01990f70-5a13-7b94-8e27-c6d1f03a48b5")
_COMPLETED_AT = "2026-11-14T09:32:41.530922+00:00"

TAGS: Mapping[str, str] = {
    "Data: Checks": "Full Checks and Daily Checks of tracked domains: scheduled, stored for good, with every answer.",
    "Data: Analytics": "Where a brand stands: the scoreboard, or one past check, with intervals and comparisons.",
}
PATH_IDS: Mapping[str, str] = {"scan_id": str(_SCAN_ID), "answer_id": str(_ANSWER_ID)}

_CHECK = msgspec.structs.replace(
    scans.COMPLETED,
    id=_SCAN_ID,
    domain_id=TRACKED_ID,
    measurement_scope="full_check",
    measurement_label="Full Check",
    completed_at=_COMPLETED_AT,
    customer_keywords=[],
    content_project_id=None,
    credits_charged=0,
)
_ANSWER = msgspec.structs.replace(scans.ANSWER, id=_ANSWER_ID, scan_id=_SCAN_ID)
_CHANGE = Comparison(
    against_scan_id=str(_PREVIOUS_ID),
    trend_only=False,
    reasons=(),
    matched_cells=1,
    gained=0,
    lost=0,
    delta=0.0,
    low=0.0,
    high=0.0,
    p=1.0,
    verdict="no_clear_change",
)


def _compared(name: str, change: Comparison | None = None) -> ComparedFigure:
    plain = scans.FIGURES[name]
    return ComparedFigure(**{field: getattr(plain, field) for field in Figure.__struct_fields__}, comparison=change)


_COMPARED = {"visibility_score", "brand_coverage_pct", "ai_mentions"}
_ANALYTICS = Analytics(
    source="scoreboard",
    domain_id=TRACKED_ID,
    scan=_CHECK,
    as_of=_COMPLETED_AT,
    metrics_version="1",
    extractor_version="1",
    planned=1,
    valid=1,
    incomplete=False,
    early_reading=True,
    only_branded=False,
    headline=ComparedHeadline(
        **{name: _compared(name, _CHANGE if name in _COMPARED else None) for name in scans.FIGURES}
    ),
    platforms=(scans.PLATFORM,),
    countries=(CountryResult(country=None, planned=1, valid=1, **scans.FIGURES),),
    prompts=(
        BoardPrompt(
            prompt_id=PROMPT_ID,
            prompt="Which anvil suits a small forge?",
            language_code="en",
            country_iso_2=None,
            branded=False,
            in_headline=True,
            cells=(
                BoardCell(
                    platform="chatgpt",
                    state="named",
                    in_headline=True,
                    position=1,
                    cited=True,
                    answer_id=_ANSWER_ID,
                    scan_id=_SCAN_ID,
                    scope="full_check",
                    checked_at=_COMPLETED_AT,
                ),
            ),
        ),
    ),
    sources=(SourceResult(domain="acme.com", type="own", urls=1, answers=1, is_own=True, is_competitor=False),),
    competitors=(scans.OWN,),
    sentiment=SentimentResult(
        score=None,
        label=None,
        net=Figure(
            value=None, low=None, high=None, n=1, numerator=1, denominator=1, early_reading=True, incomplete=False
        ),
        responses_analyzed=1,
        unscored=0,
        low_data=True,
        mixed=False,
        positive=1,
        neutral=0,
        negative=0,
    ),
    branded=None,
    themes=(),
    trend=(
        TrendPoint(scan_id=_SCAN_ID, scope="full_check", completed_at=_COMPLETED_AT, incomplete=False, **scans.FIGURES),
    ),
)

_BOARD = {
    "planned": "Cells that the figures stand on, answered or not.",
    "valid": "Of these, the cells with a valid answer.",
    "headline": "The six headline metrics, each with its comparison.",
    "platforms": "The same figures for each platform.",
    "countries": "The same figures for each market; null is Global.",
    "prompts": "Every tracked prompt with the latest known answer of each platform.",
    "sources": "Sites that the answers cite, most cited first.",
    "competitors": "The ranking by Visibility Score, as the latest Full Check set it.",
    "sentiment": "How answers speak of the brand; null before the first Full Check.",
    "branded": "The headline over the prompts that name the brand; null without such a prompt.",
    "themes": "Brand Themes of the Full Check that is shown; empty for other checks and plans.",
    "trend": "One point per check of the last year, old to new.",
    "metrics_version": "Version of the formulas.",
    "extractor_version": "Version of the reader of answers.",
    "source": "`scoreboard`: the latest known answers. `scan`: one check alone.",
    "domain_id": "The tracked domain.",
    "scan": "The asked check; of a scoreboard the Full Check that it stands on. Null before the first check.",
    "as_of": "When the latest check that is in it was completed; null before the first.",
}
_CELL = {
    "platform": "The platform's key.",
    "state": "`named`, `cited_only`, `absent`, `no_surface` (no AI answer was shown), `failed` or `not_asked`.",
    "in_headline": "False: the latest Full Check did not ask it; it joins the figures with the next one.",
    "position": "Rank among the brands of the answer; null without one.",
    "cited": "Whether the answer cites a page of the brand; null without a valid answer.",
    "answer_id": "The answer that is shown; read it with `scan_id`.",
    "scan_id": "The check that it belongs to.",
    "scope": "The scope of that check.",
    "checked_at": "When that check was completed.",
    "stale": "A later check asked again and got no valid answer.",
}
_PROMPT = {
    "prompt_id": "The prompt.",
    "prompt": "Its text.",
    "language_code": "Its language; null for unclassified history.",
    "country_iso_2": "Its market; null for Global.",
    "branded": "Its text names the brand: it stays out of the headline.",
    "in_headline": "False: added after the latest Full Check; it joins the figures with the next one.",
    "cells": "One per platform.",
}
_SENTIMENT = {
    "score": "Median of the scored answers, 0 to 100, 50 is neutral; null below three.",
    "label": "The most frequent label; null below three.",
    "net": "Positive less negative answers in percent, averaged over prompts.",
    "responses_analyzed": "Answers that were scored.",
    "unscored": "Answers that name the brand and were not scored: they never count as neutral.",
    "low_data": "Fewer than three scored answers.",
    "mixed": "Labels are tied, and neutral stands for both sides.",
    "positive": "Answers with this label.",
    "neutral": "Answers with this label.",
    "negative": "Answers with this label.",
}
_COMPARISON = {
    "comparison": "Against the previous check of the same scope; null without a matched cell.",
}
_POINT = {
    "scan_id": "The check.",
    "scope": "Its scope.",
    "completed_at": "When it was completed.",
    "incomplete": "Too few valid answers to compare with.",
}
_CHANGES = {
    "against_scan_id": "The check that it is compared with.",
    "trend_only": "Directional, not exact: something beside the answers differs.",
    "reasons": "What differs.",
    "matched_cells": "Cells with a valid answer in both.",
    "gained": "Cells that name the brand now and did not before.",
    "lost": "Cells that named the brand and do not now.",
    "delta": "The change over the matched cells.",
    "low": "Lower end of its 95 % interval.",
    "high": "Upper end of its 95 % interval.",
    "p": "How likely so large a change is by chance alone.",
    "verdict": "`up`, `down` or `no_clear_change`.",
}


def _of(resource: str, meanings: Mapping[str, str]) -> dict[str, str]:
    return {f"{resource}.{field}": meaning for field, meaning in meanings.items()}


_METRICS = {
    "visibility_score": "Visibility Score, 0 to 100.",
    "brand_coverage_pct": "Share of answers that name the brand, in percent.",
    "ai_mentions": "Number of answers that name the brand.",
    "citation_count": "Pages of the brand that answers cite, each once per answer.",
    "market_position": "Rank among the competitors with its range, as the latest Full Check set it.",
    "share_of_voice_pct": "The brand's part of all mentions of it and its competitors, by the latest Full Check.",
}
MEANINGS: Mapping[str, str] = {
    **_of("Analytics", _BOARD | {"early_reading": "Fewer than ten prompts.", "incomplete": _POINT["incomplete"]}),
    "Analytics.only_branded": "Every prompt names the brand, so the figures are those of branded prompts.",
    **_of("BoardCell", _CELL),
    **_of("BoardPrompt", _PROMPT),
    **_of("SentimentResult", _SENTIMENT),
    **_of("ComparedFigure", _COMPARISON),
    **_of("ComparedHeadline", _METRICS),
    **_of("TrendPoint", _POINT | _METRICS),
    **_of("CountryResult", _METRICS | {"country": "ISO alpha-2; null is Global.", "planned": _BOARD["planned"],
                                       "valid": _BOARD["valid"]}),
    **_of("Comparison", _CHANGES),
}  # fmt: skip


def _one(resource: msgspec.Struct) -> One[msgspec.Struct]:
    return One(resource, Meta(REQUEST_ID))


def _page(*rows: msgspec.Struct) -> Page[msgspec.Struct]:
    return Page(list(rows), PageMeta(has_more=False, next_cursor=None, request_id=REQUEST_ID))


EXAMPLES: Mapping[str, Example] = {
    "list_checks": Example(_page(_CHECK)),
    "read_check": Example(_one(_CHECK)),
    "list_check_answers": Example(_page(_ANSWER)),
    "read_check_answer": Example(_one(_ANSWER)),
    "read_analytics": Example(_one(_ANALYTICS)),
}
