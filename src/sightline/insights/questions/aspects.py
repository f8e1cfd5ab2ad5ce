"""Questions that ask for an aspect: "Which earbuds have the best battery life?" English only. Pure."""

import re
from functools import cache
from typing import Literal

from sightline.answers.word_lists import read_list, read_table
from sightline.insights.questions.market_nouns import MarketNoun

_LISTS = "aspect_questions"
_DEGREES = ("best", "lowest", "longest", "fastest", "largest", "most")
AspectTemplate = Literal["aspect noun", "aspect adjective", "value"]


def ask_for_aspect(aspect: str, noun: MarketNoun) -> tuple[AspectTemplate, str] | None:
    """Return the template and the question, or None if the lists do not say how to ask for the aspect."""
    written = _drop_judgments(aspect)
    name = written.casefold()
    if name in read_list(_LISTS, "value"):
        return (
            "value",
            f"Which {noun.text}{noun.limit} {'offer' if noun.is_plural else 'offers'} the best value for money?",
        )
    if (superlative := _superlatives().get(name)) is not None:
        verb = "are" if noun.is_plural else "is"
        return "aspect adjective", f"Which {noun.text}{noun.limit} {verb} the {superlative}?"
    verb = "have" if noun.is_plural else "has"
    for degree in _DEGREES:
        if name in read_list(_LISTS, degree):
            return "aspect noun", f"Which {noun.text}{noun.limit} {verb} the {degree} {written}?"
    before, _, last = name.partition(" ")
    if before.isalpha() and last in read_list(_LISTS, "best as a last word"):
        return "aspect noun", f"Which {noun.text}{noun.limit} {verb} the best {written}?"
    return None


def find_mentioned_aspects(folded: str) -> frozenset[str]:
    """Return the aspects that a folded text mentions, without those whose words have other senses."""
    return frozenset(match[1] for match in _mentioned().finditer(folded))


@cache
def _mentioned() -> re.Pattern[str]:
    askable = frozenset(_superlatives()).union(*(read_list(_LISTS, section) for section in (*_DEGREES, "value")))
    names = sorted(askable - read_list(_LISTS, "only as a theme"), key=lambda name: (-len(name), name))
    return re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, names))})(?![\w-])")


def _drop_judgments(aspect: str) -> str:
    words = aspect.split()
    judgments = read_list(_LISTS, "not in a name of an aspect")
    while len(words) > 1 and words[0].casefold() in judgments:
        words.pop(0)
    return " ".join(words)


@cache
def _superlatives() -> dict[str, str]:
    return {name: next(iter(forms)) for name, forms in read_table(_LISTS, "superlatives").items()}
