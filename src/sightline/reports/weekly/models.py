"""The document of a weekly report and its row in the database."""

import uuid
from datetime import datetime

import msgspec

from sightline.insights.findings.schemas import Finding
from sightline.insights.models import ActionFacts, ProvingAnswer
from sightline.kit.clock import Timestamp
from sightline.metrics.effect import Effect, WatchedChecks
from sightline.metrics.figure import Figure
from sightline.metrics.sentiment import Label
from sightline.metrics.themes import ChangeVerdict
from sightline.presentation.phrases import MetricKey
from sightline.scans.models import AnswersSource
from sightline.scans.schemas.results import CompetitorResult, PlatformResult, SourceResult
from sightline.scoreboard.check_changes.schemas import CheckChanges
from sightline.scoreboard.schemas import ComparedFigure, CountryResult, SentimentResult, TrendPoint


class HeadlineLine(msgspec.Struct, frozen=True, kw_only=True):
    """One figure of the headline. `before` is that of the previous Full Check, null in the first report."""

    key: MetricKey
    figure: ComparedFigure
    before: Figure | None


class ReportNotice(msgspec.Struct, frozen=True):
    title: str
    text: str


class NoticeFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What the notices are written from, in addition to the platforms and the method."""

    incomplete: bool
    early_reading: bool
    only_branded: bool
    branded_prompts: int


class MovedCell(msgspec.Struct, frozen=True, kw_only=True):
    """A cell that began to name the brand, or stopped naming it."""

    prompt: str
    platform: str
    country: str | None
    answer_id: uuid.UUID | None


class Movement(msgspec.Struct, frozen=True):
    """How many cells appeared or disappeared, and the first of them."""

    cells: int
    first: tuple[MovedCell, ...] = ()


class ThemeLine(msgspec.Struct, frozen=True, kw_only=True):
    descriptor: str
    distinctive: bool
    answers: int
    share: float
    polarity: Label | None
    quote: str = ""
    """The only quote in reports written before themes had several."""
    answer_ids: tuple[uuid.UUID, ...]
    quotes: tuple[str, ...] = ()
    change: str | None = None
    """How it has changed since the previous Full Check, in English."""
    change_verdict: ChangeVerdict | None = None
    """The same as data, with the share before; None without a change, and in reports from before it was kept."""
    share_before: float | None = None
    proofs: tuple[ProvingAnswer, ...] = ()
    """All its answers. Empty in reports from before they were kept."""


class ReportTask(msgspec.Struct, frozen=True, kw_only=True):
    """A recommendation: what to do, why, how, and the answers that support it."""

    kind: str
    action: str
    reason: str
    prompt: str | None
    """Only in reports from before a recommendation could concern several prompts."""
    pages: tuple[str, ...]
    answer_ids: tuple[uuid.UUID, ...]
    """The first few of them; `answers` is the number of all."""
    answers: int
    effect: str | None = None
    effort: str | None = None
    steps: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    proofs: tuple[ProvingAnswer, ...] = ()
    """All its answers. Empty in reports from before they were kept."""
    facts: ActionFacts | None = None
    """What the texts are written from. None in reports from before it was kept."""


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

    action: str
    done_at: Timestamp
    status: str
    summary: str
    prompts: int
    """Prompts that the action concerns."""
    facts: EffectFacts | None = None
    """What the texts are written from. None in reports from before it was kept."""


class OpportunityLine(msgspec.Struct, frozen=True, kw_only=True):
    prompt: str
    country: str | None
    score: float
    low_evidence: bool
    answer_ids: tuple[uuid.UUID, ...]


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


class ReportDocument(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the HTML and the PDF are made from. It is stored, so that both can be rendered again.

    Its texts are English. `weekly/translate.py` writes them again in another language, from the facts next to them.
    """

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
    notices: tuple[ReportNotice, ...]
    appeared: Movement
    disappeared: Movement
    platforms: tuple[PlatformResult, ...]
    countries: tuple[CountryResult, ...]
    competitors: tuple[CompetitorResult, ...]
    sentiment: SentimentResult | None
    themed: bool
    """Whether the plan includes Brand Themes; without them `themes` is always empty."""
    themes: tuple[ThemeLine, ...]
    unread_themes: tuple[str, ...] = ()
    """Languages of answers about the brand in which themes are not available."""
    edited_by: str | None = None
    """The platform and model that edited themes and recommendations; None if rules did."""
    sources: tuple[SourceResult, ...]
    sources_total: int
    tasks: tuple[ReportTask, ...]
    """The first open recommendations; `tasks_total` is the number of all, None in reports from before it was kept."""
    opportunities: tuple[OpportunityLine, ...]
    proofs: tuple[QuotedAnswer, ...]
    trend: tuple[TrendPoint, ...]
    method: ReportMethod
    tasks_total: int | None = None
    effects: tuple[EffectLine, ...] = ()
    notice_facts: NoticeFacts | None = None
    """None in reports from before the facts behind the texts were kept; these are in English only."""
    changes: CheckChanges | None = None
    """What changed since the previous Full Check; None in the first report."""
    findings: tuple[Finding, ...] = ()
    """What is worth saying. Empty in reports from before it was kept; `changes` tells it there."""

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
