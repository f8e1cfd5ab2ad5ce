"""The document of a weekly report and its row in the database."""

import uuid
from datetime import datetime

import msgspec

from sightline.insights.findings.schemas import Finding
from sightline.insights.models import ActionFacts, ProvingAnswer
from sightline.kit.clock import Timestamp
from sightline.metrics.effect import Effect, WatchedChecks
from sightline.metrics.figure import Figure, Number
from sightline.presentation.phrases import MetricKey
from sightline.scans.models import AnswersSource
from sightline.scans.schemas.results import CompetitorResult, PlatformResult, SourceResult
from sightline.scoreboard.check_changes.schemas import CheckChanges
from sightline.scoreboard.schemas import ComparedFigure, CountryResult, TrendPoint

MAX_NOTE = 600
MAX_OWNER = 40
MAX_TASKS = 3


class HeadlineLine(msgspec.Struct, frozen=True, kw_only=True):
    """One figure of the headline. `before` is that of the previous Full Check, null in the first report."""

    key: MetricKey
    figure: ComparedFigure
    before: Figure | None


class NoticeFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What the notices are written from, in addition to the platforms and the method."""

    incomplete: bool
    early_reading: bool
    only_branded: bool
    branded_prompts: int


class RivalTrend(msgspec.Struct, frozen=True):
    """The Visibility Scores of a competitor in the Full Checks of the trend, oldest first."""

    name: str
    scores: tuple[tuple[Timestamp, Number], ...]


class ReportTask(msgspec.Struct, frozen=True, kw_only=True):
    """One of the next actions. Its texts are written from its facts."""

    kind: str
    answer_ids: tuple[uuid.UUID, ...]
    """The first few of them; `answers` is the number of all."""
    answers: int
    proofs: tuple[ProvingAnswer, ...] = ()
    """All its answers. Empty in reports from before they were kept."""
    facts: ActionFacts | None = None
    """None in reports from before it was kept."""


class EffectFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What the texts about the effect of an action are written from."""

    action: ActionFacts
    answers: int
    """Answers that the recommendation was based on."""
    effect: Effect
    checks: WatchedChecks
    overlapping: int


class EffectLine(msgspec.Struct, frozen=True, kw_only=True):
    """A done action, and whether it worked."""

    done_at: Timestamp
    facts: EffectFacts | None = None
    """None in reports from before it was kept."""


class QuotedPart(msgspec.Struct, frozen=True):
    """A part of a quoted sentence, and whether it is the name of the brand."""

    text: str
    is_brand: bool


class ReportQuote(msgspec.Struct, frozen=True, kw_only=True):
    """The sentence that the report quotes, word for word."""

    answer_id: uuid.UUID
    parts: tuple[QuotedPart, ...]
    platform: str
    answered_at: Timestamp


class QuotedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An answer that the report refers to, with the relevant passage word for word."""

    answer_id: uuid.UUID
    prompt: str
    platform: str
    before: str
    marked: str
    """The name of the brand as written in the passage; empty where the answer does not name it."""
    after: str
    url: str
    """Address of the whole answer, for members of the workspace."""


class ReportMethod(msgspec.Struct, frozen=True, kw_only=True):
    metrics_version: str
    extractor_version: str
    sightline_version: str
    planned: int
    valid: int
    prompts: int
    platforms: int


class SiteReviewLine(msgspec.Struct, frozen=True, kw_only=True):
    """What the latest site review found."""

    completed_at: Timestamp
    broken: int
    """Open findings on pages that answers cite."""
    others: int


class ReportDocument(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the page and the PDF are made from, in any language. It is stored when the report is written."""

    title: str
    brand: str
    domain: str
    scan_id: uuid.UUID
    period_start: Timestamp
    period_end: Timestamp
    is_first: bool
    answers_source: AnswersSource
    summary: str
    headline: tuple[HeadlineLine, ...]
    platforms: tuple[PlatformResult, ...]
    countries: tuple[CountryResult, ...]
    competitors: tuple[CompetitorResult, ...]
    sources: tuple[SourceResult, ...]
    sources_total: int
    tasks: tuple[ReportTask, ...]
    """The first open recommendations; `tasks_total` is the number of all, None in reports from before it was kept."""
    proofs: tuple[QuotedAnswer, ...]
    trend: tuple[TrendPoint, ...]
    method: ReportMethod
    tasks_total: int | None = None
    effects: tuple[EffectLine, ...] = ()
    notice_facts: NoticeFacts | None = None
    """None in reports from before the facts behind the texts were kept. They are shown as they were stored."""
    changes: CheckChanges | None = None
    """What changed since the previous Full Check; None in the first report."""
    findings: tuple[Finding, ...] = ()
    """What is worth saying. Empty in reports from before it was kept; `changes` tells it there."""
    # Reports from before they had one page have none of these.
    quote: ReportQuote | None = None
    rivals: tuple[RivalTrend, ...] = ()
    """In the order of the ranking."""
    model_changes: tuple[Timestamp, ...] = ()
    """The Full Checks of the trend in which a platform answered with another model."""
    edited_by: str | None = None
    """The platform and model that edited recommendations; None if rules did."""
    site_review: SiteReviewLine | None = None
    """None if the site was not reviewed."""
    answers_url: str | None = None
    """Address of all answers of the check, for members of the workspace."""

    def figure(self, key: MetricKey) -> ComparedFigure:
        return next(line.figure for line in self.headline if line.key == key)


class ReportRow(msgspec.Struct, frozen=True):
    """One row of `reports` without its content, in the order of `columns(ReportRow)`."""

    workspace_id: uuid.UUID
    id: uuid.UUID
    domain_id: uuid.UUID
    scan_id: uuid.UUID
    title: str
    summary: str
    period_start: datetime
    period_end: datetime
    created_at: datetime
    note: str | None = None
    """What members of the workspace say about the report, in their own words."""
    owners: list[str] = msgspec.field(default_factory=list)
    """Who does each of the next actions, in their order; empty for an action without an owner."""
