"""The sentence of an answer that decides how it counts, cut out by the places that the analysis found. Pure.

It is the sentence that names the measured brand. In an answer without the brand, it is the one that names the rival
that the answer ranks first.
"""

import re
from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.answers.models import AnswerAnalysis, BrandAnalysis, Occurrence
from sightline.answers.plain_text import strip_markdown

_MAX_BEFORE = 70  # characters before the name, so that it stands in the first line
_MAX_AFTER = 170
_MARKDOWN_LENGTH = 600  # of source text on each side of the name: link addresses are long
_END = re.compile(r"(?<=[.!?])(?:\[\d{1,3}\])*[\"'”’)\]*_]*\s+|(?<=[。！？])|\n+")
_NUMBERED = re.compile(r"^\s*(?:\d{1,3}[.)]|[*+-])\s+")
_BARS = re.compile(r"(?<!\\)\|")
_SOURCE_NUMBERS = re.compile(r"(?:\[\d{1,3}\])+")  # what platforms put behind a statement, as in "slow shipping.[3]"
_WHITE = re.compile(r"\s+")
# Private characters stand for the names while the markdown around them is removed.
_OPEN, _CLOSE = "\ue000", "\ue001"
_PLACEHOLDER = re.compile(f"{_OPEN}([0-9]+){_CLOSE}")


class SentencePart(msgspec.Struct, frozen=True):
    """A part of a sentence: either the name of a tracked brand, or the text around it."""

    text: Annotated[str, Meta(description="Words of the answer, without Markdown.")]
    brand: Annotated[str | None, Meta(description="Brand that these words name. Null for all other words.")] = None


def cut_decisive_sentence(text: str, analysis: AnswerAnalysis | None) -> tuple[SentencePart, ...]:
    """Return the parts of the sentence; without any name, the first sentence of the answer."""
    chosen = None if analysis is None else _choose_place(analysis)
    if analysis is None or chosen is None:
        return _cut_first(text)
    start, end = _find_bounds(text, chosen.start, chosen.end)
    inside = [
        (place, brand.name)
        for brand in analysis.brands
        for place in brand.occurrences
        if start <= place.start and place.end <= end
    ]
    return _shorten(_split(text, start, end, inside))


def cut_sentence_at(text: str, start: int, end: int, name: str) -> tuple[SentencePart, ...]:
    """Return the parts of the sentence around a place, whose part has the given name as its brand."""
    place = Occurrence(start, end, text[start:end], "neutral")
    return _shorten(_split(text, *_find_bounds(text, start, end), [(place, name)]))


def _choose_place(analysis: AnswerAnalysis) -> Occurrence | None:
    own, *rivals = analysis.brands
    if own.mentioned and own.occurrences:
        return _first_place(own)
    ranked = [brand for brand in rivals if brand.mentioned and brand.occurrences and brand.rank is not None]
    return _first_place(min(ranked, key=lambda brand: brand.rank or 0)) if ranked else None


def _first_place(brand: BrandAnalysis) -> Occurrence:
    """Return the first place with the stance that the whole answer has."""
    return next((place for place in brand.occurrences if place.stance == brand.stance), brand.occurrences[0])


def _find_bounds(text: str, place_start: int, place_end: int) -> tuple[int, int]:
    first, last = max(0, place_start - _MARKDOWN_LENGTH), min(len(text), place_end + _MARKDOWN_LENGTH)
    start = first
    for mark in _END.finditer(text, first, place_start):
        # The number of a list item ends no sentence.
        if not _NUMBERED.fullmatch(text[start : mark.end()]):
            start = mark.end()
    following = _END.search(text, place_end, last)
    return start, following.start() if following else last


def _split(text: str, start: int, end: int, inside: Sequence[tuple[Occurrence, str]]) -> list[SentencePart]:
    """Remove the markdown around and between the names."""
    pieces: list[str] = []
    names: list[SentencePart] = []
    at = start
    for place, name in sorted(inside, key=lambda each: (each[0].start, -each[0].end)):
        if place.start < at:
            continue  # two brands share the place: the first has it
        pieces.append(_without_private(text[at : place.start]) + f"{_OPEN}{len(names)}{_CLOSE}")
        names.append(SentencePart(strip_markdown(text[place.start : place.end]), name))
        at = place.end
    raw = "".join([*pieces, _without_private(text[at:end])])
    if raw.lstrip().startswith("|"):  # the row of a table
        raw = _BARS.sub(" · ", raw.strip().strip("|"))
    plain = _to_plain(_NUMBERED.sub("", raw))
    parts = _PLACEHOLDER.split(plain)
    return [names[int(part)] if index % 2 else SentencePart(part) for index, part in enumerate(parts) if part]


def _to_plain(text: str) -> str:
    return _WHITE.sub(" ", _SOURCE_NUMBERS.sub("", strip_markdown(text))).strip()


def _without_private(text: str) -> str:
    return text.replace(_OPEN, " ").replace(_CLOSE, " ")


def _shorten(parts: Sequence[SentencePart]) -> tuple[SentencePart, ...]:
    """Cut what stands far from the first name, so that the name is in sight."""
    index = next((place for place, part in enumerate(parts) if part.brand is not None), 0)
    before, kept = "".join(part.text for part in parts[:index]), list(parts[index:])
    if len(before) > _MAX_BEFORE:
        before = "… " + before[-_MAX_BEFORE:].partition(" ")[2]
    room, shown = _MAX_AFTER, []
    for part in kept:
        if len(part.text) > room:
            shown.append(SentencePart(part.text[:room].rpartition(" ")[0] + " …", part.brand))
            break
        shown.append(part)
        room -= len(part.text)
    return tuple([SentencePart(before)] * bool(before) + shown)


def _cut_first(text: str) -> tuple[SentencePart, ...]:
    start = text[:_MARKDOWN_LENGTH].strip()
    plain = _to_plain(_END.split(start, maxsplit=1)[0])
    return _shorten([SentencePart(plain)]) if plain else ()
