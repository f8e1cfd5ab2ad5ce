"""The analytics of a domain: a scoreboard or one check, with its themes and its trend."""

import uuid
from typing import Annotated, Literal

from msgspec import Meta

from sightline.insights.schemas.themes import Theme, UnreadLanguage
from sightline.kit.clock import Timestamp
from sightline.kit.examples import (
    CHECK_ANSWER_ID,
    CHECK_ID,
    CHECKED_PROMPT,
    CHECKED_PROMPT_ID,
    TRACKED_DOMAIN_ID,
    Example,
)
from sightline.metrics.figure import Comparison, Figure
from sightline.scans.schemas.results import (
    EXAMPLE_FIGURES,
    EXAMPLE_PLATFORM,
    EXAMPLE_RANKING,
    EXAMPLE_SOURCES,
    MarketRanges,
)
from sightline.scans.schemas.scan import EXAMPLE_CHECK, Scan
from sightline.scoreboard.schemas import (
    Board,
    BoardCell,
    BoardPrompt,
    ComparedFigure,
    ComparedHeadline,
    CountryResult,
    SentimentResult,
    TrendPoint,
)


class Analytics(Board, frozen=True, kw_only=True):
    """The figures of a brand, from the latest valid answers (`scoreboard`) or from one check alone (`scan`)."""

    source: Annotated[
        Literal["scoreboard", "scan"],
        Meta(description="`scoreboard`: the latest valid answers. `scan`: one check alone."),
    ]
    domain_id: Annotated[uuid.UUID, Meta(description="Tracked domain.")]
    scan: Annotated[
        Scan | None,
        Meta(
            description="Requested check. For the scoreboard: the latest Full Check, whose prompts and platforms "
            "count in the figures. Before the first Full Check, it is the latest check. Null before the first check."
        ),
    ]
    as_of: Annotated[
        Timestamp | None,
        Meta(description="When the latest check in these figures completed. Null before the first check."),
    ]
    themes: Annotated[
        tuple[Theme, ...],
        Meta(
            description="Brand Themes of the latest Full Check: aspects of the brand that its answers mention. Empty "
            "if `scan` is any other check. Only the Professional and Agency plans include them."
        ),
    ]
    unread_themes: Annotated[
        tuple[UnreadLanguage, ...],
        Meta(description="Languages for which themes are not available, most answers first."),
    ]
    trend: Annotated[
        tuple[TrendPoint, ...], Meta(description="One point for each check of the last year, oldest first.")
    ]


# Examples

_AS_OF = "2026-11-14T09:32:41.530922+00:00"
_PREVIOUS_ID = uuid.UUID("01990b4c-61d0-7a11-9c3e-52f8ab07d6e4")
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
    plain = EXAMPLE_FIGURES[name]
    return ComparedFigure(**{field: getattr(plain, field) for field in Figure.__struct_fields__}, comparison=change)


_COMPARED_METRICS = {"visibility_score", "brand_coverage_pct", "ai_mentions", "citation_count"}
_ANALYTICS = Analytics(
    source="scoreboard",
    domain_id=TRACKED_DOMAIN_ID,
    scan=EXAMPLE_CHECK,
    as_of=_AS_OF,
    metrics_version="2",
    extractor_version="1",
    planned=1,
    valid=1,
    incomplete=False,
    early_reading=True,
    only_branded=False,
    headline=ComparedHeadline(
        **{name: _compared_figure(name, _COMPARISON if name in _COMPARED_METRICS else None) for name in EXAMPLE_FIGURES}
    ),
    platforms=(EXAMPLE_PLATFORM,),
    countries=(CountryResult(country=None, planned=1, valid=1, **EXAMPLE_FIGURES),),
    prompts=(
        BoardPrompt(
            prompt_id=CHECKED_PROMPT_ID,
            prompt=CHECKED_PROMPT,
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
                    answer_id=CHECK_ANSWER_ID,
                    scan_id=CHECK_ID,
                    scope="full_check",
                    checked_at=_AS_OF,
                ),
            ),
        ),
    ),
    sources=EXAMPLE_SOURCES,
    competitors=EXAMPLE_RANKING,
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
        TrendPoint(
            scan_id=CHECK_ID,
            scope="full_check",
            completed_at=_AS_OF,
            incomplete=False,
            surfaces={"chatgpt": "api"},
            visibility_score=EXAMPLE_FIGURES["visibility_score"],
            brand_coverage_pct=EXAMPLE_FIGURES["brand_coverage_pct"],
            ai_mentions=EXAMPLE_FIGURES["ai_mentions"],
            citation_count=EXAMPLE_FIGURES["citation_count"],
            market_position=EXAMPLE_FIGURES["market_position"],
            share_of_voice_pct=EXAMPLE_FIGURES["share_of_voice_pct"],
        ),
    ),
)

EXAMPLES = {
    "read_analytics": Example(_ANALYTICS),
}
