"""The ways in which a brand is written, and how certain a match of each is without other evidence."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Literal

import ahocorasick_rs
import msgspec

from sightline.answers.characters import KATAKANA, fold, fold_case, normalize, script
from sightline.answers.citations import SiteOwners
from sightline.answers.inflection import inflected_stems
from sightline.answers.models import Brand
from sightline.answers.ordinary_words import commonness
from sightline.domains.names import first_label

_SEPARATOR = re.compile(r"[\s\-.&]+")
_JOINERS = (" ", "-", ".", "&", " & ")
_LEGAL = re.compile(
    r"[\s,]+(?:inc|incorporated|gmbh(?:\s*&\s*co\.?\s*kg)?|ltd|limited|llc|llp|plc|corp|corporation|co|company|ag|se|kg|"
    r"s\.?a\.?(?:r\.?l\.?|s\.?)?|s\.?p\.?a|s\.?r\.?l|b\.?v|n\.?v|oyj?|ab|as|a/s|aps|a\.?s|sp\.?\s*z\s*o\.?\s*o|s\.?r\.?o|pty(?:\s+ltd)?|"
    r"pvt(?:\s+ltd)?|k\.?k|ооо|оао|зао|пао|ао)\.?$"
)
_LEGAL_EAST = re.compile(
    r"^(?:株式会社|有限会社|合同会社|㈱|주식회사|\(주\)|\(株\))\s*|\s*(?:株式会社|有限会社|합자회사|주식회사|股份有限公司|有限责任公司|有限公司|公司|集团|集團|\(株\)|\(주\))$"
)
_MAX_VARIANTS = 4  # parts of a name; with more, all separators are written the same way
_STRICT_BELOW = 5  # letters: a shorter name is another word with another accent

Form = Literal["name", "domain", "handle"]


class Pattern(msgspec.Struct, frozen=True, gc=False):
    """One spelling of a name.

    `exact` holds its accents where they must agree. `languages` are those in which it is an inflected form of the name.
    """

    text: str
    form: Form
    brands: tuple[int, ...]
    exact: str | None
    doubt: int  # 0 a name and nothing else, 1 also a rare word, 2 also a common one
    languages: frozenset[str] | None  # None: in all of them
    unspaced: bool
    spelling: str  # as the brand writes it
    in_lower_case: bool = False  # whether the brand writes it in lower case

    @property
    def is_capitalized_word(self) -> bool:
        """Return whether it is one word whose capital is only that of a name, so that case may tell it from a word."""
        one_word = self.spelling.isalpha() and (self.spelling.istitle() or self.spelling.isupper())
        return one_word and not self.in_lower_case


class Lexicon:
    """The names of some brands, ready for any number of answers."""

    has_shared_spellings = False
    """Whether an added brand shares a spelling with a brand that was there before."""

    def __init__(self, brands: Sequence[Brand]) -> None:
        self.brands = tuple(brands)
        self.patterns = _build_patterns(self.brands)
        self.owners = SiteOwners([brand.domains for brand in brands])
        self.category_words = tuple(
            sorted({fold(word) for brand in brands for word in brand.category_words if word.strip()})
        )
        self._automaton = (
            ahocorasick_rs.AhoCorasick([pattern.text for pattern in self.patterns]) if self.patterns else None
        )

    def find_hits(self, folded: str) -> list[tuple[int, int, int]]:
        """Return every (pattern, start, end), overlaps included. Word boundaries are not checked."""
        if self._automaton is None:
            return []
        return self._automaton.find_matches_as_indexes(folded, overlapping=True)

    def with_others(self, others: Sequence[str], folded: str) -> "Lexicon":
        """Return a lexicon of these brands and of others by their names, in this order, for this one text.

        It finds exactly what a `Lexicon` of all of them would. To build that for every answer would take longer
        than analyzing the answer.
        """
        found: dict[str, Pattern] = {}
        hits: set[tuple[int, int, str]] = set()
        for index, start, end in self.find_hits(folded):
            pattern = self.patterns[index]
            found[pattern.text] = pattern
            hits.add((end, start, pattern.text))
        brands = list(self.brands)
        own, has_shared_spellings = frozenset(found), False
        for name in others:
            known = index_spellings(name)
            for pattern in {pattern.text: pattern for pattern in _record_hits(known.find(folded), hits)}.values():
                has_shared_spellings = has_shared_spellings or pattern.text in own
                _add_pattern(found, msgspec.structs.replace(pattern, brands=(len(brands),)))
            brands.append(known.brand)
        numbers = {text: number for number, text in enumerate(found)}
        found_hits = [(numbers[text], start, end) for end, start, text in sorted(hits)]
        return _SearchedLexicon(self, brands, found.values(), found_hits, has_shared_spellings=has_shared_spellings)


class SpellingIndex:
    """All spellings of the only known name of a brand, ready for any number of texts."""

    def __init__(self, name: str) -> None:
        self.brand = Brand(name)
        self._patterns = {pattern.text: pattern for pattern in _build_patterns([self.brand])}
        # A name has dozens of spellings that begin alike, so searching for the common beginning first is faster.
        by_first_letter: dict[str, list[str]] = {}
        for text in self._patterns:
            by_first_letter.setdefault(text[:1], []).append(text)
        self._prefixes = [
            (_common_prefix(texts), sorted({len(text) for text in texts})) for texts in by_first_letter.values()
        ]

    def find(self, folded: str) -> Iterator[tuple[Pattern, int, int]]:
        """Yield every (pattern, start, end), overlaps included. Word boundaries are not checked."""
        patterns = self._patterns
        for prefix, lengths in self._prefixes:
            start = folded.find(prefix)
            while start >= 0:
                for length in lengths:
                    pattern = patterns.get(folded[start : start + length])
                    if pattern is not None and len(pattern.text) == length:
                        yield pattern, start, start + length
                start = folded.find(prefix, start + 1)

    def is_in(self, folded: str) -> bool:
        return next(self.find(folded), None) is not None


# The same names occur in most answers of a scan, and in those of the next one.
index_spellings = lru_cache(maxsize=2_048)(SpellingIndex)


class _SearchedLexicon(Lexicon):
    """The part of a lexicon that matters for one text, which has been searched already."""

    def __init__(
        self,
        tracked: Lexicon,
        brands: Iterable[Brand],
        patterns: Iterable[Pattern],
        hits: list[tuple[int, int, int]],
        *,
        has_shared_spellings: bool,
    ) -> None:
        self.brands = tuple(brands)
        self.patterns = tuple(patterns)
        self.owners, self.category_words = tracked.owners, tracked.category_words
        self._hits = hits
        self.has_shared_spellings = has_shared_spellings

    def find_hits(self, folded: str) -> list[tuple[int, int, int]]:  # noqa: ARG002 - the text that it was made for
        return self._hits


def _common_prefix(texts: Sequence[str]) -> str:
    """Return what all of the texts begin with: what the first and the last in their order have in common."""
    first, last = min(texts), max(texts)
    size = next(
        (place for place, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first)
    )
    return first[:size]


def _record_hits(found: Iterable[tuple[Pattern, int, int]], hits: set[tuple[int, int, str]]) -> Iterator[Pattern]:
    for pattern, start, end in found:
        hits.add((end, start, pattern.text))
        yield pattern


def _build_patterns(brands: Sequence[Brand]) -> tuple[Pattern, ...]:
    found: dict[str, Pattern] = {}
    for index, brand in enumerate(brands):
        for pattern in _all_spellings(brand, index):
            _add_pattern(found, pattern)
    return tuple(found.values())


def _add_pattern(found: dict[str, Pattern], pattern: Pattern) -> None:
    """Add a pattern. Two brands, or two names of one brand, may have the same spelling."""
    known = found.get(pattern.text)
    if known is None or _closeness(pattern) > _closeness(known):
        found[pattern.text] = pattern
    elif _closeness(pattern) < _closeness(known):
        return
    else:
        (index,) = pattern.brands
        found[pattern.text] = msgspec.structs.replace(
            known,
            brands=known.brands if index in known.brands else (*known.brands, index),
            in_lower_case=known.in_lower_case or pattern.in_lower_case,
            languages=known.languages and known.languages | (pattern.languages or frozenset()),
        )


def _closeness(pattern: Pattern) -> int:
    """Return 2 for a name as it is given, 1 for another spelling of it, 0 for an inflected form."""
    return 0 if pattern.languages is not None else 1 + (pattern.text == fold(pattern.spelling))


def _all_spellings(brand: Brand, index: int) -> Iterable[Pattern]:
    for spelling, form in _spellings(brand):
        yield from _patterns_for_spelling(spelling, form, index)


def _spellings(brand: Brand) -> Iterable[tuple[str, Form]]:
    for name in (brand.name, *brand.aliases, *brand.products):
        clean = " ".join(normalize(name)[0].split())
        if not clean:
            continue
        yield clean, "name"
        yield from ((shorter, "name") for shorter in without_legal_form(clean))
        handle = _SEPARATOR.sub("", clean)
        if handle != clean and handle.isalnum():
            yield f"@{handle}", "handle"
    for domain in brand.domains:
        host = domain.lower().removeprefix("https://").removeprefix("http://").removeprefix("www.").split("/")[0]
        if "." in host:
            yield host, "domain"
            yield f"@{first_label(host)}", "handle"


def without_legal_form(name: str) -> Iterable[str]:
    for pattern in (_LEGAL, _LEGAL_EAST):
        match = pattern.search(name.lower() if pattern is _LEGAL else name)
        if match:
            shorter = (name[: match.start()] + name[match.end() :]).strip(" ,")
            if len(shorter) > 1:
                yield shorter


def _patterns_for_spelling(spelling: str, form: Form, brand: int) -> Iterable[Pattern]:
    text = fold(spelling)
    exact = fold_case(spelling)
    letters = sum(character.isalpha() for character in text)
    unspaced = bool(text) and (script(text[0]) == "unspaced" or script(text[-1]) == "unspaced")
    if unspaced and len(text) < 2:
        return
    doubt = 0 if form != "name" or unspaced else commonness(spelling)

    def pattern(text: str, language: str | None = None, exact: str | None = None) -> Pattern:
        languages = None if language is None else frozenset({language})
        return Pattern(text, form, (brand,), exact, doubt, languages, unspaced, spelling, spelling.islower())

    if form != "name":
        yield pattern(text)
        return
    strict = letters < _STRICT_BELOW
    for variant, exactly in zip(_variants(text), _variants(exact), strict=True):
        yield pattern(variant, exact=exactly if strict else None)
    if not strict or text.isascii():
        yield from (pattern(other) for other in _other_spellings(text))
        yield from (pattern(stem, language) for language, stem in inflected_stems(text))


def _other_spellings(text: str) -> Iterable[str]:
    """Yield "McDonalds" for "McDonald's", and "Weiss" for "Weiß" and the reverse."""
    if "'" in text and len(text) > _STRICT_BELOW:
        yield text.replace("'", "")
    for replaced, by in (("ß", "ss"), ("ss", "ß")):
        if replaced in text:
            yield text.replace(replaced, by)


def _variants(text: str) -> list[str]:
    """Return the name with its separators written in each of the usual ways, first as given."""
    parts = [part for part in _SEPARATOR.split(text) if part]
    found = [text]
    if len(parts) < 2:
        return found
    gaps = len(parts) - 1
    choices = product(_JOINERS, repeat=gaps) if gaps <= _MAX_VARIANTS - 1 else ((joiner,) * gaps for joiner in _JOINERS)
    for joiners in choices:
        written = parts[0] + "".join(joiner + part for joiner, part in zip(joiners, parts[1:], strict=True))
        if written != text:
            found.append(written)
    return found


def is_short_katakana(text: str) -> bool:
    """Return whether it is too short to be distinguished from a part of a longer word."""
    return len(text) <= 3 and all(KATAKANA.match(character) for character in text)
