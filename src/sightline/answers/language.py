"""Detection of the language of an answer. None is detected in a few words, which prove nothing."""

import re
from functools import cache
from itertools import islice
from typing import Any

import ahocorasick_rs

from sightline.answers.tokens import words

_MIN_LETTERS = 20
_SAMPLE = 2_000
_ENOUGH_GERMAN = 3
_CERTAIN = 10  # small words of English
_FEW_FOREIGN = 0.1  # of all characters
_FOREIGN = re.compile(r"(?![\u2000-\u2fff\u3000-\u303f\U0001f000-\U0001ffff])[\u0250-\U0010ffff]")  # no Latin letters
# Folded: no diacritics.
_ENGLISH = (" the ", " and ", " is ", " for ", " with ", " you ", " of ", " to ", " are ")
_GERMAN = (" der ", " die ", " das ", " und ", " ist ", " nicht ", " mit ", " fur ", " ein ", " eine ")
_OTHERS = (
    *_GERMAN,
    " le ",
    " les ",
    " des ",
    " et ",
    " est ",
    " pour ",
    " el ",
    " los ",
    " y ",
    " para ",
    " con ",
    " un ",
    " il ",
    " che ",
    " per ",
    " di ",
    " o ",
    " os ",
    " com ",
    " uma ",
    " het ",
    " een ",
    " van ",
    " voor ",
    " och ",
    " ar ",
    " for att ",
    " jest ",
    " na ",
    " w ",
    " dla ",
    " ve ",
    " bir ",
    " icin ",
    " og ",
    " er ",
    " ja ",
)
_SMALL_WORDS = (*_ENGLISH, *_OTHERS)
_SEARCH = ahocorasick_rs.AhoCorasick(_SMALL_WORDS)


@cache
def _classifier() -> Any:
    import py3langid  # heavy: half a second to load, and most answers never need it

    return py3langid


def looks_english(folded: str) -> bool:
    """Return whether the first lines are in Latin letters with more small words of English than of other languages.

    It is much faster than detecting the language, and right if only English has to be recognized.
    """
    sample = folded[:_SAMPLE]
    # A foreign letter takes two bytes or more: with few of them, none has to be counted.
    most_foreign = _FEW_FOREIGN * len(sample)
    if len(sample.encode()) - len(sample) > most_foreign and len(_FOREIGN.findall(sample)) > most_foreign:
        return False
    english, others = _count_small_words(sample)
    return english >= others


def looks_german(folded: str) -> bool:
    """Return whether the first lines have the small words of German, where every noun has a capital."""
    return sum(map(folded[:_SAMPLE].count, _GERMAN)) >= _ENOUGH_GERMAN


def _count_small_words(sample: str) -> tuple[int, int]:
    """Return how often small words of English occur, and those of other languages."""
    counted = [0, 0]
    ends = [0] * len(_SMALL_WORDS)
    for word, start, end in _SEARCH.find_matches_as_indexes(sample, overlapping=True):
        if start >= ends[word]:
            ends[word] = end
            counted[word >= len(_ENGLISH)] += 1
    return counted[0], counted[1]


def detect_language(text: str) -> str | None:
    sample = text[:_SAMPLE]
    if not _has_enough_letters(sample):
        return None
    english, others = _count_small_words(sample)
    if english >= _CERTAIN and english >= 4 * others:
        return "en"  # most answers, and the classifier takes as long as the rest of their analysis
    found: str = _classifier().classify(sample)[0]
    return found


def _has_enough_letters(sample: str) -> bool:
    """Return whether there are enough letters. It stops as soon as there are, mostly in the first line."""
    letters = filter(str.isalpha, sample)
    return next(islice(letters, _MIN_LETTERS - 1, None), None) is not None


def has_running_text(text: str) -> bool:
    """Return whether there are enough words besides names to tell a language: a list of names has none."""
    return _has_enough_letters("".join(word for word in words(text[:_SAMPLE]) if not word[0].isupper()))


class LanguageDetector:
    """The language of an answer: declared, or detected when it is first needed."""

    def __init__(self, prose: str, declared: str | None = None) -> None:
        self._prose = prose
        self._is_declared = self._done = bool(declared)
        self.known = declared or None

    def __call__(self) -> str | None:
        if not self._done:
            self._done, self.known = True, detect_language(self._prose)
        return self.known

    def is_sure(self) -> bool:
        """Return whether the language was declared, or is detected in more than names, numbers and a few words."""
        return self._is_declared or (self() is not None and has_running_text(self._prose))
