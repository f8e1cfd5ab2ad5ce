"""Candidates for new prompts (metrics 1.12): questions in the language and country of the prompts behind them. Pure.

They come from searches of platforms, from questions inside answers and, in English, from templates for aspects, uses,
rivals and the stages of a purchase that no prompt covers.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import msgspec

from sightline.answers.characters import fold
from sightline.answers.models import Brand
from sightline.answers.prepare import prepare
from sightline.answers.tokens import words
from sightline.insights.inputs import InsightInputs
from sightline.insights.models import StoredTheme
from sightline.insights.questions.aspects import ask_for_aspect, find_mentioned_aspects
from sightline.insights.questions.market_nouns import (
    MarketNoun,
    NounPrompt,
    WrittenForms,
    contains_phrase,
    find_market_nouns,
)
from sightline.insights.questions.searches import SearchWords, ask_from_search
from sightline.insights.questions.templates import (
    STAGES,
    ask_at_stage,
    ask_for_alternatives,
    ask_for_best,
    ask_for_rivals,
    ask_for_use,
    find_stage,
)
from sightline.insights.questions.uses import find_uses
from sightline.insights.questions.whole_questions import find_whole_questions
from sightline.insights.recommendations.cited_pages import list_rivals
from sightline.insights.topics import topic_words
from sightline.prompts.identity import normalize_text
from sightline.prompts.suggestions.models import Origin
from sightline.scans.models import ScanAnswer, ScanPrompt

_ENGLISH = "en"
_ENDING = re.compile(r"(?<=\w{3})(?:ing|er|ed|e)$")
_DOUBLED = re.compile(r"(\w)\1$")
_MIN_ANSWERS = 3  # that talk about an aspect or a use, or name a rival
_MIN_ASPECT_SHARE, _MIN_ADJECTIVE_SHARE = 0.1, 0.25  # of the market's answers
_MAX_OF_A_KIND = 6  # aspects and uses of one noun
_MAX_RIVALS = 3
_LINE_FROM = 0.4  # of the texts with a name have its maker before it


class DiscoveredPrompt(msgspec.Struct, frozen=True, kw_only=True):
    """A question that might become a prompt, and the answers that led to it."""

    text: str
    language: str | None
    country: str | None
    origin: Origin
    subjects: tuple[str, ...]
    """What the origin is about: platforms, an aspect, a use, rivals, or a stage of a purchase."""
    template: str
    """Questions with the same template differ only in names."""
    answers: frozenset[str]
    plain: str | None = None
    """The question without its aspect or use. A known prompt that is closer to this than to `text` asks for neither."""


def find_candidates(inputs: InsightInputs, themes: Sequence[StoredTheme]) -> list[DiscoveredPrompt]:
    """Return the questions of every origin. A prompt in an unread language leads to none."""
    texts = {answer.id: prepare(answer.text, answer.prompt.text) for answer in inputs.answers}
    markets = _find_markets(inputs)
    found = [*_read_searches(inputs, markets)]
    found += _gather(
        "question",
        (
            (question, answer)
            for answer in inputs.answers
            for question in find_whole_questions(texts[answer.id], answer.prompt.language)
            if not any(market.noun.is_pointed_at(question) for market in markets)
            and not _names_one_rival(question, inputs.named[answer.id])
        ),
    )
    folded = {answer_id: prepared.folded for answer_id, prepared in texts.items()}
    for market in markets:
        found += market.fill_templates(folded, themes)
    return found


class _Market:
    """A noun of the market with the answers to its prompts."""

    def __init__(self, noun: MarketNoun, inputs: InsightInputs, prompts: Sequence[ScanPrompt]) -> None:
        self.noun = noun
        self.prompts = [prompt for prompt in prompts if prompt.id in noun.prompt_ids]
        self._asked = frozenset[str]().union(*(_stems(prompt.text) for prompt in prompts))
        self.answers = [answer for answer in inputs.answers if answer.prompt.id in noun.prompt_ids]
        self.country = Counter(prompt.country for prompt in self.prompts).most_common(1)[0][0]
        named = Counter(name for answer in self.answers for name in inputs.named[answer.id])
        strongest = [rival.name for rival in list_rivals(inputs) if named[rival.name] >= _MIN_ANSWERS]
        self.rivals = self._choose_rivals(strongest, inputs.brand)
        self._named = {
            name: frozenset(answer.id for answer in self.answers if name in inputs.named[answer.id])
            for name in self.rivals
        }

    def _choose_rivals(self, names: Sequence[str], brand: Brand) -> list[str]:
        """Return the first rivals that are makers of their own: no part of the brand's name, and no product line."""
        chosen: list[str] = []
        texts = [fold(answer.text) for answer in self.answers]
        for name in names:
            others = [brand.name, *chosen]
            if len(chosen) < _MAX_RIVALS and not any(
                _shares_words(name, other) or _is_line_of(name, other, texts) or _is_line_of(other, name, texts)
                for other in others
            ):
                chosen.append(name)
        return chosen

    def fill_templates(self, folded: Mapping[str, str], themes: Sequence[StoredTheme]) -> Iterator[DiscoveredPrompt]:
        uses = self._count(find_uses((answer.id, folded[answer.id]) for answer in self.answers))
        yield from self._ask_for_aspects(folded, themes)
        for use, answers in uses:
            yield self._make("use", (use,), "use", ask_for_use(use, self.noun), answers)
        yield from self._ask_about_rivals([use for use, _ in uses])
        yield from self._ask_at_missing_stages()

    def _ask_for_aspects(self, folded: Mapping[str, str], themes: Sequence[StoredTheme]) -> Iterator[DiscoveredPrompt]:
        aspects: dict[str, set[str]] = {}
        for answer in self.answers:
            for aspect in find_mentioned_aspects(folded[answer.id]):
                aspects.setdefault(aspect, set()).add(answer.id)
        for theme in themes:
            aspects.setdefault(theme.descriptor, set()).update(map(str, theme.answer_ids))
        own = {answer.id for answer in self.answers}
        forms = WrittenForms(answer.text for answer in self.answers)
        for aspect, answers in self._count({name: found & own for name, found in aspects.items()}):
            template, text = ask_for_aspect(forms.restore_case(aspect), self.noun) or ("", "")
            share = _MIN_ADJECTIVE_SHARE if template == "aspect adjective" else _MIN_ASPECT_SHARE
            if text and len(answers) >= share * len(self.answers):
                yield self._make("aspect", (aspect,), template, text, answers)

    def _ask_about_rivals(self, uses: Sequence[str]) -> Iterator[DiscoveredPrompt]:
        pairs = [(one, other) for place, one in enumerate(self.rivals) for other in self.rivals[place + 1 :]]
        for place, (one, other) in enumerate(pairs):
            use = uses[place] if place < len(uses) else None
            text = ask_for_rivals(one, other, self.noun, use)
            yield self._make("rivals", (one, other), "rivals", text, self._named[one] & self._named[other])

    def _ask_at_missing_stages(self) -> Iterator[DiscoveredPrompt]:
        covered = {find_stage(prompt.text) for prompt in self.prompts}
        for stage in STAGES:
            if stage in covered:
                continue
            text = ask_at_stage(stage, self.noun)
            if stage == "switch" and self.rivals:
                text = ask_for_alternatives(self.rivals[0], self.noun)
            if text is not None:
                yield self._make("stage", (stage,), f"stage {stage}", text, frozenset())

    def _count(self, found: Mapping[str, set[str]]) -> list[tuple[str, frozenset[str]]]:
        """Return what several answers talk about and no prompt asks for yet, the most frequent first."""
        order = sorted(found, key=lambda name: (-len(found[name]), name))
        noun = _stems(self.noun.text)
        chosen: dict[frozenset[str], str] = {}
        for name in order:
            own = _stems(name)
            if len(found[name]) >= _MIN_ANSWERS and not own <= self._asked and not own & noun:
                chosen.setdefault(own, name)
        return [(name, frozenset(found[name])) for name in list(chosen.values())[:_MAX_OF_A_KIND]]

    def _make(
        self, origin: Origin, subjects: tuple[str, ...], template: str, text: str, answers: frozenset[str]
    ) -> DiscoveredPrompt:
        return DiscoveredPrompt(
            text=text,
            language=_ENGLISH,
            country=self.country,
            origin=origin,
            subjects=subjects,
            template=template,
            answers=answers,
            plain=ask_for_best(self.noun) if origin in ("aspect", "use") else None,
        )


def _stems(text: str) -> frozenset[str]:
    """Return the stems of the content words: running, runner and runners are one."""
    return frozenset(_DOUBLED.sub(r"\1", _ENDING.sub("", word)) for word in topic_words(text, _ENGLISH))


def _names_one_rival(question: str, rivals: Collection[str]) -> bool:
    """Return whether the question is about one rival alone: its answers would measure the rival."""
    return sum(contains_phrase(question, name) for name in rivals) == 1


def _shares_words(one: str, other: str) -> bool:
    """Return whether one name is a part of the other: Mercedes and Mercedes-Benz."""
    left, right = (set(words(fold(each).replace("-", " "))) for each in (one, other))
    return left <= right or right <= left


def _is_line_of(name: str, maker: str, texts: Sequence[str]) -> bool:
    """Return whether most texts with the name have it right after the maker: "Anker Soundcore Liberty 4"."""
    together = re.compile(rf"\b{re.escape(fold(maker))}\b(?:\W+\w+){{0,2}}?\W+{re.escape(fold(name))}\b")
    named = [text for text in texts if fold(name) in text]
    return sum(together.search(text) is not None for text in named) > _LINE_FROM * len(named)


def _find_markets(inputs: InsightInputs) -> list[_Market]:
    prompts = [prompt for prompt in inputs.plan.prompts if prompt.language == _ENGLISH]
    answers = inputs.group_answers_by_prompt()
    nouns = find_market_nouns(
        [
            NounPrompt(prompt.id, prompt.text, tuple(answer.text for answer in answers.get(prompt.id, ())))
            for prompt in prompts
        ]
    )
    return [_Market(noun, inputs, prompts) for noun in nouns]


def _read_searches(inputs: InsightInputs, markets: Sequence[_Market]) -> list[DiscoveredPrompt]:
    names = {fold(name): name for name in (rival.name for rival in inputs.rivals)}
    known = SearchWords([market.noun for market in markets], names)
    return _gather(
        "fan_out",
        (
            (question, answer)
            for answer in inputs.answers
            for query in answer.queries
            if (question := ask_from_search(query, known, answer.prompt.language)) is not None
        ),
    )


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
