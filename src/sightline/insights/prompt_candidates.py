"""Candidates for new prompts (metrics 1.12): searches of platforms, questions inside answers, and templates. Pure.

A candidate has the language and the country of the prompt whose answers led to it.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from sightline.insights.inputs import InsightInputs
from sightline.insights.models import StoredTheme
from sightline.insights.topics import content_words
from sightline.metrics.opportunity import UNKNOWN
from sightline.prompts.identity import normalize_text
from sightline.prompts.suggestions.models import Origin

_MIN_LENGTH, _MAX_LENGTH = 8, 200  # characters
_QUESTION = re.compile(r"[^.!?\u3002\uff01\uff1f\u061f|\n\r]{8,220}[?\uff1f\u061f]")
_DECORATION = re.compile(r"^(?:[\s>#*_\-•\u2013]|\(?\d{1,2}[.):]\s|Q\d{0,2}[.:)]\s)+|[\s*_\"'“”„«»`]+$")
_OPERATORS = re.compile(r"\b(?:site|inurl|intitle|filetype|after|before):|https?://|[{}<>\[\]|]", re.IGNORECASE)
# What an assistant asks its reader is not a question about the market.
_TO_THE_READER = re.compile(
    r"\b(?:you|your|shall i|should i (?:also|go)|want me|let me|sie|ihr|ihre|ihren|dir|dein\w*|soll ich|vous|votre|vos|"
    r"souhaitez|quieres|desea|usted|tu|vuoi|desidera|voce|quer)\b",
    re.IGNORECASE,
)
_MAX_TEMPLATES = 3  # of each kind
_ENGLISH = "en"


class DiscoveredPrompt(msgspec.Struct, frozen=True, kw_only=True):
    """A text that might become a prompt. `demand` and `gap` are explained in `prompt_suggestions.py`."""

    text: str
    language: str | None
    country: str | None
    origin: Origin
    demand: float
    gap: float


class _TextWithAnswers:
    """A text with the answers that led to it."""

    def __init__(self, text: str, language: str | None, country: str | None, origin: Origin) -> None:
        self.text, self.language, self.country, self.origin = text, language, country, origin
        self.answers: set[str] = set()


def find_candidates(inputs: InsightInputs, themes: Sequence[StoredTheme]) -> list[DiscoveredPrompt]:
    gaps = inputs.find_gap_answers()
    asked = _gather_texts(inputs)
    most = max((len(each.answers) for each in asked), default=0)
    found = [
        DiscoveredPrompt(
            text=each.text,
            language=each.language,
            country=each.country,
            origin=each.origin,
            demand=math.log1p(len(each.answers)) / math.log1p(most),
            gap=len(each.answers & gaps) / len(each.answers),
        )
        for each in asked
    ]
    return [*found, *_fill_templates(inputs, themes, gaps)]


def _gather_texts(inputs: InsightInputs) -> list[_TextWithAnswers]:
    found: dict[tuple[str, str | None, str | None], _TextWithAnswers] = {}
    for answer in inputs.answers:
        language, country = answer.prompt.language, answer.prompt.country
        texts: list[tuple[Origin, str]] = [("fan_out", text) for text in _read_searches(answer.queries)]
        texts += [("question", text) for text in _read_questions(answer.text)]
        for origin, text in texts:
            key = (normalize_text(text), language, country)
            found.setdefault(key, _TextWithAnswers(text, language, country, origin)).answers.add(answer.id)
    return list(found.values())


def _read_searches(queries: Iterable[str]) -> list[str]:
    tidied = (" ".join(query.split()).strip(" \"'") for query in queries if not _OPERATORS.search(query))
    return [text for text in tidied if _MIN_LENGTH <= len(text) <= _MAX_LENGTH]


def _read_questions(text: str) -> list[str]:
    questions = (" ".join(_DECORATION.sub("", match[0]).split()) for match in _QUESTION.finditer(text))
    return [
        question
        for question in questions
        if _MIN_LENGTH <= len(question) <= _MAX_LENGTH
        and not _OPERATORS.search(question)
        and not _TO_THE_READER.search(question)
    ]


def _fill_templates(
    inputs: InsightInputs, themes: Sequence[StoredTheme], gaps: frozenset[str]
) -> list[DiscoveredPrompt]:
    """Fill templates, only if there are English prompts: no template in another language has been reviewed.

    Their demand is unknown, which neither helps nor hurts them.
    """
    prompts = [prompt for prompt in inputs.plan.prompts if prompt.language == _ENGLISH]
    if not prompts:
        return []
    country = Counter(prompt.country for prompt in prompts).most_common(1)[0][0]
    texts = [
        (f"What are the best alternatives to {name}?", gap) for name, gap in _find_strongest_competitors(inputs, gaps)
    ]
    topic = _find_topic([prompt.text for prompt in prompts])
    if topic is not None:
        share = len(gaps) / len(inputs.answers) if inputs.answers else UNKNOWN
        liked = [each for each in themes if each.kind == "distinctive" and each.polarity_label != "negative"]
        texts += [(f"Which {topic} is best for {each.descriptor}?", share) for each in liked[:_MAX_TEMPLATES]]
    return [
        DiscoveredPrompt(text=text, language=_ENGLISH, country=country, origin="template", demand=UNKNOWN, gap=gap)
        for text, gap in texts
    ]


def _find_strongest_competitors(inputs: InsightInputs, gaps: frozenset[str]) -> list[tuple[str, float]]:
    """Find the most named tracked competitors, each with the share of its answers that do not name the brand."""
    found = []
    for brand, observations in zip(inputs.plan.competitors, inputs.observations[1:], strict=True):
        named = {observation.answer_id for observation in observations if observation.mentioned}
        if named:
            found.append((len(named), brand.name, len(named & gaps) / len(named)))
    found.sort(key=lambda each: (-each[0], each[1]))
    return [(name, gap) for _, name, gap in found[:_MAX_TEMPLATES]]


def _find_topic(texts: Sequence[str]) -> str | None:
    """Find the word that most prompts share, or None if there is no such word."""
    counted = Counter(word for text in texts for word in content_words(text, _ENGLISH))
    word, times = min(counted.items(), key=lambda item: (-item[1], item[0]), default=("", 0))
    return word if times >= 2 and 3 * times >= len(texts) else None
