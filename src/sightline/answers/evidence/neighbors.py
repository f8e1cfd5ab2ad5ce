"""Evidence from what stands near a name: other brands, the brand's own links, words of its category."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice

import msgspec

from sightline.answers.blocks import Link, PreparedAnswer
from sightline.answers.characters import BLOCK_END, fold, normalize
from sightline.answers.citations import normalize_url
from sightline.answers.evidence.layout import Layout
from sightline.answers.evidence.matches import NameMatch
from sightline.answers.evidence.wording import has_company_verb
from sightline.answers.language import looks_german
from sightline.answers.name_words import is_ordinary
from sightline.answers.names import Lexicon, Pattern
from sightline.answers.tokens import first_words, words
from sightline.answers.word_lists import read_list

_MAX_NEIGHBORS = 200  # a sentence with more of them is no sentence
_NEAR = 240  # characters that hold eight words
_PARAGRAPH = 1_500  # characters to either side that count as the same paragraph
_LONGEST_CACHED_PROMPT = 1_000  # characters


_CAPITALIZED = re.compile(r"(?<![\w.@-])([^\W\d_a-z][\w-]*\w)")

_NEXT_CAPITALIZED = re.compile(r"[ \u00a0]([^\W\d_a-z][\w-]*\w)")


class _OwnedLink(msgspec.Struct, frozen=True, gc=False):
    start: int
    owners: frozenset[int]


class Neighbors:
    """What stands near the names of one answer."""

    def __init__(
        self, prepared: PreparedAnswer, lexicon: Lexicon, matches: list[NameMatch], layout: Layout, prompt: str
    ) -> None:
        self._prepared = prepared
        self._prose, self._folded = prepared.prose, prepared.folded
        self._lexicon = lexicon
        self._matches = matches
        self._starts = [match.start for match in matches]
        self._layout = layout
        self._blocks = prepared.blocks
        self._prompt = prompt
        self._category_words = lexicon.category_words or _content_words(prompt)
        self._counts: dict[tuple[int, int, int], int] = {}

    def find_most_likely(self, match: NameMatch) -> int | None:
        """Return which of its brands a shared alias means: the one that the sentence, else the answer, is about."""
        start, end = self._prepared.sentence_at(match.start)
        for low, high in ((start, end), (0, len(self._prose))):
            near = {brand: self._count_signs(brand, low, high) for brand in match.pattern.brands}
            most = max(near.values())
            if most and sum(count == most for count in near.values()) == 1:
                return next(brand for brand, count in near.items() if count == most)
        names = {fold(normalize(self._lexicon.brands[brand].name)[0]) for brand in match.pattern.brands}
        return match.pattern.brands[0] if len(names) == 1 else None  # the same brand twice

    def _count_signs(self, brand: int, low: int, high: int) -> int:
        known = self._counts.get((brand, low, high))
        if known is None:
            known = self._counts[brand, low, high] = (
                sum(other.pattern.brands == (brand,) for other in self._between(low, high))
                + sum(brand in link.owners for link in self._links_between(low, high))
                + sum(fold(word) in self._folded[low:high] for word in self._lexicon.brands[brand].category_words)
            )
        return known

    def _between(self, start: int, end: int) -> list[NameMatch]:
        return self._matches[bisect_left(self._starts, start) : bisect_left(self._starts, end)][:_MAX_NEIGHBORS]

    @cached_property
    def _links(self) -> tuple[list[int], list[_OwnedLink]]:
        found = _find_owned_links(self._prepared.links, self._lexicon)
        return [link.start for link in found], found

    def _links_between(self, start: int, end: int) -> list[_OwnedLink]:
        starts, links = self._links
        return links[bisect_left(starts, start) : bisect_right(starts, end)][:_MAX_NEIGHBORS]

    def has_own_site(self, match: NameMatch, sentence: tuple[int, int]) -> bool:
        """Return whether the sentence writes the brand's domain or links to it."""
        brands = match.pattern.brands
        return any(
            (other.certain or other.pattern.form == "domain") and other.pattern.brands == brands
            for other in self._between(*sentence)
        ) or any(brand in link.owners for brand in brands for link in self._links_between(*sentence))

    def is_unprompted(self, pattern: Pattern) -> bool:
        """Return whether the prompt does not contain the name in lower case."""
        return pattern.text not in self._prompt or pattern.text not in words(self._prompt)

    def has_category_word(self, start: int, end: int) -> bool:
        """Return whether a word of the category is among the eight before or after."""
        before = words(self._folded[max(0, start - _NEAR) : start].rpartition(BLOCK_END)[2])[-8:]
        after = first_words(self._folded[end : end + _NEAR].partition(BLOCK_END)[0], 8)
        text = f" {' '.join(before)} | {' '.join(after)}"
        return any(f" {word}" in text for word in self._category_words)

    def precedes_category(self, end: int) -> bool:
        """Return whether a word of the category follows with a capital: "Moon Electric Toothbrush"."""
        word = _NEXT_CAPITALIZED.match(self._prose, end)
        return word is not None and fold(word[1]).startswith(self._category_words)

    def score_other_names(self, match: NameMatch, sentence: tuple[int, int]) -> int:
        """Return 1 for another name in the sentence, and 2 if both open a sentence of one paragraph.

        The latter is typical of comparisons.
        """
        near = int(self.has_other_name(match, sentence))
        if not self._layout.opens_sentence(match.start):
            return near
        block = self._blocks[max(0, bisect_right(self._blocks, match.start, key=lambda each: each.start) - 1)]
        paragraph = (max(block.start, match.start - _PARAGRAPH), min(block.end, match.start + _PARAGRAPH))
        if any(self._layout.opens_sentence(start) for start in self._other_names(match, paragraph)):
            return 2
        has_verb = has_company_verb(self._prose, match.end, opens_sentence=True)
        return near or int(has_verb and self._is_one_of_several(match, paragraph))

    def _is_one_of_several(self, match: NameMatch, paragraph: tuple[int, int]) -> bool:
        """Return whether another sentence opens like this one: "Bolt charges by the minute. Lime has parking bays."."""
        own = self._prose[match.start : match.end]
        return any(
            word[1] not in own
            and word[1].casefold() not in read_list("stop_words", "en")
            and has_company_verb(self._prose, word.end(), opens_sentence=True)
            and self._layout.opens_sentence(word.start())
            for word in islice(_CAPITALIZED.finditer(self._prose, *paragraph), _MAX_NEIGHBORS)
        )

    def has_other_name(self, match: NameMatch, span: tuple[int, int]) -> bool:
        return next(self._other_names(match, span), None) is not None

    def _other_names(self, match: NameMatch, span: tuple[int, int]) -> Iterator[int]:
        """Yield the places of words that belong to names alone. They do not depend on the tracked brands."""
        own = self._prose[match.start : match.end]
        for start, end in ((span[0], match.start), (match.end, span[1])):
            for word in islice(_CAPITALIZED.finditer(self._prose, start, end), _MAX_NEIGHBORS):
                if word[1] not in own and self._is_name(word[1], word.start()):
                    yield word.start()

    def _is_name(self, word: str, start: int) -> bool:
        """Return whether a word with a capital is a name: in English by the dictionary, elsewhere by its place."""
        if is_ordinary(word):
            return False
        if self._prepared.is_english or any(map(str.isupper, word[1:])):
            return True
        return not looks_german(self._prepared.folded) and not self._layout.opens_sentence(start)


def _find_owned_links(links: Sequence[Link], lexicon: Lexicon) -> list[_OwnedLink]:
    """Return the links that lead to a brand's own site, in their order."""
    found = []
    for link in links:
        citation = normalize_url(link.url)
        if citation is not None:
            owners = lexicon.owners.of(citation)
            if owners:
                found.append(_OwnedLink(link.start, frozenset(owners)))
    return sorted(found, key=lambda link: link.start)


def _content_words(prompt: str) -> tuple[str, ...]:
    """Return the words of a prompt that may name its category.

    Cached, because a prompt is put to several platforms; a text far longer than a prompt is not worth the memory.
    """
    return (
        _find_content_words(prompt)
        if len(prompt) <= _LONGEST_CACHED_PROMPT
        else _find_content_words.__wrapped__(prompt)
    )


@lru_cache(maxsize=1_024)
def _find_content_words(prompt: str) -> tuple[str, ...]:
    return tuple(
        sorted(
            {word for word in words(fold(normalize(prompt)[0])) if len(word) > 4} - read_list("question_words", "words")
        )
    )
