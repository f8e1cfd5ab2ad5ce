"""Schemas of the scoreboard and of the analytics of one check, in the Data API and in stored JSON."""

import uuid
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sightline.kit.clock import Timestamp
from sightline.kit.examples import TRACKED_DOMAIN_ID, Example
from sightline.metrics.figure import INCOMPLETE_MEANING, VISIBILITY_SCORE_MEANING, Comparison, Figure, Number
from sightline.metrics.good_for import GoodFor
from sightline.metrics.observation import BRANDED_MEANING, SURFACE_MEANING, UNSCORED_MEANING, Surface, UnscoredReason
from sightline.metrics.sentiment import Label
from sightline.prompts.schemas import EXAMPLE_PROMPT_ID
from sightline.scans.schemas.results import CompetitorResult, Headline, MarketRanges, PlatformResult, SourceResult
from sightline.scans.stored import Scope
from sightline.scoreboard.check_changes.schemas import SiteChange

CellState = Literal["named", "cited_only", "absent", "no_surface", "failed", "not_asked"]


class ComparedFigure(Figure, frozen=True, kw_only=True):
    """A metric, and its change since the previous check of the same kind."""

    comparison: Annotated[
        Comparison | None,
        Meta(
            description="Change between two single checks, even on the scoreboard, whose `value` can combine several "
            "checks. The later check is the one in `scan_id`. Without `scan_id`, it is the "
            "latest check; for `share_of_voice_pct` and `market_position`, the latest Full Check. The earlier check is "
            "the previous one of the same kind or, if there is none, of any kind. Null if there is no earlier check, "
            "or if no prompt has a valid answer on the same platform in both checks. For `share_of_voice_pct` and "
            "`market_position`, also null if the checks have no competitor in common, or one of them has no value."
        ),
    ] = None
    good_for: Annotated[
        GoodFor | None,
        Meta(
            description="What the value is good for, by the width of `market`. Null for a count, without a value, and "
            "in results from before this field."
        ),
    ] = None


class ComparedHeadline(msgspec.Struct, frozen=True, kw_only=True):
    """The six headline metrics, each with its change."""

    visibility_score: Annotated[ComparedFigure, Meta(description=f"{VISIBILITY_SCORE_MEANING}.")]
    brand_coverage_pct: Annotated[ComparedFigure, Meta(description="Share of answers that name the brand, in percent.")]
    ai_mentions: Annotated[ComparedFigure, Meta(description="Number of answers that name the brand.")]
    citation_count: Annotated[
        ComparedFigure, Meta(description="Number of cited pages of the brand, each counted once per answer.")
    ]
    market_position: Annotated[
        ComparedFigure,
        Meta(
            description="Rank among the competitors with its range. On the scoreboard, as of the latest Full Check. "
            "The value of a Daily Check is null."
        ),
    ]
    share_of_voice_pct: Annotated[
        ComparedFigure,
        Meta(
            description="The brand's share of all mentions of the brand and its competitors, in percent. On the "
            "scoreboard, as of the latest Full Check. The value of a Daily Check is null."
        ),
    ]


class CountryResult(Headline, frozen=True, kw_only=True):
    """Headline metrics of one country."""

    country: Annotated[str | None, Meta(description="ISO 3166-1 alpha-2 code. Null for prompts without a country.")]
    planned: Annotated[int, Meta(description="Number of planned answers: one for each prompt on each platform.")]
    valid: Annotated[int, Meta(description="Number of valid answers among them.")]


class BoardCell(msgspec.Struct, frozen=True, kw_only=True):
    """The latest known answer of one prompt on one platform."""

    platform: Annotated[str, Meta(description="Key of the platform.")]
    state: Annotated[
        CellState,
        Meta(
            description="`named`, `cited_only`, `absent`, `no_surface` (no AI answer was shown), `failed` or "
            "`not_asked`."
        ),
    ]
    in_headline: Annotated[
        bool,
        Meta(
            description="Whether the latest Full Check includes this prompt on this platform. If false, it "
            "counts from the next Full Check on. Only meaningful on the scoreboard."
        ),
    ]
    position: Annotated[
        int | None,
        Meta(description="Rank of the brand among the brands in the answer, 1 is first. Null if it has none."),
    ] = None
    cited: Annotated[
        bool | None, Meta(description="Whether the answer cites a page of the brand. Null without a valid answer.")
    ] = None
    answer_id: Annotated[
        uuid.UUID | None, Meta(description="Id of the answer that is shown. It belongs to the check `scan_id`.")
    ] = None
    scan_id: Annotated[uuid.UUID | None, Meta(description="Check that the answer belongs to.")] = None
    scope: Annotated[Scope | None, Meta(description="Kind of that check.")] = None
    checked_at: Annotated[Timestamp | None, Meta(description="When that check completed.")] = None
    stale: Annotated[bool, Meta(description="Whether a later check asked again without getting a valid answer.")] = (
        False
    )


class BoardPrompt(msgspec.Struct, frozen=True, kw_only=True):
    """A tracked prompt with its latest valid answers."""

    prompt_id: Annotated[uuid.UUID, Meta(description="Id of the prompt.")]
    prompt: Annotated[str, Meta(description="Text of the prompt.")]
    language_code: Annotated[
        str | None, Meta(description="Language of the prompt. Null for prompts from before languages were recorded.")
    ]
    country_iso_2: Annotated[str | None, Meta(description="Country of the prompt. Null if none is set.")]
    branded: Annotated[
        bool,
        Meta(description=f"Whether the text names the brand. {BRANDED_MEANING}"),
    ]
    in_headline: Annotated[
        bool,
        Meta(
            description="Whether the latest Full Check includes the prompt, branded or not. If false, it was added "
            "later and counts from the next Full Check on. Only meaningful on the scoreboard."
        ),
    ]
    cells: Annotated[tuple[BoardCell, ...], Meta(description="One cell per platform.")]


class SentimentResult(msgspec.Struct, frozen=True, kw_only=True):
    """Sentiment in the answers of a Full Check.

    On the scoreboard, answers of the latest Full Check that a later check has replaced are left out.
    """

    score: Annotated[
        Number | None,
        Meta(
            description="Median score of the scored answers, 0 to 100; between 40 and 60 is neutral. Null with fewer "
            "than 3."
        ),
    ]
    label: Annotated[Label | None, Meta(description="Most frequent label. Null with fewer than three scored answers.")]
    net: Annotated[
        Figure,
        Meta(
            description="Net sentiment, -100 to 100. For each prompt, it is the number of positive answers minus the "
            "number of negative answers, in percent of the prompt's scored answers. `value` is the mean over the "
            "prompts. It is null with fewer than three prompts that have scored answers. `numerator` is the number of "
            "all positive answers minus the number of all negative answers. `n` and `denominator` are the number of "
            "all scored answers."
        ),
    ]
    responses_analyzed: Annotated[int, Meta(description="Number of scored answers.")]
    unscored: Annotated[
        int, Meta(description="Number of answers that name the brand and were not scored. They never count as neutral.")
    ]
    unscored_reasons: Annotated[
        dict[UnscoredReason, int],
        Meta(
            description=f"Number of unscored answers for each reason. {UNSCORED_MEANING} The sum may be "
            "less than `unscored`, because older answers have no reason."
        ),
    ] = msgspec.field(default_factory=dict)
    low_data: Annotated[bool, Meta(description="Whether there are fewer than three scored answers.")]
    mixed: Annotated[bool, Meta(description="Whether the labels are tied. `label` is then `neutral`.")]
    positive: Annotated[int, Meta(description="Number of positive answers.")]
    neutral: Annotated[int, Meta(description="Number of neutral answers.")]
    negative: Annotated[int, Meta(description="Number of negative answers.")]


class TrendPoint(msgspec.Struct, frozen=True, kw_only=True):
    """One past check, measured by its own answers alone. Daily Checks have no market figures: Full Checks set them."""

    scan_id: Annotated[uuid.UUID, Meta(description="Id of the check.")]
    scope: Annotated[Scope, Meta(description="Kind of the check.")]
    completed_at: Annotated[Timestamp, Meta(description="When the check completed.")]
    incomplete: Annotated[bool, Meta(description=INCOMPLETE_MEANING)]
    surfaces: Annotated[
        dict[str, Surface | None],
        Meta(
            description="The surface of each platform, null without an answer. Figures do not compare with those of a "
            f"check in which a platform has another surface. Empty for older checks. {SURFACE_MEANING}"
        ),
    ] = {}
    visibility_score: Annotated[Figure, Meta(description=f"{VISIBILITY_SCORE_MEANING}.")]
    brand_coverage_pct: Annotated[Figure, Meta(description="Share of answers that name the brand, in percent.")]
    ai_mentions: Annotated[Figure, Meta(description="Number of answers that name the brand.")]
    citation_count: Annotated[
        Figure, Meta(description="Number of cited pages of the brand, each counted once per answer.")
    ]
    market_position: Annotated[
        Figure, Meta(description="Rank among the competitors with its range. The value of a Daily Check is null.")
    ]
    share_of_voice_pct: Annotated[
        Figure,
        Meta(
            description="The brand's share of all mentions of the brand and its competitors, in percent. The value of "
            "a Daily Check is null."
        ),
    ]


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of a scoreboard or of one check that do not depend on the time of the request; stored as JSON."""

    metrics_version: Annotated[str, Meta(description="Version of the formulas.")]
    extractor_version: Annotated[
        str, Meta(description="Version of the analyzer that found brands and sources in the answers.")
    ]
    planned: Annotated[int, Meta(description="Number of planned answers: one for each prompt on each platform.")]
    valid: Annotated[int, Meta(description="Number of valid answers among them.")]
    incomplete: Annotated[bool, Meta(description=INCOMPLETE_MEANING)]
    early_reading: Annotated[bool, Meta(description="Whether there are fewer than ten prompts.")]
    only_branded: Annotated[
        bool,
        Meta(
            description="Whether every prompt names the brand. If true, the headline figures are computed from these "
            "prompts."
        ),
    ]
    headline: Annotated[ComparedHeadline, Meta(description="The six headline metrics, each with its comparison.")]
    platforms: Annotated[tuple[PlatformResult, ...], Meta(description="The same figures for each platform.")]
    countries: Annotated[tuple[CountryResult, ...], Meta(description="The same figures for each country.")]
    prompts: Annotated[
        tuple[BoardPrompt, ...],
        Meta(
            description="Every tracked prompt with its latest known answer on each platform. With `scan_id`, the "
            "prompts and answers of that check."
        ),
    ]
    sources: Annotated[tuple[SourceResult, ...], Meta(description="Sites that the answers cite, most cited first.")]
    competitors: Annotated[
        tuple[CompetitorResult, ...],
        Meta(description="Ranking by Visibility Score. On the scoreboard, as of the latest Full Check."),
    ]
    sentiment: Annotated[
        SentimentResult | None,
        Meta(
            description="Sentiment about the brand. Only Full Checks measure it: null before the first one, and with "
            "the `scan_id` of another kind of check. On the scoreboard, an answer no longer counts "
            "if a Daily Check has asked its prompt again."
        ),
    ]
    branded: Annotated[
        Headline | None,
        Meta(description="Headline metrics over the prompts that name the brand. Null if no prompt names the brand."),
    ]
    details: Annotated[
        MarketRanges | None,
        Meta(
            description="Copies of `headline.visibility_score.market` and `headline.brand_coverage_pct.market`. Null "
            "if `metrics_version` is 1."
        ),
    ] = None


decode_board = msgspec.json.Decoder(Board).decode


class SpotCheckResult(msgspec.Struct, frozen=True, kw_only=True):
    """The chance that a platform, asked once, names the brand."""

    platform: Annotated[str, Meta(description="Key of the platform.")]
    chance: Annotated[
        Figure,
        Meta(
            description="Chance in percent that the platform, asked once, names the brand. Here, `n` and `denominator` "
            "are the number of times that the prompt was asked, and `numerator` is the number of answers that name the "
            "brand. If the platform showed no AI answer, this counts as not naming the brand. Failed attempts do not "
            "count. `value` is null if `n` is below five. `early_reading` is always false, and `prompts` is always "
            "null."
        ),
    ]
    summary: Annotated[
        str, Meta(description="A sentence that states the chance, or that the prompt was asked too rarely to tell.")
    ]
    first_asked_at: Annotated[Timestamp, Meta(description="When the first of the counted checks completed.")]
    last_asked_at: Annotated[Timestamp, Meta(description="When the last of the counted checks completed.")]


class PromptSpotChecks(msgspec.Struct, frozen=True, kw_only=True):
    """The spot checks of one prompt on every platform that was asked."""

    prompt_id: Annotated[uuid.UUID, Meta(description="Id of the prompt.")]
    domain_id: Annotated[uuid.UUID, Meta(description="Id of the tracked domain.")]
    period_days: Annotated[int, Meta(description="Length of the period in days. It ends now.")]
    platforms: Annotated[
        tuple[SpotCheckResult, ...],
        Meta(description="One entry for each platform that was asked. Empty if none was asked in the period."),
    ]


class PromptSourceChange(msgspec.Struct, frozen=True, kw_only=True):
    """A site that a platform began to cite for a prompt, or stopped citing."""

    platform: Annotated[str, Meta(description="Key of the platform.")]
    site: Annotated[str, Meta(description="Registrable domain of the site.")]
    change: Annotated[
        SiteChange,
        Meta(
            description="`new`: no answer before the change cites the site, and at least half of the answers since "
            "then do. `lost`: at least two of the last four answers before the change cite the site, and none since "
            "then does. There are at least two answers before and after the change. Answers without sources do not "
            "count."
        ),
    ]
    at: Annotated[
        Timestamp,
        Meta(
            description="If `new`, when the first check that cites the site completed. If `lost`, when the last "
            "check that cites it completed."
        ),
    ]
    cited: Annotated[
        int,
        Meta(
            description="Number of answers that cite the site. `new`: among the answers since the change. `lost`: "
            "among the last four answers before it."
        ),
    ]
    answers: Annotated[
        int,
        Meta(description="Number of answers with sources among which `cited` is counted. For `lost`, at most four."),
    ]


class PromptSourceChanges(msgspec.Struct, frozen=True, kw_only=True):
    """The new and lost sources of one prompt on every platform that shows sources."""

    prompt_id: Annotated[uuid.UUID, Meta(description="Id of the prompt.")]
    domain_id: Annotated[uuid.UUID, Meta(description="Id of the tracked domain.")]
    period_days: Annotated[int, Meta(description="Length of the period in days. It ends now.")]
    sources: Annotated[
        tuple[PromptSourceChange, ...],
        Meta(description="By platform: first `new`, then `lost`, each newest first. Empty if no change is certain."),
    ]


# Examples

_SPOT_CHECKS = PromptSpotChecks(
    prompt_id=EXAMPLE_PROMPT_ID,
    domain_id=TRACKED_DOMAIN_ID,
    period_days=90,
    platforms=(
        SpotCheckResult(
            platform="chatgpt",
            chance=Figure(
                value=44.0,
                low=31.2,
                high=57.7,
                n=50,
                numerator=22,
                denominator=50,
                early_reading=False,
                incomplete=False,
            ),
            summary="If someone asks once, the chance of seeing Acme is 44% (31% to 58%).",
            first_asked_at="2026-08-18T08:31:02.150884+00:00",
            last_asked_at="2026-11-14T08:30:51.377020+00:00",
        ),
        SpotCheckResult(
            platform="gemini",
            chance=Figure(
                value=None,
                low=None,
                high=None,
                n=3,
                numerator=1,
                denominator=3,
                early_reading=False,
                incomplete=False,
            ),
            summary="Too few answers to estimate the chance: 3 so far, 5 needed.",
            first_asked_at="2026-11-12T08:30:40.911372+00:00",
            last_asked_at="2026-11-14T08:30:51.377020+00:00",
        ),
    ),
)

_SOURCE_CHANGES = PromptSourceChanges(
    prompt_id=EXAMPLE_PROMPT_ID,
    domain_id=TRACKED_DOMAIN_ID,
    period_days=30,
    sources=(
        PromptSourceChange(
            platform="chatgpt",
            site="g2.com",
            change="new",
            at="2026-11-02T08:34:12.660184+00:00",
            cited=9,
            answers=12,
        ),
        PromptSourceChange(
            platform="chatgpt",
            site="forge-weekly.com",
            change="lost",
            at="2026-11-05T08:30:40.911372+00:00",
            cited=3,
            answers=4,
        ),
    ),
)

EXAMPLES = {
    "read_prompt_spot_checks": Example(_SPOT_CHECKS),
    "read_prompt_source_changes": Example(_SOURCE_CHANGES),
}
