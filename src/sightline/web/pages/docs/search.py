"""Search in the documentation: every word of a query must begin a word of the found part, its heading or its page."""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from itertools import islice
from math import log
from typing import NamedTuple

_LONGEST_QUERY = 200
_MOST_WORDS = 8
_MOST_ENDINGS = 60
_HEADING_WEIGHT = 6.0
_PAGE_WEIGHT = 3.0
_FILL_WORDS = frozenset(
    {"a", "an", "and", "do", "for", "how", "i", "in", "is", "my", "of", "the", "to", "what", "with"}
)


class SearchPart(NamedTuple):
    """A piece of a page that a search can lead to."""

    page: str
    title: str
    address: str
    text: str
    rank: float = 1.0
    """By what the scores of this part are multiplied."""


class SearchIndex:
    """Parts by the words in them, weighted by where a word stands."""

    def __init__(self, parts: list[SearchPart]) -> None:
        self._parts = parts
        weights: defaultdict[str, dict[int, float]] = defaultdict(dict)
        for number, part in enumerate(parts):
            for word, weight in _weigh_words(part).items():
                weights[word][number] = weight
        self._weights = dict(weights)
        self._words = sorted(weights)

    def find(self, query: str, limit: int = 20) -> list[SearchPart]:
        """Return the parts that have every word of the query, best first."""
        asked = split_words(query[:_LONGEST_QUERY])[:_MOST_WORDS]
        words = [word for word in asked if word not in _FILL_WORDS] or asked
        found = [self._score_word(word) for word in dict.fromkeys(words)]
        common = set.intersection(*map(set, found)) if found else set()
        ranked = sorted(
            common, key=lambda number: (-self._parts[number].rank * sum(scores[number] for scores in found), number)
        )
        return [self._parts[number] for number in ranked[:limit]]

    def _score_word(self, word: str) -> dict[int, float]:
        """Return the score of each part for a word: rare words count more, longer words that begin with it half."""
        first = bisect_left(self._words, word)
        scores: defaultdict[int, float] = defaultdict(float)
        for known in islice(self._words, first, first + _MOST_ENDINGS):
            if not known.startswith(word):
                break
            rarity = log(1 + len(self._parts) / len(self._weights[known])) * (1 if known == word else 0.5)
            for number, weight in self._weights[known].items():
                scores[number] = max(scores[number], weight * rarity)
        return scores


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case, without the ending of plurals."""
    words = re.findall(r"[^\W_]+", text.lower())
    return [word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word for word in words]


def _weigh_words(part: SearchPart) -> dict[str, float]:
    weights = {word: log(1 + times) for word, times in Counter(split_words(part.text)).items()}
    for text, weight in ((part.title, _HEADING_WEIGHT), (part.page, _PAGE_WEIGHT)):
        for word in set(split_words(text)):
            weights[word] = weights.get(word, 0.0) + weight
    return weights
