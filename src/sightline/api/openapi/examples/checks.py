"""Examples of the checks of tracked domains, and of their analytics."""

from collections.abc import Mapping
from uuid import UUID

import msgspec

from sightline.answers.decisive_sentence import SentencePart
from sightline.api.openapi.examples import scans
from sightline.api.openapi.examples.example import TRACKED_DOMAIN_ID, Example, envelope, page
from sightline.insights.schemas.analytics import Analytics
from sightline.metrics.figure import Comparison, Figure
from sightline.scans.schemas.results import MarketRanges
from sightline.scoreboard.answer_list.schemas import ListedAnswer
from sightline.scoreboard.answer_list.searches import CountedName, PlatformSearch
from sightline.scoreboard.schemas import (
    BoardCell,
    BoardPrompt,
    ComparedFigure,
    ComparedHeadline,
    CountryResult,
    SentimentResult,
    TrendPoint,
)

PROMPT_ID = UUID("01990f66-7e51-7c2b-8f0d-31a9b6c4d7e2")
_SCAN_ID = UUID("01990f70-51c2-7e6f-a3d8-47b0c95e1f28")
_PREVIOUS_ID = UUID("01990b4c-61d0-7a11-9c3e-52f8ab07d6e4")
_ANSWER_ID = UUID("01990f70-5a13-7b94-8e27-c6d1f03a48b5")
_COMPLETED_AT = "2026-11-14T09:32:41.530922+00:00"

PATH_IDS: Mapping[str, str] = {"scan_id": str(_SCAN_ID), "answer_id": str(_ANSWER_ID)}

_CHECK = msgspec.structs.replace(
    scans.COMPLETED_SCAN,
    id=_SCAN_ID,
    domain_id=TRACKED_DOMAIN_ID,
    measurement_scope="full_check",
    measurement_label="Full Check",
    livemode=True,
    completed_at=_COMPLETED_AT,
    duration_seconds=160.487,
    customer_keywords=[],
    keywords_note=None,
    content_project_id=None,
    credits_charged=0,
)
_ANSWER = msgspec.structs.replace(scans.STORED_ANSWER, id=_ANSWER_ID, scan_id=_SCAN_ID)
_COMPARISON = Comparison(
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


def _compared_figure(name: str, change: Comparison | None = None) -> ComparedFigure:
    plain = scans.FIGURES[name]
    return ComparedFigure(**{field: getattr(plain, field) for field in Figure.__struct_fields__}, comparison=change)


_COMPARED_METRICS = {"visibility_score", "brand_coverage_pct", "ai_mentions", "citation_count"}
_ANALYTICS = Analytics(
    source="scoreboard",
    domain_id=TRACKED_DOMAIN_ID,
    scan=_CHECK,
    as_of=_COMPLETED_AT,
    metrics_version="2",
    extractor_version="1",
    planned=1,
    valid=1,
    incomplete=False,
    early_reading=True,
    only_branded=False,
    headline=ComparedHeadline(
        **{name: _compared_figure(name, _COMPARISON if name in _COMPARED_METRICS else None) for name in scans.FIGURES}
    ),
    platforms=(scans.PLATFORM_RESULT,),
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
    sources=scans.SOURCES,
    competitors=scans.RANKING,
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
    details=MarketRanges(visibility_score_market=None, brand_coverage_pct_market=None),
    themes=(),
    unread_themes=(),
    trend=(
        TrendPoint(scan_id=_SCAN_ID, scope="full_check", completed_at=_COMPLETED_AT, incomplete=False, **scans.FIGURES),
    ),
)


_LISTED_ANSWER = ListedAnswer(
    id=_ANSWER_ID,
    scan_id=_SCAN_ID,
    measurement_scope="full_check",
    answers_source="live",
    prompt_id=PROMPT_ID,
    prompt="Which anvil suits a small forge?",
    country_iso_2=None,
    language_code="en",
    platform="chatgpt",
    status="ok",
    branded=False,
    mentioned=True,
    cited=True,
    position=1,
    stance="neutral",
    sentiment="positive",
    change="gained",
    competitors=("Globex",),
    sentence=(SentencePart("Acme", "Acme"), SentencePart(" makes the best anvil for a small forge.")),
    answered_at=_COMPLETED_AT,
)

_SEARCH = PlatformSearch(
    search="best anvil small forge 2026",
    prompt_id=PROMPT_ID,
    prompt="Which anvil suits a small forge?",
    country_iso_2=None,
    language_code="en",
    answers=3,
    platforms=(CountedName("chatgpt", 2), CountedName("gemini", 1)),
    sites=(CountedName("anvil-reviews.com", 3), CountedName("acme.com", 1)),
    last_scan_id=_SCAN_ID,
    last_seen_at=_COMPLETED_AT,
    tracked_prompt_id=None,
)

EXAMPLES: Mapping[str, Example] = {
    "list_checks": Example(page(_CHECK)),
    "read_check": Example(envelope(_CHECK)),
    "list_check_answers": Example(page(_ANSWER)),
    "read_check_answer": Example(envelope(_ANSWER)),
    "list_answers": Example(page(_LISTED_ANSWER)),
    "list_searches": Example(page(_SEARCH)),
    "read_analytics": Example(envelope(_ANALYTICS)),
}
