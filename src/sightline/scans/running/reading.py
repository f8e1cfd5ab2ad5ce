"""What is computed of answers: reading one, and what all of them amount to. Pure, and the dearest part of a scan.

It happens beside the loop that asks: an answer of a megabyte takes seconds to read, and calls, heartbeats and leases
must not wait for it. `readers` decides where.
"""

import uuid
from collections.abc import Sequence

import msgspec

from sightline.answers.judge import carry_over_verdict
from sightline.answers.names import Lexicon
from sightline.answers.scorers import DEFAULT_SCORER, ScorerName
from sightline.platforms.models import Fault, Outcome, Status
from sightline.scans.models import AnswersSource, Plan, ScanAnswer
from sightline.scans.read import keep_unread, read_answer, read_outcome
from sightline.scans.record import summarize_scan
from sightline.scans.schemas.results import Headline
from sightline.scans.stored import AnswerRow, ScanMetrics, ScanRow, to_answer, to_record


class Read(msgspec.Struct, frozen=True):
    """An answer as it is kept."""

    status: Status
    text: str
    record: bytes


class Concluded(msgspec.Struct, frozen=True):
    """What a scan amounts to, and the records of answers whose ranks are known only now: among all of its brands."""

    results: bytes
    metrics: ScanMetrics
    settled: dict[uuid.UUID, bytes]


class Ended(msgspec.Struct, frozen=True):
    """What concluding needs to know of a scan beside its plan and its answers."""

    answers_source: AnswersSource
    suggested: bool
    started_at: float

    @classmethod
    def of(cls, scan: ScanRow) -> "Ended":
        return cls(scan.answers_source, not scan.customer_keywords, (scan.started_at or scan.created_at).timestamp())


def read_cell(
    outcome: Outcome,
    plan: Plan,
    prompt_index: int,
    lexicon: Lexicon,
    answer_id: str,
    scorer: ScorerName | None = DEFAULT_SCORER,
) -> Read:
    """`scorer` is who scores sentiment where the plan wants it; None: nobody does."""
    prompt = plan.prompts[prompt_index]
    return _to_read(
        read_outcome(outcome, prompt, lexicon, answer_id=answer_id, sentiment=scorer if plan.scored else None)
    )


def give_up_reading(outcome: Outcome, plan: Plan, prompt_index: int, answer_id: str) -> Read:
    """A text that no reader survived: kept as it is, and counted as failed."""
    fault = Fault("malformed", "the text of the answer could not be analysed")
    return _to_read(keep_unread(outcome, plan.prompts[prompt_index], answer_id=answer_id, fault=fault))


def _to_read(answer: ScanAnswer) -> Read:
    # PostgreSQL keeps every character but this one.
    return Read(answer.status, answer.text.replace("\0", "\ufffd"), to_record(answer))


def conclude(plan: Plan, rows: Sequence[AnswerRow], ended: Ended) -> Concluded:
    answers = [to_answer(row, plan.prompts[row.prompt_index]) for row in rows]
    return _conclude(plan, answers, answers, ended)


def reread(
    plan: Plan, rows: Sequence[AnswerRow], ended: Ended, scorer: ScorerName | None = DEFAULT_SCORER
) -> Concluded:
    """The same, after every answer has been read again for the brands of the plan, whoever it was read for before."""
    lexicon = Lexicon(plan.tracked)
    stored = [to_answer(row, plan.prompts[row.prompt_index]) for row in rows]
    answers = [_read_again(answer, lexicon, scorer if plan.scored else None) for answer in stored]
    return _conclude(plan, stored, answers, ended)


def _read_again(answer: ScanAnswer, lexicon: Lexicon, scorer: ScorerName | None) -> ScanAnswer:
    """An answer that was valid stays so: nothing but its reading changes."""
    if answer.reading is None:
        return answer
    anew = read_answer(answer, lexicon, sentiment=scorer)
    if anew.reading is None:
        raise ValueError("an answer that was read before cannot be read any more")
    return msgspec.structs.replace(anew, reading=carry_over_verdict(answer.reading, anew.reading))


def _conclude(plan: Plan, stored: Sequence[ScanAnswer], answers: Sequence[ScanAnswer], ended: Ended) -> Concluded:
    from datetime import UTC, datetime

    check = summarize_scan(
        plan,
        answers,
        answers_source=ended.answers_source,
        prompts_source="suggested" if ended.suggested else "given",
        started_at=datetime.fromtimestamp(ended.started_at, UTC),
        stopped=False,
        sentiment=plan.scored,
    )
    before = {answer.id: answer for answer in stored}
    settled = {uuid.UUID(answer.id): to_record(answer) for answer in check.answers if answer is not before[answer.id]}
    return Concluded(msgspec.json.encode(check.results), _metrics(check.results.headline), settled)


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
