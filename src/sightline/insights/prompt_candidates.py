"""Candidates for new prompts (metrics 1.12): questions in the language and country of the prompts behind them. Pure.

Without an editor they are questions that platforms wrote, taken over whole, and templates around the category that
somebody has named.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

import msgspec

from sightline.answers.characters import fold
from sightline.answers.prepare import prepare
from sightline.insights.inputs import InsightInputs
from sightline.insights.whole_questions import find_whole_questions, is_whole_question
from sightline.prompts.identity import normalize_text
from sightline.prompts.suggestions.models import Origin
from sightline.scans.models import ScanAnswer
from sightline.scans.suggestions.templates import list_questions

_TEMPLATES = 6  # those that come first
_PRICE_LIMIT = re.compile(r"\b[^\W\d]+ (?:[$€£]\d[\d.,]*\d|\d[\d.,]*\d ?€)")


class DiscoveredPrompt(msgspec.Struct, frozen=True, kw_only=True):
    """A question that might become a prompt, and the answers that led to it."""

    text: str
    language: str | None
    country: str | None
    origin: Origin
    subjects: tuple[str, ...]
    """What the origin is about: platforms, an aspect, a use, rivals, a stage of a purchase, or a category."""
    template: str
    """Questions with the same template differ only in names."""
    answers: frozenset[str]


def find_candidates(inputs: InsightInputs, category: str | None = None) -> list[DiscoveredPrompt]:
    """Return the questions that platforms wrote, and those around a category in the language of most prompts."""
    found = _gather("fan_out", _list_searches(inputs))
    # A question of one answer alone is mostly one that an assistant asks back.
    found += [each for each in _gather("question", _list_questions(inputs)) if len(each.answers) > 1]
    return [*found, *(_fill_templates(inputs, category) if category else ())]


def _list_searches(inputs: InsightInputs) -> Iterator[tuple[str, ScanAnswer]]:
    for answer in inputs.answers:
        for query in answer.queries:
            if is_whole_question(query, answer.prompt.language):
                yield query, answer


def _list_questions(inputs: InsightInputs) -> Iterator[tuple[str, ScanAnswer]]:
    for answer in inputs.answers:
        for question in find_whole_questions(prepare(answer.text, answer.prompt.text), answer.prompt.language):
            if not _names_one_rival(question, inputs.named[answer.id]):
                yield question, answer


def _names_one_rival(question: str, rivals: Collection[str]) -> bool:
    """Return whether the question is about one rival alone: its answers would measure the rival."""
    return sum(fold(name) in fold(question) for name in rivals) == 1


def _fill_templates(inputs: InsightInputs, category: str) -> Iterator[DiscoveredPrompt]:
    spoken = Counter((prompt.language, prompt.country) for prompt in inputs.plan.prompts)
    for (language, country), _ in spoken.most_common(1):
        asked = [prompt.text for prompt in inputs.plan.prompts if prompt.language == language]
        for question in list_questions(_keep_price(category, asked), language)[:_TEMPLATES]:
            yield DiscoveredPrompt(
                text=question,
                language=language,
                country=country,
                origin="template",
                subjects=(category,),
                template=question,
                answers=frozenset(),
            )


def _keep_price(category: str, prompts: Sequence[str]) -> str:
    """Return the category with the price limit that most prompts have, as they word it: "laptops under $900"."""
    limits = Counter(match.group() for text in prompts if (match := _PRICE_LIMIT.search(text)))
    for limit, _ in limits.most_common(1):
        amount = re.findall(r"\d[\d.,]*", limit)[-1]
        if amount not in category and 2 * sum(amount in text for text in prompts) > len(prompts):
            return f"{category} {limit}"
    return category


def _gather(origin: Origin, found: Iterable[tuple[str, ScanAnswer]]) -> list[DiscoveredPrompt]:
    """Gather the same question of several answers, per language and country of their prompts."""
    answers: dict[tuple[str, str | None, str | None], list[ScanAnswer]] = {}
    texts: dict[tuple[str, str | None, str | None], str] = {}
    for text, answer in found:
        key = (normalize_text(text), answer.prompt.language, answer.prompt.country)
        texts.setdefault(key, text)
        answers.setdefault(key, []).append(answer)
    return [
        DiscoveredPrompt(
            text=text,
            language=key[1],
            country=key[2],
            origin=origin,
            subjects=tuple(dict.fromkeys(answer.platform for answer in answers[key])),
            template=text,
            answers=frozenset(answer.id for answer in answers[key]),
        )
        for key, text in texts.items()
    ]
