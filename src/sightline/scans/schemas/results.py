"""Schemas of the results of a scan, in the APIs, in stored JSON, in the terminal and in reports."""

import uuid
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sightline.answers.models import SITE_TYPE_MEANING
from sightline.kit.examples import CHECKED_PROMPT, Example
from sightline.metrics.figure import INCOMPLETE_MEANING, VISIBILITY_SCORE_MEANING, Figure, Number, Range
from sightline.metrics.observation import SURFACE_MEANING, Status, Surface
from sightline.metrics.sentiment import SentimentSummary
from sightline.platforms.models import FAULT_KIND_MEANING, FaultKind
from sightline.scans.schemas.answer import EXAMPLE_ANSWER_ID
from sightline.scans.schemas.scan import EXAMPLE_SCAN_ID

CellStatus = Status | Literal["unanswered"]
SourceType = Literal[
    "review", "list", "forum", "news", "video", "encyclopaedia", "government", "shop", "own", "competitor", "other"
]


class Headline(msgspec.Struct, frozen=True, kw_only=True):
    """The six headline metrics."""

    visibility_score: Annotated[Figure, Meta(description=f"{VISIBILITY_SCORE_MEANING}.")]
    brand_coverage_pct: Annotated[Figure, Meta(description="Share of answers that name the brand, in percent.")]
    ai_mentions: Annotated[Figure, Meta(description="Number of answers that name the brand.")]
    citation_count: Annotated[
        Figure, Meta(description="Number of cited pages of the brand, each counted once per answer.")
    ]
    market_position: Annotated[
        Figure,
        Meta(
            description="Rank among the competitors with its range. Its value is null without competitors, and if the "
            "brand is neither named nor cited."
        ),
    ]
    share_of_voice_pct: Annotated[
        Figure,
        Meta(description="The brand's share of all mentions of the brand and its competitors, in percent."),
    ]


class FaultCount(msgspec.Struct, frozen=True):
    """Number of failures of one kind."""

    kind: Annotated[FaultKind, Meta(description=f"Kind of failure: {FAULT_KIND_MEANING}")]
    answers: Annotated[int, Meta(description="Number of answers that failed this way.")]
    message: Annotated[str, Meta(description="Message of the latest of these failures.")]


class PlatformResult(Headline, frozen=True, kw_only=True):
    """Headline metrics and answer counts of one platform."""

    platform: Annotated[str, Meta(description="Key of the platform.")]
    surface: Annotated[
        Surface | None, Meta(description=f"{SURFACE_MEANING} Null without an answer, and in older results.")
    ] = None
    planned: Annotated[int, Meta(description="Number of answers that were planned.")]
    valid: Annotated[int, Meta(description="Number of valid answers: those with the status `ok`.")]
    no_surface: Annotated[int, Meta(description="Number of times that the platform showed no AI answer.")]
    failed: Annotated[int, Meta(description="Number of answers that could not be obtained.")]
    unanswered: Annotated[int, Meta(description="Number of answers that were still missing when the scan ended.")]
    incomplete: Annotated[
        bool,
        Meta(
            description="Whether more than 20% of the answers of this platform failed or are missing. Cases in which "
            "the platform showed no AI answer (`no_surface`) are left out."
        ),
    ]
    surface_rate: Annotated[
        Figure | None,
        Meta(
            description="Share of prompts for which the platform showed an AI answer, in percent. Null if it showed "
            "one for every prompt."
        ),
    ]
    faults: Annotated[tuple[FaultCount, ...], Meta(description="Failures by kind.")]


class PromptCell(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one prompt on one platform."""

    platform: Annotated[str, Meta(description="Key of the platform.")]
    status: Annotated[
        CellStatus, Meta(description="`ok`, `no_surface` (no AI answer was shown), `failed` or `unanswered`.")
    ]
    mentioned: Annotated[
        bool | None, Meta(description="Whether the answer names the brand. Null without a valid answer.")
    ]
    cited: Annotated[
        bool | None, Meta(description="Whether the answer cites a page of the brand. Null without a valid answer.")
    ]
    position: Annotated[
        int | None,
        Meta(description="Rank of the brand among the brands in the answer, 1 is first. Null if it has none."),
    ]
    answer_id: Annotated[str | None, Meta(description="Id of the answer. Null if there is none.")]


class PromptResult(msgspec.Struct, frozen=True, kw_only=True):
    """One prompt and its result on each platform."""

    prompt: Annotated[str, Meta(description="Text of the prompt.")]
    language: Annotated[
        str | None,
        Meta(description="Language that the prompt was asked in. Null if none was set, as in every scan on demand."),
    ]
    country: Annotated[
        str | None,
        Meta(description="Country that the prompt was asked from. Null if none was set, as in every scan on demand."),
    ]
    branded: Annotated[bool, Meta(description="Whether the prompt names the brand.")]
    platforms: Annotated[tuple[PromptCell, ...], Meta(description="Result of the prompt on each platform.")]


class CompetitorResult(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the ranking, which includes the measured brand."""

    name: Annotated[str, Meta(description="Name of the brand.")]
    domains: Annotated[tuple[str, ...], Meta(description="Domains of the brand.")]
    is_own: Annotated[bool, Meta(description="True for the measured brand.")]
    score: Annotated[Figure, Meta(description="Visibility Score of the brand.")]
    position: Annotated[
        int | None, Meta(description="Place in the ranking. Null if the brand is neither named nor cited.")
    ]
    position_low: Annotated[int, Meta(description="Best place in the 95% range of `position`.")]
    position_high: Annotated[int, Meta(description="Worst place in the 95% range of `position`.")]
    tied: Annotated[bool, Meta(description="Whether the brand shares its place with another.")]
    mentions: Annotated[
        int | None, Meta(description="Number of answers that name the brand. Null without a valid answer.")
    ]
    share_of_voice_pct: Annotated[
        Number | None,
        Meta(
            description="The brand's share of the mentions of all brands in the ranking, in percent. Null without a "
            "mention."
        ),
    ]


class SourceResult(msgspec.Struct, frozen=True, kw_only=True):
    """A site that answers cite."""

    domain: Annotated[str, Meta(description="Registrable domain of the site.")]
    type: Annotated[SourceType, Meta(description=SITE_TYPE_MEANING)]
    urls: Annotated[int, Meta(description="Number of different pages of the site that are cited.")]
    answers: Annotated[int, Meta(description="Number of answers that cite the site.")]
    is_own: Annotated[bool, Meta(description="Whether the site belongs to the brand.")]
    is_competitor: Annotated[bool, Meta(description="Whether the site belongs to a competitor.")]


class CandidateResult(msgspec.Struct, frozen=True, kw_only=True):
    """A name that could be tracked as a competitor."""

    name: Annotated[str, Meta(description="Name that was found.")]
    domain: Annotated[str | None, Meta(description="Site of the brand, if an answer links to it. Null otherwise.")]
    score: Annotated[Number, Meta(description="Score by which the candidates are sorted. It has no other meaning.")]
    answers: Annotated[int, Meta(description="Number of answers that contain the name.")]
    prompts: Annotated[int, Meta(description="Number of prompts whose answers contain the name.")]
    platforms: Annotated[int, Meta(description="Number of platforms whose answers contain the name.")]


class MarketRanges(msgspec.Struct, frozen=True, kw_only=True):
    """The `market` ranges of two headline metrics. They are null with fewer than five prompts."""

    visibility_score_market: Annotated[Range | None, Meta(description="Same as `headline.visibility_score.market`.")]
    brand_coverage_pct_market: Annotated[
        Range | None,
        Meta(description="Same as `headline.brand_coverage_pct.market`."),
    ]


class Details(MarketRanges, frozen=True, kw_only=True):
    """Secondary figures, and a copy of two ranges of the headline."""

    prompt_reach: Annotated[
        Figure, Meta(description="Share of prompts for which at least one answer names the brand, in percent.")
    ]
    citation_rate: Annotated[
        Figure, Meta(description="Of the answers that cite any source, the share that cite the brand, in percent.")
    ]
    citation_share: Annotated[
        Figure, Meta(description="Share of all cited pages that belong to the brand, in percent.")
    ]
    mention_occurrences: Annotated[
        Figure, Meta(description="Number of times that the brand is named in all answers together.")
    ]
    weighted_share_of_voice_pct: Annotated[
        Figure, Meta(description="Share of Voice in percent, in which earlier mentions in an answer count more.")
    ]


class ScanMeasurements(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is measured in one scan. It is stored as JSON when the scan completes."""

    planned: Annotated[int, Meta(description="Number of answers that were planned.")]
    valid: Annotated[int, Meta(description="Number of valid answers: those with the status `ok`.")]
    no_surface: Annotated[int, Meta(description="Number of times that a platform showed no AI answer.")]
    failed: Annotated[int, Meta(description="Number of answers that could not be obtained.")]
    unanswered: Annotated[int, Meta(description="Number of answers that were still missing when the scan ended.")]
    incomplete: Annotated[
        bool,
        Meta(description=INCOMPLETE_MEANING),
    ]
    early_reading: Annotated[
        bool, Meta(description="Whether there are fewer than ten prompts, so the figures are uncertain.")
    ]
    only_branded: Annotated[
        bool,
        Meta(description="Whether every prompt names the brand."),
    ]
    headline: Annotated[
        Headline,
        Meta(
            description="Headline metrics over the prompts that do not name the brand. If `only_branded` is true, over "
            "all prompts. `citation_count` is always over all prompts."
        ),
    ]
    details: Annotated[Details, Meta(description="Secondary figures, and a copy of two ranges of the headline.")]
    branded: Annotated[
        Headline | None,
        Meta(description="Headline metrics over the prompts that name the brand. Null if no prompt names the brand."),
    ]
    platforms: Annotated[tuple[PlatformResult, ...], Meta(description="Headline metrics for each platform.")]
    prompts: Annotated[
        tuple[PromptResult, ...], Meta(description="Presence of the brand for each prompt on each platform.")
    ]
    competitors: Annotated[tuple[CompetitorResult, ...], Meta(description="Ranking that includes the measured brand.")]
    sources: Annotated[tuple[SourceResult, ...], Meta(description="Sites that the answers cite.")]
    candidates: Annotated[
        tuple[CandidateResult, ...],
        Meta(
            description="Names in the answers that look like brands, but are neither the measured brand nor one of its "
            "competitors."
        ),
    ]
    sentiment: Annotated[
        SentimentSummary | None, Meta(description="Sentiment about the brand. Always null for a scan on demand.")
    ]
    scorers: Annotated[
        tuple[str, ...],
        Meta(
            description="Names and versions of the models that scored the sentiment. Always empty for a scan on demand."
        ),
    ] = ()


class ScanResults(ScanMeasurements, frozen=True, kw_only=True):
    """The results of a completed scan. Every number comes from this scan alone."""

    scan_id: Annotated[uuid.UUID, Meta(description="Id of the scan.")]
    status: Annotated[Literal["completed"], Meta(description="Always `completed`.")]
    metrics_version: Annotated[str, Meta(description="Version of the formulas.")]
    extractor_version: Annotated[
        str, Meta(description="Version of the analyzer that found brands and sources in the answers.")
    ]


# Examples


def _figure(value: float, low: float | None, high: float | None, part: float | None = 1, of: float = 1) -> Figure:
    return Figure(
        value=value,
        low=low,
        high=high,
        n=1,
        numerator=part,
        denominator=of,
        early_reading=True,
        incomplete=False,
        prompts=1,
        market=None,
    )


_SHARE = _figure(100.0, 20.7, 100.0)
_COUNT = _figure(1, None, None)
EXAMPLE_FIGURES = {
    "visibility_score": _figure(100.0, 20.7, 100.0),
    "brand_coverage_pct": _SHARE,
    "ai_mentions": _COUNT,
    "citation_count": _COUNT,
    "market_position": _figure(1, 1, 2, None, 2),
    "share_of_voice_pct": _figure(50.0, 5.5, 94.5, 1, 2),
}
EXAMPLE_PLATFORM = PlatformResult(
    platform="chatgpt",
    surface="api",
    planned=1,
    valid=1,
    no_surface=0,
    failed=0,
    unanswered=0,
    incomplete=False,
    surface_rate=None,
    faults=(),
    **EXAMPLE_FIGURES,
)
_OWN_BRAND = CompetitorResult(
    name="Acme",
    domains=("acme.com", "acme.io"),
    is_own=True,
    score=_SHARE,
    position=1,
    position_low=1,
    position_high=2,
    tied=False,
    mentions=1,
    share_of_voice_pct=50.0,
)
_COMPETITOR = CompetitorResult(
    name="Globex",
    domains=("globex.com",),
    is_own=False,
    score=_figure(68.9, 10.0, 97.8, 0.6893),
    position=2,
    position_low=1,
    position_high=2,
    tied=False,
    mentions=1,
    share_of_voice_pct=50.0,
)
EXAMPLE_RANKING = (_OWN_BRAND, _COMPETITOR)
EXAMPLE_SOURCES = (
    SourceResult(domain="acme.com", type="own", urls=1, answers=1, is_own=True, is_competitor=False),
    SourceResult(domain="forgenotes.com", type="other", urls=1, answers=1, is_own=False, is_competitor=False),
)
EXAMPLE_RESULTS = ScanResults(
    scan_id=EXAMPLE_SCAN_ID,
    status="completed",
    metrics_version="2",
    extractor_version="1",
    planned=1,
    valid=1,
    no_surface=0,
    failed=0,
    unanswered=0,
    incomplete=False,
    early_reading=True,
    only_branded=False,
    headline=Headline(**EXAMPLE_FIGURES),
    details=Details(
        visibility_score_market=None,
        brand_coverage_pct_market=None,
        prompt_reach=_SHARE,
        citation_rate=_SHARE,
        citation_share=_figure(50.0, 5.5, 94.5, 1, 2),
        mention_occurrences=_COUNT,
        weighted_share_of_voice_pct=_figure(61.3, 8.0, 96.6, 1, 1.6309),
    ),
    branded=None,
    platforms=(EXAMPLE_PLATFORM,),
    prompts=(
        PromptResult(
            prompt=CHECKED_PROMPT,
            language=None,
            country=None,
            branded=False,
            platforms=(
                PromptCell(
                    platform="chatgpt",
                    status="ok",
                    mentioned=True,
                    cited=True,
                    position=1,
                    answer_id=str(EXAMPLE_ANSWER_ID),
                ),
            ),
        ),
    ),
    competitors=EXAMPLE_RANKING,
    sources=EXAMPLE_SOURCES,
    candidates=(),
    sentiment=None,
)

EXAMPLES = {
    "read_scan_results": Example(EXAMPLE_RESULTS),
}
