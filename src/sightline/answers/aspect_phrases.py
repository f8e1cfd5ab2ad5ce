"""Aspects that no list has: a noun phrase with an opinion, such as "comfortable neck"."""

import re

from sightline.answers.aspect_words import AspectWords
from sightline.answers.blocks import PreparedAnswer
from sightline.answers.characters import fold
from sightline.answers.tokens import words as split_words
from sightline.answers.word_lists import read_list

# What stands before the opinion if the phrase is something that the brand has: nothing, a verb of having or a
# possessive. "A durable ball" is what the brand is.
HAVING = re.compile(
    r"(?:^|\b(?:with|has|have|having|offers?|offering|features?|featuring|provides?|providing|delivers?|delivering|boasts?|"
    r"boasting|includes?|including|its|their|for|and|plus|&|produces?|gives?)\b)"
    r"(?:an?\b|the\b|some\b|very\b|really\b|truly\b|also\b|such\b|more\b|[,\s*_✅✔❌•-])*$"
)
_PREDICATE = re.compile(
    r"(?:^|[\s,])(?:the|its|their)\s((?:[a-z][a-z'-]{2,}\s){1,2})"
    r"(?:is|are|was|feels?|looks?|sounds?|seems?|remains?|can be|could be|tends? to be)\s"
    r"(?:(?:also|very|really|quite|a bit|a little|rather|often|too|so|still|generally|just|somewhat)\s)?$"
)
_COPULA = re.compile(r"\b(?:is|are|was|feels?|looks?|sounds?|seems?|remains?|be)\s")
_NOT_NOUNS = re.compile(r"\w+(?:ly|ing|ed|n't|'s|'ll|est|ful|ous|ive|able|ible|less)$")
_MOST_WORDS = 2


class PhraseReader:
    """Reads noun phrases in one answer. Words of the prompt name what is looked for and are not aspects."""

    def __init__(self, prepared: PreparedAnswer, words: AspectWords, prompt: str, names: frozenset[str]) -> None:
        self._prose = prepared.prose
        self._folded = prepared.folded
        self._meta = words.meta
        self._asked = frozenset(_singular(word) for word in split_words(fold(prompt)))
        self._names = names
        self._stop_words = read_list("stop_words", "en")

    def find_phrase(self, part: int, start: int, end: int, stop: int) -> tuple[int, int] | None:
        """Return the span of the noun phrase that an opinion at this place of a part belongs to."""
        after = self._read_after(end, stop)
        if after is not None and HAVING.search(self._folded[part:start]) is not None:
            return after
        before = _PREDICATE.search(self._folded, part, start) if _COPULA.search(self._folded, part, start) else None
        return self._judge(before.start(1), before.end(1)) if before else None

    def _read_after(self, at: int, stop: int) -> tuple[int, int] | None:
        """Return the phrase after an adjective, up to the next stop word or mark."""
        first = at
        last = at
        count = 0
        for match in re.finditer(r"(\s)([A-Za-z][A-Za-z'-]*)", self._prose[at:stop]):
            word = fold(match[2])
            if at + match.start() != last or word in self._stop_words:
                break
            count += 1
            last = at + match.end()
        return self._judge(first + 1, last) if 0 < count <= _MOST_WORDS else None

    def _judge(self, start: int, end: int) -> tuple[int, int] | None:
        text = self._prose[start:end].strip()
        if not text or any(word[0].isupper() for word in text.split()):
            return None
        words = [_singular(word) for word in fold(text).split()]
        if _NOT_NOUNS.fullmatch(words[-1]) or len(words[-1]) < 3 or words[-1] in self._asked or words[-1] in self._meta:
            return None
        if self._names.intersection(words) or self._stop_words.intersection(words):
            return None
        return start, start + len(text)

    def name(self, start: int, end: int) -> str:
        """Return the name of the aspect of a phrase: folded, its last word in the singular."""
        *first, last = self._folded[start:end].split()
        return " ".join([*first, _singular(last)])


def _singular(word: str) -> str:
    if len(word) <= 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    return word[:-3] + "y" if word.endswith("ies") else word[:-1]
