"""Objects of the APIs.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Literal

from msgspec import UNSET, UnsetType

from sightline_sdk._models import Model, OneOf


class Account(Model, frozen=True, kw_only=True):
    """The profile of the workspace that the key or session acts in."""

    id: str
    """Id of the workspace."""
    name: str
    """Display name of the workspace."""
    company: str | None = None
    """Legal name for invoices. Null if none is set."""
    billing_email: str | None = None
    """Address that invoices are sent to. Null if none is set."""
    website: str | None = None
    """Website of the company, an http or https URL. Null if none is set."""
    timezone: str
    """Name from the IANA time zone database, such as `Europe/Berlin`."""
    plan: OneOf[Literal["free", "trial", "starter", "professional", "agency"]]
    """Plan of the workspace."""
    created_at: datetime
    """When the workspace was created."""
    editor_declined: bool
    """Whether the workspace has declined that a language model edits its insights."""


class NamedShare(Model, frozen=True, kw_only=True):
    """The share of answers that name the brand, or the competitor of the alert.

    Only `before` has an interval.
    """

    value: float
    """Share of answers that name the brand or competitor, in percent."""
    named: int
    """Number of answers that name the brand or competitor."""
    answers: int
    """Number of answers in total."""
    low: float | None = None
    """Lower end of the 95% interval. Only `before` has an interval."""
    high: float | None = None
    """Upper end of the 95% interval. Only `before` has an interval."""


class AlertHistory(Model, frozen=True, kw_only=True):
    """A longer history than the previous Daily Check.

    It only decides whether there is an alert.
    """

    daily_checks: int
    """Number of earlier Daily Checks with answers to compare with."""
    before: NamedShare
    """Answers in these Daily Checks."""
    now: NamedShare
    """The Daily Check that is compared with them. For a `cell` alert, the answers since the change."""


class AlertConfirmation(Model, frozen=True, kw_only=True):
    """The Daily Check that confirmed the change, compared with the last one before the change."""

    scan_id: str
    """The Daily Check that confirmed the change."""
    before: NamedShare
    """The Daily Check in `against_scan_id`, in the cells that also have a valid answer now."""
    now: NamedShare
    """The Daily Check that confirmed the change, in the same cells."""
    delta: float
    """Change in percentage points over these cells."""
    lost: int
    """Number of cells whose answers named the brand or competitor before and do not now."""
    gained: int
    """Number of cells whose answers name the brand or competitor now and did not before."""
    rules: list[OneOf[Literal["cell", "last_dailies", "previous_daily"]]]
    """Tests that confirmed the change."""
    p: float
    """Probability that chance causes a change at least this large, by these tests."""


class ProvingAnswer(Model, frozen=True, kw_only=True):
    """An answer that supports a finding.

    Read it with `GET /scans/{scan_id}/answers/{answer_id}`.
    """

    scan_id: str
    """Check that the answer belongs to."""
    answer_id: str
    """Id of the answer."""


class Alert(Model, frozen=True, kw_only=True):
    """A drop or gain of the brand between Daily Checks, or a competitor's rise, and its state."""

    id: str
    """Id of the alert."""
    domain_id: str
    """Tracked domain."""
    type: OneOf[Literal["cell_gained", "cell_lost", "competitor_rise", "coverage_drop", "coverage_gain"]]
    """`coverage_drop`: fewer answers name the brand. `coverage_gain`: more answers name the brand.
    `competitor_rise`: more answers name a competitor. `cell_lost`: the answers of a cell (one prompt on one
    platform) no longer name the brand. `cell_gained`: the answers of a cell have begun to name the brand.
    """
    scope: OneOf[Literal["cell", "country", "overall", "platform"]]
    """`overall`, `platform`, `country` or `cell`."""
    platform: str | None = None
    """Platform of a `platform` or `cell` alert. Null otherwise."""
    country_iso_2: str | None = None
    """Country of a `country` alert. Null if the alert is about prompts without a country, and for other alerts."""
    prompt_id: str | None = None
    """Prompt of a `cell` alert. Null otherwise."""
    competitor: str | None = None
    """Name of the competitor of a `competitor_rise`. Null otherwise."""
    state: OneOf[Literal["watch", "confirmed", "lapsed", "resolved"]]
    """`watch`: seen once. `confirmed`: the next Daily Check agrees. `lapsed`: it does not. `resolved`: back to the
    previous level, or no longer measured.
    """
    hushed: OneOf[Literal["cool_down", "muted", "platform_wide"]] | None = None
    """Why nobody was notified of a confirmed alert: `platform_wide` (many brands changed on the platform), `muted`
    (a member muted such alerts) or `cool_down` (a notification about the same change was sent in the last seven
    days). Null for all other alerts, and in the event `alert.raised`.
    """
    summary: str
    """The alert in one sentence."""
    before: NamedShare
    """The previous Daily Check: the last one before the change, in the same cells as `now`."""
    now: NamedShare
    """The Daily Check that first showed the change. Both have only cells with a valid answer in both checks."""
    delta: float
    """Change in percentage points over the matched cells, which have a valid answer in both checks."""
    matched_cells: int
    """Number of cells with a valid answer in both checks."""
    lost: int
    """Number of cells whose answers named the brand or competitor before and do not now."""
    gained: int
    """Number of cells whose answers name the brand or competitor now and did not before."""
    rules: list[OneOf[Literal["cell", "last_dailies", "previous_daily"]]]
    """Tests that found the change: `previous_daily` (compared with the previous Daily Check), `last_dailies`
    (compared with several earlier Daily Checks) or `cell` (one prompt on one platform, compared with its
    earlier Daily Checks). The last two decide by `history`.
    """
    p: float
    """Probability that chance and the platform's usual day-to-day changes cause a change at least this large. If
    several tests found the change, the smallest probability.
    """
    verdict: OneOf[Literal["down", "no_clear_change", "up"]]
    """Result of comparing only `before` with `now`: `up` or `down` if the difference is significant, otherwise
    `no_clear_change`. Whether there is an alert depends on the tests in `rules`, so `verdict` can be
    `no_clear_change`.
    """
    history: AlertHistory | None = None
    """The longer history by which `last_dailies` or `cell` decided that this is an alert. Null if only the
    previous Daily Check decided.
    """
    confirmation: AlertConfirmation | None = None
    """The later Daily Check that confirmed the change. Null until then, and for a `cell` alert, whose later
    answers are in `history`.
    """
    scan_id: str
    """The Daily Check that last changed the state of the alert."""
    now_scan_id: str
    """The Daily Check in `now`."""
    against_scan_id: str
    """The Daily Check in `before`, which the change is measured against."""
    answer_ids: list[str]
    """Answers of the cells that changed, now and before."""
    answers: list[ProvingAnswer]
    """The same answers, each with its check."""
    watched_at: datetime
    """Completion time of the Daily Check that first showed the change."""
    confirmed_at: datetime | None = None
    """Completion time of the Daily Check that confirmed the alert. Null if not confirmed."""
    resolved_at: datetime | None = None
    """Completion time of the Daily Check that resolved the alert. Null if not resolved."""
    notified_at: datetime | None = None
    """When the e-mails and webhook events about this alert were queued. Null if there are none."""
    updated_at: datetime
    """When the state last changed."""


class AlertRaisedData(Alert, frozen=True, kw_only=True):
    """Data of the event `alert.raised`."""

    workspace_id: str
    """Workspace of the tracked domain."""
    livemode: bool
    """True for live data, false for test data."""


class Range(Model, frozen=True, kw_only=True):
    """A range of values."""

    low: float | int
    """Lower end of the range."""
    high: float | int
    """Upper end of the range."""


class Figure(Model, frozen=True, kw_only=True):
    """A metric with its two ranges and its number of answers.

    A value that was not measured is null, never 0.
    """

    value: float | int | None = None
    """Value of the metric. Null if it was not measured."""
    low: float | int | None = None
    """Lower end of the 95% range, in which the value would lie if the same prompts were asked again. Null if there
    is no range.
    """
    high: float | int | None = None
    """Upper end of the 95% range. Null if there is no range."""
    n: int
    """Number of answers that the value is based on."""
    numerator: float | int | None = None
    """Numerator of a share, such as the number of answers that name the brand. For the Visibility Score, the sum
    of the scores of the answers, each from 0 to 1. For a count, the count itself. Null for a rank.
    """
    denominator: float | int | None = None
    """Denominator of a share. For the Visibility Score and for a count, the number of valid answers. For a rank,
    the number of ranked brands, or null without a ranking.
    """
    early_reading: bool
    """Whether the value is based on fewer than ten prompts, so it is uncertain."""
    incomplete: bool
    """Whether more than 20% of the answers for the value failed or are missing, in total or on one platform. Cases
    without an AI answer (`no_surface`) are left out.
    """
    prompts: int | None = None
    """Number of prompts that the value is based on. Null for a rank without competitors, and in results with
    `metrics_version` 1.
    """
    market: Range | None = None
    """95% range in which the value would lie if other, similar prompts were asked. At least as wide as the range
    from `low` to `high`. Null with fewer than five prompts, for figures without such a range (such as counts),
    and in results with `metrics_version` 1.
    """


class Comparison(Model, frozen=True, kw_only=True):
    """A change of a metric: counts, certainty and a verdict."""

    against_scan_id: str
    """Check that the figure is compared with."""
    trend_only: bool
    """Whether the change shows a direction only, because the two checks were not measured in the same way."""
    reasons: list[
        OneOf[
            Literal[
                "cells",
                "competitors",
                "extractor_version",
                "incomplete_before",
                "incomplete_now",
                "metrics_version",
                "model",
                "scope",
                "surface",
            ]
        ]
    ]
    """Why the two checks were not measured in the same way. `scope`: the checks are of different kinds.
    `competitors`: the tracked competitors differ. `cells`: the checks have different prompts or platforms.
    `metrics_version`: the version of the formulas differs. `extractor_version`: the version of the analyzer
    differs. `model`: a platform answered with a different model. `surface`: a platform was asked on another
    surface, so none of its answers are compared. `incomplete_before` and `incomplete_now`: the earlier or the
    later check has too few valid answers.
    """
    matched_cells: int
    """Number of matched cells. A cell is one prompt on one platform. It is matched if it has a valid answer in
    both checks.
    """
    gained: int
    """Number of matched cells whose value rose. For `brand_coverage_pct` and `ai_mentions`: they name the brand
    now and did not before. For `citation_count`: they cite more pages of the brand. For `share_of_voice_pct`:
    the brand has a larger share of their mentions. For `visibility_score` and `market_position`: they add more
    to the Visibility Score.
    """
    lost: int
    """Number of matched cells whose value fell; see `gained`."""
    delta: float | int
    """Change over the matched cells, in the unit of the metric. For `market_position`, it is in places: a negative
    number means a better rank. Share of Voice and Market Position are compared over the competitors that both
    checks measured.
    """
    low: float | int
    """Lower end of the 95% interval of the change."""
    high: float | int
    """Upper end of the 95% interval of the change."""
    p: float
    """Probability that chance alone causes a change at least this large."""
    verdict: OneOf[Literal["down", "no_clear_change", "up"]]
    """`up`, `down` or `no_clear_change`. For `market_position`, `up` is a better rank, with a negative `delta`."""


class GoodFor(Model, frozen=True, kw_only=True):
    """What a figure is good for."""

    grade: OneOf[Literal["decision_grade", "directional", "exploratory"]]
    """`decision_grade` if half the width of `market` is at most 3 points (6 for net sentiment), `directional` up
    to 8 points (16), else `exploratory`, as with fewer than ten prompts. For a rank: its own place only, one
    more place, or more.
    """
    half_width: float | None = None
    """Half the width of `market`, in points; for a rank, in places. Null without it."""
    more_prompts: int | None = None
    """About how many more prompts would lift the figure to the next grade. Null for `decision_grade` and for a
    rank.
    """


class ComparedFigure(Figure, frozen=True, kw_only=True):
    """A metric, and its change since the previous check of the same kind."""

    comparison: Comparison | None = None
    """Change between two single checks, even on the scoreboard, whose `value` can combine several checks. The
    later check is the one in `scan_id`. Without `scan_id`, it is the latest check; for `share_of_voice_pct` and
    `market_position`, the latest Full Check. The earlier check is the previous one of the same kind or, if
    there is none, of any kind. Null if there is no earlier check, or if no prompt has a valid answer on the
    same platform in both checks. For `share_of_voice_pct` and `market_position`, also null if the checks have
    no competitor in common, or one of them has no value.
    """
    good_for: GoodFor | None = None
    """What the value is good for, by the width of `market`. Null for a count, without a value, and in results from
    before this field.
    """


class ComparedHeadline(Model, frozen=True, kw_only=True):
    """The six headline metrics, each with its change."""

    visibility_score: ComparedFigure
    """Visibility Score, 0 to 100: how often and how early answers name the brand, and how often they cite it."""
    brand_coverage_pct: ComparedFigure
    """Share of answers that name the brand, in percent."""
    ai_mentions: ComparedFigure
    """Number of answers that name the brand."""
    citation_count: ComparedFigure
    """Number of cited pages of the brand, each counted once per answer."""
    market_position: ComparedFigure
    """Rank among the competitors with its range. On the scoreboard, as of the latest Full Check. The value of a
    Daily Check is null.
    """
    share_of_voice_pct: ComparedFigure
    """The brand's share of all mentions of the brand and its competitors, in percent. On the scoreboard, as of the
    latest Full Check. The value of a Daily Check is null.
    """


class Headline(Model, frozen=True, kw_only=True):
    """The six headline metrics."""

    visibility_score: Figure
    """Visibility Score, 0 to 100: how often and how early answers name the brand, and how often they cite it."""
    brand_coverage_pct: Figure
    """Share of answers that name the brand, in percent."""
    ai_mentions: Figure
    """Number of answers that name the brand."""
    citation_count: Figure
    """Number of cited pages of the brand, each counted once per answer."""
    market_position: Figure
    """Rank among the competitors with its range. Its value is null without competitors, and if the brand is
    neither named nor cited.
    """
    share_of_voice_pct: Figure
    """The brand's share of all mentions of the brand and its competitors, in percent."""


class FaultCount(Model, frozen=True, kw_only=True):
    """Number of failures of one kind."""

    kind: OneOf[
        Literal["blank", "malformed", "no_money", "rate_limited", "rejected", "timeout", "unauthorised", "unavailable"]
    ]
    """Kind of failure: `rate_limited` (too many requests to the platform), `unavailable` (the platform or the
    connection failed), `timeout`, `malformed` (the reply cannot be parsed), `blank` (the answer has fewer than
    20 characters), `no_money` (the operator's balance with the platform is used up), `unauthorised` (the
    platform does not accept the operator's credentials) or `rejected` (the platform refuses this request).
    """
    answers: int
    """Number of answers that failed this way."""
    message: str
    """Message of the latest of these failures."""


class PlatformResult(Headline, frozen=True, kw_only=True):
    """Headline metrics and answer counts of one platform."""

    platform: str
    """Key of the platform."""
    surface: OneOf[Literal["api", "app", "import", "sandbox", "serp"]] | None = None
    """Where the answer was seen: `api` (the API of a model), `serp` (a page of search results), `app` (the app of
    the platform, as people see it), `import` (an answer that somebody brought) or `sandbox` (a made-up answer).
    Null without an answer, and in older results.
    """
    planned: int
    """Number of answers that were planned."""
    valid: int
    """Number of valid answers: those with the status `ok`."""
    no_surface: int
    """Number of times that the platform showed no AI answer."""
    failed: int
    """Number of answers that could not be obtained."""
    unanswered: int
    """Number of answers that were still missing when the scan ended."""
    incomplete: bool
    """Whether more than 20% of the answers of this platform failed or are missing. Cases in which the platform
    showed no AI answer (`no_surface`) are left out.
    """
    surface_rate: Figure | None = None
    """Share of prompts for which the platform showed an AI answer, in percent. Null if it showed one for every
    prompt.
    """
    faults: list[FaultCount]
    """Failures by kind."""


class CountryResult(Headline, frozen=True, kw_only=True):
    """Headline metrics of one country."""

    country: str | None = None
    """ISO 3166-1 alpha-2 code. Null for prompts without a country."""
    planned: int
    """Number of planned answers: one for each prompt on each platform."""
    valid: int
    """Number of valid answers among them."""


class BoardCell(Model, frozen=True, kw_only=True):
    """The latest known answer of one prompt on one platform."""

    platform: str
    """Key of the platform."""
    state: OneOf[Literal["absent", "cited_only", "failed", "named", "no_surface", "not_asked"]]
    """`named`, `cited_only`, `absent`, `no_surface` (no AI answer was shown), `failed` or `not_asked`."""
    in_headline: bool
    """Whether the latest Full Check includes this prompt on this platform. If false, it counts from the next Full
    Check on. Only meaningful on the scoreboard.
    """
    position: int | None = None
    """Rank of the brand among the brands in the answer, 1 is first. Null if it has none."""
    cited: bool | None = None
    """Whether the answer cites a page of the brand. Null without a valid answer."""
    answer_id: str | None = None
    """Id of the answer that is shown. It belongs to the check `scan_id`."""
    scan_id: str | None = None
    """Check that the answer belongs to."""
    scope: OneOf[Literal["console_check", "daily_check", "free_audit", "full_check"]] | None = None
    """Kind of that check."""
    checked_at: datetime | None = None
    """When that check completed."""
    stale: bool
    """Whether a later check asked again without getting a valid answer."""


class BoardPrompt(Model, frozen=True, kw_only=True):
    """A tracked prompt with its latest valid answers."""

    prompt_id: str
    """Id of the prompt."""
    prompt: str
    """Text of the prompt."""
    language_code: str | None = None
    """Language of the prompt. Null for prompts from before languages were recorded."""
    country_iso_2: str | None = None
    """Country of the prompt. Null if none is set."""
    branded: bool
    """Whether the text names the brand. All headline figures except the number of citations leave out answers to
    such prompts. If every prompt names the brand, no answers are left out.
    """
    in_headline: bool
    """Whether the latest Full Check includes the prompt, branded or not. If false, it was added later and counts
    from the next Full Check on. Only meaningful on the scoreboard.
    """
    cells: list[BoardCell]
    """One cell per platform."""


class SourceResult(Model, frozen=True, kw_only=True):
    """A site that answers cite."""

    domain: str
    """Registrable domain of the site."""
    type: OneOf[
        Literal[
            "competitor",
            "encyclopaedia",
            "forum",
            "government",
            "list",
            "news",
            "other",
            "own",
            "review",
            "shop",
            "video",
        ]
    ]
    """Kind of site: `review`, `list` (lists and comparisons), `forum`, `news`, `video`, `encyclopaedia`,
    `government`, `shop`, `own`, `competitor` or `other`.
    """
    urls: int
    """Number of different pages of the site that are cited."""
    answers: int
    """Number of answers that cite the site."""
    is_own: bool
    """Whether the site belongs to the brand."""
    is_competitor: bool
    """Whether the site belongs to a competitor."""


class CompetitorResult(Model, frozen=True, kw_only=True):
    """One row of the ranking, which includes the measured brand."""

    name: str
    """Name of the brand."""
    domains: list[str]
    """Domains of the brand."""
    is_own: bool
    """True for the measured brand."""
    score: Figure
    """Visibility Score of the brand."""
    position: int | None = None
    """Place in the ranking. Null if the brand is neither named nor cited."""
    position_low: int
    """Best place in the 95% range of `position`."""
    position_high: int
    """Worst place in the 95% range of `position`."""
    tied: bool
    """Whether the brand shares its place with another."""
    mentions: int | None = None
    """Number of answers that name the brand. Null without a valid answer."""
    share_of_voice_pct: float | int | None = None
    """The brand's share of the mentions of all brands in the ranking, in percent. Null without a mention."""


class SentimentResult(Model, frozen=True, kw_only=True):
    """Sentiment in the answers of a Full Check.

    On the scoreboard, answers of the latest Full Check that a later check has replaced are left out.
    """

    score: float | int | None = None
    """Median score of the scored answers, 0 to 100; between 40 and 60 is neutral. Null with fewer than 3."""
    label: OneOf[Literal["negative", "neutral", "positive"]] | None = None
    """Most frequent label. Null with fewer than three scored answers."""
    net: Figure
    """Net sentiment, -100 to 100. For each prompt, it is the number of positive answers minus the number of
    negative answers, in percent of the prompt's scored answers. `value` is the mean over the prompts. It is
    null with fewer than three prompts that have scored answers. `numerator` is the number of all positive
    answers minus the number of all negative answers. `n` and `denominator` are the number of all scored
    answers.
    """
    responses_analyzed: int
    """Number of scored answers."""
    unscored: int
    """Number of answers that name the brand and were not scored. They never count as neutral."""
    unscored_reasons: dict[str, int]
    """Number of unscored answers for each reason. `language`: no scorer supports the language of the answer.
    `doubt`: the scorer is not sure enough. `no_opinion`: the brand is named only in passing. The sum may be
    less than `unscored`, because older answers have no reason.
    """
    low_data: bool
    """Whether there are fewer than three scored answers."""
    mixed: bool
    """Whether the labels are tied. `label` is then `neutral`."""
    positive: int
    """Number of positive answers."""
    neutral: int
    """Number of neutral answers."""
    negative: int
    """Number of negative answers."""


class MarketRanges(Model, frozen=True, kw_only=True):
    """The `market` ranges of two headline metrics.

    They are null with fewer than five prompts.
    """

    visibility_score_market: Range | None = None
    """Same as `headline.visibility_score.market`."""
    brand_coverage_pct_market: Range | None = None
    """Same as `headline.brand_coverage_pct.market`."""


class Scan(Model, frozen=True, kw_only=True):
    """One scan.

    Its metrics are null until it completes. `completed_at` is also set if it fails or is canceled.
    """

    id: str
    """Id of the scan. Elsewhere, it is called `scan_id`."""
    domain_id: str
    """Domain that is scanned."""
    domain: str
    """Host name of the domain when the scan was submitted."""
    livemode: bool
    """True for live data, false for test data."""
    measurement_scope: OneOf[Literal["console_check", "daily_check", "free_audit", "full_check"]]
    """Kind of scan. In the Console API and in events always `console_check`, a scan on demand. In the Data API
    `full_check`, `daily_check` or `free_audit` (the only check of the Free plan).
    """
    measurement_label: str
    """Display name of the kind of scan."""
    status: OneOf[Literal["pending", "running", "completed", "failed", "cancelled"]]
    """`pending`, then `running`, then `completed`, `failed` or `cancelled`."""
    answers_total: int
    """Number of expected answers: prompts times platforms."""
    answers_completed: int
    """Number of replies from platforms, including replies without an AI answer."""
    answers_failed: int
    """Number of answers that could not be obtained. No metric counts them."""
    visibility_score: float | None = None
    """Visibility Score, 0 to 100: how often and how early answers name the brand, and how often they cite it. Null
    until completed, and without a valid answer.
    """
    brand_coverage_pct: float | None = None
    """Share of answers that name the brand, in percent. Null until completed, and without a valid answer."""
    ai_mentions: int | None = None
    """Number of answers that name the brand. Null until completed, and without a valid answer."""
    citation_count: int | None = None
    """Number of cited pages of the brand, each counted once per answer. Null until completed."""
    market_position: int | None = None
    """Rank among the competitors, 1 is best. Null until completed, without competitors, if the brand is neither
    named nor cited, and for a Daily Check: Full Checks set it.
    """
    started_at: datetime | None = None
    """When the scan started to run. Null until then."""
    completed_at: datetime | None = None
    """When the scan completed, failed or was canceled. Null until then."""
    duration_seconds: float | None = None
    """Seconds from start to end. Null before the end, and for a scan that never started."""
    error_message: str | None = None
    """Why the scan failed. Null otherwise."""
    selected_platforms: list[str]
    """Keys of the platforms that are asked."""
    customer_keywords: list[str]
    """Prompts that you sent, trimmed and without repeats. Empty if they were suggested, and for scheduled checks."""
    keywords_note: str | None = None
    """If Sightline had too few good suggestions for prompts, it added general questions, and this text says why.
    Null otherwise.
    """
    content_project_id: str | None = None
    """Your own reference, as you sent it. Null if you sent none."""
    credits_charged: int
    """Credits that were charged when the scan was accepted. Scheduled checks cost none."""
    credits_refunded: int
    """Credits that were refunded. A scan that failed, or was canceled before it started, is refunded in full. A
    completed scan is refunded for each platform whose answers all failed.
    """
    answers_source: OneOf[Literal["live", "sandbox"]]
    """`live`: real platforms were asked. `sandbox`: the answers are made up, as in test mode and while no platform
    is connected.
    """
    answers_expired_at: datetime | None = None
    """When the answers were deleted, because the operator limits how long answers are stored. All figures stay
    unchanged. Null while the answers are stored.
    """
    created_at: datetime
    """When the scan was created."""


class ThemeQuote(Model, frozen=True, kw_only=True):
    """A sentence or list item of an answer, verbatim.

    The brand is its subject.
    """

    answer_id: str
    """Answer that contains the sentence. It belongs to the check `scan_id`."""
    text: str
    """The sentence, with its Markdown."""


class ThemeShareChange(Model, frozen=True, kw_only=True):
    """How the share of a theme has changed since the previous Full Check."""

    previous_share_pct: float
    """Share in the previous Full Check, in percent."""
    verdict: OneOf[Literal["down", "new", "no_clear_change", "up"]]
    """`up`, `down`, `no_clear_change`, or `new` if no answer of the previous Full Check mentioned the theme. Only
    prompts and platforms whose answers name the brand in both checks are compared. The test is corrected for
    the number of themes.
    """


class Theme(Model, frozen=True, kw_only=True):
    """An aspect of the brand that answers mention, with the sentences that mention it."""

    id: str
    """Id of the theme."""
    scan_id: str
    """Full Check that the theme was found in."""
    descriptor: str
    """The aspect of the brand, such as `ease of use`. Different words for the same aspect are merged into one
    theme.
    """
    theme_key: str | None = None
    """Key of the theme in the domain's codebook, such as `t3`: the same in every Full Check, also after it was
    renamed. Null for a theme that rules found.
    """
    kind: OneOf[Literal["distinctive", "shared"]]
    """`distinctive`: answers mention it significantly more often for the brand than for all competitors together,
    corrected for the number of themes. `shared`: any other theme.
    """
    answers: int
    """Number of answers that mention it for the brand."""
    share_pct: float
    """These answers as a percentage of all answers that name the brand."""
    share_low_pct: float | None = None
    """Lower end of the 95% range of `share_pct` for these prompts. Null if an older version of Sightline found the
    theme.
    """
    share_high_pct: float | None = None
    """Upper end of the 95% range of `share_pct` for these prompts. Null if an older version of Sightline found the
    theme.
    """
    prompts: int | None = None
    """Number of prompts that these answers belong to. Null if an older version of Sightline found the theme."""
    platforms: int | None = None
    """Number of platforms that these answers come from. Null if an older version of Sightline found the theme."""
    few_answers: bool
    """Whether fewer than ten answers name the brand. Themes may then still change a lot."""
    log_odds: float
    """Log odds ratio of the theme: answers about the brand against answers about competitors."""
    z: float
    """z-score of `log_odds`, before the correction for the number of themes. Every `distinctive` theme has at
    least 1.96. Because of the correction, a `shared` theme can have 1.96 or more, too.
    """
    polarity: float | None = None
    """0 if all answers criticize it, 100 if all praise it. Null if none was scored."""
    polarity_label: OneOf[Literal["negative", "neutral", "positive"]] | None = None
    """`neutral` if more than half of the answers are neutral. Otherwise, only answers that praise or criticize the
    aspect count: `positive` if at least two thirds of them praise it, `negative` if at least two thirds of them
    criticize it, and `neutral` if they are divided. Null if none was scored.
    """
    positive: int | None = None
    """Number of answers that praise it. Null if an older version of Sightline found the theme."""
    neutral: int | None = None
    """Number of answers that do neither, or both equally. Null if an older version of Sightline found the theme."""
    negative: int | None = None
    """Number of answers that criticize it. Null if an older version of Sightline found the theme."""
    quote: str
    """The first of `quotes`. Themes found by an older version of Sightline have only this quote."""
    quotes: list[ThemeQuote]
    """Up to three sentences that mention it."""
    change: ThemeShareChange | None = None
    """Change since the previous Full Check. Null if there is no previous Full Check, or if no prompt has an answer
    that names the brand on the same platform in both Full Checks.
    """
    answer_ids: list[str]
    """Answers that mention it. They belong to the check `scan_id`."""
    opinions: list[OneOf[Literal["negative", "neutral", "positive"]]]
    """Opinion of each answer in `answer_ids` about the aspect, in the same order. Empty if an older version of
    Sightline found the theme.
    """


class UnreadLanguage(Model, frozen=True, kw_only=True):
    """A language for which themes are not available."""

    language_code: str
    """Two-letter code of the language."""
    answers: int
    """Number of answers in that language that name the brand and were not read."""
    reason: OneOf[Literal["no_word_lists"]]
    """`no_word_lists`: rules find themes in English answers only, and the themes were not edited."""


class TrendPoint(Model, frozen=True, kw_only=True):
    """One past check, measured by its own answers alone.

    Daily Checks have no market figures: Full Checks set them.
    """

    scan_id: str
    """Id of the check."""
    scope: OneOf[Literal["console_check", "daily_check", "free_audit", "full_check"]]
    """Kind of the check."""
    completed_at: datetime
    """When the check completed."""
    incomplete: bool
    """Whether more than 20% of the answers failed or are missing, overall or on one platform. Cases in which a
    platform showed no AI answer (`no_surface`) are left out.
    """
    surfaces: dict[str, OneOf[Literal["api", "app", "import", "sandbox", "serp"]] | None]
    """The surface of each platform, null without an answer. Figures do not compare with those of a check in which
    a platform has another surface. Empty for older checks. Where the answer was seen: `api` (the API of a
    model), `serp` (a page of search results), `app` (the app of the platform, as people see it), `import` (an
    answer that somebody brought) or `sandbox` (a made-up answer).
    """
    visibility_score: Figure
    """Visibility Score, 0 to 100: how often and how early answers name the brand, and how often they cite it."""
    brand_coverage_pct: Figure
    """Share of answers that name the brand, in percent."""
    ai_mentions: Figure
    """Number of answers that name the brand."""
    citation_count: Figure
    """Number of cited pages of the brand, each counted once per answer."""
    market_position: Figure
    """Rank among the competitors with its range. The value of a Daily Check is null."""
    share_of_voice_pct: Figure
    """The brand's share of all mentions of the brand and its competitors, in percent. The value of a Daily Check
    is null.
    """


class Analytics(Model, frozen=True, kw_only=True):
    """The figures of a brand, from the latest valid answers (`scoreboard`) or from one check alone (`scan`)."""

    metrics_version: str
    """Version of the formulas."""
    extractor_version: str
    """Version of the analyzer that found brands and sources in the answers."""
    planned: int
    """Number of planned answers: one for each prompt on each platform."""
    valid: int
    """Number of valid answers among them."""
    incomplete: bool
    """Whether more than 20% of the answers failed or are missing, overall or on one platform. Cases in which a
    platform showed no AI answer (`no_surface`) are left out.
    """
    early_reading: bool
    """Whether there are fewer than ten prompts."""
    only_branded: bool
    """Whether every prompt names the brand. If true, the headline figures are computed from these prompts."""
    headline: ComparedHeadline
    """The six headline metrics, each with its comparison."""
    platforms: list[PlatformResult]
    """The same figures for each platform."""
    countries: list[CountryResult]
    """The same figures for each country."""
    prompts: list[BoardPrompt]
    """Every tracked prompt with its latest known answer on each platform. With `scan_id`, the prompts and answers
    of that check.
    """
    sources: list[SourceResult]
    """Sites that the answers cite, most cited first."""
    competitors: list[CompetitorResult]
    """Ranking by Visibility Score. On the scoreboard, as of the latest Full Check."""
    sentiment: SentimentResult | None = None
    """Sentiment about the brand. Only Full Checks measure it: null before the first one, and with the `scan_id` of
    another kind of check. On the scoreboard, an answer no longer counts if a Daily Check has asked its prompt
    again.
    """
    branded: Headline | None = None
    """Headline metrics over the prompts that name the brand. Null if no prompt names the brand."""
    details: MarketRanges | None = None
    """Copies of `headline.visibility_score.market` and `headline.brand_coverage_pct.market`. Null if
    `metrics_version` is 1.
    """
    source: OneOf[Literal["scan", "scoreboard"]]
    """`scoreboard`: the latest valid answers. `scan`: one check alone."""
    domain_id: str
    """Tracked domain."""
    scan: Scan | None = None
    """Requested check. For the scoreboard: the latest Full Check, whose prompts and platforms count in the
    figures. Before the first Full Check, it is the latest check. Null before the first check.
    """
    as_of: datetime | None = None
    """When the latest check in these figures completed. Null before the first check."""
    themes: list[Theme]
    """Brand Themes of the latest Full Check: aspects of the brand that its answers mention. Empty if `scan` is any
    other check. Only the Professional and Agency plans include them.
    """
    unread_themes: list[UnreadLanguage]
    """Languages for which themes are not available, most answers first."""
    trend: list[TrendPoint]
    """One point for each check of the last year, oldest first."""


class Span(Model, frozen=True, kw_only=True):
    """A part of an answer's text, in characters (code points), end excluded."""

    start: int
    """Offset of the first character in the text, counted from 0 in Unicode code points."""
    end: int
    """Offset after the last character, counted like `start`."""


class Source(Model, frozen=True, kw_only=True):
    """A page that an answer cites or that the platform retrieved.

    A page that was only retrieved has no spans.
    """

    url: str
    """Address of the page."""
    title: str | None = None
    """Title of the page. Null if the platform does not report one."""
    spans: list[Span]
    """Parts of the text that cite the page."""


class ProductCard(Model, frozen=True, kw_only=True):
    """A product that an app shows next to its answer."""

    name: str
    """Name of the product, as the card shows it."""
    brand: str | None = None
    """Brand. Null if the platform does not report it."""
    price: str | None = None
    """Price as a decimal number. Null if the card has none."""
    currency: str | None = None
    """Currency of the price, such as `USD`."""
    seller: str | None = None
    """Who sells it, or the site that the card leads to."""
    url: str | None = None
    """Address that the card leads to."""
    place: int
    """Place among the cards of the answer. 1 is first."""


class Fault(Model, frozen=True, kw_only=True):
    """Why there is no answer."""

    kind: OneOf[
        Literal["blank", "malformed", "no_money", "rate_limited", "rejected", "timeout", "unauthorised", "unavailable"]
    ]
    """Kind of failure: `rate_limited` (too many requests to the platform), `unavailable` (the platform or the
    connection failed), `timeout`, `malformed` (the reply cannot be parsed), `blank` (the answer has fewer than
    20 characters), `no_money` (the operator's balance with the platform is used up), `unauthorised` (the
    platform does not accept the operator's credentials) or `rejected` (the platform refuses this request).
    """
    message: str
    """What happened."""


class Occurrence(Model, frozen=True, kw_only=True):
    """One place in an answer that names a brand.

    `start` and `end` are offsets in the text of the answer.
    """

    start: int
    """Offset of the first character in the text, counted from 0 in Unicode code points."""
    end: int
    """Offset after the last character, counted like `start`."""
    text: str
    """Words in the text that name the brand."""
    stance: OneOf[Literal["contrast", "discouraged", "neutral", "unknown"]]
    """How this place presents the brand: `contrast` (others are contrasted with the brand, as in "unlike Acme" or
    "better than Acme"), `discouraged` (the answer advises against the brand), `unknown` (the answer only says
    that it does not know the brand) or `neutral` (any other mention, including praise).
    """
    derived: bool
    """Whether the words are only derived from the name, such as `Acme-like`."""
    product: str | None = None
    """Product that follows the name, such as `Mini X200`. Null if none does."""


class AnswerBrand(Model, frozen=True, kw_only=True):
    """What an answer says about one brand.

    Console scans do not measure sentiment.
    """

    name: str
    """Name of the brand."""
    is_own: bool
    """True for the measured brand."""
    mentioned: bool
    """Whether the answer names the brand. A derived word such as `Acme-like` counts. False if the answer only says
    that it does not know the brand.
    """
    cited: bool
    """Whether the answer cites a page of the brand."""
    position: int | None = None
    """Rank of the brand among the brands in the answer, 1 is first. Null if it has none."""
    stance: OneOf[Literal["contrast", "discouraged", "neutral", "unknown"]] | None = None
    """How the answer presents the brand: `contrast` (others are contrasted with the brand, as in "unlike Acme" or
    "better than Acme"), `discouraged` (the answer advises against the brand), `unknown` (the answer only says
    that it does not know the brand) or `neutral` (any other mention, including praise). Null if the answer does
    not contain the name.
    """
    occurrences: list[Occurrence]
    """Every place in the text that names the brand."""
    cited_urls: list[str]
    """Normalized addresses of the brand's pages that the answer cites."""


class Citation(Model, frozen=True, kw_only=True):
    """A page that the answer cites, normalized.

    `domain` is its registrable domain.
    """

    url: str
    """Normalized address of the page, without scheme, `www.` and tracking parameters."""
    host: str
    """Host of the page."""
    domain: str
    """Registrable domain of the page."""


class Candidate(Model, frozen=True, kw_only=True):
    """A name in an answer that may be a brand.

    `rank` is its place among these names. List items also start with labels such as "Quiet Operation". So
    ordinary words are `proven` to be a name only if they have a site, or a capital letter inside a sentence.
    """

    name: str
    """Name that was found: a brand, or a product with its maker."""
    rank: int
    """Place of the name among the names in the answer."""
    domain: str | None = None
    """Site of the brand, if the answer links to it. Null otherwise."""
    proven: bool
    """Whether this is certainly a name. False for ordinary words that start a list item, such as `Quiet
    Operation`.
    """
    alone: bool
    """Whether the first word of the name also occurs on its own in the answer: for `Hooli Mini`, whether the
    answer also says just `Hooli`. Always true for a name of one word.
    """


class Usage(Model, frozen=True, kw_only=True):
    """What one request to a platform used."""

    input_tokens: int | None = None
    """Number of input tokens. Null if the platform does not report it."""
    output_tokens: int | None = None
    """Number of output tokens. Null if the platform does not report it."""
    searches: int | None = None
    """Number of searches. Null if the platform does not report it."""


class AnswerProvenance(Model, frozen=True, kw_only=True):
    """Where an answer comes from and how it was obtained."""

    surface: OneOf[Literal["api", "app", "import", "sandbox", "serp"]]
    """Where the answer was seen: `api` (the API of a model), `serp` (a page of search results), `app` (the app of
    the platform, as people see it), `import` (an answer that somebody brought) or `sandbox` (a made-up answer).
    """
    vendor: str
    """Company whose API was called, such as `openai`."""
    model_asked: str | None = None
    """Model that was requested. Null if there is no choice."""
    model_served: str | None = None
    """Model that answered. Null if the platform does not report it."""
    country_honoured: bool | None = None
    """Whether the platform took the country into account. Null if no country was requested."""
    tool_version: str | None = None
    """Version of the platform's search tool. Null if the platform does not report it."""
    request_id: str | None = None
    """The platform's own id of the request. Null if it gives none."""
    usage: Usage
    """Resources that the request used."""
    latency_ms: int
    """Duration of the last attempt in milliseconds."""
    attempts: int
    """Number of attempts."""


class Answer(Model, frozen=True, kw_only=True):
    """One answer of a scan.

    The results of the analysis are null or empty unless the status is `ok`.
    """

    id: str
    """Id of the answer."""
    scan_id: str
    """Scan that the answer belongs to."""
    prompt: str
    """Text of the prompt."""
    language: str | None = None
    """Language that the prompt was asked in. Null if none was set, as in every scan on demand."""
    country: str | None = None
    """Country that the prompt was asked from. Null if none was set, as in every scan on demand."""
    platform: str
    """Key of the platform."""
    status: OneOf[Literal["failed", "no_surface", "ok"]]
    """`ok`, `no_surface` (no AI answer was shown) or `failed`."""
    text: str
    """Answer as the platform gave it. Empty unless the status is `ok`."""
    cited_sources: list[Source]
    """Pages that the answer cites."""
    retrieved_sources: list[Source]
    """Pages that the platform retrieved without citing them."""
    queries: list[str]
    """Searches that the platform derived from the prompt."""
    products: list[ProductCard]
    """Product cards that the app shows with the answer, in their order."""
    fault: Fault | None = None
    """Why the answer failed. Null otherwise."""
    mentioned: bool | None = None
    """Whether the answer names the brand. A derived word such as `Acme-like` counts. False if the answer only says
    that it does not know the brand. Null unless the status is `ok`.
    """
    cited: bool | None = None
    """Whether the answer cites a page of the brand. Null unless the status is `ok`."""
    position: int | None = None
    """Rank of the brand among the brands in the answer, 1 is first. Null if it has none."""
    stance: OneOf[Literal["contrast", "discouraged", "neutral", "unknown"]] | None = None
    """How the answer presents the brand: `contrast` (others are contrasted with the brand, as in "unlike Acme" or
    "better than Acme"), `discouraged` (the answer advises against the brand), `unknown` (the answer only says
    that it does not know the brand) or `neutral` (any other mention, including praise). Null if the answer does
    not contain the name.
    """
    brands: list[AnswerBrand]
    """What the answer says about the measured brand, which comes first, and about each competitor."""
    citations: list[Citation]
    """Cited pages after normalization, each once, as the metrics count them."""
    candidates: list[Candidate]
    """Names in the answer that look like brands, but are neither the measured brand nor one of its competitors."""
    provenance: AnswerProvenance
    """Where the answer comes from."""
    answered_at: datetime
    """When the answer was stored."""


class AnswerCorrection(Model, frozen=True, kw_only=True):
    """A correction of one answer, its effect on all other answers, and who made it."""

    id: str
    """Id of the correction, used as `correction_id`."""
    domain_id: str
    """Tracked domain that the correction belongs to."""
    scan_id: str
    """Check that the answer belongs to."""
    answer_id: str
    """Corrected answer."""
    kind: OneOf[Literal["missing", "not_this_brand"]]
    """`not_this_brand`: the words are marked as the brand and mean something else. `missing`: the words name the
    brand and are not marked.
    """
    start: int
    """Offset of the first character in `text` of the answer, counted from 0 in Unicode code points."""
    end: int
    """Offset of the first character after the words."""
    text: str
    """Words at this place of the answer."""
    phrase: str | None = None
    """Longer phrase in which the words never mean the brand, such as `target audience` if the brand is `Target`.
    It applies to all answers. Null if the correction has no phrase.
    """
    name: str | None = None
    """Name that this correction added to the brand. Undoing removes it. Null if no name was added."""
    created_by: str
    """Member who made the correction, or who created the key that made it."""
    api_key_id: str | None = None
    """Key that made the correction. Null if it was made in the app."""
    created_at: datetime
    """When the correction was made."""


class AuditActor(Model, frozen=True, kw_only=True):
    """Who acted."""

    type: OneOf[Literal["key", "operator", "person", "system"]]
    """`person` (signed in), `key` (an API key), `operator` (a command on the server) or `system` (Sightline
    itself, or nobody who is known).
    """
    id: str | None = None
    """Id of the person or the key. Null for others."""
    name: str | None = None
    """Present name of the person or the key. A deleted person has a pseudonym."""


class AuditRow(Model, frozen=True, kw_only=True):
    """One action in the workspace."""

    id: str
    """Id of the entry."""
    recorded_at: datetime
    """When it happened."""
    action: str
    """What happened, such as `key_created`."""
    actor: AuditActor
    """Who acted."""
    name: str | None = None
    """Name of what was changed, such as a key or a member. Null if it has none."""
    details: dict[str, Any]
    """Ids, names of settings and counts. Never secrets, e-mail addresses or texts of answers."""
    address: str | None = None
    """IP address of the request. Null if there was none."""
    request_id: str | None = None
    """Id of the API request. Null for pages and commands."""


class Balance(Model, frozen=True, kw_only=True):
    """The credits of a workspace, and its spending this month."""

    balance: int
    """Credits that are left. Negative only after a payment was reversed."""
    spend_cap_cents: int
    """Spending limit of the workspace for credits in a calendar month (UTC), in US cents."""
    current_month_spend_cents: int
    """Purchases credited in this calendar month (UTC) minus their refunds, in US cents."""
    livemode: bool
    """True for live data, false for test data."""


class BestRival(Model, frozen=True, kw_only=True):
    """The competitor, tracked or discovered, that is named in the most answers to the prompt."""

    name: str
    """Name of the competitor."""
    answers: int
    """Number of valid answers to the prompt that name the competitor."""
    mean_place: float | None = None
    """Mean position of the competitor among the brands in these answers. Null if unknown."""
    pages: list[str]
    """The competitor's own pages that these answers cite, most cited first."""
    answer_ids: list[str]
    """These answers. They belong to the check `scan_id` of the opportunity. Empty if an older version of Sightline
    found the opportunity.
    """


class FormerValue(Model, frozen=True, kw_only=True):
    """A value that was true once.

    Answers that state it are outdated, and do not contradict.
    """

    value: str
    """The former value."""
    until: date | None = None
    """Day from which it was no longer true. Null if it is not known."""


class BrandFact(Model, frozen=True, kw_only=True):
    """A fact of a brand."""

    id: str
    """Id of the fact, used as `fact_id`."""
    kind: OneOf[Literal["ability", "availability", "certification", "founded", "place", "price", "product"]]
    """Kind of fact."""
    subject: str
    """What the fact is about: the product or plan, the certificate, what the brand does or does not do, or what is
    at a place, such as `headquarters`. Empty for `founded`, and where all products are meant.
    """
    value: str
    """What is true: an amount such as `20` or `19.99`, a year, a place such as `Aarhus, Denmark`, or `yes` or `no`
    for the kinds `product` (is it still sold), `availability`, `certification` and `ability`.
    """
    currency: str | None = None
    """ISO 4217 code of a price. Null for other facts."""
    unit: OneOf[Literal["month", "user_month", "user_year", "year"]] | None = None
    """What a price is for. Null if it is paid once."""
    country: str | None = None
    """Country in which it holds. Null for everywhere."""
    valid_from: date | None = None
    """Day from which it is true. Null if it is not known."""
    former: list[FormerValue]
    """Values that were true before."""
    accepted: list[str]
    """Other statements that people have said are right, too."""
    status: OneOf[Literal["confirmed", "proposed"]]
    """`proposed`: found on the brand's site; answers are not compared with it until it is confirmed."""
    source: str | None = None
    """Page that declares it. Null if a person entered it."""
    last_updated: datetime
    """When the fact last changed."""


class CandidateResult(Model, frozen=True, kw_only=True):
    """A name that could be tracked as a competitor."""

    name: str
    """Name that was found."""
    domain: str | None = None
    """Site of the brand, if an answer links to it. Null otherwise."""
    score: float | int
    """Score by which the candidates are sorted. It has no other meaning."""
    answers: int
    """Number of answers that contain the name."""
    prompts: int
    """Number of prompts whose answers contain the name."""
    platforms: int
    """Number of platforms whose answers contain the name."""


class CountChange(Model, frozen=True, kw_only=True):
    """How a number of answers changed, over the matched cells of two Full Checks."""

    kind: OneOf[Literal["competitor", "coverage", "lead", "platform", "prompt", "source"]]
    """`coverage`: answers that name the brand. `platform`: the same on one platform. `lead`: prompts whose answers
    name the brand more often than any other brand. `competitor`: answers that name a competitor. `prompt`:
    answers to one prompt that name the brand. `source`: answers that cite a site.
    """
    subject: str | None = None
    """`platform`: key of the platform. `competitor`: name of the competitor. `prompt`: text of the prompt.
    `source`: domain of the site. Null for `coverage` and `lead`.
    """
    before: int
    """Number of such answers in the earlier Full Check. For `lead`, the number of prompts."""
    now: int
    """Number of such answers in the latest Full Check. For `lead`, the number of prompts."""
    total: int
    """Number of matched cells. A cell is one prompt on one platform. It is matched if it has a valid answer in
    both Full Checks. For `source`, both answers must have sources. For `lead`, it is the number of prompts.
    """
    delta: float | int
    """Difference in percentage points."""
    low: float | int
    """Lower end of the 95% range of the difference."""
    high: float | int
    """Upper end of the 95% range of the difference."""
    p: float | int
    """Probability that chance alone causes a difference this large."""
    verdict: OneOf[Literal["down", "no_clear_change", "up"]]
    """In `established`: `up` or `down`. In `unclear`: `no_clear_change`."""
    gained: int | None = None
    """Number of matched cells, or prompts for `lead`, that count in `now` and not in `before`. Null if an older
    version of Sightline compared the checks.
    """
    lost: int | None = None
    """Number of matched cells, or prompts for `lead`, that count in `before` and not in `now`. Null if an older
    version of Sightline compared the checks.
    """
    prompt_id: str | None = None
    """Id of the prompt. Null unless `kind` is `prompt`."""
    tier: OneOf[Literal["clear", "rest", "watch"]] | None = None
    """`clear`: a clear change. `watch`: worth watching; about one in five of these is chance. `rest`: chance
    explains it. It allows for bad days of platforms, which `verdict` does not. Null for `lead` and `source`,
    and if an older version of Sightline compared the checks.
    """


class LeadingBrand(Model, frozen=True, kw_only=True):
    """The brand that is named in the most answers to a prompt."""

    name: str
    """Name of the brand: yours, a competitor, or one found in the answers."""
    named: int
    """Number of answers that name it."""


class WinnerChange(Model, frozen=True, kw_only=True):
    """A prompt whose winner has changed.

    Each of the two brands led the other by at least two answers.
    """

    prompt_id: str
    """Id of the prompt."""
    prompt: str
    """Text of the prompt."""
    country_iso_2: str | None = None
    """Country of the prompt. Null if none is set."""
    answers: int
    """Number of platforms that answered in both Full Checks."""
    before: LeadingBrand
    """Brand that won in the earlier Full Check."""
    now: LeadingBrand
    """Brand that wins now."""


class PlatformSourceChange(Model, frozen=True, kw_only=True):
    """A site that a platform began to cite, or stopped citing, in at least six answers."""

    platform: str
    """Key of the platform."""
    site: str
    """Registrable domain of the site."""
    change: OneOf[Literal["lost", "new"]]
    """`new`: cited now and not before. `lost`: cited before and not now."""
    answers: int
    """Number of answers that cite the site: now if `new`, before if `lost`."""
    total: int
    """Number of matched cells of the platform whose answers have sources in both Full Checks."""


class FigureChange(Model, frozen=True, kw_only=True):
    """How a headline figure changed from one Full Check to the next."""

    metric: OneOf[
        Literal[
            "ai_mentions",
            "brand_coverage_pct",
            "citation_count",
            "market_position",
            "share_of_voice_pct",
            "visibility_score",
        ]
    ]
    """Name of the figure."""
    before: float | int | None = None
    """Value in the earlier Full Check. Null if not measured."""
    now: float | int | None = None
    """Value in the latest Full Check. Null if not measured."""
    comparison: Comparison
    """Change over the matched cells. It decides whether the change is established."""


class SourceAnswers(Model, frozen=True, kw_only=True):
    """How many answers cite the new and the lost sites."""

    new: int
    """Number of answers of the latest Full Check that cite a new site."""
    lost: int
    """Number of answers of the earlier Full Check that cite a lost site."""


class PeriodResult(Model, frozen=True, kw_only=True):
    """How the number of answers that name a brand changed over a fixed period, with its tier."""

    subject: OneOf[Literal["brand", "platform", "prompt"]]
    """`brand`: your brand or a competitor. `platform`: your brand on a platform. `prompt`: your brand in the
    answers to a prompt.
    """
    name: str
    """Name of the brand, key of the platform or id of the prompt."""
    period: OneOf[Literal["four_weeks", "last_check", "twelve_weeks"]]
    """`last_check`: since the previous Full Check. `four_weeks` and `twelve_weeks`: over all Full Checks of that
    time.
    """
    since: datetime
    """When the first Full Check of the period completed."""
    checks: int
    """Number of Full Checks at each end of the period: a third of them."""
    before: int
    """Answers that name the brand in the first checks of the period."""
    before_answers: int
    """Valid answers in the first checks of the period."""
    now: int
    """Answers that name the brand in the last checks of the period."""
    now_answers: int
    """Valid answers in the last checks of the period."""
    p: float | int
    """Probability that chance alone causes a change at least this large."""
    tier: OneOf[Literal["clear", "rest", "watch"]]
    """`clear`: a clear change. `watch`: worth watching; about one in five of these is chance. `rest`: chance
    explains it.
    """


class ModelChange(Model, frozen=True, kw_only=True):
    """A platform that answered with a different model than in the previous Full Check."""

    platform: str
    """Key of the platform."""
    before: str
    """Model in the earlier Full Check."""
    now: str
    """Model in the latest Full Check."""


class SurfaceChange(Model, frozen=True, kw_only=True):
    """A platform that was asked on another surface than in the previous Full Check.

    None of its answers compare.
    """

    platform: str
    """Key of the platform."""
    before: OneOf[Literal["api", "app", "import", "sandbox", "serp"]] | None = None
    """Surface in the earlier Full Check. Null if it was not recorded yet."""
    now: OneOf[Literal["api", "app", "import", "sandbox", "serp"]]
    """Surface in the latest Full Check. Where the answer was seen: `api` (the API of a model), `serp` (a page of
    search results), `app` (the app of the platform, as people see it), `import` (an answer that somebody
    brought) or `sandbox` (a made-up answer).
    """


class CheckChanges(Model, frozen=True, kw_only=True):
    """What changed from one Full Check to the next."""

    scan_id: str
    """The latest Full Check."""
    against_scan_id: str
    """The previous Full Check."""
    since: datetime
    """When the previous Full Check completed."""
    until: datetime
    """When the latest Full Check completed."""
    reasons: list[
        OneOf[
            Literal[
                "cells",
                "competitors",
                "extractor_version",
                "incomplete_before",
                "incomplete_now",
                "metrics_version",
                "model",
                "scope",
                "surface",
            ]
        ]
    ]
    """Why the two Full Checks cannot be compared exactly. If there is a reason, only changes of the kind
    `platform` are established, and only for platforms that no reason affects. `cells`: the checks have
    different prompts or platforms. `metrics_version`: the version of the formulas differs. `extractor_version`:
    the version of the analyzer differs. `model`: a platform answered with a different model. `surface`: a
    platform was asked on another surface, so none of its answers are compared. `incomplete_before` and
    `incomplete_now`: the earlier or the later check has too few valid answers. `scope` and `competitors` do not
    occur here.
    """
    established: list[CountChange]
    """Established changes, the most important first."""
    winners: list[WinnerChange]
    """Prompts whose winner has changed. The winner is the brand that is named in the most answers: yours or
    another.
    """
    sources: list[PlatformSourceChange]
    """New and lost sites of each platform, most cited first."""
    figures: list[FigureChange]
    """Changes of the headline figures. Empty if an older version of Sightline compared the checks."""
    unclear: list[CountChange]
    """Changes that chance alone may have caused, the largest first. At most 10 of them are about sources. Empty if
    an older version of Sightline compared the checks.
    """
    source_answers: SourceAnswers | None = None
    """Answers that cite the new and the lost sites. Null if an older version of Sightline compared the checks."""
    periods: list[PeriodResult]
    """Changes over the fixed periods: all clear changes and those worth watching, and of the rest those since the
    previous Full Check and those of at least 5 points and 3 answers a check. Empty if an older version of
    Sightline compared the checks.
    """
    models: list[ModelChange]
    """Platforms that changed their model. Empty if an older version of Sightline compared the checks."""
    surfaces: list[SurfaceChange]
    """Platforms that were asked on another surface. Their answers are not compared."""


class Finding(Model, frozen=True, kw_only=True):
    """One thing that is worth saying: a change, an alert, the effect of an action, or a new or lost source."""

    kind: OneOf[Literal["action", "brand", "cell", "competitor", "country", "fact", "platform", "prompt", "source"]]
    """`brand`: answers that name your brand. `competitor`: answers that name a competitor. `platform`, `country`,
    `prompt` and `cell` (a prompt on a platform): answers in this part that name your brand, or `competitor`.
    `action`: the measured effect of a completed recommendation. `source`: a site that a platform began to cite,
    or stopped citing. `fact`: answers that state something wrong about a fact of the brand.
    """
    tier: OneOf[Literal["clear", "rest", "watch"]]
    """`clear`: a clear change. `watch`: worth watching; about one in five of these is chance. `rest`: chance
    explains it. A new or lost source is not tested: its tier is `rest`.
    """
    direction: OneOf[Literal["down", "up"]]
    """Whether the number rose or fell. Of a source: new or lost."""
    text: str
    """The finding in one or two sentences."""
    competitor: str | None = None
    """Name of the competitor, if the finding is about one."""
    platform: str | None = None
    """Key of the platform, if the finding is about one."""
    country_iso_2: str | None = None
    """Country, if the finding is about one."""
    prompt_id: str | None = None
    """Id of the prompt, if the finding is about one."""
    prompt: str | None = None
    """Text of that prompt, if it is known."""
    site: str | None = None
    """Registrable domain of the source."""
    action: str | None = None
    """The completed action."""
    fact: str | None = None
    """What the fact is about, if the finding is about one."""
    before: int | None = None
    """Number of answers before. Null for an action."""
    before_answers: int | None = None
    """Answers that `before` is a part of."""
    now: int | None = None
    """Number of answers now. Null for an action."""
    now_answers: int | None = None
    """Answers that `now` is a part of."""
    points: float | int | None = None
    """Effect of an action in percentage points. Null for other findings."""
    period: OneOf[Literal["four_weeks", "last_check", "twelve_weeks", "action", "daily_checks"]]
    """`last_check`: since the previous Full Check. `four_weeks` and `twelve_weeks`: over all Full Checks of that
    time. `daily_checks`: from earlier Daily Checks to the one that first showed the change, or of a `cell` to
    those since then. `action`: since the action was completed.
    """
    since: datetime
    """When the period began, or the Daily Check with the change."""
    p: float | int | None = None
    """Probability that chance alone causes a change this large. If an alert is about the same change, the smaller
    of the two probabilities. Null where nothing is tested.
    """
    alert_id: str | None = None
    """Id of the alert about the same change."""
    alerted_at: datetime | None = None
    """When a Daily Check first showed the change. Null without an alert."""
    model: str | None = None
    """New model of the platform, if it has changed since the previous Full Check."""
    reasons: list[
        OneOf[
            Literal[
                "cells",
                "competitors",
                "extractor_version",
                "incomplete_before",
                "incomplete_now",
                "metrics_version",
                "model",
                "scope",
                "surface",
            ]
        ]
    ]
    """Why the checks compare only as a trend. `cells`: the checks have different prompts or platforms.
    `metrics_version`: the version of the formulas differs. `extractor_version`: the version of the analyzer
    differs. `model`: a platform answered with a different model. `surface`: a platform was asked on another
    surface, so none of its answers are compared. `incomplete_before` and `incomplete_now`: the earlier or the
    later check has too few valid answers. `scope` and `competitors` do not occur here.
    """


class LatestFindings(Model, frozen=True, kw_only=True):
    """What is worth saying about a domain now."""

    domain_id: str
    """Id of the tracked domain."""
    headline: str
    """The most important finding, or that there is no clear change."""
    scan_id: str | None = None
    """The latest Full Check. Null if there is none."""
    against_scan_id: str | None = None
    """The previous Full Check. Null until there are two."""
    findings: list[Finding]
    """Clear changes of the brand, then of competitors, effects of actions, what is worth watching, new and lost
    sources, and the largest of the other changes.
    """


class CheckCompletedData(LatestFindings, frozen=True, kw_only=True):
    """Data of the event `check.completed`."""

    workspace_id: str
    """Workspace of the tracked domain."""
    livemode: bool
    """True for live data, false for test data."""
    domain: str
    """The tracked domain."""
    brand_name: str
    """Name of the brand."""
    answers_source: OneOf[Literal["live", "sandbox"]]
    """`live`, or `sandbox` if the answers of the check are made up."""


class CheckoutAttempt(Model, frozen=True, kw_only=True):
    """An attempt to buy a pack, and the state of its payment."""

    checkout_reference: str
    """Reference of the checkout."""
    status: OneOf[Literal["unpaid", "pending", "credited", "reconciliation", "refund_required", "expired", "refunded"]]
    """`unpaid`, `pending` (the payment is being processed), `credited`, `expired` or `refunded`. With
    `reconciliation` (the payment differs from the order) and `refund_required` (paid twice or too late), the
    operator reviews the payment; you do not need to do anything.
    """
    pricing_id: int
    """Pack that is bought."""
    credits: int
    """Number of credits in the pack when the checkout was started."""
    amount_cents: int
    """Price of the pack when the checkout was started, in cents, without tax."""
    currency: str
    """ISO 4217 currency code in lower case."""
    payment_reference: str | None = None
    """Id of the payment at the payment provider. Null until there is one."""
    livemode: bool
    """True for live data, false for test data."""
    created_at: datetime
    """When the checkout was started."""
    updated_at: datetime
    """When the status last changed."""


class CitedPage(Model, frozen=True, kw_only=True):
    """A page that answers with a wrong statement cite: where it may have to be corrected."""

    url: str
    """Address of the page, without scheme."""
    answers: int
    """Number of these answers that cite it."""


class CitedSource(Model, frozen=True, kw_only=True):
    """A site that the answers to the prompt cite."""

    domain: str
    """Domain of the site."""
    type: OneOf[
        Literal[
            "competitor",
            "encyclopaedia",
            "forum",
            "government",
            "list",
            "news",
            "other",
            "own",
            "review",
            "shop",
            "video",
        ]
    ]
    """Kind of site: `review`, `list` (lists and comparisons), `forum`, `news`, `video`, `encyclopaedia`,
    `government`, `shop`, `own`, `competitor` or `other`.
    """
    citations: int
    """Number of times that the answers cite the site."""
    winnable: bool
    """Whether a brand can get itself mentioned there. True for reviews, lists, forums, news and video."""
    answer_ids: list[str]
    """Answers that cite the site. They belong to the check `scan_id` of the opportunity. Empty if an older version
    of Sightline found the opportunity.
    """


class ClaimQuote(Model, frozen=True, kw_only=True):
    """What one answer says, verbatim."""

    scan_id: str
    """Full Check that the answer belongs to."""
    answer_id: str
    """Id of the answer."""
    platform: str
    """Key of the platform."""
    prompt_id: str
    """Id of the prompt."""
    text: str
    """The passage, with its Markdown."""
    words: str
    """The part of the passage that states it."""


class Client(Model, frozen=True, kw_only=True):
    """A client of an agency: a group of tracked domains.

    Guests of a client see its domains and nothing else.
    """

    id: str
    """Id of the client."""
    name: str
    """Its name, unique in the workspace."""
    domain_ids: list[str]
    """Ids of its tracked domains."""
    created_at: datetime
    """When the client was added."""
    has_logo: bool
    """Whether it has a logo."""
    color: str | None = None
    """Color of headings, links and buttons, such as `#0e6e78`. It must be readable on white. Null: Sightline's."""
    sender_name: str | None = None
    """Name that stands where Sightline's would, and that e-mails come from. Null: Sightline."""
    shows_maker: bool
    """Whether "Made with Sightline" stands below reports and e-mails."""
    recipients: list[str]
    """E-mail addresses that receive the scheduled reports of its domains."""
    language: str | None = None
    """Language of its scheduled reports. Null: English."""
    timezone: str | None = None
    """Time zone of its schedule and of the times in its reports, such as `Europe/Berlin`. Null: the workspace's."""


class CodebookEntry(Model, frozen=True, kw_only=True):
    """A theme of a domain, also one that no answer mentions now."""

    theme_key: str
    """Key of the theme. It never changes and is never used again."""
    label: str
    """Label of the theme: your own, or else the editor's."""
    definition: str
    """What belongs to the theme, in one line."""
    examples: list[str]
    """Sentences of answers that belong to it."""
    merged_into: str | None = None
    """Key of the theme that it was merged into. Null if none."""
    hidden: bool
    """Whether it is hidden."""
    pinned: bool
    """Whether it is listed before all others."""


class Competitor(Model, frozen=True, kw_only=True):
    """A competitor of a Console domain.

    Market Position ranks the brand among its competitors.
    """

    domain: str
    """Host name in lower case, without a leading `www`."""
    name: str | None = None
    """Name to look for in answers. If null, a scan looks for the first part of the domain with a capital letter:
    `Initech` for `initech.com`.
    """


class CompetitorInput(Model, frozen=True, kw_only=True):
    """A competitor: its domain, and optionally the name to look for in answers."""

    domain: str
    """Host name or URL."""
    name: str | None = None
    """Name to look for in answers. The default is the first part of the domain with a capital letter: `Initech`
    for `initech.com`.
    """


class PlatformCostForecast(Model, frozen=True, kw_only=True):
    """What the answers of one platform will cost, and have cost, in US dollars."""

    platform: str
    """Key of the platform."""
    surface: OneOf[Literal["api", "app", "import", "sandbox", "serp"]] | None = None
    """Where the answer was seen: `api` (the API of a model), `serp` (a page of search results), `app` (the app of
    the platform, as people see it), `import` (an answer that somebody brought) or `sandbox` (a made-up answer).
    Null for a platform that checks no longer ask.
    """
    answer_usd: float | None = None
    """Cost of one answer. Null if the price is not known."""
    basis: OneOf[Literal["entered", "list", "measured", "sandbox"]] | None = None
    """How the cost of an answer is known: `measured` (from answers of the last 30 days), `entered` (from the
    operator's prices), `list` (from list prices) or `sandbox` (free). Null if it is not known.
    """
    check_usd: float | None = None
    """Forecast of a Full Check. Null if the price is not known."""
    week_usd: float | None = None
    """Forecast of a week: a Full Check and six Daily Checks. Null if the price is not known."""
    month_usd: float | None = None
    """Forecast of an average month, which has 4.35 weeks."""
    last_week_usd: float
    """What the answers of the seven days before today (UTC) cost."""
    month_spent_usd: float
    """What the answers of this month (UTC) have cost so far."""
    month_expected_usd: float | None = None
    """`month_spent_usd` plus the checks that are still due this month. Null if the price is not known."""


class CostForecastView(Model, frozen=True, kw_only=True):
    """What the checks of a domain will cost the operator, next to what they have cost, without the editor."""

    check_answers: int
    """Number of answers that a Full Check asks for."""
    week_answers: int
    """Number of answers that the checks of a week ask for."""
    check_usd: float | None = None
    """Sum of `check_usd` over the platforms with a known price. Null if there is none."""
    week_usd: float | None = None
    """Sum of `week_usd` over the platforms with a known price."""
    month_usd: float | None = None
    """Sum of `month_usd` over the platforms with a known price."""
    last_week_usd: float
    """Sum of `last_week_usd`."""
    month_spent_usd: float
    """Sum of `month_spent_usd`."""
    month_expected_usd: float | None = None
    """Sum of `month_expected_usd` over the platforms with a known price."""
    platforms: list[PlatformCostForecast]
    """The platforms that the next check asks, then those that it no longer asks."""


class CountedName(Model, frozen=True, kw_only=True):
    """A platform or a site, and its number of answers."""

    name: str
    """Key of the platform."""
    answers: int
    """Number of answers."""


class CreatedDomain(Model, frozen=True, kw_only=True):
    """A domain that an import created."""

    id: str
    """Id of the tracked domain."""
    domain: str
    """The domain."""


class CreditsLowData(Model, frozen=True, kw_only=True):
    """Data of the event `credits.low`."""

    balance: int
    """Credits that are left."""
    threshold: int
    """The operator's threshold: a balance below it counts as low."""
    workspace_id: str
    """Workspace whose balance is low."""
    livemode: bool
    """False for the balance of test mode."""


class DayChange(Model, frozen=True, kw_only=True):
    """A tested change between two days."""

    subject: OneOf[Literal["brand", "platform", "prompt"]]
    """What changed: a brand, or the measured brand on a platform or for a prompt."""
    name: str
    """Name of the brand, key of the platform, or text of the prompt."""
    before: int
    """Number of answers that name the brand on the first day."""
    now: int
    """Number of answers that name the brand on the second day."""
    answers: int
    """Number of answers on each of the two days."""
    p: float
    """Probability that chance alone causes a change this large."""
    verdict: OneOf[Literal["clear", "watch", "within_chance"]]
    """`clear`, `watch` (about one in five of these is chance) or `within_chance`."""


class DayComparisonResult(Model, frozen=True, kw_only=True):
    """The changes between two days of a file, over the prompts and platforms that both days have."""

    before: date
    """First day, in UTC."""
    now: date
    """Second day, in UTC."""
    answers: int
    """Number of answers that are compared on each day."""
    changes: list[DayChange]
    """Changes of brands, platforms and prompts."""


class DecidingPage(Model, frozen=True, kw_only=True):
    """A page that answers to the prompt cite."""

    url: str
    """Address of the page, without scheme."""
    title: str | None = None
    """Title of the page. Null if no platform reports one."""
    domain: str
    """Domain of the site."""
    type: OneOf[
        Literal[
            "competitor",
            "encyclopaedia",
            "forum",
            "government",
            "list",
            "news",
            "other",
            "own",
            "review",
            "shop",
            "video",
        ]
    ]
    """Kind of site: `review`, `list` (lists and comparisons), `forum`, `news`, `video`, `encyclopaedia`,
    `government`, `shop`, `own`, `competitor` or `other`.
    """
    answers: int
    """Number of answers to the prompt that cite the page."""
    winnable: bool
    """Whether a brand can get itself mentioned there. True for reviews, lists, forums, news and video, except for
    profile pages, which are about one company.
    """
    answer_ids: list[str]
    """These answers. They belong to the check `scan_id` of the opportunity. Empty if an older version of Sightline
    found the opportunity.
    """


class Details(MarketRanges, frozen=True, kw_only=True):
    """Secondary figures, and a copy of two ranges of the headline."""

    prompt_reach: Figure
    """Share of prompts for which at least one answer names the brand, in percent."""
    citation_rate: Figure
    """Of the answers that cite any source, the share that cite the brand, in percent."""
    citation_share: Figure
    """Share of all cited pages that belong to the brand, in percent."""
    mention_occurrences: Figure
    """Number of times that the brand is named in all answers together."""
    weighted_share_of_voice_pct: Figure
    """Share of Voice in percent, in which earlier mentions in an answer count more."""


class DismissedRecommendation(Model, frozen=True, kw_only=True):
    """An action that somebody dismissed, as it was recommended then."""

    key: str
    """Key of the action, the same in every Full Check that finds it again."""
    kind: OneOf[
        Literal[
            "admit_agent",
            "answer_question",
            "correct_fact",
            "earn_praise",
            "fix_claim",
            "get_listed",
            "keep",
            "mend_page",
            "move_up",
            "nothing_significant",
            "open_door",
            "win_back",
        ]
    ]
    """Kind of action. `mend_page`: mend a page of the brand that answers cite (site review). `admit_agent`: let an
    AI agent read the site (site review). `get_listed`: get the brand onto a page or site that answers cite.
    `answer_question`: publish or improve a page, because answers cite competitors' pages and none of the
    brand's. `fix_claim`: answer a criticism that recurs. `correct_fact`: have a wrong statement about the brand
    corrected. `keep`: do not remove pages that are cited in answers that name the brand. `open_door`: find out
    why a platform names the brand less than others do. `win_back`: win back prompts whose answers no longer
    name the brand. `move_up`: find out why answers mostly place a competitor above the brand. `earn_praise`:
    show a property that answers praise of competitors and not of the brand. `nothing_significant`: there is
    nothing to do.
    """
    action: str
    """What to do, and where."""
    edited: bool
    """Whether a language model worded `action`."""
    reason: str
    """Why it was dismissed."""
    dismissed_at: datetime
    """When it was dismissed."""
    dismissed_by: str
    """Name of the member who dismissed it, or whose key did."""


class Domain(Model, frozen=True, kw_only=True):
    """A Console domain, which you can submit scans for.

    Its metrics are those of its latest completed scan.
    """

    id: str
    """Id of the domain, used as `domain_id`."""
    domain: str
    """Host name in lower case, without a leading `www`."""
    status: str
    """Always `active`."""
    livemode: bool
    """True for live data, false for test data."""
    brand_name: str
    """Name to look for in answers."""
    aliases: list[str]
    """Other names of the brand."""
    owned_domains: list[str]
    """Other domains of the brand. Citations of them count as citations of the brand."""
    competitors: list[Competitor]
    """Competitors that the brand is ranked against (Market Position)."""
    created_at: datetime
    """When the domain was registered."""
    latest_visibility_score: float | None = None
    """Visibility Score, 0 to 100: how often and how early answers name the brand, and how often they cite it. From
    the last completed scan. Null if not measured.
    """
    latest_brand_coverage_pct: float | None = None
    """Share of answers that name the brand, in percent. Null if not measured."""
    latest_market_position: int | None = None
    """Rank among the competitors, 1 is best. Null without competitors, if no answer names or cites the brand, or
    if not measured.
    """
    last_scan_at: datetime | None = None
    """When the last scan ran. Null before the first one."""
    scan_count: int
    """Number of scans."""


class DomainImport(Model, frozen=True, kw_only=True):
    """The domains that an import created."""

    domains: list[CreatedDomain]
    """The domains, in the order of the rows."""


class PlannedDomainView(Model, frozen=True, kw_only=True):
    """A domain that an import would create."""

    domain: str
    """The domain."""
    client: str | None = None
    """Name of its client. Null for none."""
    prompts: int
    """Number of its prompts, each country counted."""


class DomainImportPreview(Model, frozen=True, kw_only=True):
    """What an import would create, and what its checks would ask and cost."""

    domains: list[PlannedDomainView]
    """The domains, in the order of the rows."""
    new_clients: list[str]
    """Names of the clients that would be added."""
    prompts: int
    """Number of prompts of all domains."""
    answers_first_check: int
    """Answers that the first checks ask for. They start at once."""
    answers_per_week: int
    """Answers that all checks of a week ask for."""
    check_usd: float | None = None
    """Expected cost for the operator in US dollars. Null if no price is known."""
    week_usd: float | None = None
    """Expected cost for the operator in US dollars. Null if no price is known."""
    month_usd: float | None = None
    """Expected cost for the operator in US dollars. Null if no price is known."""
    unpriced_platforms: list[str]
    """Platforms whose price is not known."""


class EffectShares(Model, frozen=True, kw_only=True):
    """How often the answers to a group of prompts named the brand, before and after `done_at`."""

    prompts: int
    """Number of prompts that were compared."""
    before_pct: float
    """Share of answers that named the brand before `done_at`, in percent."""
    after_pct: float
    """The same share after `done_at`."""


class RecommendedPrompt(Model, frozen=True, kw_only=True):
    """A prompt that a recommendation concerns."""

    id: str
    """Id of the prompt."""
    text: str
    """Text of the prompt."""


class MeasuredEffect(Model, frozen=True, kw_only=True):
    """Whether a completed action worked.

    Its prompts are compared with the other prompts.
    """

    status: OneOf[Literal["down", "no_clear_effect", "not_enough_history", "too_early", "up"]]
    """`up` or `down`: an established effect. `no_clear_effect`: none is established. `too_early`: fewer than two
    Full Checks since `done_at`. `not_enough_history`: there are too few Full Checks before `done_at`, or too
    few prompts to compare. `summary` gives the reason.
    """
    summary: str
    """The result in words."""
    points: float | None = None
    """Rise in the share of answers that name the brand: the rise for the action's prompts minus the rise for the
    other prompts, in percentage points. Null if not measured.
    """
    low: float | None = None
    """Lower end of the 95% range of `points`."""
    high: float | None = None
    """Upper end of the range."""
    is_final: bool
    """Whether four Full Checks have completed since `done_at`. After that, the result does not change."""
    concerned: EffectShares | None = None
    """The prompts of the action. Null if nothing was measured."""
    others: EffectShares | None = None
    """The prompts that the action's prompts were compared with."""
    baseline_checks: list[str]
    """Full Checks before `done_at` that `later_checks` are compared with. `led_by_check` is not among them."""
    led_by_check: str | None = None
    """Full Check that led to the action. Null if there was none before `done_at`."""
    later_checks: list[str]
    """The first four Full Checks since `done_at`."""
    treated_prompts: list[RecommendedPrompt]
    """Prompts that the action concerned when it was marked."""
    overlapping_actions: int
    """Number of other actions that concern some of these prompts and were done between the compared checks."""


class DoneRecommendation(Model, frozen=True, kw_only=True):
    """An action that somebody marked as done, as it was recommended then."""

    key: str
    """Key of the action, the same in every Full Check that finds it again."""
    kind: OneOf[
        Literal[
            "admit_agent",
            "answer_question",
            "correct_fact",
            "earn_praise",
            "fix_claim",
            "get_listed",
            "keep",
            "mend_page",
            "move_up",
            "nothing_significant",
            "open_door",
            "win_back",
        ]
    ]
    """Kind of action. `mend_page`: mend a page of the brand that answers cite (site review). `admit_agent`: let an
    AI agent read the site (site review). `get_listed`: get the brand onto a page or site that answers cite.
    `answer_question`: publish or improve a page, because answers cite competitors' pages and none of the
    brand's. `fix_claim`: answer a criticism that recurs. `correct_fact`: have a wrong statement about the brand
    corrected. `keep`: do not remove pages that are cited in answers that name the brand. `open_door`: find out
    why a platform names the brand less than others do. `win_back`: win back prompts whose answers no longer
    name the brand. `move_up`: find out why answers mostly place a competitor above the brand. `earn_praise`:
    show a property that answers praise of competitors and not of the brand. `nothing_significant`: there is
    nothing to do.
    """
    action: str
    """What to do, and where."""
    edited: bool
    """Whether a language model worded `action`."""
    done_at: datetime
    """When the action was done."""
    done_by: str
    """Name of the member who marked it, or whose key did."""
    still_recommended: bool
    """Whether the latest Full Check recommends it again."""
    effect: MeasuredEffect
    """What the action changed since it was done."""


class EditedMarket(Model, frozen=True, kw_only=True):
    """What is sold in the market of a domain."""

    singular: str
    """What is sold, as one noun, such as `anvil`."""
    plural: str
    """The same in the plural."""
    audience: str
    """Who buys it."""
    language: str
    """Two-letter code of the language of these nouns."""
    corrected: bool
    """Whether people entered it. It is then not asked for again."""


class EditionSummary(Model, frozen=True, kw_only=True):
    """Who edited the insights of a domain: named competitors, sorted themes, worded actions and proposed prompts."""

    scan_id: str | None = None
    """Latest Full Check with insights. Null before the first."""
    edited_by: str | None = None
    """Platform and model that edited the insights, such as `claude:model`. Null if rules did."""
    formerly_edited_by: str | None = None
    """Who edited the Full Check before, if this is the first one of another model. The themes of the check before
    were then sorted again, so that changes are between results of the same model.
    """
    rules_reason: OneOf[Literal["declined", "off", "paused", "unavailable"]] | None = None
    """Why rules did some or all of it: `off` (no editor is connected or wanted), `declined` (by the workspace),
    `paused` (the platform is) or `unavailable` (it did not answer in time). Null otherwise.
    """
    over_budget: int
    """Number of questions that were left to rules because an edition may cost 5% of its check."""
    market: EditedMarket | None = None
    """What is sold. Null if it is not known."""
    codebook: list[CodebookEntry]
    """The themes of the domain, the oldest first."""


class Entry(Model, frozen=True, kw_only=True):
    """One change to the credit balance."""

    id: str
    """Id of the ledger entry."""
    delta: int
    """Change to the balance. A positive number adds credits, a negative number removes them."""
    reason: OneOf[
        Literal[
            "action_consumption", "manual_adjustment", "promotional_grant", "purchase", "refund", "scan_consumption"
        ]
    ]
    """Why the balance changed: `purchase`, `scan_consumption` (a scan was charged), `refund` (credits of a scan
    were returned, or credits were removed because their payment was refunded), `manual_adjustment` or
    `promotional_grant` (by the operator) or `action_consumption` (another charge, not in use now).
    """
    scan_id: str | None = None
    """Scan that the credits were charged or refunded for. Null for other entries."""
    payment_reference: str | None = None
    """Id of the payment at the payment provider, for a purchase and its refund. Null for other entries."""
    description: str
    """Short text for people."""
    created_at: datetime
    """When the entry was made."""


class ExpectedEffect(Model, frozen=True, kw_only=True):
    """How many answers the action could change, with a 95% range."""

    answers: float
    """Best estimate of the number of answers."""
    low: float
    """Lower end of the 95% range."""
    high: float
    """Upper end of the 95% range."""


class PlatformAccuracy(Model, frozen=True, kw_only=True):
    """How many answers of a platform state facts as they are.

    Answers of which this cannot be told do not count.
    """

    platform: str
    """Key of the platform."""
    right: int
    """Number of statements that agree with the facts."""
    stated: int
    """Number of statements that agree, contradict or are outdated."""
    accuracy_pct: float
    """Share of statements that agree, in percent."""
    low: float
    """Lower end of the 95% interval, in percent."""
    high: float
    """Upper end of the 95% interval, in percent."""


class WrongStatement(Model, frozen=True, kw_only=True):
    """Something that answers of the latest Full Check state about a fact, and that is not so."""

    fact_id: str
    """Id of the fact."""
    kind: OneOf[Literal["ability", "availability", "certification", "founded", "place", "price", "product"]]
    """Kind of fact."""
    subject: str
    """What the fact is about: the product or plan, the certificate, what the brand does or does not do, or what is
    at a place, such as `headquarters`. Empty for `founded`, and where all products are meant.
    """
    truth: str
    """What is true, in the form of `stated`."""
    stated: str
    """What the answers state, in a form that is equal for equal statements, such as `USD 40 month`."""
    verdict: OneOf[Literal["agrees", "cannot_tell", "contradicts", "outdated"]]
    """`contradicts`: it never was true. `outdated`: it was true before."""
    since: datetime
    """Full Check since which answers have stated it without interruption."""
    answers: int
    """Number of answers of the latest Full Check that state it."""
    platforms: list[str]
    """Their platforms, that with most answers first."""
    sources: list[CitedPage]
    """Pages that these answers cite, the most cited first, at most ten."""
    quotes: list[ClaimQuote]
    """What these answers say, at most twenty."""


class FactAccuracy(Model, frozen=True, kw_only=True):
    """What the answers of the latest Full Check state about the facts of a brand."""

    domain_id: str
    """Id of the tracked domain."""
    scan_id: str | None = None
    """Latest Full Check whose answers were compared with the facts. Null if there is none."""
    checked_at: datetime | None = None
    """When it completed. Null if there is none."""
    right: int
    """Number of statements that agree with the facts."""
    wrong: int
    """Number of statements that contradict them or are outdated."""
    cannot_tell: int
    """Number of passages about facts that do not say plainly what they mean."""
    platforms: list[PlatformAccuracy]
    """The same by platform."""
    statements: list[WrongStatement]
    """What is wrong, by the number of answers."""


class FactProposals(Model, frozen=True, kw_only=True):
    """What was found on the site of the brand."""

    found: int
    """Number of facts that the site declares and that can be compared."""
    proposed: int
    """Number of those that are new: they wait for a person to confirm them."""


class FileLine(Model, frozen=True, kw_only=True):
    """A line that was left out."""

    number: int
    """Number of the row of a CSV file, header included, or of the line."""
    reason: str
    """Why it is not an answer."""


class FileReadingResult(Model, frozen=True, kw_only=True):
    """How the file was read, and what of it was not."""

    unused: list[str]
    """Columns that hold nothing that is used."""
    left_out: int
    """Number of lines that are not answers."""
    first_left_out: list[FileLine]
    """The first of them."""
    recoded: int
    """Answers that are not in UTF-8 and were read as Windows-1252."""
    cut: int
    """Answers as long as a spreadsheet's cell can be: their ends may be missing."""
    ambiguous_dates: int
    """Dates that do not tell the day from the month, and are not used."""
    days: int
    """Number of days with answers."""


class ImportedDomainInput(Model, frozen=True, kw_only=True):
    """A domain to set up."""

    domain: str
    """Host name or URL."""
    brand_name: str | UnsetType = UNSET
    """Name of the brand. Without it, the first part of the domain."""
    aliases: list[str] | UnsetType = UNSET
    """Other names of the brand."""
    client: str | UnsetType = UNSET
    """Name or id of its client. A client with a new name is added. Empty for none."""
    competitors: list[str] | UnsetType = UNSET
    """Domains of competitors."""
    countries: list[str] | UnsetType = UNSET
    """Countries of all prompts, instead of the template's."""
    language_code: str | UnsetType = UNSET
    """Language: only prompts of the template in this language are used."""
    prompts: list[str] | UnsetType = UNSET
    """Prompts in addition to the template's."""
    tags: list[str] | UnsetType = UNSET
    """Tags of all prompts, besides the template's."""


class ImportedHistoryWeek(Model, frozen=True, kw_only=True):
    """The figures of the imported answers of one week, alone.

    They are no check, and nothing is compared with them.
    """

    first_day: date
    """Monday of the week, in UTC."""
    last_day: date
    """Day of the last answer."""
    file_name: str
    """Name of the file."""
    surface: OneOf[Literal["api", "app", "import", "sandbox", "serp"]]
    """Always `import`."""
    platforms: list[str]
    """Platforms with answers."""
    headline: Headline
    """The figures."""


class ImportedHistory(Model, frozen=True, kw_only=True):
    """The imported history of a tracked domain."""

    domain_id: str
    """Tracked domain."""
    weeks: list[ImportedHistoryWeek]
    """Its weeks, oldest first. Empty without a history."""


class ImportedPromptInput(Model, frozen=True, kw_only=True):
    """One prompt of an import."""

    prompt: str
    """Text of 2 to 500 characters after trimming."""
    language_code: str
    """ISO 639-1 code."""
    country_iso_2: str | None = None
    """ISO 3166-1 alpha-2 code. Null or omitted means Global."""
    tags: list[str] | UnsetType = UNSET
    """Tags to add. No tag is removed."""
    pinned: bool | UnsetType = UNSET
    """Whether to pin the prompt. False, the default, unpins nothing."""


class Key(Model, frozen=True, kw_only=True):
    """An API key without its secret, which is shown only once, when the key is created."""

    id: str
    """Id of the key. Use it to revoke the key."""
    name: str
    """Name that you gave to the key."""
    kind: OneOf[Literal["console", "data"]]
    """A `console` key works with the Console API, a `data` key with the Data API."""
    mode: OneOf[Literal["live", "test"]]
    """`live` or `test`. Data keys are always live."""
    scopes: list[str]
    """What the key may do. Console keys: some of `read`, `scans`, `domains`, `billing`, `webhooks`, `keys` and
    `audit`; empty means all scopes. Data keys: always `read`, and `write` if granted.
    """
    last_four: str
    """Last four characters of the key, to tell keys apart."""
    created_by: str
    """Id of the member who created the key, in a session or with another key. The key acts with the current role
    of this member.
    """
    created_at: datetime
    """When the key was created."""
    last_used_at: datetime | None = None
    """When the key was last used. Null if it never was."""
    revoked_at: datetime | None = None
    """When the key was revoked. Null if it was not."""
    expires_at: datetime | None = None
    """When the key stops working. Null if it does not expire."""
    allowed_addresses: list[str]
    """Networks that the key works from, in CIDR notation. Empty means everywhere."""
    parent_id: str | None = None
    """Id of the key that was used to create this key. Null if none was used."""
    previous_key_expires_at: datetime | None = None
    """After a rotation: when the previous secret of this key stops working. Null if never rotated."""


class LatestChanges(Model, frozen=True, kw_only=True):
    """What changed in the latest Full Check of a domain."""

    domain_id: str
    """Id of the tracked domain."""
    summary: list[str]
    """What changed, in one to three sentences: the headline of the findings, and what else is clear."""
    changes: CheckChanges | None = None
    """The changes. Null until there are two Full Checks to compare."""


class SentencePart(Model, frozen=True, kw_only=True):
    """A part of a sentence: either the name of a tracked brand, or the text around it."""

    text: str
    """Words of the answer, without Markdown."""
    brand: str | None = None
    """Brand that these words name. Null for all other words."""


class ListedAnswer(Model, frozen=True, kw_only=True):
    """A short form of a tracked domain's answer.

    `GET /scans/{scan_id}/answers/{answer_id}` returns the full text.
    """

    id: str
    """Id of the answer."""
    scan_id: str
    """Check that the answer belongs to."""
    measurement_scope: OneOf[Literal["console_check", "daily_check", "free_audit", "full_check"]]
    """Kind of that check."""
    answers_source: OneOf[Literal["live", "sandbox"]]
    """`live`, or `sandbox` for made-up answers."""
    prompt_id: str
    """Id of the prompt."""
    prompt: str
    """Text of the prompt."""
    country_iso_2: str | None = None
    """Country of the prompt. Null if none is set."""
    language_code: str | None = None
    """Language of the prompt. Null if none is recorded."""
    platform: str
    """Key of the platform."""
    surface: OneOf[Literal["api", "app", "import", "sandbox", "serp"]]
    """Where the answer was seen: `api` (the API of a model), `serp` (a page of search results), `app` (the app of
    the platform, as people see it), `import` (an answer that somebody brought) or `sandbox` (a made-up answer).
    """
    status: OneOf[Literal["failed", "no_surface", "ok"]]
    """`ok`, `no_surface` (no AI answer was shown) or `failed`."""
    branded: bool
    """Whether the prompt names the brand. All headline figures except the number of citations leave out answers to
    such prompts. If every prompt names the brand, no answers are left out.
    """
    mentioned: bool | None = None
    """Whether the answer names the brand. A derived word such as `Acme-like` counts. False if the answer only says
    that it does not know the brand. Null unless the status is `ok`.
    """
    cited: bool | None = None
    """Whether the answer cites a page of the brand. Null unless the status is `ok`."""
    position: int | None = None
    """Rank of the brand among the brands in the answer, 1 is first. Null if it has none."""
    stance: OneOf[Literal["contrast", "discouraged", "neutral", "unknown"]] | None = None
    """How the answer presents the brand: `contrast` (others are contrasted with the brand, as in "unlike Acme" or
    "better than Acme"), `discouraged` (the answer advises against the brand), `unknown` (the answer only says
    that it does not know the brand) or `neutral` (any other mention, including praise). Null if the answer does
    not contain the name.
    """
    sentiment: OneOf[Literal["negative", "neutral", "positive"]] | None = None
    """Sentiment about the brand. Only answers of Full Checks are scored. Null if not scored."""
    change: OneOf[Literal["gained", "lost"]] | None = None
    """`gained`: the answer names the brand, and the answer to the same prompt on the same platform in the previous
    check did not. `lost`: the reverse. Null if nothing changed, or there is nothing to compare.
    """
    competitors: list[str]
    """Tracked competitors that the answer names."""
    sentence: list[SentencePart]
    """The sentence that names the brand. If there is none, the sentence about the competitor that the answer ranks
    first, or else the first sentence. It comes in parts; `brand` is set in each part that names a brand.
    """
    answered_at: datetime
    """When the answer was stored."""


class MarketExample(Model, frozen=True, kw_only=True):
    """A market that is not measured."""

    prompt: str
    """One of its prompts."""
    names: list[str]
    """The names that its answers present most often."""


class MintedKey(Key, frozen=True, kw_only=True):
    """A new API key.

    The full key is shown only in this response. If you repeat the request, it is null.
    """

    key: str | None = None
    """The full key. It is shown only once. A repeated request with the same Idempotency-Key returns null here."""


class MisreadSentence(Model, frozen=True, kw_only=True):
    """A sentence with the letters of a name."""

    text: str
    """The sentence."""
    reading: OneOf[Literal["brand", "not_the_brand", "other_brand", "part_of_word"]]
    """What the letters are: `brand`, `part_of_word`, `other_brand` (part of another name) or `not_the_brand`."""
    platform: str
    """Platform of the answer."""
    prompt: str
    """Prompt of the answer."""


class MisreadNameResult(Model, frozen=True, kw_only=True):
    """A brand whose name is easily misread."""

    name: str
    """Name of the brand."""
    found: int
    """Answers that hold the letters of the name."""
    not_named: int
    """Those of them that do not name the brand."""
    sentences: list[MisreadSentence]
    """Sentences that show it."""


class NamedCompetitor(Model, frozen=True, kw_only=True):
    """A competitor, and the number of answers that name it and not the brand."""

    name: str
    """Name of the competitor."""
    answers: int
    """Number of answers without the brand that name the competitor."""
    answer_ids: list[str]
    """These answers. They belong to the check `scan_id` of the opportunity. Empty if an older version of Sightline
    found the opportunity.
    """


class NotChecked(Model, frozen=True, kw_only=True):
    """A part of the review that says nothing, and why."""

    part: str
    """`agents`, `questions` or `themes`."""
    reason: OneOf[
        Literal["few_words", "no_sitemap", "other_language", "robots_unread", "too_few_pages", "unread_pages"]
    ]
    """Why nothing is said."""


class Opportunity(Model, frozen=True, kw_only=True):
    """A prompt for which answers name other brands but not yours."""

    id: str
    """Id of the opportunity."""
    scan_id: str
    """Full Check that the opportunity was found in."""
    prompt_id: str
    """Id of the prompt."""
    prompt: str
    """Text of the prompt."""
    language_code: str | None = None
    """Language of the prompt. Null for prompts from before languages were recorded."""
    country_iso_2: str | None = None
    """Country of the prompt. Null if none is set."""
    opportunity_score: float
    """Score from 0 to 100 that combines demand, gap and winnability. Demand is left out where it is unknown."""
    demand: float | None = None
    """How often the prompt is asked, 0 to 1, relative to the most asked prompt. Null if `ai_search_volume` of the
    prompt is unknown.
    """
    gap: float
    """Share of valid answers that name other brands but not yours, 0 to 1."""
    winnability: float
    """How easily a brand can get into the answers, 0 to 1. It is higher if more of the citations lead to sites
    where a brand can get itself mentioned, if the citations are spread over more sites, and if the answers name
    different brands from check to check.
    """
    demand_unknown: bool
    """Whether `ai_search_volume` of the prompt is unknown."""
    low_evidence: bool
    """Whether there are fewer than three valid answers."""
    competitors: list[NamedCompetitor]
    """Competitors, tracked or discovered, named in answers that do not name the brand, most named first."""
    sources: list[CitedSource]
    """Sites that the answers to the prompt cite, most cited first; at most ten."""
    answer_ids: list[str]
    """Answers that name other brands but not yours. They belong to the check `scan_id`."""
    updated_at: datetime
    """When the opportunity was last computed."""
    valid_answers: int | None = None
    """Number of valid answers to the prompt. Null if an older version of Sightline found the opportunity."""
    gap_answers: int | None = None
    """Number of answers that name other brands but not yours. Null if an older version of Sightline found the
    opportunity.
    """
    citations: int | None = None
    """Number of citations in the answers to the prompt. Null if an older version of Sightline found the
    opportunity.
    """
    winnable_citations: int | None = None
    """Number of citations of sites where a brand can get itself mentioned. Null if an older version of Sightline
    found the opportunity.
    """
    pages: list[DecidingPage]
    """Pages that the answers to the prompt cite most often, at most 5."""
    best_rival: BestRival | None = None
    """Competitor that is named in the most answers to the prompt. Null if an older version of Sightline found the
    opportunity.
    """


class OtherMarkets(Model, frozen=True, kw_only=True):
    """What of a file is about other markets than the measured one."""

    prompts: int
    """Prompts of other markets, which are left out. 0 if no answer names the brand, so that its market is unknown
    and nothing is left out.
    """
    answers: int
    """Answers to these prompts."""
    examples: list[MarketExample]
    """The largest of the other markets."""


class Pack(Model, frozen=True, kw_only=True):
    """A pack of credits.

    Prices are in US dollars and exclude tax, which is added at checkout.
    """

    pricing_id: int
    """Id of the pack. Send it to start a checkout."""
    credits: int
    """Number of credits in the pack."""
    price_cents: int
    """Price in US cents, without tax."""
    name: str
    """Display name of the pack."""
    description: str
    """What the credits are enough for, as a sentence."""
    badge: str | None = None
    """Short label that highlights the pack, such as `Popular`. Null for most packs."""
    available: bool
    """False if the price exceeds what is left of this month's spending limit."""
    unavailable_reason: str | None = None
    """Why the pack cannot be bought now, as a sentence. Null if it is available."""


class Platform(Model, frozen=True, kw_only=True):
    """An AI platform that a scan can ask."""

    key: str
    """Key of the platform. Send it in the field `platforms` when you submit a scan."""
    name: str
    """Display name of the platform."""
    company: str
    """Company that makes the platform."""
    enabled: bool
    """Whether a scan can ask the platform. True if the platform is not paused, and is connected or answered by the
    sandbox.
    """
    min_tier: OneOf[Literal["agency", "professional", "starter", "trial"]]
    """Smallest plan whose dashboard checks include the platform. Does not restrict Console scans."""
    available_as_addon: bool
    """Whether a smaller plan can add the platform. Does not restrict Console scans."""


class PlatformCost(Model, frozen=True, kw_only=True):
    """What the calls of one domain to one AI platform used and cost on one day."""

    day: str
    """Day of the calls (UTC), such as `2026-11-16`."""
    domain_id: str
    """Console domain or tracked domain for which the platform was called."""
    domain: str
    """Host name of the domain."""
    platform: str
    """Key of the platform."""
    calls: int
    """Number of requests sent: for answers, for suggested prompts and for the editor, including retries and failed
    ones.
    """
    failed_calls: int
    """Number of calls without a usable reply."""
    priced_calls: int
    """Number of calls whose cost is known. `cost_usd` is the sum over these calls alone."""
    input_tokens: int | None = None
    """Input tokens, as far as the platform reports them. Null if it reports none."""
    output_tokens: int | None = None
    """Output tokens, as far as the platform reports them. Null if it reports none."""
    searches: int | None = None
    """Searches, as far as the platform reports them. Null if it reports none."""
    cost_usd: float | None = None
    """Cost in US dollars, as reported by the platform or computed from prices that the operator has entered. Null
    if no call has a known cost.
    """
    editor_calls: int
    """The part of `calls` that edited insights: names, themes, wording and prompts."""
    editor_cost_usd: float | None = None
    """The part of `cost_usd` for these calls. Null if no such call has a known cost."""


class PlatformSearch(Model, frozen=True, kw_only=True):
    """A search that platforms made to answer a prompt."""

    search: str
    """What was searched for, at most 200 characters of it."""
    prompt_id: str
    """Id of the prompt that was answered."""
    prompt: str
    """Text of that prompt."""
    country_iso_2: str | None = None
    """Country of the prompt. Null if none is set."""
    language_code: str | None = None
    """Language of the prompt. Null if none is recorded."""
    answers: int
    """Number of answers in the last 28 days that are based on the search."""
    platforms: list[CountedName]
    """Platforms that made the search, most answers first."""
    sites: list[CountedName]
    """Sites that those answers cite, most answers first. `name` is the domain."""
    last_scan_id: str
    """The newest check with such an answer."""
    last_seen_at: datetime
    """When that check completed."""
    tracked_prompt_id: str | None = None
    """Id of the active prompt that has the search as its text, with the same country and language. Null if there
    is no such prompt.
    """


class PromptSentiment(Model, frozen=True, kw_only=True):
    """Median score and most frequent label of the scored answers that name the brand."""

    score: float | None = None
    """Median score, 0 to 100; between 40 and 60 is neutral. Null with fewer than 3 scored answers, and if the
    period is not current.
    """
    label: OneOf[Literal["negative", "neutral", "positive"]] | None = None
    """Most frequent label. Null whenever the score is null."""
    responses_analyzed: int
    """Number of scored answers that name the brand. Unscored answers never count as neutral."""
    low_data: bool
    """Whether there are fewer than 3 scored answers."""
    mixed: bool
    """Whether the labels are tied. `label` is then `neutral`."""
    measurement_state: OneOf[Literal["expired", "insufficient_data", "measured", "not_measured"]]
    """`measured`; `insufficient_data`: fewer than 3 scored answers; `expired`: the period ended 30 days ago or
    more; `not_measured`: there is no period yet.
    """
    period_start: datetime | None = None
    """Start of the period. Null if there is none."""
    period_end: datetime | None = None
    """End of the period. Null if there is none."""


class PromptMetricsPeriod(Model, frozen=True, kw_only=True):
    """The period that the prompt's metrics describe.

    They are as of its end, not as of the request.
    """

    period_start: datetime | None = None
    """30 days before the end. Null if there is no period."""
    period_end: datetime | None = None
    """When the metrics were computed. Null if there is no period."""
    refreshed_at: datetime | None = None
    """Same time as `period_end`."""
    is_current: bool
    """Whether the period still describes the prompt: it does for 30 days after its end."""


class Prompt(Model, frozen=True, kw_only=True):
    """A tracked prompt.

    Null means not measured or unknown, never zero.
    """

    id: str
    """Id of the prompt, used as `prompt_id` and as `existing_id`."""
    domain_id: str
    """Tracked domain of the prompt."""
    prompt: str
    """Text of the prompt."""
    language_code: str | None = None
    """Language of the prompt (ISO 639-1). Null for prompts from before languages were recorded."""
    country_iso_2: str | None = None
    """Country of the prompt (ISO 3166-1 alpha-2). Null if none is set."""
    user_pinned: bool
    """Whether the prompt is pinned, through the API or in the dashboard."""
    pinned_at: datetime | None = None
    """When the prompt was pinned. Null if it is not pinned."""
    source: OneOf[Literal["added_by_you", "suggested"]]
    """`added_by_you`: added by someone in the workspace, in the dashboard, through the API or during setup.
    `suggested`: suggested by Sightline.
    """
    status: str
    """Always `active`."""
    search_volume: int | None = None
    """Estimated monthly searches for this text in search engines. Null if unknown."""
    ai_search_volume: int | None = None
    """Estimated monthly demand for this exact prompt, country and language on AI platforms. The estimate is
    derived from questions that people type into search engines. It does not count actual use, visits or
    conversions. Null unless the state is `estimated`.
    """
    ai_search_volume_state: OneOf[
        Literal["estimated", "failed", "legacy_unknown", "no_estimate", "pending", "unsupported"]
    ]
    """`estimated`; `no_estimate`: looked up, none exists; `pending`: not looked up yet; `failed`: the lookup
    failed; `unsupported`: this text, country or language cannot be looked up; `legacy_unknown`: the origin of
    an older value is unknown.
    """
    cpc_usd: float | None = None
    """Estimated cost per click in US dollars. Null if unknown."""
    estimated_traffic_value_usd: float | None = None
    """`monthly_value_usd` times the share of answers in `prompt_metrics_period` that name the brand. Null if
    either is unknown.
    """
    monthly_value_usd: float | None = None
    """`search_volume` times `cpc_usd`. Null if either is unknown."""
    sentiment: PromptSentiment
    """Sentiment about the brand in the answers of `prompt_metrics_period`."""
    co_mentioned_brands: list[str]
    """Up to 5 domains of sites that are cited in answers that name the brand. Despite the name of the field, they
    are not brands. The answers are those of `prompt_metrics_period`. Empty if the period is not current.
    """
    prompt_metrics_period: PromptMetricsPeriod
    """The 30 days that `estimated_traffic_value_usd`, `sentiment` and `co_mentioned_brands` describe."""
    consecutive_uncited: int
    """Number of checks in a row that asked the prompt without a citation of the brand."""
    last_scanned_at: datetime | None = None
    """When a check last asked the prompt. Null before the first one."""
    created_at: datetime
    """When the prompt was added."""
    measures_nothing: bool
    """Whether no answer to the prompt named any brand, tracked or not, in at least three checks in a row."""
    tags: list[str]
    """Tags of the prompt, in lower case and sorted."""
    replaces: str | None = None
    """Id of the earlier prompt, if this prompt was made by editing its text. The earlier prompt keeps its history.
    Null otherwise.
    """


class PromptCell(Model, frozen=True, kw_only=True):
    """The result of one prompt on one platform."""

    platform: str
    """Key of the platform."""
    status: OneOf[Literal["failed", "no_surface", "ok", "unanswered"]]
    """`ok`, `no_surface` (no AI answer was shown), `failed` or `unanswered`."""
    mentioned: bool | None = None
    """Whether the answer names the brand. Null without a valid answer."""
    cited: bool | None = None
    """Whether the answer cites a page of the brand. Null without a valid answer."""
    position: int | None = None
    """Rank of the brand among the brands in the answer, 1 is first. Null if it has none."""
    answer_id: str | None = None
    """Id of the answer. Null if there is none."""


class PromptImport(Model, frozen=True, kw_only=True):
    """Result of an import, in numbers of prompts."""

    domain_id: str
    """Id of the tracked domain."""
    added: int
    """New prompts. Each counts toward the prompt limit of the workspace."""
    restored: int
    """Prompts that were tracked before. They come back with their history."""
    already_tracked: int
    """Prompts that were already tracked. They only get tags and pins."""
    repeated: int
    """Repeated prompts within the import. They are ignored."""


class PromptResult(Model, frozen=True, kw_only=True):
    """One prompt and its result on each platform."""

    prompt: str
    """Text of the prompt."""
    language: str | None = None
    """Language that the prompt was asked in. Null if none was set, as in every scan on demand."""
    country: str | None = None
    """Country that the prompt was asked from. Null if none was set, as in every scan on demand."""
    branded: bool
    """Whether the prompt names the brand."""
    platforms: list[PromptCell]
    """Result of the prompt on each platform."""


class PromptSourceChange(Model, frozen=True, kw_only=True):
    """A site that a platform began to cite for a prompt, or stopped citing."""

    platform: str
    """Key of the platform."""
    site: str
    """Registrable domain of the site."""
    change: OneOf[Literal["lost", "new"]]
    """`new`: no answer before the change cites the site, and at least half of the answers since then do. `lost`:
    at least two of the last four answers before the change cite the site, and none since then does. There are
    at least two answers before and after the change. Answers without sources do not count.
    """
    at: datetime
    """If `new`, when the first check that cites the site completed. If `lost`, when the last check that cites it
    completed.
    """
    cited: int
    """Number of answers that cite the site. `new`: among the answers since the change. `lost`: among the last four
    answers before it.
    """
    answers: int
    """Number of answers with sources among which `cited` is counted. For `lost`, at most four."""


class PromptSourceChanges(Model, frozen=True, kw_only=True):
    """The new and lost sources of one prompt on every platform that shows sources."""

    prompt_id: str
    """Id of the prompt."""
    domain_id: str
    """Id of the tracked domain."""
    period_days: int
    """Length of the period in days. It ends now."""
    sources: list[PromptSourceChange]
    """By platform: first `new`, then `lost`, each newest first. Empty if no change is certain."""


class SpotCheckResult(Model, frozen=True, kw_only=True):
    """The chance that a platform, asked once, names the brand."""

    platform: str
    """Key of the platform."""
    chance: Figure
    """Chance in percent that the platform, asked once, names the brand. Here, `n` and `denominator` are the number
    of times that the prompt was asked, and `numerator` is the number of answers that name the brand. If the
    platform showed no AI answer, this counts as not naming the brand. Failed attempts do not count. `value` is
    null if `n` is below five. `early_reading` is always false, and `prompts` is always null.
    """
    summary: str
    """A sentence that states the chance, or that the prompt was asked too rarely to tell."""
    first_asked_at: datetime
    """When the first of the counted checks completed."""
    last_asked_at: datetime
    """When the last of the counted checks completed."""


class PromptSpotChecks(Model, frozen=True, kw_only=True):
    """The spot checks of one prompt on every platform that was asked."""

    prompt_id: str
    """Id of the prompt."""
    domain_id: str
    """Id of the tracked domain."""
    period_days: int
    """Length of the period in days. It ends now."""
    platforms: list[SpotCheckResult]
    """One entry for each platform that was asked. Empty if none was asked in the period."""


class PromptSuggestion(Model, frozen=True, kw_only=True):
    """A prompt that Sightline proposes.

    Nothing is tracked until somebody accepts it.
    """

    id: str
    """Id of the suggestion."""
    domain_id: str
    """Tracked domain of the suggestion."""
    prompt: str
    """Text of the suggested prompt."""
    language_code: str | None = None
    """Language of the prompts that led to the suggestion."""
    country_iso_2: str | None = None
    """Country of the prompts that led to the suggestion. Null if none is set."""
    priority: float
    """From 0 to 100. Higher if more answers led to the suggestion, if it differs more from earlier prompts, and if
    more of these answers name competitors but not the brand.
    """
    origin: OneOf[Literal["aspect", "fan_out", "question", "rivals", "setup", "stage", "template", "use"]]
    """`fan_out`: a platform searched the web for it to answer another prompt. `question`: an answer asks it.
    `aspect`: about an aspect that answers talk about. `use`: about a purpose that answers recommend products
    for. `rivals`: compares competitors. `stage`: about a stage of the purchase that no prompt covers. `setup`:
    suggested at setup. `template`: a general question about what the brand sells.
    """
    origin_subjects: list[str]
    """What the origin is about: platforms, an aspect, a purpose, competitors, a stage, or what the brand sells.
    Empty if unknown.
    """
    origin_answers: int | None = None
    """Number of answers that led to the suggestion. Null if none did."""
    origin_summary: str
    """Origin of the suggestion, in words."""
    scan_id: str | None = None
    """Full Check whose answers led to the suggestion. Null for suggestions at setup."""
    created_at: datetime
    """When the prompt was first suggested."""


class TagFigures(Model, frozen=True, kw_only=True):
    """Figures of the prompts with one tag, from their latest valid answers."""

    tag: str
    """Name of the tag."""
    prompts: int
    """Number of active prompts with the tag."""
    measured: int
    """Number of those prompts that count in the figures. Prompts that name the brand, and prompts that the latest
    Full Check did not ask, do not count.
    """
    brand_coverage_pct: Figure
    """Share of answers that name the brand, in percent."""
    visibility_score: Figure
    """Visibility Score, 0 to 100: how often and how early answers name the brand, and how often they cite it."""


class PromptTags(Model, frozen=True, kw_only=True):
    """The tags of a tracked domain, in the order of their names."""

    domain_id: str
    """Id of the tracked domain."""
    tags: list[TagFigures]
    """Every tag of an active prompt, with its figures."""


class Recommendation(Model, frozen=True, kw_only=True):
    """One action to take after a Full Check, and the answers that support it."""

    id: str
    """Id of the recommendation. Each Full Check gives new ids."""
    key: str
    """Key of the action, the same in every Full Check that finds it again."""
    scan_id: str
    """Full Check that the recommendation is based on."""
    rank: int
    """Place by the expected effect. 1 has the largest effect."""
    kind: OneOf[
        Literal[
            "admit_agent",
            "answer_question",
            "correct_fact",
            "earn_praise",
            "fix_claim",
            "get_listed",
            "keep",
            "mend_page",
            "move_up",
            "nothing_significant",
            "open_door",
            "win_back",
        ]
    ]
    """Kind of action. `mend_page`: mend a page of the brand that answers cite (site review). `admit_agent`: let an
    AI agent read the site (site review). `get_listed`: get the brand onto a page or site that answers cite.
    `answer_question`: publish or improve a page, because answers cite competitors' pages and none of the
    brand's. `fix_claim`: answer a criticism that recurs. `correct_fact`: have a wrong statement about the brand
    corrected. `keep`: do not remove pages that are cited in answers that name the brand. `open_door`: find out
    why a platform names the brand less than others do. `win_back`: win back prompts whose answers no longer
    name the brand. `move_up`: find out why answers mostly place a competitor above the brand. `earn_praise`:
    show a property that answers praise of competitors and not of the brand. `nothing_significant`: there is
    nothing to do.
    """
    action: str
    """What to do, and where."""
    why: str
    """What the answers show, with counts."""
    steps: list[str]
    """How to do it, in three steps."""
    edited: bool
    """Whether a language model worded `action`, `why` and `steps`. It does so in the language of the workspace;
    requests in another language get sentences of Sightline.
    """
    effort: OneOf[Literal["high", "low", "medium"]] | None = None
    """`low`, `medium` or `high`. Null for `nothing_significant`."""
    expected: ExpectedEffect | None = None
    """Estimated number of answers that the action could change. They are counted among the answers of one Full
    Check. For `win_back`, they are counted, for each prompt, among the answers of the last two checks (Full or
    Daily) that asked it. `expected_summary` says how the answers could change. Null for `nothing_significant`,
    or if the effect is not estimated yet.
    """
    expected_summary: str
    """The expected effect in words. Empty if `expected` is null."""
    state: OneOf[Literal["done", "open"]]
    """`done` if somebody marked the action as done, otherwise `open`."""
    done_at: datetime | None = None
    """When the action was done. Null if it is open."""
    effect: MeasuredEffect | None = None
    """What the action changed since it was done. Null if it is open."""
    subject: str | None = None
    """Subject of the action. `get_listed` and `keep`: a page or a site. `answer_question`: a kind of page.
    `fix_claim`: the criticized aspect. `correct_fact`: what is stated. `open_door`: a platform. `mend_page`: a
    page. `admit_agent`: an agent. `win_back`: the date when an answer to the prompts of the action last named
    the brand. `move_up`: a competitor. `earn_praise`: a property. Null for `nothing_significant`.
    """
    site: str | None = None
    """Site to act on: the brand's own or another one. Null if there is none."""
    page: str | None = None
    """Page to act on. Null if the action concerns several pages or none."""
    pages: list[str]
    """Pages that the recommendation is based on, most cited first. Each page belongs to one recommendation only."""
    rivals: list[str]
    """Competitors that the answers name or cite, most often named first."""
    platforms: list[str]
    """Platforms of the answers."""
    quotes: list[str]
    """Sentences of answers that criticize the brand, or state something wrong of it. Only for `fix_claim` and
    `correct_fact`.
    """
    prompts: list[RecommendedPrompt]
    """Prompts that the action concerns."""
    prompt_id: str | None = None
    """Id of the first of these prompts. Null if there is none."""
    prompt: str | None = None
    """Text of the first of these prompts."""
    answer_ids: list[str]
    """Answers that support the recommendation."""
    answers: list[ProvingAnswer]
    """The same answers, each with its check. Some of them may belong to earlier checks."""


class Removed(Model, frozen=True, kw_only=True):
    """Confirmation that a resource was removed."""

    id: str
    """Id of what was removed."""
    deleted: bool
    """Always true."""


class ReopenedRecommendation(Model, frozen=True, kw_only=True):
    """Confirmation that an action is no longer marked as done."""

    key: str
    """Key of the action."""
    done: bool
    """Always false."""


class Report(Model, frozen=True, kw_only=True):
    """A weekly report of a tracked domain, created after a Full Check."""

    id: str
    """Id of the report, used as `report_id`."""
    scan_id: str
    """Full Check that the report is about."""
    title: str
    """Brand and period on one line."""
    period_start: datetime
    """When the previous Full Check completed. In a first report, when this Full Check started."""
    period_end: datetime
    """Completion time of the Full Check that the report is about."""
    summary: str
    """Summary of the report in a few sentences."""
    html_url: str
    """Address of the report as one HTML file. Needs a Data API key."""
    pdf_url: str
    """Address of the report as a PDF. Needs a Data API key."""
    created_at: datetime
    """When the report was created."""
    note: str | None = None
    """Paragraph above the verdict of the report, as plain text. Null if there is none."""
    owners: list[str]
    """Who does each of the next actions, in the order of the report. Empty text for an action without an owner."""


class ReportEmail(Model, frozen=True, kw_only=True):
    """An e-mail with reports to one recipient."""

    id: str
    """Id of the e-mail."""
    recipient: str
    """Address that it goes to."""
    due_at: datetime | None = None
    """Time of the schedule that it belongs to. Null for a test."""
    report_ids: list[str]
    """Reports that it is about."""
    state: OneOf[Literal["failed", "sent", "waiting"]]
    """`waiting` is tried again; `failed` was given up."""
    failure: str | None = None
    """Why the latest attempt failed, as the mail server said it."""
    created_at: datetime
    """When it was written."""
    sent_at: datetime | None = None
    """When the mail server accepted it."""


class ReportReadyData(Report, frozen=True, kw_only=True):
    """Data of the event `report.ready`."""

    domain_id: str
    """Tracked domain that the report is about."""
    workspace_id: str
    """Workspace of the tracked domain."""
    livemode: bool
    """True for live data, false for test data."""


class RestoredRecommendation(Model, frozen=True, kw_only=True):
    """Confirmation that an action is no longer dismissed."""

    key: str
    """Key of the action."""
    dismissed: bool
    """Always false."""


class ReviewedCompetitor(Model, frozen=True, kw_only=True):
    """A competitor in any state of its review."""

    id: str
    """Id of the competitor, used as `competitor_id`."""
    name: str | None = None
    """Name that answers use for it. Null if it was entered by domain."""
    competitor_domain: str | None = None
    """Domain of the competitor. Null if it is not known."""
    status: OneOf[Literal["confirmed", "dismissed", "hidden", "suggested"]]
    """`suggested`: found in answers and not reviewed. `confirmed`: measured. `dismissed`: not a rival. `hidden`:
    confirmed once, and not measured now.
    """
    last_updated: datetime
    """When the record last changed."""


class ScanEventData(Scan, frozen=True, kw_only=True):
    """The scan that an event is about, as it was at that time."""

    workspace_id: str
    """Workspace of the scan."""


class ScanCompletedData(ScanEventData, frozen=True, kw_only=True):
    """Data of the event `scan.completed`."""

    results_url: str
    """Address of the results of the scan."""


class SentimentSummary(Model, frozen=True, kw_only=True):
    """Sentiment about a brand over a set of answers."""

    score: float | None = None
    """Median score, 0 to 100; between 40 and 60 is neutral. Null with too few scored answers."""
    label: OneOf[Literal["negative", "neutral", "positive"]] | None = None
    """Most frequent label of the scored answers."""
    low_data: bool
    """Whether there are too few scored answers."""
    mixed: bool
    """Whether the answers contradict each other."""
    scored: int
    """Number of answers that the score is based on."""
    unscored: int
    """Number of answers that could not be scored with confidence."""
    labels: dict[str, int]
    """Number of scored answers for each label."""
    unscored_reasons: dict[str, int]
    """Number of unscored answers for each reason. `language`: no scorer supports the language of the answer.
    `doubt`: the scorer is not sure enough. `no_opinion`: the brand is named only in passing. The sum may be
    less than `unscored`, because older answers have no reason.
    """


class ScanMeasurements(Model, frozen=True, kw_only=True):
    """Everything that is measured in one scan.

    It is stored as JSON when the scan completes.
    """

    planned: int
    """Number of answers that were planned."""
    valid: int
    """Number of valid answers: those with the status `ok`."""
    no_surface: int
    """Number of times that a platform showed no AI answer."""
    failed: int
    """Number of answers that could not be obtained."""
    unanswered: int
    """Number of answers that were still missing when the scan ended."""
    incomplete: bool
    """Whether more than 20% of the answers failed or are missing, overall or on one platform. Cases in which a
    platform showed no AI answer (`no_surface`) are left out.
    """
    early_reading: bool
    """Whether there are fewer than ten prompts, so the figures are uncertain."""
    only_branded: bool
    """Whether every prompt names the brand."""
    headline: Headline
    """Headline metrics over the prompts that do not name the brand. If `only_branded` is true, over all prompts.
    `citation_count` is always over all prompts.
    """
    details: Details
    """Secondary figures, and a copy of two ranges of the headline."""
    branded: Headline | None = None
    """Headline metrics over the prompts that name the brand. Null if no prompt names the brand."""
    platforms: list[PlatformResult]
    """Headline metrics for each platform."""
    prompts: list[PromptResult]
    """Presence of the brand for each prompt on each platform."""
    competitors: list[CompetitorResult]
    """Ranking that includes the measured brand."""
    sources: list[SourceResult]
    """Sites that the answers cite."""
    candidates: list[CandidateResult]
    """Names in the answers that look like brands, but are neither the measured brand nor one of its competitors."""
    sentiment: SentimentSummary | None = None
    """Sentiment about the brand. Always null for a scan on demand."""
    scorers: list[str]
    """Names and versions of the models that scored the sentiment. Always empty for a scan on demand."""


class ScanPreview(Model, frozen=True, kw_only=True):
    """The price of a scan, and what it would ask.

    Nothing is charged or stored.
    """

    credits_required: int
    """Credits that submitting the scan would charge."""
    balance: int
    """Credits that the workspace has."""
    balance_after: int
    """Credits that would be left. A negative number shows how many are missing."""
    sufficient: bool
    """Whether the workspace has enough credits."""
    exceeds_max_credits: bool | None = None
    """Whether the scan costs more than `max_credits`, so that submitting it would be refused. Null if you sent no
    `max_credits`.
    """
    answers_total: int
    """Number of answers that would be asked for: prompts times platforms."""
    platforms: list[str]
    """Keys of the platforms that would be asked."""
    keywords: list[str]
    """Prompts that would be asked. If you sent none, Sightline suggests ten. In the sandbox, this list already
    contains the suggestions. Otherwise Sightline makes them when the scan starts, and this list is empty.
    """
    keywords_source: OneOf[Literal["given", "suggested"]]
    """`given` if you sent the prompts, otherwise `suggested`."""
    active_scan_id: str | None = None
    """Pending or running scan of the domain. Until it ends, you cannot submit another one. Null if there is none."""


class ScanResults(ScanMeasurements, frozen=True, kw_only=True):
    """The results of a completed scan.

    Every number comes from this scan alone.
    """

    scan_id: str
    """Id of the scan."""
    status: OneOf[Literal["completed"]]
    """Always `completed`."""
    metrics_version: str
    """Version of the formulas."""
    extractor_version: str
    """Version of the analyzer that found brands and sources in the answers."""


class Schedule(Model, frozen=True, kw_only=True):
    """When the reports of a client are sent to its recipients."""

    client_id: str
    """Client whose reports are sent."""
    rhythm: OneOf[Literal["monthly", "weekly"]]
    """How often reports are sent."""
    day: int
    """Day of the week, from 1 for Monday to 7, if weekly; day of the month, from 1 to 28, if monthly."""
    hour: int
    """Hour of the client's time zone, from 0 to 23."""
    timezone: str
    """Time zone of the hour: the client's, or else the workspace's."""
    next_at: datetime
    """When reports are sent next."""
    last_at: datetime | None = None
    """The latest time that was due. Null before the first."""
    last_outcome: OneOf[Literal["no_recipients", "no_report", "nothing_new", "sent"]] | None = None
    """What happened then: `sent`; `no_report`, before the first Full Check of any domain; `nothing_new`, without a
    Full Check since the e-mail before; `no_recipients`.
    """


class SecondOpinion(Model, frozen=True, kw_only=True):
    """A file of answers that is measured.

    It is deleted after 24 hours, its text as soon as it is measured.
    """

    id: str
    """Id of the second opinion."""
    status: OneOf[Literal["done", "failed", "queued", "uploaded"]]
    """`uploaded` (on the page, before the columns are confirmed), `queued`, `done` or `failed`. Only `done` has a
    result.
    """
    file_name: str
    """Name of the file."""
    brand_name: str
    """Measured brand."""
    columns: dict[str, str]
    """Column of the file by field, as it is read."""
    missing: list[str]
    """Fields that the file does not have, among `prompt`, `platform`, `answered_at` and `sources`. The result says
    less without them.
    """
    fault: str | None = None
    """Why the file cannot be measured. Null unless it failed."""
    created_at: datetime
    """When it was uploaded."""
    expires_at: datetime
    """When it is deleted."""


class SecondOpinionResult(Model, frozen=True, kw_only=True):
    """What a file of answers says.

    The surface of all its answers is `import`.
    """

    lead: str | None = None
    """Who is really ahead, in a sentence. Null with fewer than two brands."""
    figures: ScanMeasurements
    """The figures, as those of a scan with these answers."""
    other_markets: OtherMarkets | None = None
    """What is left out because it is about other markets than that of the brand. Null if the file is about one
    market.
    """
    comparison: DayComparisonResult | None = None
    """What changed between two days, and what of it is chance. Null if no days can be compared."""
    misread_names: list[MisreadNameResult]
    """Names that are easily misread."""
    reading: FileReadingResult
    """How the file was read."""


class SiteAgent(Model, frozen=True, kw_only=True):
    """What robots.txt lets an AI agent read."""

    name: str
    """Name of the agent in robots.txt."""
    vendor: str
    """Who sends the agent."""
    purpose: OneOf[Literal["live", "search", "training"]]
    """What the agent fetches pages for. `live`: a person asked a question, and the page is read for the answer.
    `search`: an index from which answers are made. `training`: training of models.
    """
    platforms: list[str]
    """Platforms that the agent fetches for."""
    may_read_home: bool | None = None
    """Whether it may read the home page. Null if robots.txt could not be read."""
    blocked_pages: list[str]
    """Cited pages that it may not read."""
    rule: str | None = None
    """Line of robots.txt that keeps it out. Null if none does."""
    always_obeys: bool
    """Whether the vendor says that it always follows robots.txt."""
    source: str
    """Where the vendor documents the agent."""


class TouchedPrompt(Model, frozen=True, kw_only=True):
    """A prompt that a finding touches."""

    id: str
    """Id of the prompt."""
    text: str
    """The prompt."""


class SiteFinding(Model, frozen=True, kw_only=True):
    """Something that keeps answers from reading or citing the site."""

    id: str
    """Id of the finding, the same in every review that sees it."""
    group: OneOf[Literal["access", "broken", "missing", "readable"]]
    """`broken`: a page that answers cite is gone, redirects elsewhere, is refused, or does not say what it is
    cited for. `access`: agents are kept out. `readable`: what a reader without scripts misses. `missing`: no
    page speaks about it.
    """
    kind: OneOf[
        Literal[
            "agent_blocked",
            "canonical_elsewhere",
            "cited_changed",
            "cited_failing",
            "cited_gone",
            "cited_moved",
            "cited_refused",
            "listed_gone",
            "noindex",
            "prompt_missing",
            "robots_failing",
            "theme_missing",
            "broken_canonical",
            "date_future",
            "date_unreadable",
            "dates_differ",
            "dates_reversed",
            "json_ld_broken",
            "json_ld_name",
            "json_ld_price",
            "needs_scripts",
            "no_language",
            "no_title",
            "several_canonicals",
            "wrong_language",
        ]
    ]
    """What is wrong."""
    state: OneOf[Literal["ignored", "mended", "open"]]
    """`open`, `mended` since a review saw that it is gone, or `ignored` by a person."""
    summary: str
    """What is wrong, in words."""
    remedy: str
    """How to mend it."""
    page: str | None = None
    """Page without scheme. Null if it is about the whole site."""
    evidence: str
    """What was seen: a status, a line, a passage."""
    answers: int
    """Answers of the Full Check that cite the page."""
    prompts: list[TouchedPrompt]
    """Prompts that the finding touches."""
    platforms: list[str]
    """Platforms that it touches."""
    competitor_pages: list[str]
    """Pages of competitors that answers cite for it instead."""
    first_seen_at: datetime
    """When a review saw it first."""
    last_seen_at: datetime
    """When a review saw it last."""
    mended_at: datetime | None = None
    """When a review saw that it is gone."""
    ignored_at: datetime | None = None
    """When a person ignored it."""
    reason: str | None = None
    """Why it is ignored, in the words of that person."""


class SitePage(Model, frozen=True, kw_only=True):
    """A page that the review asked for."""

    url: str
    """Address of the page."""
    chosen: OneOf[Literal["cited", "home", "prompt", "sitemap"]]
    """Why it was chosen: answers cite it, it is the home page, the sitemap names it, or its address has words of
    your prompts.
    """
    status: int | None = None
    """HTTP status. Null if there was no response."""
    not_checked: (
        OneOf[
            Literal[
                "address_refused",
                "compressed",
                "encoding",
                "no_connection",
                "not_html",
                "refused",
                "robots",
                "robots_unreadable",
                "server_error",
                "time_used_up",
                "timeout",
                "too_large",
                "too_many_redirects",
            ]
        ]
        | None
    ) = None
    """Why the page was not read. Null if it was."""
    title: str | None = None
    """Title of the page."""
    language: str | None = None
    """Language of the page."""
    text_length: int | None = None
    """Characters of text that the HTML has without scripts."""
    html_length: int | None = None
    """Characters of HTML."""


class SiteReview(Model, frozen=True, kw_only=True):
    """The latest review of the brand's own site."""

    id: str | None = None
    """Id of the latest review that has ended. Null if there is none."""
    status: OneOf[Literal["completed", "none", "running"]]
    """Whether a review runs now. While one runs, the result of the one before is returned."""
    requested_at: datetime | None = None
    """When the review was requested."""
    completed_at: datetime | None = None
    """When the review ended."""
    scan_id: str | None = None
    """Full Check whose cited pages were read."""
    open_findings: dict[str, int]
    """Number of open findings. `broken`: a page that answers cite is gone, redirects elsewhere, is refused, or
    does not say what it is cited for. `access`: agents are kept out. `readable`: what a reader without scripts
    misses. `missing`: no page speaks about it.
    """
    agents: list[SiteAgent]
    """What robots.txt lets each known agent read."""
    agents_checked_on: str
    """Day on which the list of agents was compared with their sources."""
    not_checked: list[NotChecked]
    """Parts of the review that say nothing."""
    reviewed_pages: list[SitePage]
    """Pages that the review asked for, in its order."""


class SlackChannel(Model, frozen=True, kw_only=True):
    """A Slack channel that hears of finished checks, findings and reports."""

    id: str
    """Id of the channel."""
    name: str
    """What you call it."""
    host: str
    """Host of its address. The rest of the address is secret."""
    client_id: str | None = None
    """Client whose domains it hears of. Null for all domains."""
    events: list[str]
    """Events that are posted."""
    status: OneOf[Literal["disabled", "enabled"]]
    """`enabled` or `disabled`. Nothing is posted while disabled."""
    disabled_reason: OneOf[Literal["failing", "gone", "manual"]] | None = None
    """`manual` (by a member), `gone` (Slack answered 404 or 410: the webhook or its channel no longer exists) or
    `failing` (every message has failed for five days). Null while enabled.
    """
    created_at: datetime
    """When the channel was added."""
    updated_at: datetime
    """When the channel was last changed."""


class TableColumn(Model, frozen=True, kw_only=True):
    """A column of a table."""

    name: str
    """Name of the column."""
    type: OneOf[Literal["boolean", "date", "integer", "number", "text", "timestamp", "uuid"]]
    """Type of the values. A `uuid`, `date` or `timestamp` is a string in JSON and CSV."""
    description: str
    """Meaning of the values, and of null."""
    on_request: bool
    """Whether the column is returned only with `text=yes`."""


class Table(Model, frozen=True, kw_only=True):
    """A table of a tracked domain."""

    name: str
    """Name of the table, as in its address."""
    description: str
    """What a row is."""
    key: list[str]
    """Columns that identify a row. If a later read returns a row again, replace your copy with it."""
    columns: list[TableColumn]
    """Columns in the order of the CSV and Parquet files."""


class TableRow(Model, frozen=True, kw_only=True):
    """A row of a table.

    In addition to these fields, it has one for each further column of the table.
    """

    row_id: str
    """Unique in the table and the same in every read."""
    domain_id: str
    """Tracked domain."""
    scan_id: str
    """Id of the check that produced the row."""
    measured_at: datetime
    """When the check was completed."""
    updated_at: datetime
    """When the row was last written."""
    removed_at: datetime | None = None
    """When the row was removed. Null if it exists."""
    metrics_version: str | None = None
    """Version of the formulas. Null if the row was removed."""
    extractor_version: str | None = None
    """Version of the analyzer. Null if the row was removed."""


class TrackedCompetitor(Model, frozen=True, kw_only=True):
    """A competitor that someone in the workspace confirmed."""

    id: str
    """Id of the competitor, used as `competitor_id`."""
    domain_id: str
    """Tracked domain that the competitor belongs to."""
    competitor_domain: str
    """Domain of the competitor."""
    display_name: str | None = None
    """Name that the competitor's own site declares. Null if it declares none; it is never inferred from the
    domain.
    """
    discovery_source: OneOf[Literal["added_by_you", "detected"]]
    """`added_by_you`: entered by someone in the workspace. `detected`: found in AI answers."""
    user_confirmed: bool
    """Always true: only confirmed competitors are listed."""
    discovered_at: datetime
    """When the competitor was first found."""
    last_updated: datetime
    """When the record last changed. The list is sorted by this time, newest first."""


class TrackedDomain(Model, frozen=True, kw_only=True):
    """A domain that the workspace tracks.

    The `latest_*` fields are its current figures; null if not measured.
    """

    id: str
    """Id of the domain, used as `domain_id`."""
    domain: str
    """Host name in lower case, without a leading `www`."""
    brand_name: str
    """Name to look for in answers."""
    aliases: list[str]
    """Other names of the brand."""
    owned_domains: list[str]
    """Other domains of the brand. Citations of them count as citations of the brand."""
    status: str
    """`setup` until the setup is complete, then `active`."""
    platforms: list[str]
    """Keys of the platforms that its checks run on."""
    latest_visibility_score: float | None = None
    """Visibility Score, 0 to 100: how often and how early answers name the brand, and how often they cite it. Null
    if not measured.
    """
    latest_brand_coverage_pct: float | None = None
    """Share of answers that name the brand, in percent. Null if not measured."""
    latest_ai_mentions: int | None = None
    """Number of answers that name the brand. Null if not measured."""
    latest_market_position: int | None = None
    """Rank among the competitors, 1 is best. Null without competitors, if no answer names or cites the brand, or
    if not measured.
    """
    last_full_check_at: datetime | None = None
    """When the last Full Check completed. Null before the first one."""
    last_daily_check_at: datetime | None = None
    """When the last Daily Check completed. Null before the first one."""
    next_check_at: datetime | None = None
    """When the next check is due. Null if none is planned."""
    next_check_scope: str | None = None
    """`full_check` or `daily_check`. Null if none is planned."""
    prompt_count: int
    """Number of active prompts."""
    pinned_count: int
    """Number of pinned prompts, which every Daily Check asks."""
    competitor_count: int
    """Number of confirmed competitors."""
    created_at: datetime
    """When the domain was added."""
    client_id: str | None = None
    """Id of the client that it belongs to. Null for none."""


class UsageFigures(Model, frozen=True, kw_only=True):
    """Requests made with API keys of this workspace on both APIs, including refused ones."""

    last_hour: int
    """Requests in the last 60 minutes."""
    last_24h: int
    """Requests in the last 24 hours."""
    month_to_date: int
    """Requests since the start of the calendar month (UTC)."""
    error_rate_24h_pct: float | None = None
    """Share of requests in the last 24 hours that were answered with 4xx or 5xx, in percent. Null without
    requests.
    """
    as_of: datetime
    """When the figures were computed."""


class Webhook(Model, frozen=True, kw_only=True):
    """One of your endpoints that receives events, without its secret."""

    id: str
    """Id of the webhook, used as `webhook_id`."""
    livemode: bool
    """Live webhooks receive live events, test webhooks receive test events."""
    url: str
    """URL that events are sent to, in its normalized form."""
    description: str
    """Your own description of the webhook."""
    events: list[str]
    """Event types that are sent. Empty means all types, including future ones."""
    status: OneOf[Literal["disabled", "enabled"]]
    """`enabled` or `disabled`. Nothing is sent to a disabled webhook."""
    disabled_reason: OneOf[Literal["failing", "gone", "manual"]] | None = None
    """`manual` (disabled by a member), `gone` (the endpoint answered 410) or `failing` (every delivery has failed
    for five days). Null while enabled.
    """
    created_at: datetime
    """When the webhook was registered."""
    updated_at: datetime
    """When the webhook was last changed."""


class WebhookAttempt(Model, frozen=True, kw_only=True):
    """One request to the endpoint, and its result."""

    attempt: int
    """Number of the attempt, starting at 1."""
    attempted_at: datetime
    """When the attempt was made."""
    request_headers: dict[str, str]
    """Headers that were sent."""
    response_status: int | None = None
    """HTTP status of the response. Null without a response."""
    response_body: str | None = None
    """First 4 KiB of the response. Null without a response."""
    error: str | None = None
    """Why there was no response. If the response was a redirect, a note that redirects are not followed. Null
    otherwise.
    """
    duration_ms: int
    """Duration of the attempt in milliseconds."""


class WebhookDelivery(Model, frozen=True, kw_only=True):
    """The delivery of one event to one webhook."""

    id: str
    """Id of the delivery, used as `delivery_id`."""
    webhook_id: str
    """Webhook that the event is sent to."""
    event_id: str
    """Id of the event. It is sent as the header `webhook-id`, the same with every attempt."""
    event_type: str
    """Type of the event."""
    status: OneOf[Literal["failed", "pending", "succeeded"]]
    """`pending`, `succeeded` or `failed`."""
    failure_reason: (
        OneOf[Literal["attempts_exhausted", "gone", "rejected", "sandbox", "webhook_disabled", "webhook_removed"]]
        | None
    ) = None
    """`attempts_exhausted` (no attempts are left), `gone` (the endpoint answered 410, or Slack 404), `rejected`
    (Slack refused the message), `sandbox` (a sandbox posts nothing to Slack), `webhook_disabled` or
    `webhook_removed`. Null unless the delivery has failed.
    """
    attempt_count: int
    """Number of attempts that were made."""
    next_attempt_at: datetime | None = None
    """When the next attempt is made. Null if there is none."""
    created_at: datetime
    """When the delivery was created."""
    request_body: str
    """Body that is sent, byte for byte."""
    attempts: list[WebhookAttempt]
    """Latest 20 attempts, oldest first."""


class WebhookTestData(Model, frozen=True, kw_only=True):
    """Data of the event `webhook.test`."""

    webhook_id: str
    """Webhook that is tested."""
    workspace_id: str
    """Workspace of the webhook."""
    livemode: bool
    """True for live data, false for test data."""


class WebhookWithSecret(Webhook, frozen=True, kw_only=True):
    """A webhook with its new secret, which is shown only in this response."""

    secret: str | None = None
    """Secret that signs deliveries. It is shown only once. A repeated request with the same Idempotency-Key
    returns null here.
    """
