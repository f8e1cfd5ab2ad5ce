"""Schemas of the changes between two Full Checks, in the Data API and in stored JSON."""

import uuid
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sightline.kit.clock import Timestamp
from sightline.metrics.compare import Verdict
from sightline.metrics.figure import Comparison, Number
from sightline.metrics.observation import SURFACE_MEANING, Surface
from sightline.metrics.period_change import Period, Subject, Tier
from sightline.metrics.trend import FULL_CHECK_REASONS_MEANING, Reason

ChangeKind = Literal["coverage", "platform", "lead", "competitor", "prompt", "source"]
FigureName = Literal[
    "visibility_score",
    "brand_coverage_pct",
    "ai_mentions",
    "citation_count",
    "market_position",
    "share_of_voice_pct",
]
SiteChange = Literal["new", "lost"]
TIER_MEANING = (
    "`clear`: a clear change. `watch`: worth watching; about one in five of these is chance. `rest`: chance explains "
    "it."
)
PERIOD_MEANING = (
    "`last_check`: since the previous Full Check. `four_weeks` and `twelve_weeks`: over all Full Checks of that time."
)
_OLDER_VERSION = "an older version of Sightline compared the checks"


class CountChange(msgspec.Struct, frozen=True, kw_only=True):
    """How a number of answers changed, over the matched cells of two Full Checks."""

    kind: Annotated[
        ChangeKind,
        Meta(
            description="`coverage`: answers that name the brand. `platform`: the same on one platform. `lead`: "
            "prompts whose answers name the brand more often than any other brand. `competitor`: answers that name a "
            "competitor. `prompt`: answers to one prompt that name the brand. `source`: answers that cite a site."
        ),
    ]
    subject: Annotated[
        str | None,
        Meta(
            description="`platform`: key of the platform. `competitor`: name of the competitor. `prompt`: text of the "
            "prompt. `source`: domain of the site. Null for `coverage` and `lead`."
        ),
    ]
    before: Annotated[
        int, Meta(description="Number of such answers in the earlier Full Check. For `lead`, the number of prompts.")
    ]
    now: Annotated[
        int, Meta(description="Number of such answers in the latest Full Check. For `lead`, the number of prompts.")
    ]
    total: Annotated[
        int,
        Meta(
            description="Number of matched cells. A cell is one prompt on one platform. It is matched if it has a "
            "valid answer in both Full Checks. For `source`, both answers must have sources. For `lead`, it is the "
            "number of prompts."
        ),
    ]
    delta: Annotated[Number, Meta(description="Difference in percentage points.")]
    low: Annotated[Number, Meta(description="Lower end of the 95% range of the difference.")]
    high: Annotated[Number, Meta(description="Upper end of the 95% range of the difference.")]
    p: Annotated[Number, Meta(description="Probability that chance alone causes a difference this large.")]
    verdict: Annotated[Verdict, Meta(description="In `established`: `up` or `down`. In `unclear`: `no_clear_change`.")]
    gained: Annotated[
        int | None,
        Meta(
            description="Number of matched cells, or prompts for `lead`, that count in `now` and not in `before`. Null "
            f"if {_OLDER_VERSION}."
        ),
    ] = None
    lost: Annotated[
        int | None,
        Meta(
            description="Number of matched cells, or prompts for `lead`, that count in `before` and not in `now`. Null "
            f"if {_OLDER_VERSION}."
        ),
    ] = None
    prompt_id: Annotated[uuid.UUID | None, Meta(description="Id of the prompt. Null unless `kind` is `prompt`.")] = None
    tier: Annotated[
        Tier | None,
        Meta(
            description=f"{TIER_MEANING} It allows for bad days of platforms, which `verdict` does not. Null for "
            f"`lead` and `source`, and if {_OLDER_VERSION}."
        ),
    ] = None


class PeriodResult(msgspec.Struct, frozen=True, kw_only=True):
    """How the number of answers that name a brand changed over a fixed period, with its tier."""

    subject: Annotated[
        Subject,
        Meta(
            description="`brand`: your brand or a competitor. `platform`: your brand on a platform. `prompt`: your "
            "brand in the answers to a prompt."
        ),
    ]
    name: Annotated[str, Meta(description="Name of the brand, key of the platform or id of the prompt.")]
    period: Annotated[Period, Meta(description=PERIOD_MEANING)]
    since: Annotated[Timestamp, Meta(description="When the first Full Check of the period completed.")]
    checks: Annotated[int, Meta(description="Number of Full Checks at each end of the period: a third of them.")]
    before: Annotated[int, Meta(description="Answers that name the brand in the first checks of the period.")]
    before_answers: Annotated[int, Meta(description="Valid answers in the first checks of the period.")]
    now: Annotated[int, Meta(description="Answers that name the brand in the last checks of the period.")]
    now_answers: Annotated[int, Meta(description="Valid answers in the last checks of the period.")]
    p: Annotated[Number, Meta(description="Probability that chance alone causes a change at least this large.")]
    tier: Annotated[Tier, Meta(description=TIER_MEANING)]

    @property
    def share(self) -> float:
        """Return by which share of the answers the number changed."""
        return self.now / self.now_answers - self.before / self.before_answers

    @property
    def cells(self) -> float:
        """Return the number of answers of one check."""
        return self.now_answers / self.checks


class ModelChange(msgspec.Struct, frozen=True):
    """A platform that answered with a different model than in the previous Full Check."""

    platform: Annotated[str, Meta(description="Key of the platform.")]
    before: Annotated[str, Meta(description="Model in the earlier Full Check.")]
    now: Annotated[str, Meta(description="Model in the latest Full Check.")]


class SurfaceChange(msgspec.Struct, frozen=True):
    """A platform that was asked on another surface than in the previous Full Check. None of its answers compare."""

    platform: Annotated[str, Meta(description="Key of the platform.")]
    before: Annotated[
        Surface | None, Meta(description="Surface in the earlier Full Check. Null if it was not recorded yet.")
    ]
    now: Annotated[Surface, Meta(description=f"Surface in the latest Full Check. {SURFACE_MEANING}")]


class FigureChange(msgspec.Struct, frozen=True, kw_only=True):
    """How a headline figure changed from one Full Check to the next."""

    metric: Annotated[FigureName, Meta(description="Name of the figure.")]
    before: Annotated[Number | None, Meta(description="Value in the earlier Full Check. Null if not measured.")]
    now: Annotated[Number | None, Meta(description="Value in the latest Full Check. Null if not measured.")]
    comparison: Annotated[
        Comparison, Meta(description="Change over the matched cells. It decides whether the change is established.")
    ]


class SourceAnswers(msgspec.Struct, frozen=True, kw_only=True):
    """How many answers cite the new and the lost sites."""

    new: Annotated[int, Meta(description="Number of answers of the latest Full Check that cite a new site.")]
    lost: Annotated[int, Meta(description="Number of answers of the earlier Full Check that cite a lost site.")]


class LeadingBrand(msgspec.Struct, frozen=True):
    """The brand that is named in the most answers to a prompt."""

    name: Annotated[str, Meta(description="Name of the brand: yours, a competitor, or one found in the answers.")]
    named: Annotated[int, Meta(description="Number of answers that name it.")]


class WinnerChange(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt whose winner has changed. Each of the two brands led the other by at least two answers."""

    prompt_id: Annotated[uuid.UUID, Meta(description="Id of the prompt.")]
    prompt: Annotated[str, Meta(description="Text of the prompt.")]
    country_iso_2: Annotated[str | None, Meta(description="Country of the prompt. Null if none is set.")]
    answers: Annotated[int, Meta(description="Number of platforms that answered in both Full Checks.")]
    before: Annotated[LeadingBrand, Meta(description="Brand that won in the earlier Full Check.")]
    now: Annotated[LeadingBrand, Meta(description="Brand that wins now.")]


class PlatformSourceChange(msgspec.Struct, frozen=True, kw_only=True):
    """A site that a platform began to cite, or stopped citing, in at least six answers."""

    platform: Annotated[str, Meta(description="Key of the platform.")]
    site: Annotated[str, Meta(description="Registrable domain of the site.")]
    change: Annotated[
        SiteChange, Meta(description="`new`: cited now and not before. `lost`: cited before and not now.")
    ]
    answers: Annotated[int, Meta(description="Number of answers that cite the site: now if `new`, before if `lost`.")]
    total: Annotated[
        int, Meta(description="Number of matched cells of the platform whose answers have sources in both Full Checks.")
    ]


class CheckChanges(msgspec.Struct, frozen=True, kw_only=True):
    """What changed from one Full Check to the next."""

    scan_id: Annotated[uuid.UUID, Meta(description="The latest Full Check.")]
    against_scan_id: Annotated[uuid.UUID, Meta(description="The previous Full Check.")]
    since: Annotated[Timestamp, Meta(description="When the previous Full Check completed.")]
    until: Annotated[Timestamp, Meta(description="When the latest Full Check completed.")]
    reasons: Annotated[
        tuple[Reason, ...],
        Meta(
            description="Why the two Full Checks cannot be compared exactly. If there is a reason, only changes of the "
            "kind `platform` are established, and only for platforms that no reason affects. "
            f"{FULL_CHECK_REASONS_MEANING} `scope` and `competitors` do not occur here."
        ),
    ]
    established: Annotated[tuple[CountChange, ...], Meta(description="Established changes, the most important first.")]
    winners: Annotated[
        tuple[WinnerChange, ...],
        Meta(
            description="Prompts whose winner has changed. The winner is the brand that is named in the most answers: "
            "yours or another."
        ),
    ]
    sources: Annotated[
        tuple[PlatformSourceChange, ...], Meta(description="New and lost sites of each platform, most cited first.")
    ]
    figures: Annotated[
        tuple[FigureChange, ...],
        Meta(description=f"Changes of the headline figures. Empty if {_OLDER_VERSION}."),
    ] = ()
    unclear: Annotated[
        tuple[CountChange, ...],
        Meta(
            description="Changes that chance alone may have caused, the largest first. At most 10 of them are "
            f"about sources. Empty if {_OLDER_VERSION}."
        ),
    ] = ()
    source_answers: Annotated[
        SourceAnswers | None,
        Meta(description=f"Answers that cite the new and the lost sites. Null if {_OLDER_VERSION}."),
    ] = None
    periods: Annotated[
        tuple[PeriodResult, ...],
        Meta(
            description="Changes over the fixed periods: all clear changes and those worth watching, and of the rest "
            "those since the previous Full Check and those of at least 5 points and 3 answers a check. Empty if "
            f"{_OLDER_VERSION}."
        ),
    ] = ()
    models: Annotated[
        tuple[ModelChange, ...],
        Meta(description=f"Platforms that changed their model. Empty if {_OLDER_VERSION}."),
    ] = ()
    surfaces: Annotated[
        tuple[SurfaceChange, ...],
        Meta(description="Platforms that were asked on another surface. Their answers are not compared."),
    ] = ()
