"""Answers one question on one platform on one day. `transport` sends the result like a network reply."""

from datetime import date

from sightline.platforms.models import Question, Usage
from sightline.platforms.sandbox.compose import WrittenAnswer, write_answer, write_refusal
from sightline.platforms.sandbox.market import Subject
from sightline.platforms.sandbox.plan import AnswerPlan, plan_answer
from sightline.platforms.sandbox.seeded_random import uniform
from sightline.platforms.sandbox.wire import AnswerPayload


def answer_question(
    subject: Subject, question: Question, platform: str, day: date, *, refuse: bool = False
) -> AnswerPayload:
    """Return the answer. The same arguments give the same bytes.

    Raises KeyError for a platform that does not exist.
    """
    plan = plan_answer(subject, question, platform, day)
    if refuse:
        return _build_payload(plan, write_refusal(plan))
    return _build_payload(plan, write_answer(plan)) if plan.shown else _build_empty_payload(plan)


def _build_payload(plan: AnswerPlan, written: WrittenAnswer) -> AnswerPayload:
    return AnswerPayload(
        id=_build_id(plan),
        model=f"sandbox-{plan.cell.platform}",
        status="ok",
        text=written.text,
        cited=written.cited,
        retrieved=written.retrieved,
        queries=written.queries,
        usage=Usage(
            input_tokens=_count_tokens(plan.prompt),
            output_tokens=_count_tokens(written.text),
            searches=len(written.queries) if plan.cites else None,
        ),
    )


def _build_empty_payload(plan: AnswerPlan) -> AnswerPayload:
    """Build the payload of a results page that had no answer that day."""
    return AnswerPayload(
        id=_build_id(plan),
        model=f"sandbox-{plan.cell.platform}",
        status="no_surface",
        text="",
        cited=(),
        retrieved=(),
        queries=(),
        usage=Usage(searches=1),
    )


def _build_id(plan: AnswerPlan) -> str:
    return f"sbx_{int(uniform('id', plan.market.key, *plan.cell, plan.day.toordinal()) * 16**12):012x}"


def _count_tokens(text: str) -> int:
    return max(1, len(text.encode("utf-8", "replace")) // 4)  # four bytes a token is near enough for every script
