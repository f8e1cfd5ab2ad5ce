"""Building the document of a weekly report from the board and the insights of a Full Check. Pure."""

import uuid
from collections.abc import Sequence
from datetime import datetime

import msgspec

from sightline import __version__
from sightline.answers.plain_text import strip_markdown
from sightline.insights.findings.read import Story, summarize_story
from sightline.insights.models import ActionFacts, ProvingAnswer, StoredTheme
from sightline.insights.recommendations.actions import describe_action
from sightline.insights.recommendations.done_actions import DoneAction
from sightline.insights.recommendations.schemas import to_done_recommendation
from sightline.insights.recommendations.tasks import MAX_SHOWN, RecommendationTask
from sightline.kit.clock import to_iso
from sightline.kit.structs import convert_struct
from sightline.metrics.figure import Figure
from sightline.presentation.phrases import METRIC_NAMES, describe_standing, describe_theme_change
from sightline.reports.weekly import phrases
from sightline.reports.weekly.check_insights import CheckInsights
from sightline.reports.weekly.models import (
    EffectFacts,
    EffectLine,
    HeadlineLine,
    MovedCell,
    Movement,
    NoticeFacts,
    OpportunityLine,
    QuotedAnswer,
    ReportDocument,
    ReportMethod,
    ReportTask,
    ThemeLine,
)
from sightline.scans.stored import ScanRow
from sightline.scoreboard.schemas import Board, BoardPrompt, TrendPoint

_MAX_SOURCES = 15
_MAX_PROOFS = 3  # for one line


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
    insights: CheckInsights

    @property
    def period(self) -> tuple[datetime, datetime]:
        scan = self.scan
        assert scan.completed_at is not None
        return self.previous_at or scan.started_at or scan.created_at, scan.completed_at


def build_document(source: ReportInput) -> ReportDocument:
    """Build the document without its proofs: the answers that it cites are known only afterwards."""
    scan, board = source.scan, source.board
    start, end = source.period
    tasks = source.insights.tasks
    appeared, disappeared = find_movement(source.previous, board)
    return ReportDocument(
        title=phrases.build_title(source.brand, start, end, is_first=source.previous_at is None),
        brand=source.brand,
        domain=scan.domain,
        scan_id=scan.id,
        period_start=to_iso(start),
        period_end=to_iso(end),
        is_first=source.previous_at is None,
        answers_source=scan.answers_source,
        summary=phrases.build_summary(
            describe_standing(source.brand, board.headline, has_ranking=bool(board.competitors)),
            summarize_story(source.story),
            is_first=source.previous_at is None,
            is_measured=bool(board.valid),
            tasks=len(tasks),
        ),
        headline=_list_headline(source),
        notices=phrases.list_notices(
            source.brand, _read_notice_facts(board), board.valid, board.planned, board.platforms
        ),
        appeared=appeared,
        disappeared=disappeared,
        platforms=board.platforms,
        countries=board.countries,
        competitors=board.competitors,
        sentiment=board.sentiment,
        themed=source.insights.themed,
        themes=_list_themes(source.insights, scan.id),
        unread_themes=source.insights.unread_themes,
        edited_by=source.insights.edited_by,
        sources=board.sources[:_MAX_SOURCES],
        sources_total=len(board.sources),
        tasks=tuple(_build_task(task, source) for task in tasks[:MAX_SHOWN]),
        tasks_total=len(tasks),
        effects=tuple(_build_effect(each, source.brand) for each in source.insights.watched),
        notice_facts=_read_notice_facts(board),
        changes=source.story.changes,
        findings=tuple(source.story.findings),
        opportunities=_list_opportunities(source.insights),
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
    found = [
        *(one for task in document.tasks for one in task.answer_ids),
        *(one for theme in document.themes for one in theme.answer_ids),
        *(one for each in document.opportunities for one in each.answer_ids),
        *(
            one.answer_id
            for movement in (document.appeared, document.disappeared)
            for one in movement.first
            if one.answer_id
        ),
    ]
    return list(dict.fromkeys(found))


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


def _read_notice_facts(board: Board) -> NoticeFacts:
    return NoticeFacts(
        incomplete=board.incomplete,
        early_reading=board.early_reading,
        only_branded=board.only_branded,
        branded_prompts=sum(prompt.branded for prompt in board.prompts),
    )


def _list_themes(insights: CheckInsights, scan_id: uuid.UUID) -> tuple[ThemeLine, ...]:
    return tuple(
        ThemeLine(
            descriptor=each.descriptor,
            distinctive=each.kind == "distinctive",
            answers=each.answers,
            share=each.share,
            polarity=each.polarity_label,
            quote=each.quote,
            quotes=tuple(strip_markdown(quote.text) for quote in each.quotes),
            change=None if each.change is None else describe_theme_change(each.change.share, each.change.verdict),
            change_verdict=None if each.change is None else each.change.verdict,
            share_before=None if each.change is None else each.change.share,
            answer_ids=_list_theme_proofs(each),
            proofs=tuple(ProvingAnswer(scan_id, answer_id) for answer_id in each.answer_ids),
        )
        for each in insights.themes
    )


def _list_theme_proofs(theme: StoredTheme) -> tuple[uuid.UUID, ...]:
    """Return the answers to link: those that are quoted come first."""
    quoted = [quote.answer_id for quote in theme.quotes]
    return tuple(dict.fromkeys([*quoted, *theme.answer_ids]))[:_MAX_PROOFS]


def _build_task(task: RecommendationTask, source: ReportInput) -> ReportTask:
    found = task.found
    texts = describe_action(found, len(found.proofs), source.brand)
    answer_ids = [proof.answer_id for proof in found.proofs if proof.scan_id == source.scan.id]
    return ReportTask(
        kind=found.kind,
        action=texts.action,
        reason=texts.why,
        prompt=None,
        pages=tuple(page.url for page in found.pages),
        answer_ids=tuple(answer_ids[:_MAX_PROOFS]),
        answers=len(found.proofs),
        effect=texts.effect,
        effort=texts.effort,
        steps=texts.steps,
        quotes=tuple(strip_markdown(quote.text) for quote in found.quotes),
        proofs=found.proofs,
        facts=convert_struct(ActionFacts, found),
    )


def _build_effect(done: DoneAction, brand: str) -> EffectLine:
    shown = to_done_recommendation(done, brand)
    return EffectLine(
        action=shown.action,
        done_at=shown.done_at,
        status=shown.effect.status,
        summary=shown.effect.summary,
        prompts=len(shown.effect.treated_prompts),
        facts=EffectFacts(
            action=convert_struct(ActionFacts, done.found),
            answers=len(done.found.proofs),
            effect=done.effect.effect,
            checks=done.effect.checks,
            overlapping=done.effect.overlapping,
        ),
    )


def _list_opportunities(insights: CheckInsights) -> tuple[OpportunityLine, ...]:
    return tuple(
        OpportunityLine(
            prompt=each.prompt,
            country=each.country_iso_2,
            score=each.score,
            low_evidence=each.low_evidence,
            answer_ids=each.answer_ids[:_MAX_PROOFS],
        )
        for each in insights.opportunities
    )


_MAX_LISTED = 8
_VALID = frozenset({"named", "cited_only", "absent"})


def find_movement(previous: Board | None, board: Board) -> tuple[Movement, Movement]:
    """Return the cells that appeared and those that disappeared.

    They are the cells that a comparison counts as gained and lost: valid both times, in prompts that are not branded.
    """
    if previous is None:
        return Movement(0), Movement(0)
    before = {
        (prompt.prompt_id, cell.platform): cell.state == "named"
        for prompt in _list_counted_prompts(previous)
        for cell in prompt.cells
        if cell.state in _VALID
    }
    appeared: list[MovedCell] = []
    disappeared: list[MovedCell] = []
    for prompt in _list_counted_prompts(board):
        for cell in prompt.cells:
            was = before.get((prompt.prompt_id, cell.platform))
            if cell.state not in _VALID or was is None or was == (cell.state == "named"):
                continue
            moved = MovedCell(
                prompt=prompt.prompt,
                platform=cell.platform,
                country=prompt.country_iso_2,
                answer_id=cell.answer_id,
            )
            (disappeared if was else appeared).append(moved)
    return _build_movement(appeared), _build_movement(disappeared)


def _build_movement(moved: Sequence[MovedCell]) -> Movement:
    return Movement(len(moved), tuple(moved[:_MAX_LISTED]))


def _list_counted_prompts(board: Board) -> list[BoardPrompt]:
    return [prompt for prompt in board.prompts if board.only_branded or not prompt.branded]
