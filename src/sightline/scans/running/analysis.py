"""Analyzing one answer, and summarizing all answers of a scan. Pure, and the most expensive part of a scan.

It runs outside the event loop that asks the platforms: an answer of a megabyte takes seconds to analyze, and calls,
reports and leases must not wait for it. `analyzers` decides where it runs.
"""

import uuid
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime

import msgspec
from cachetools import LRUCache

from sightline.answers.corrections import Correction
from sightline.answers.names import Lexicon
from sightline.answers.scorers import DEFAULT_SCORER, ScorerName
from sightline.db.jsonb import to_jsonb
from sightline.metrics.observation import Status
from sightline.platforms.models import Fault, Outcome
from sightline.scans.analyze_answer import analyze_answer, analyze_outcome, mark_failed
from sightline.scans.models import AnswersSource, ScanAnswer, ScanPlan
from sightline.scans.record import summarize_scan
from sightline.scans.renamed import Rename, find_disturbed, index_answers, realign
from sightline.scans.schemas.results import Headline
from sightline.scans.stored import AnswerRow, ScanMetrics, ScanRow, Scope, to_answer, to_record
from sightline.scans.table_rows import build_table_rows

_NO_METRICS = ScanMetrics(
    visibility_score=None, brand_coverage_pct=None, ai_mentions=None, citation_count=None, market_position=None
)


class AnalyzedAnswer(msgspec.Struct, frozen=True):
    """An answer in the form in which it is stored."""

    status: Status
    text: str
    record: bytes


class ScanSummary(msgspec.Struct, frozen=True):
    """The results of a scan, and the records of answers whose ranks changed once all brands of the scan were known."""

    results: bytes
    metrics: ScanMetrics
    updated_records: dict[uuid.UUID, bytes]
    table_rows: dict[str, str] = {}
    """The rows of a check of a tracked domain in the flat tables, as JSON by the name of the table."""
    name_index: bytes | None = None
    """Set if the texts of all answers were available."""
    unread: list[uuid.UUID] = []
    """After a rename: answers that it concerns as well. Summarize again with their texts: nothing else is valid."""


class ScanContext(msgspec.Struct, frozen=True):
    """What summarizing needs to know about a scan in addition to its plan and its answers."""

    answers_source: AnswersSource
    suggested: bool
    started_at: float
    scan_id: uuid.UUID
    scope: Scope

    @classmethod
    def from_row(cls, scan: ScanRow) -> "ScanContext":
        return cls(
            scan.answers_source,
            not scan.customer_keywords,
            (scan.started_at or scan.created_at).timestamp(),
            scan.id,
            scan.measurement_scope,
        )

    @property
    def is_tracked(self) -> bool:
        """Return whether the scan is in tables, and its words are indexed for a later rename.

        Console scans are neither: they are never analyzed again.
        """
        return self.scope != "console_check"


class AnswerAnalyzer:
    """Analyzes single answers. It keeps the lexicons of recent scans: building one takes longer than an analysis."""

    def __init__(self, scorer: ScorerName | None = DEFAULT_SCORER) -> None:
        self._scorer = scorer
        self._lexicons: LRUCache[str, Lexicon] = LRUCache(256)

    def analyze(self, key: str, plan: ScanPlan, prompt_index: int, answer_id: str, outcome: Outcome) -> AnalyzedAnswer:
        """Analyze the answer to one cell of the scan that `key` identifies, and score it if the plan asks for it."""
        lexicon = self._lexicons.get(key)
        if lexicon is None:
            lexicon = self._lexicons[key] = Lexicon(plan.tracked)
        scorer = self._scorer if plan.scored else None
        prompt = plan.prompts[prompt_index]
        return _to_analyzed(analyze_outcome(outcome, prompt, lexicon, answer_id=answer_id, sentiment=scorer))


def mark_unanalyzable(outcome: Outcome, plan: ScanPlan, prompt_index: int, answer_id: str) -> AnalyzedAnswer:
    """Return the answer unanalyzed, as failed: its text made every analyzer fail or die."""
    fault = Fault("malformed", "the text of the answer could not be analyzed")
    return _to_analyzed(mark_failed(outcome, plan.prompts[prompt_index], answer_id=answer_id, fault=fault))


def _to_analyzed(answer: ScanAnswer) -> AnalyzedAnswer:
    # The only character that PostgreSQL cannot store.
    return AnalyzedAnswer(answer.status, answer.text.replace("\0", "\ufffd"), to_record(answer))


def summarize_answers(
    plan: ScanPlan,
    rows: Sequence[AnswerRow],
    context: ScanContext,
    *,
    reanalyze: bool = False,
    rename: Rename | None = None,
    scorer: ScorerName | None = DEFAULT_SCORER,
) -> ScanSummary:
    """Summarize the answers of a scan; if asked to, after analyzing them again for the brands of the plan.

    With `rename`, only the answers that it concerns are analyzed again.
    """
    stored = answers = [to_answer(row, plan.prompts[row.prompt_index]) for row in rows]
    settled: set[str] = set()
    if reanalyze:
        lexicon = Lexicon(plan.tracked)
        scorer = scorer if plan.scored else None
        if rename is not None:
            settled = {answer.id for answer in stored} - {str(each) for each in rename.concerned}
        answers = [
            realign(answer, rename.former, plan)
            if rename is not None and answer.id in settled
            else _reanalyze(answer, lexicon, scorer, plan.corrections.get(answer.id, ()))
            for answer in stored
        ]
        if rename is not None and (unread := find_disturbed(rename, plan, stored, answers, settled)):
            return ScanSummary(b"", _NO_METRICS, {}, unread=unread)
    answered_at = {str(row.id): row.answered_at for row in rows}
    summary = _summarize(plan, stored, answers, context, answered_at, settled)
    if rename is not None or not context.is_tracked:
        return summary
    return msgspec.structs.replace(summary, name_index=index_answers(stored))


def _reanalyze(
    answer: ScanAnswer, lexicon: Lexicon, scorer: ScorerName | None, corrections: Sequence[Correction]
) -> ScanAnswer:
    """Analyze an answer again. A valid answer stays valid: only its analysis changes."""
    if answer.analysis is None:
        return answer
    again = analyze_answer(answer, lexicon, sentiment=scorer, corrections=corrections)
    if again.analysis is None:
        raise ValueError("an answer that was analyzed before can no longer be analyzed")
    return again


def _summarize(
    plan: ScanPlan,
    stored: Sequence[ScanAnswer],
    answers: Sequence[ScanAnswer],
    context: ScanContext,
    answered_at: Mapping[str, datetime],
    settled: Collection[str],
) -> ScanSummary:
    record = summarize_scan(
        plan,
        answers,
        answers_source=context.answers_source,
        prompts_source="suggested" if context.suggested else "given",
        started_at=datetime.fromtimestamp(context.started_at, UTC),
        stopped=False,
        sentiment=plan.scored,
        settled=settled,
    )
    before = {answer.id: answer for answer in stored}
    updated = {uuid.UUID(answer.id): to_record(answer) for answer in record.answers if answer is not before[answer.id]}
    table_rows = {}
    if context.is_tracked:
        found = ((answer, answered_at[answer.id]) for answer in record.answers)
        built = build_table_rows(context.scan_id, context.scope, plan, record.results, found)
        table_rows = {name: to_jsonb(rows) for name, rows in built.items()}
    return ScanSummary(msgspec.json.encode(record.results), _metrics(record.results.headline), updated, table_rows)


def _metrics(headline: Headline) -> ScanMetrics:
    def count(name: str) -> int | None:
        value = getattr(headline, name).value
        return None if value is None else int(value)

    return ScanMetrics(
        visibility_score=headline.visibility_score.value,
        brand_coverage_pct=headline.brand_coverage_pct.value,
        ai_mentions=count("ai_mentions"),
        citation_count=count("citation_count"),
        market_position=count("market_position"),
    )
