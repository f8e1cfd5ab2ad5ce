"""A finding, as the Data API returns it and as reports store it."""

import uuid
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sightline.accounts.models import LIVEMODE_MEANING
from sightline.kit.clock import Timestamp
from sightline.kit.examples import (
    CHECK_ID,
    CHECKED_PROMPT,
    CHECKED_PROMPT_ID,
    EVENT_TIME,
    TRACKED_DOMAIN_ID,
    WORKSPACE_ID,
    Example,
)
from sightline.kit.structs import convert_struct
from sightline.metrics.figure import Comparison, Number
from sightline.metrics.period_change import Period, Tier
from sightline.metrics.trend import FULL_CHECK_REASONS_MEANING, Reason
from sightline.scans.models import AnswersSource
from sightline.scoreboard.check_changes.schemas import (
    PERIOD_MEANING,
    TIER_MEANING,
    CheckChanges,
    CountChange,
    FigureChange,
    LeadingBrand,
    PeriodResult,
    PlatformSourceChange,
    SourceAnswers,
    WinnerChange,
)

FindingKind = Literal["brand", "competitor", "platform", "country", "prompt", "cell", "action", "source", "fact"]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is worth saying: a change, an alert, the effect of an action, or a new or lost source."""

    kind: Annotated[
        FindingKind,
        Meta(
            description="`brand`: answers that name your brand. `competitor`: answers that name a competitor. "
            "`platform`, `country`, `prompt` and `cell` (a prompt on a platform): answers in this part that name your "
            "brand, or `competitor`. `action`: "
            "the measured effect of a completed recommendation. `source`: a site that a platform began to cite, or "
            "stopped citing. `fact`: answers that state something wrong about a fact of the brand."
        ),
    ]
    tier: Annotated[Tier, Meta(description=f"{TIER_MEANING} A new or lost source is not tested: its tier is `rest`.")]
    direction: Annotated[
        Literal["up", "down"], Meta(description="Whether the number rose or fell. Of a source: new or lost.")
    ]
    text: Annotated[str, Meta(description="The finding in one or two sentences.")] = ""
    competitor: Annotated[str | None, Meta(description="Name of the competitor, if the finding is about one.")] = None
    platform: Annotated[str | None, Meta(description="Key of the platform, if the finding is about one.")] = None
    country_iso_2: Annotated[str | None, Meta(description="Country, if the finding is about one.")] = None
    prompt_id: Annotated[uuid.UUID | None, Meta(description="Id of the prompt, if the finding is about one.")] = None
    prompt: Annotated[str | None, Meta(description="Text of that prompt, if it is known.")] = None
    site: Annotated[str | None, Meta(description="Registrable domain of the source.")] = None
    action: Annotated[str | None, Meta(description="The completed action.")] = None
    fact: Annotated[str | None, Meta(description="What the fact is about, if the finding is about one.")] = None
    before: Annotated[int | None, Meta(description="Number of answers before. Null for an action.")] = None
    before_answers: Annotated[int | None, Meta(description="Answers that `before` is a part of.")] = None
    now: Annotated[int | None, Meta(description="Number of answers now. Null for an action.")] = None
    now_answers: Annotated[int | None, Meta(description="Answers that `now` is a part of.")] = None
    points: Annotated[
        Number | None, Meta(description="Effect of an action in percentage points. Null for other findings.")
    ] = None
    period: Annotated[
        Period | Literal["daily_checks", "action"],
        Meta(
            description=f"{PERIOD_MEANING} `daily_checks`: from earlier Daily Checks to the one that first showed the "
            "change, or of a `cell` to those since then. `action`: since the action was completed."
        ),
    ]
    since: Annotated[Timestamp, Meta(description="When the period began, or the Daily Check with the change.")]
    p: Annotated[
        Number | None,
        Meta(
            description="Probability that chance alone causes a change this large. If an alert is about the same "
            "change, the smaller of the two probabilities. Null where nothing is tested."
        ),
    ] = None
    alert_id: Annotated[uuid.UUID | None, Meta(description="Id of the alert about the same change.")] = None
    alerted_at: Annotated[
        Timestamp | None, Meta(description="When a Daily Check first showed the change. Null without an alert.")
    ] = None
    model: Annotated[
        str | None, Meta(description="New model of the platform, if it has changed since the previous Full Check.")
    ] = None
    reasons: Annotated[
        tuple[Reason, ...],
        Meta(
            description="Why the checks compare only as a trend. "
            f"{FULL_CHECK_REASONS_MEANING} `scope` and `competitors` do not occur here."
        ),
    ] = ()

    @property
    def subject(self) -> tuple[object, ...]:
        """Return what the finding is about. Two findings about one subject would tell the same event twice."""
        country = (self.kind == "country", self.country_iso_2)  # a country alert without a country is about Global
        return (self.competitor, self.platform, country, self.prompt_id, self.site, self.action, self.fact)


class LatestFindings(msgspec.Struct, frozen=True):
    """What is worth saying about a domain now."""

    domain_id: Annotated[uuid.UUID, Meta(description="Id of the tracked domain.")]
    headline: Annotated[str, Meta(description="The most important finding, or that there is no clear change.")]
    scan_id: Annotated[uuid.UUID | None, Meta(description="The latest Full Check. Null if there is none.")]
    against_scan_id: Annotated[uuid.UUID | None, Meta(description="The previous Full Check. Null until there are two.")]
    findings: Annotated[
        list[Finding],
        Meta(
            description="Clear changes of the brand, then of competitors, effects of actions, what is worth watching, "
            "new and lost sources, and the largest of the other changes."
        ),
    ]


class LatestChanges(msgspec.Struct, frozen=True, kw_only=True):
    """What changed in the latest Full Check of a domain."""

    domain_id: Annotated[uuid.UUID, Meta(description="Id of the tracked domain.")]
    summary: Annotated[
        list[str],
        Meta(
            description="What changed, in one to three sentences: the headline of the findings, and what else is clear."
        ),
    ]
    changes: Annotated[
        CheckChanges | None, Meta(description="The changes. Null until there are two Full Checks to compare.")
    ]


class CheckCompletedData(LatestFindings, frozen=True, kw_only=True):
    """Data of the event `check.completed`."""

    workspace_id: Annotated[uuid.UUID, Meta(description="Workspace of the tracked domain.")]
    livemode: Annotated[bool, Meta(description=LIVEMODE_MEANING)]
    domain: Annotated[str, Meta(description="The tracked domain.")]
    brand_name: Annotated[str, Meta(description="Name of the brand.")]
    answers_source: Annotated[
        AnswersSource, Meta(description="`live`, or `sandbox` if the answers of the check are made up.")
    ]


# Examples

_EARLIER_FULL_ID = uuid.UUID("01988c3e-2a70-7d15-8b49-f31c6e07a2d8")
_CHANGES = LatestChanges(
    domain_id=TRACKED_DOMAIN_ID,
    summary=["On ChatGPT, Acme is named in 12 of 40 answers, up from 5 on 7 Nov."],
    changes=CheckChanges(
        scan_id=CHECK_ID,
        against_scan_id=_EARLIER_FULL_ID,
        since="2026-11-07T09:31:44.702118+00:00",
        until="2026-11-14T09:32:11.395027+00:00",
        reasons=(),
        established=(
            CountChange(
                kind="platform",
                subject="chatgpt",
                before=5,
                now=12,
                total=40,
                delta=17.5,
                low=5.7,
                high=29.3,
                p=0.0156,
                verdict="up",
                gained=7,
                lost=0,
                tier="clear",
            ),
        ),
        winners=(
            WinnerChange(
                prompt_id=CHECKED_PROMPT_ID,
                prompt=CHECKED_PROMPT,
                country_iso_2=None,
                answers=7,
                before=LeadingBrand("Globex", 6),
                now=LeadingBrand("Acme", 5),
            ),
        ),
        sources=(PlatformSourceChange(platform="perplexity", site="g2.com", change="new", answers=6, total=38),),
        figures=(
            FigureChange(
                metric="brand_coverage_pct",
                before=35.7,
                now=36.8,
                comparison=Comparison(
                    against_scan_id=str(_EARLIER_FULL_ID),
                    trend_only=False,
                    reasons=(),
                    matched_cells=280,
                    gained=12,
                    lost=9,
                    delta=1.1,
                    low=-2.1,
                    high=4.3,
                    p=0.6636,
                    verdict="no_clear_change",
                ),
            ),
        ),
        unclear=(
            CountChange(
                kind="coverage",
                subject=None,
                before=100,
                now=103,
                total=280,
                delta=1.1,
                low=-2.1,
                high=4.3,
                p=0.6636,
                verdict="no_clear_change",
                gained=12,
                lost=9,
                tier="rest",
            ),
        ),
        source_answers=SourceAnswers(new=6, lost=0),
        periods=(
            PeriodResult(
                subject="platform",
                name="chatgpt",
                period="last_check",
                since="2026-11-07T09:31:44.702118+00:00",
                checks=1,
                before=5,
                before_answers=40,
                now=12,
                now_answers=40,
                p=0.0002,
                tier="clear",
            ),
        ),
    ),
)


_FINDINGS = LatestFindings(
    domain_id=TRACKED_DOMAIN_ID,
    headline="On ChatGPT, Acme is named in 12 of 40 answers, up from 5 on 7 Nov.",
    scan_id=CHECK_ID,
    against_scan_id=_EARLIER_FULL_ID,
    findings=[
        Finding(
            kind="platform",
            tier="clear",
            direction="up",
            text="On ChatGPT, Acme is named in 12 of 40 answers, up from 5 on 7 Nov.",
            platform="chatgpt",
            before=5,
            before_answers=40,
            now=12,
            now_answers=40,
            period="last_check",
            since="2026-11-07T09:31:44.702118+00:00",
            p=0.0002,
        ),
    ],
)

EXAMPLES = {
    "read_changes": Example(_CHANGES),
    "read_findings": Example(_FINDINGS),
}

EVENT_EXAMPLES = {
    "check.completed": (
        EVENT_TIME,
        convert_struct(
            CheckCompletedData,
            _FINDINGS,
            workspace_id=WORKSPACE_ID,
            livemode=True,
            domain="acme.com",
            brand_name="Acme",
            answers_source="live",
        ),
    )
}
