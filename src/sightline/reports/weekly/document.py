"""Building the document of a weekly report from the board and the insights of a Full Check. Pure."""

import uuid
from collections.abc import Sequence
from datetime import datetime

import msgspec

from sightline import __version__
from sightline.insights.findings.read import Story, summarize_story
from sightline.insights.models import ActionFacts
from sightline.insights.recommendations.done_actions import DoneAction
from sightline.insights.recommendations.tasks import RecommendationTask
from sightline.kit.clock import to_iso
from sightline.kit.structs import convert_struct
from sightline.metrics.figure import Figure
from sightline.presentation.phrases import METRIC_NAMES, describe_standing
from sightline.reports.weekly import phrases
from sightline.reports.weekly.models import (
    MAX_TASKS,
    EffectFacts,
    EffectLine,
    HeadlineLine,
    NoticeFacts,
    QuotedAnswer,
    QuotedPart,
    ReportDocument,
    ReportMethod,
    ReportQuote,
    ReportTask,
    RivalTrend,
    SiteReviewLine,
)
from sightline.scans.stored import ScanRow
from sightline.scoreboard.answer_list.schemas import ListedAnswer
from sightline.scoreboard.history.trend import PastFullCheck
from sightline.scoreboard.schemas import Board, TrendPoint

_MAX_SOURCES = 15
_MAX_RIVALS = 5
_MAX_PROOFS = 3  # for one action


class ReportInput(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a report is made from."""

    scan: ScanRow
    brand: str
    board: Board
    previous: Board | None
    previous_at: datetime | None
    """When the previous Full Check was completed; None for the first."""
    story: Story
    """What is worth saying since the previous Full Check."""
    trend: tuple[TrendPoint, ...]
    past: Sequence[PastFullCheck]
    """The Full Checks of the trend, oldest first."""
    tasks: Sequence[RecommendationTask]
    """The open recommendations of this check, those about the headline first."""
    watched: Sequence[DoneAction]
    """The done actions whose effect this check adds to, the latest first."""
    edited_by: str | None
    quote: ListedAnswer | None
    site_review: SiteReviewLine | None
    answers_url: str

    @property
    def period(self) -> tuple[datetime, datetime]:
        scan = self.scan
        assert scan.completed_at is not None
        return self.previous_at or scan.started_at or scan.created_at, scan.completed_at


def build_document(source: ReportInput) -> ReportDocument:
    """Build the document without its proofs: the answers that it cites are known only afterwards."""
    scan, board, brand = source.scan, source.board, source.brand
    start, end = source.period
    is_first = source.previous_at is None
    return ReportDocument(
        title=phrases.build_title(brand, start, end, is_first=is_first),
        brand=brand,
        domain=scan.domain,
        scan_id=scan.id,
        period_start=to_iso(start),
        period_end=to_iso(end),
        is_first=is_first,
        answers_source=scan.answers_source,
        summary=phrases.build_summary(
            describe_standing(brand, board.headline, has_ranking=bool(board.competitors)),
            summarize_story(source.story),
            is_first=is_first,
            is_measured=bool(board.valid),
            tasks=len(source.tasks),
        ),
        headline=_list_headline(source),
        platforms=board.platforms,
        countries=board.countries,
        competitors=board.competitors,
        sources=board.sources[:_MAX_SOURCES],
        sources_total=len(board.sources),
        tasks=tuple(_build_task(task, scan.id) for task in source.tasks[:MAX_TASKS]),
        tasks_total=len(source.tasks),
        effects=tuple(map(_build_effect, source.watched)),
        notice_facts=NoticeFacts(
            incomplete=board.incomplete,
            early_reading=board.early_reading,
            only_branded=board.only_branded,
            branded_prompts=sum(prompt.branded for prompt in board.prompts),
        ),
        changes=source.story.changes,
        findings=tuple(source.story.findings),
        quote=None if source.quote is None else _build_report_quote(source.quote, brand),
        rivals=_list_rivals(source),
        model_changes=tuple(to_iso(check.completed_at) for check in source.past if check.has_model_change),
        edited_by=source.edited_by,
        site_review=source.site_review,
        answers_url=source.answers_url,
        proofs=(),
        trend=source.trend,
        method=ReportMethod(
            metrics_version=board.metrics_version,
            extractor_version=board.extractor_version,
            sightline_version=__version__,
            planned=board.planned,
            valid=board.valid,
            prompts=len(board.prompts),
            platforms=len(board.platforms),
        ),
    )


def list_cited_answers(document: ReportDocument) -> list[uuid.UUID]:
    """Return the answers that the report refers to, each once, in the order of the report."""
    quoted = [] if document.quote is None else [document.quote.answer_id]
    return list(dict.fromkeys([*quoted, *(one for task in document.tasks for one in task.answer_ids)]))


def add_proofs(document: ReportDocument, proofs: Sequence[QuotedAnswer]) -> ReportDocument:
    """Return the document with its proofs, in the order in which it refers to them."""
    known = {proof.answer_id: proof for proof in proofs}
    ordered = tuple(known[one] for one in list_cited_answers(document) if one in known)
    return msgspec.structs.replace(document, proofs=ordered)


def _list_headline(source: ReportInput) -> tuple[HeadlineLine, ...]:
    before = source.previous.headline if source.previous else None
    return tuple(
        HeadlineLine(
            key=key,  # type: ignore[arg-type] # the names are those of the headline
            figure=getattr(source.board.headline, key),
            before=None if before is None else convert_struct(Figure, getattr(before, key)),
        )
        for key in METRIC_NAMES
    )


def _build_task(task: RecommendationTask, scan_id: uuid.UUID) -> ReportTask:
    found = task.found
    answer_ids = [proof.answer_id for proof in found.proofs if proof.scan_id == scan_id]
    return ReportTask(
        kind=found.kind,
        answer_ids=tuple(answer_ids[:_MAX_PROOFS]),
        answers=len(found.proofs),
        proofs=found.proofs,
        facts=convert_struct(ActionFacts, found),
    )


def _build_effect(done: DoneAction) -> EffectLine:
    return EffectLine(
        done_at=to_iso(done.mark.done_at),
        facts=EffectFacts(
            action=convert_struct(ActionFacts, done.found),
            answers=len(done.found.proofs),
            effect=done.effect.effect,
            checks=done.effect.checks,
            overlapping=done.effect.overlapping,
        ),
    )


def _build_report_quote(quote: ListedAnswer, brand: str) -> ReportQuote:
    return ReportQuote(
        answer_id=quote.id,
        parts=tuple(QuotedPart(part.text, part.brand == brand) for part in quote.sentence),
        platform=quote.platform,
        answered_at=quote.answered_at,
    )


def _list_rivals(source: ReportInput) -> tuple[RivalTrend, ...]:
    names = [row.name for row in source.board.competitors if not row.is_own][:_MAX_RIVALS]
    return tuple(RivalTrend(name, tuple(_list_scores(name, source.past))) for name in names)


def _list_scores(name: str, past: Sequence[PastFullCheck]) -> list[tuple[str, float]]:
    return [
        (to_iso(check.completed_at), row.score.value)
        for check in past
        for row in check.board.competitors
        if row.name == name and row.score.value is not None
    ]
