"""Rows of insights and the JSON inside them, except for alerts."""

import hashlib
import uuid
from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sightline.answers.models import SITE_TYPE_MEANING
from sightline.facts.models import FactKind
from sightline.metrics.recommendations import ClaimQuote, ExpectedEffect, Kind
from sightline.metrics.sentiment import Label
from sightline.metrics.themes import ChangeVerdict
from sightline.metrics.themes import Kind as ThemeKind
from sightline.scans.schemas.results import SourceType
from sightline.site_review.models import Found

SiteType = Literal["retailer", "directory", "review_site", "forum", "editorial", "encyclopedia", "other"]
"""The kinds of sites that a brand can get onto."""
PageKind = Literal["comparison", "pricing", "docs", "guide", "category", "product", "home", "page"]
"""The kinds of pages that a brand has."""
InsightPart = Literal["alerts", "competitors", "themes", "recommendations", "opportunities", "suggestions"]


UnreadReason = Literal["no_word_lists"]
"""Why answers give no themes: their language cannot be read."""


class ProvingAnswer(msgspec.Struct, frozen=True):
    """An answer that supports a finding. Read it with `GET /scans/{scan_id}/answers/{answer_id}`."""

    scan_id: Annotated[uuid.UUID, Meta(description="Check that the answer belongs to.")]
    answer_id: Annotated[uuid.UUID, Meta(description="Id of the answer.")]


class ThemeQuote(msgspec.Struct, frozen=True):
    """A sentence or list item of an answer, verbatim. The brand is its subject."""

    answer_id: Annotated[
        uuid.UUID, Meta(description="Answer that contains the sentence. It belongs to the check `scan_id`.")
    ]
    text: Annotated[str, Meta(description="The sentence, with its Markdown.")]


class StoredThemeChange(msgspec.Struct, frozen=True):
    """The share of the theme in the Full Check before, in percent, and what has become of it since."""

    share: float
    verdict: ChangeVerdict


class ThemeTrace(msgspec.Struct, frozen=True):
    """The JSON in `theme_traces.trace`: what the next Full Check compares its themes with."""

    cells: tuple[tuple[str, str, tuple[str, ...]], ...]
    """Prompt id, platform and aspects of every cell whose answer names the brand."""
    unread: dict[str, int] = {}
    """Answers that name the brand and could not be read, by language."""
    editor: str | None = None
    """Who sorted them; None if rules did. Only themes of the same editor are compared."""
    themes: tuple[str, ...] = ()
    """The codebook of the edition: a theme that it did not have is not compared."""


class ThemeTraceRow(msgspec.Struct, frozen=True):
    """A trace, and the Full Check that it belongs to."""

    scan_id: uuid.UUID
    trace: ThemeTrace


class StoredTheme(msgspec.Struct, frozen=True, kw_only=True):
    """The JSON in `themes.theme`, at full precision."""

    descriptor: str
    theme_key: str | None = None
    """The id in the codebook; None for a theme that rules found."""
    kind: ThemeKind
    answers: int
    share: float
    log_odds: float
    z: float
    polarity: float | None
    polarity_label: Label | None
    answer_ids: tuple[uuid.UUID, ...]
    quote: str = ""
    """The only quote of a theme that was stored before themes had several."""
    # Themes stored before these were computed have none of them.
    prompts: int | None = None
    platforms: int | None = None
    share_low: float | None = None
    share_high: float | None = None
    positive: int | None = None
    neutral: int | None = None
    negative: int | None = None
    few_answers: bool = False
    quotes: tuple[ThemeQuote, ...] = ()
    change: StoredThemeChange | None = None
    opinions: tuple[Label, ...] = ()
    """What each of `answer_ids` says, in their order."""


class RecommendedPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page that a recommendation is about, with the number of its answers that cite the page."""

    url: str
    title: str | None = None
    answers: int


class AskedPrompt(msgspec.Struct, frozen=True):
    id: str
    text: str


class WrongFact(msgspec.Struct, frozen=True):
    """What answers state about a fact of the brand, and what is true, as `facts/` writes both."""

    kind: FactKind
    about: str
    stated: str
    truth: str


class NamedShare(msgspec.Struct, frozen=True):
    """The number of answers, and of those that name the brand."""

    named: int
    answers: int


class RareClaim(msgspec.Struct, frozen=True):
    """An aspect that a few answers criticize, too few for a recommendation."""

    aspect: str
    answers: int


class RobotsCheck(msgspec.Struct, frozen=True, kw_only=True):
    """What robots.txt of the brand's own site tells the crawlers of a platform.

    `missing`: there is none, so everything is allowed. `unreadable`: it could not be read, and nothing is known.
    """

    url: str
    outcome: Literal["allowed", "blocked", "missing", "unreadable", "no_crawler"]
    blocked: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    checked_at: datetime


class ActionWording(msgspec.Struct, frozen=True):
    """How the editor words an action."""

    title: str
    reason: str
    steps: tuple[str, ...]
    effect: str = ""
    language: str | None = None
    """None in rows from before it was kept: those are shown to everybody."""


def task_key(kind: str, subject: str | None) -> str:
    """Return a key that is the same for the same kind of task about the same subject in every scan.

    The subject is hashed, because URLs can be of any length.
    """
    digest = hashlib.sha256((subject or "").encode("utf-8", "surrogatepass")).hexdigest()
    return f"{kind}-{digest[:32]}"


class ActionFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a recommendation is about. `insights/recommendations/actions.py` says it in words."""

    kind: Kind
    subject: str | None = None
    """What the action is about, the same in every check: a page, a site, a kind of page, an aspect, a platform, or the
    day on which a prompt was last won."""
    theme_key: str | None = None
    """The theme of the codebook that the action is about. Its label may change, and the action is the same."""
    site: str | None = None
    site_name: str | None = None
    site_type: SiteType | None = None
    page_kind: PageKind | None = None
    is_review: bool = False
    """Whether all pages are reviews of one product, so that only a review of its own helps."""
    pages: tuple[RecommendedPage, ...] = ()
    """The most cited ones; `page_count` is the number of all, None for recommendations from before it was kept."""
    page_count: int | None = None
    prompts: tuple[AskedPrompt, ...] = ()
    platforms: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    """Those that the answers name, most often named first."""
    quotes: tuple[ClaimQuote, ...] = ()
    share: NamedShare | None = None
    """How often the answers in question name the brand; `other_share` is what this is compared with."""
    other_share: NamedShare | None = None
    expected: ExpectedEffect | None = None
    """None for recommendations from before effects were estimated."""
    robots: RobotsCheck | None = None
    fault: Found | None = None
    """What the site review found; only for `mend_page` and `admit_agent`."""
    rare_claims: tuple[RareClaim, ...] = ()
    """Only where there is nothing significant."""
    wrong: WrongFact | None = None
    """Only for `correct_fact`."""
    wording: ActionWording | None = None
    """None if there is no editor, or if its wording says more than the facts."""

    @property
    def key(self) -> str:
        """Return the key of the action. It stays the same when its theme gets another label."""
        return task_key(self.kind, self.theme_key or self.subject)

    @property
    def mark_keys(self) -> tuple[str, ...]:
        """Return the keys of the marks that count for it.

        A marked site covers its pages: its owner has been asked. A criticism that was marked before its theme had an id
        is found by its words.
        """
        site = self.site if self.kind in {"get_listed", "keep"} else None
        return tuple(dict.fromkeys([self.key, *(task_key(self.kind, each) for each in (self.subject, site) if each)]))


class ProposedAction(ActionFacts, frozen=True, kw_only=True):
    """A recommendation as it is found. The answers may come from earlier checks."""

    answer_ids: tuple[str, ...] = ()


class StoredRecommendation(ActionFacts, frozen=True, kw_only=True):
    """The JSON in `recommendations.recommendation`."""

    proofs: tuple[ProvingAnswer, ...]


OLDER_VERSION = "an older version of Sightline found the opportunity"


class NamedCompetitor(msgspec.Struct, frozen=True):
    """A competitor, and the number of answers that name it and not the brand."""

    name: Annotated[str, Meta(description="Name of the competitor.")]
    answers: Annotated[int, Meta(description="Number of answers without the brand that name the competitor.")]
    answer_ids: Annotated[
        tuple[uuid.UUID, ...],
        Meta(
            description="These answers. They belong to the check `scan_id` of the opportunity. Empty if "
            f"{OLDER_VERSION}."
        ),
    ] = ()


class CitedSource(msgspec.Struct, frozen=True):
    """A site that the answers to the prompt cite."""

    domain: Annotated[str, Meta(description="Domain of the site.")]
    type: Annotated[SourceType, Meta(description=SITE_TYPE_MEANING)]
    citations: Annotated[int, Meta(description="Number of times that the answers cite the site.")]
    winnable: Annotated[
        bool,
        Meta(
            description="Whether a brand can get itself mentioned there. True for reviews, lists, forums, news "
            "and video."
        ),
    ]
    answer_ids: Annotated[
        tuple[uuid.UUID, ...],
        Meta(
            description="Answers that cite the site. They belong to the check `scan_id` of the opportunity. Empty if "
            f"{OLDER_VERSION}."
        ),
    ] = ()


class DecidingPage(msgspec.Struct, frozen=True):
    """A page that answers to the prompt cite."""

    url: Annotated[str, Meta(description="Address of the page, without scheme.")]
    title: Annotated[str | None, Meta(description="Title of the page. Null if no platform reports one.")]
    domain: Annotated[str, Meta(description="Domain of the site.")]
    type: Annotated[SourceType, Meta(description=SITE_TYPE_MEANING)]
    answers: Annotated[int, Meta(description="Number of answers to the prompt that cite the page.")]
    winnable: Annotated[
        bool,
        Meta(
            description="Whether a brand can get itself mentioned there. True for reviews, lists, forums, news "
            "and video, except for profile pages, which are about one company."
        ),
    ]
    answer_ids: Annotated[
        tuple[uuid.UUID, ...],
        Meta(
            description="These answers. They belong to the check `scan_id` of the opportunity. Empty if "
            f"{OLDER_VERSION}."
        ),
    ] = ()


class BestRival(msgspec.Struct, frozen=True, kw_only=True):
    """The competitor, tracked or discovered, that is named in the most answers to the prompt."""

    name: Annotated[str, Meta(description="Name of the competitor.")]
    answers: Annotated[int, Meta(description="Number of valid answers to the prompt that name the competitor.")]
    mean_place: Annotated[
        float | None,
        Meta(description="Mean position of the competitor among the brands in these answers. Null if unknown."),
    ]
    pages: Annotated[
        tuple[str, ...], Meta(description="The competitor's own pages that these answers cite, most cited first.")
    ]
    answer_ids: Annotated[
        tuple[uuid.UUID, ...],
        Meta(
            description="These answers. They belong to the check `scan_id` of the opportunity. Empty if "
            f"{OLDER_VERSION}."
        ),
    ] = ()


class StoredOpportunity(msgspec.Struct, frozen=True, kw_only=True):
    """The JSON in `opportunities.opportunity`, at full precision. What has a default is missing in older rows."""

    prompt_id: uuid.UUID
    prompt: str
    language_code: str | None
    country_iso_2: str | None
    score: float
    demand: float | None
    gap: float
    winnability: float
    demand_unknown: bool
    low_evidence: bool
    competitors: tuple[NamedCompetitor, ...]
    sources: tuple[CitedSource, ...]
    answer_ids: tuple[uuid.UUID, ...]
    valid_answers: int | None = None
    gap_answers: int | None = None
    citations: int | None = None
    winnable_citations: int | None = None
    pages: tuple[DecidingPage, ...] = ()
    best_rival: BestRival | None = None


class RankedRow(msgspec.Struct, frozen=True):
    """A theme or a recommendation: its JSON, and its place in the order of its scan."""

    id: uuid.UUID
    scan_id: uuid.UUID
    place: int
    found: bytes


class DoneMark(msgspec.Struct, frozen=True):
    """A recommendation marked as done: `subject` is its task key, `done_by` the name of the person.

    The last three are what was recommended when it was marked, because each Full Check replaces the recommendations.
    Marks from before they were kept have none.
    """

    subject: str
    done_by: str
    done_at: datetime
    """When the action was done, which may be earlier than the mark."""
    scan_id: uuid.UUID | None = None
    """The Full Check that recommended the action."""
    prompt_ids: list[uuid.UUID] | None = None
    """The prompts that it concerns."""
    recommendation: bytes | None = None
    """The JSON of `StoredRecommendation`."""


class DoneMarkRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of `recommendation_marks`."""

    workspace_id: uuid.UUID
    domain_id: uuid.UUID
    subject: str
    done_by: uuid.UUID
    done_at: datetime
    scan_id: uuid.UUID
    prompt_ids: list[uuid.UUID]
    recommendation: bytes


class DismissedAction(msgspec.Struct, frozen=True):
    """An action that somebody dismissed: `subject` is its key, `recommendation` the JSON of `StoredRecommendation`."""

    subject: str
    reason: str
    dismissed_by: str
    dismissed_at: datetime
    recommendation: bytes


class OpportunityRow(msgspec.Struct, frozen=True):
    id: uuid.UUID
    scan_id: uuid.UUID
    opportunity_score: float
    opportunity: bytes
    updated_at: datetime
