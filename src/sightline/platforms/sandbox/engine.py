"""One question, one platform, one day: one answer. The front door of the engine; `transport` puts it on the wire."""

from datetime import date

from sightline.platforms.models import Question, Usage
from sightline.platforms.sandbox.compose import Written, write_answer, write_refusal
from sightline.platforms.sandbox.dice import uniform
from sightline.platforms.sandbox.market import Subject
from sightline.platforms.sandbox.plan import Plan, plan_answer
from sightline.platforms.sandbox.wire import AnswerPayload


def answer_question(
    subject: Subject, question: Question, platform: str, day: date, *, refuse: bool = False
) -> AnswerPayload:
    """The same arguments give the same bytes. Raises KeyError for a platform that does not exist."""
    plan = plan_answer(subject, question, platform, day)
    if refuse:
        return _payload(plan, write_refusal(plan))
    return _payload(plan, write_answer(plan)) if plan.shown else _nothing(plan)


def _payload(plan: Plan, written: Written) -> AnswerPayload:
    return AnswerPayload(
        id=_id_of(plan),
        model=f"sandbox-{plan.cell.platform}",
        status="ok",
        text=written.text,
        cited=written.cited,
        retrieved=written.retrieved,
        queries=written.queries,
        usage=Usage(
            input_tokens=_tokens(plan.prompt),
            output_tokens=_tokens(written.text),
            searches=len(written.queries) if plan.cites else None,
        ),
    )


def _nothing(plan: Plan) -> AnswerPayload:
    """The results page had no answer on it that day."""
    return AnswerPayload(
        id=_id_of(plan),
        model=f"sandbox-{plan.cell.platform}",
        status="no_surface",
        text="",
        cited=(),
        retrieved=(),
        queries=(),
        usage=Usage(searches=1),
    )


def _id_of(plan: Plan) -> str:
    return f"sbx_{int(uniform('id', plan.market.key, *plan.cell, plan.day.toordinal()) * 16**12):012x}"


def _tokens(text: str) -> int:
    return max(1, len(text.encode("utf-8", "replace")) // 4)  # four bytes a token is near enough for every script
