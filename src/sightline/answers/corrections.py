"""What people corrected: phrases in which a name is something else, and places of one answer that were misread. Pure.

Both are applied to the matches of names before any evidence is scored, so they hold for every version of the extractor.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from sightline.answers.blocks import PreparedAnswer
from sightline.answers.characters import BLOCK_END, fold, normalize, script
from sightline.answers.evidence.matches import NameMatch
from sightline.answers.models import Brand
from sightline.answers.names import Pattern
from sightline.answers.prepare import find_raw_spans

CorrectionKind = Literal["not_this_brand", "missing"]
Span = tuple[int, int]

_MEASURED = 0  # the place of the measured brand among the brands: corrections are about no other
_WORD_BEFORE = re.compile(r"[\w'&+-]+(?= ?$)")
_WORD_AFTER = re.compile(r" ?([\w'&+-]+)")


class Correction(msgspec.Struct, frozen=True):
    """A correction of one answer: here the measured brand is not named, or it is named and was missed.

    `start` and `end` are characters of the raw answer, as in an `Occurrence`.
    """

    kind: CorrectionKind
    start: int
    end: int


def correct_matches(
    prepared: PreparedAnswer, matches: list[NameMatch], brands: Sequence[Brand], corrections: Sequence[Correction]
) -> list[NameMatch]:
    """Return the matches without excluded and wrong ones and with those that were missed, in their order."""
    if any(brand.exclusions for brand in brands):
        matches = _drop_excluded(prepared.folded, matches, brands)
    for correction in corrections:
        span = find_prose_span(prepared, correction.start, correction.end)
        if span is None:
            continue  # not in the prose, so this is not the text that was corrected
        if correction.kind == "not_this_brand":
            matches = [
                kept
                for match in matches
                if (kept := _without_brands(match, {_MEASURED}) if _overlaps(match, span) else match)
            ]
        else:
            matches = [match for match in matches if not _overlaps(match, span)]
            matches.append(NameMatch(*span, _build_pattern(prepared, span), certain=True))
    if corrections:
        matches.sort(key=lambda match: (match.start, -match.end))
    return matches


def find_prose_span(prepared: PreparedAnswer, start: int, end: int) -> Span | None:
    """Return where these characters of the raw answer stand in its prose, or None if no part of them does."""
    first = len(prepared.raw[:start].encode())
    last = first + len(prepared.raw[start:end].encode())
    bounds = [*(piece.start for piece in prepared.pieces), len(prepared.prose)]
    places = [
        place
        for index, piece in enumerate(prepared.pieces)
        if piece.source_start < last and piece.source_end > first
        for place in range(bounds[index], bounds[index + 1])
        if prepared.prose[place] != BLOCK_END
    ]
    raw_spans = find_raw_spans(prepared, [(place, place + 1) for place in places])
    inside = [
        place
        for place, (raw_start, raw_end) in zip(places, raw_spans, strict=True)
        if raw_start < end and raw_end > start
    ]
    return (inside[0], inside[-1] + 1) if inside else None


def find_words(prepared: PreparedAnswer, words: str) -> list[Span]:
    """Return where the words stand in the raw answer, ignoring case: as whole words, or else inside longer ones."""
    found = _find_phrase(prepared.folded, words) or [
        match.span() for match in _compile_phrase(words)[0].finditer(prepared.folded)
    ]
    return find_raw_spans(prepared, [span for span in found if span[0] < span[1]])


def find_exclusion(folded: str, phrase: str, span: Span) -> Span | None:
    """Return the occurrence of a phrase that contains the span of the prose, or None."""
    return next((found for found in _find_phrase(folded, phrase) if _contains(found, span)), None)


def suggest_phrases(prepared: PreparedAnswer, span: Span) -> tuple[str, ...]:
    """Return phrases in which the name may be something else: it with the next word, the one before, or both."""
    prose, (start, end) = prepared.prose, span
    before, after = _WORD_BEFORE.search(prose, max(0, start - 60), start), _WORD_AFTER.match(prose, end)
    left, right = before.start() if before else start, after.end() if after else end
    phrases = (prose[start:right], prose[left:end], prose[left:right])
    return tuple(dict.fromkeys(phrase for phrase in phrases if len(phrase) > end - start))


def _drop_excluded(folded: str, matches: list[NameMatch], brands: Sequence[Brand]) -> list[NameMatch]:
    """Drop each match that stands inside a phrase in which the brand's name is something else."""
    excluded = {
        index: [span for phrase in brands[index].exclusions for span in _find_phrase(folded, phrase)]
        for index in {index for match in matches for index in match.pattern.brands if brands[index].exclusions}
    }
    kept = []
    for match in matches:
        wrong = {
            index
            for index in match.pattern.brands
            if any(_contains(span, (match.start, match.end)) for span in excluded.get(index, ()))
        }
        remaining = _without_brands(match, wrong) if wrong else match
        if remaining is not None:
            kept.append(remaining)
    return kept


def _find_phrase(folded: str, phrase: str) -> list[Span]:
    pattern, longest_word = _compile_phrase(phrase)
    if longest_word not in folded:  # nearly always, and faster than the pattern
        return []
    return [
        found.span()
        for found in pattern.finditer(folded)
        if not (_joins(folded, found.start()) or _joins(folded, found.end()))
    ]


@lru_cache(maxsize=4_096)
def _compile_phrase(phrase: str) -> tuple[re.Pattern[str], str]:
    words = fold(normalize(phrase)[0]).split()
    return re.compile(r"\s+".join(map(re.escape, words))), max(words, key=len, default="")


def _joins(folded: str, place: int) -> bool:
    """Return whether the letters on both sides of a place belong to one word."""
    return 0 < place < len(folded) and script(folded[place - 1]) == script(folded[place]) == "letter"


def _without_brands(match: NameMatch, wrong: set[int]) -> NameMatch | None:
    """Return the match for the other brands of that name, or None if there is none."""
    brands = tuple(index for index in match.pattern.brands if index not in wrong)
    if brands == match.pattern.brands:
        return match
    pattern = msgspec.structs.replace(match.pattern, brands=brands)
    return msgspec.structs.replace(match, pattern=pattern) if brands else None


def _build_pattern(prepared: PreparedAnswer, span: Span) -> Pattern:
    start, end = span
    return Pattern(
        text=prepared.folded[start:end],
        form="name",
        brands=(_MEASURED,),
        exact=None,
        doubt=0,
        languages=None,
        unspaced=False,
        spelling=prepared.prose[start:end],
    )


def _overlaps(match: NameMatch, span: Span) -> bool:
    return match.start < span[1] and span[0] < match.end


def _contains(outer: Span, inner: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]
