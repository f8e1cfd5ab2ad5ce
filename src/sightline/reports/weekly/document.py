"""Building a report from the board of a Full Check and from what was found in it. Pure: no figure is computed here."""

import uuid
from collections.abc import Sequence
from datetime import datetime

import msgspec

from sightline import __version__
from sightline.insights.models import StoredRecommendation
from sightline.kit.clock import to_iso
from sightline.kit.counting import count
from sightline.metrics.figure import Figure
from sightline.platforms.names import platform_name
from sightline.presentation.phrases import (
    EARLY_READING,
    METRIC_NAMES,
    ONLY_BRANDED,
    RECOMMENDATION_PHRASES,
    country_name,
)
from sightline.reports.notices import describe_incomplete
from sightline.reports.weekly import phrases
from sightline.reports.weekly.findings import Findings
from sightline.reports.weekly.models import (
    AlertLine,
    HeadlineLine,
    Method,
    Notice,
    OpportunityLine,
    Proof,
    ReportDocument,
    Task,
    ThemeLine,
)
from sightline.reports.weekly.movement import find_movement
from sightline.scans.stored import ScanRow
from sightline.scoreboard.schemas import Board, ComparedFigure, TrendPoint

_MOST_SOURCES = 15
_MOST_TASKS = 10
_MOST_PROOFS = 3  # of one line; the whole check has them all


class Edition(msgspec.Struct, frozen=True, kw_only=True):
    """All that a report is made from."""

    scan: ScanRow
    brand: str
    board: Board
    previous: Board | None
    previous_at: datetime | None
    """When the Full Check before was completed; None: this is the first."""
    trend: tuple[TrendPoint, ...]
    findings: Findings

    @property
    def period(self) -> tuple[datetime, datetime]:
        scan = self.scan
        assert scan.completed_at is not None
        return self.previous_at or scan.started_at or scan.created_at, scan.completed_at


def build_document(edition: Edition) -> ReportDocument:
    """Without proofs: which answers it points to is known only when it is there."""
    scan, board = edition.scan, edition.board
    start, end = edition.period
    tasks = _tasks(edition)
    appeared, disappeared = find_movement(edition.previous, board)
    return ReportDocument(
        title=phrases.build_title(edition.brand, start, end, is_first=edition.previous_at is None),
        brand=edition.brand,
        domain=scan.domain,
        scan_id=scan.id,
        period_start=to_iso(start),
        period_end=to_iso(end),
        is_first=edition.previous_at is None,
        answers_source=scan.answers_source,
        summary=phrases.build_summary(edition.brand, board, edition.previous_at, tasks),
        headline=_headline(edition),
        notices=_notices(board),
        appeared=appeared,
        disappeared=disappeared,
        platforms=board.platforms,
        countries=board.countries,
        competitors=board.competitors,
        sentiment=board.sentiment,
        themed=edition.findings.themed,
        themes=_themes(edition.findings),
        sources=board.sources[:_MOST_SOURCES],
        sources_total=len(board.sources),
        tasks=tasks,
        opportunities=_opportunities(edition.findings),
        alerts=tuple(
            AlertLine(type=each.type, scope=each.scope, state=each.state, watched_at=to_iso(each.watched_at))
            for each in edition.findings.alerts
        ),
        proofs=(),
        trend=edition.trend,
        method=Method(
            metrics_version=board.metrics_version,
            extractor_version=board.extractor_version,
            sightline_version=__version__,
            planned=board.planned,
            valid=board.valid,
            prompts=len(board.prompts),
            platforms=len(board.platforms),
        ),
    )


def list_wanted_answers(document: ReportDocument) -> list[uuid.UUID]:
    """The answers that the report points to, each once, in its order."""
    found = [
        *(one for task in document.tasks for one in task.answer_ids),
        *(one for theme in document.themes for one in theme.answer_ids),
        *(one for each in document.opportunities for one in each.answer_ids),
        *(one.answer_id for way in (document.appeared, document.disappeared) for one in way.first if one.answer_id),
    ]
    return list(dict.fromkeys(found))


def with_proofs(document: ReportDocument, proofs: Sequence[Proof]) -> ReportDocument:
    """In the order in which the report points to them."""
    known = {proof.answer_id: proof for proof in proofs}
    ordered = tuple(known[one] for one in list_wanted_answers(document) if one in known)
    return msgspec.structs.replace(document, proofs=ordered)


def _headline(edition: Edition) -> tuple[HeadlineLine, ...]:
    before = edition.previous.headline if edition.previous else None
    return tuple(
        HeadlineLine(
            key=key,  # type: ignore[arg-type] # the names are those of the headline
            figure=getattr(edition.board.headline, key),
            before=None if before is None else _plain(getattr(before, key)),
        )
        for key in METRIC_NAMES
    )


def _plain(figure: ComparedFigure) -> Figure:
    return Figure(**{name: getattr(figure, name) for name in Figure.__struct_fields__})


def _notices(board: Board) -> tuple[Notice, ...]:
    found = []
    if board.incomplete:
        said = (
            f"{board.valid:,} of {count(board.planned, 'planned answer')} came. {describe_incomplete(board.platforms)}"
        )
        found.append(Notice("Incomplete", said.strip()))
    if board.early_reading and board.valid:
        found.append(Notice(*EARLY_READING))
    branded = sum(prompt.branded for prompt in board.prompts)
    if board.only_branded and board.valid:
        found.append(Notice(*ONLY_BRANDED))
    elif branded:
        said = f"{count(branded, 'prompt')} {'names' if branded == 1 else 'name'} the brand and "
        said += f"{'stays' if branded == 1 else 'stay'} out of the headline."
        found.append(Notice("Branded prompts set apart", said))
    return tuple(found)


def _themes(findings: Findings) -> tuple[ThemeLine, ...]:
    return tuple(
        ThemeLine(
            descriptor=each.descriptor,
            distinctive=each.kind == "distinctive",
            answers=each.answers,
            share=each.share,
            polarity=each.polarity_label,
            quote=each.quote,
            answer_ids=each.answer_ids[:_MOST_PROOFS],
        )
        for each in findings.themes
    )


def _tasks(edition: Edition) -> tuple[Task, ...]:
    """The line that says that there is nothing to do is no task."""
    found = [each for each in edition.findings.recommendations if each.kind in RECOMMENDATION_PHRASES]
    return tuple(_task(each, edition) for each in found[:_MOST_TASKS])


def _task(found: StoredRecommendation, edition: Edition) -> Task:
    action, reason = RECOMMENDATION_PHRASES[found.kind]
    subject = found.subject or ""
    if found.kind == "platform_access":
        subject = platform_name(subject)
    elif found.kind == "local_page":
        subject = country_name(subject)
    words = {"brand": edition.brand, "subject": subject}
    here = [proof.answer_id for proof in found.proofs if proof.scan_id == edition.scan.id]
    return Task(
        kind=found.kind,
        action=action.format(**words),
        reason=reason.format(**words),
        prompt=found.prompt,
        pages=found.pages,
        answer_ids=tuple(here[:_MOST_PROOFS]),
        answers=len(found.proofs),
    )


def _opportunities(findings: Findings) -> tuple[OpportunityLine, ...]:
    return tuple(
        OpportunityLine(
            prompt=each.prompt,
            country=each.country_iso_2,
            score=each.score,
            low_evidence=each.low_evidence,
            answer_ids=each.answer_ids[:_MOST_PROOFS],
        )
        for each in findings.opportunities
    )
