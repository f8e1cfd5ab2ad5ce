"""Names that are easily misread: what a search for the letters of a name finds, and what names the brand.

A name can be an ordinary word, stand inside other words, or begin a longer name. Each has sentences that show it.
"""

import re
from collections.abc import Sequence
from typing import Literal

import msgspec

from sightline.answers.decisive_sentence import SentencePart, cut_sentence_at
from sightline.answers.models import Brand, BrandAnalysis
from sightline.answers.ordinary_words import commonness
from sightline.scans.models import ScanAnswer

Reading = Literal["brand", "part_of_word", "other_brand", "not_the_brand"]
MAX_SENTENCES = 3  # of each reading
_SHOWN_FIRST: tuple[Reading, ...] = ("not_the_brand", "part_of_word", "other_brand", "brand")
# Addresses, and the definitions of Markdown links with their titles: what they hold is no part of the answer.
_ADDRESS = re.compile(
    r"^[ \t]*\[[^\]\n]+\]:.*$|(?:https?://|www\.)\S*|\]\([^)\s]*|\b[\w-]+(?:\.[\w-]+)+(?:/\S*)?",
    re.IGNORECASE | re.MULTILINE,
)


class NameSentence(msgspec.Struct, frozen=True):
    """A sentence with the letters of a name, and what they are in it."""

    reading: Reading
    answer_id: str
    prompt: str
    platform: str
    parts: tuple[SentencePart, ...]
    """The letters have the brand's name as their brand, whatever they are."""


class MisreadName(msgspec.Struct, frozen=True, kw_only=True):
    """A brand whose name is easily misread, with how many answers hold it and how many name the brand."""

    brand: str
    is_ordinary_word: bool
    found: int
    """Answers that hold the letters of a name, in any case, outside of addresses."""
    named: int
    """Answers that name the brand."""
    not_named: int
    """Answers that hold the letters and do not name the brand."""
    other_spelling: int
    """Answers that name the brand in another spelling only."""
    sentences: tuple[NameSentence, ...]


class _NameTally:
    def __init__(self, brand: Brand) -> None:
        self.brand = brand
        spellings = sorted({brand.name, *brand.aliases}, key=len, reverse=True)
        self.pattern = re.compile("|".join(map(re.escape, spellings)), re.IGNORECASE)
        self.is_ordinary = any(commonness(name) for name in spellings)
        self.found = self.named = self.not_named = self.other_spelling = 0
        self.sentences: dict[Reading, list[NameSentence]] = {reading: [] for reading in _SHOWN_FIRST}

    def add(
        self, answer: ScanAnswer, addresses: Sequence[tuple[int, int]], brands: Sequence[BrandAnalysis], own: int
    ) -> None:
        analysis = brands[own]
        places = [
            match.span() for match in self.pattern.finditer(answer.text) if not _overlaps(match.span(), addresses)
        ]
        self.found += bool(places)
        self.named += analysis.mentioned
        self.not_named += bool(places) and not analysis.mentioned
        self.other_spelling += analysis.mentioned and not places
        for span in places:
            reading = _classify(answer.text, span, brands, own)
            shown = self.sentences[reading]
            if len(shown) == MAX_SENTENCES or (reading == "brand" and not self.is_ordinary):
                continue
            parts = cut_sentence_at(answer.text, *span, self.brand.name)
            if any(each.answer_id == answer.id or each.parts == parts for each in shown):
                continue
            shown.append(NameSentence(reading, answer.id, answer.prompt.text, answer.platform, parts))

    @property
    def is_misread(self) -> bool:
        return any(found for reading, found in self.sentences.items() if reading != "brand")

    def to_result(self) -> MisreadName:
        return MisreadName(
            brand=self.brand.name,
            is_ordinary_word=self.is_ordinary,
            found=self.found,
            named=self.named,
            not_named=self.not_named,
            other_spelling=self.other_spelling,
            sentences=tuple(each for reading in _SHOWN_FIRST for each in self.sentences[reading]),
        )


class MisreadTally:
    """The names of all tracked brands in the answers that are added."""

    def __init__(self, brands: Sequence[Brand]) -> None:
        self._names = [_NameTally(brand) for brand in brands]

    def add(self, answer: ScanAnswer) -> None:
        if answer.analysis is None:
            return
        addresses = [match.span() for match in _ADDRESS.finditer(answer.text)]
        for place, name in enumerate(self._names):
            name.add(answer, addresses, answer.analysis.brands, place)

    def list_names(self) -> tuple[MisreadName, ...]:
        """Return the names that are easily misread, those with the most misreadings first."""
        found = [name.to_result() for name in self._names if name.is_misread]
        return tuple(sorted(found, key=lambda name: (-name.not_named, not name.is_ordinary_word)))


def _classify(text: str, span: tuple[int, int], brands: Sequence[BrandAnalysis], own: int) -> Reading:
    start, end = span
    if any(place.start < end and start < place.end for place in brands[own].occurrences):
        return "brand"
    if text[start - 1 : start].isalnum() or text[end : end + 1].isalnum():
        return "part_of_word"
    if any(place.start < end and start < place.end for each in brands for place in each.occurrences):
        return "other_brand"
    return "not_the_brand"


def _overlaps(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)
