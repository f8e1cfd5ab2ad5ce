"""The ways a brand is written: what is looked for, and how sure a hit is by itself."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Literal

import ahocorasick_rs
import msgspec

from sightline.answers.characters import KATAKANA, fold, fold_case, normalize, script
from sightline.answers.citations import Owners
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
_MAX_VARIANTS = 4  # separators in a name; beyond it they are all the same one
_STRICT_BELOW = 5  # letters: a shorter name is another word with another accent

Form = Literal["name", "domain", "handle"]


class Pattern(msgspec.Struct, frozen=True, gc=False):
    """One spelling. `exact` holds its accents where they must agree; `languages` where only those bend it so."""

    text: str
    form: Form
    brands: tuple[int, ...]
    exact: str | None
    doubt: int  # 0 a name and nothing else, 1 also a rare word, 2 also a common one
    languages: frozenset[str] | None  # only there is it a form of the name
    unspaced: bool
    spelling: str  # as the brand writes it


class Lexicon:
    """The names of some brands, ready for any number of answers."""

    shares = False
    """Whether others were added, one of whom is spelled like a brand that was there."""

    def __init__(self, brands: Sequence[Brand]) -> None:
        self.brands = tuple(brands)
        self.patterns = _patterns(self.brands)
        self.owners = Owners([brand.domains for brand in brands])
        self.category_words = tuple(
            sorted({fold(word) for brand in brands for word in brand.category_words if word.strip()})
        )
        self._automaton = (
            ahocorasick_rs.AhoCorasick([pattern.text for pattern in self.patterns]) if self.patterns else None
        )

    def hits(self, folded: str) -> list[tuple[int, int, int]]:
        """Every (pattern, start, end), overlaps included; boundaries are not looked at."""
        if self._automaton is None:
            return []
        return self._automaton.find_matches_as_indexes(folded, overlapping=True)

    def among(self, others: Sequence[str], folded: str) -> "Lexicon":
        """These brands and others by their names, in this order: for this one text, which it reads exactly as a Lexicon
        of all of them does. To make one for every answer would take several times as long as reading the answer."""
        found: dict[str, Pattern] = {}
        hits: set[tuple[int, int, str]] = set()
        for index, start, end in self.hits(folded):
            pattern = self.patterns[index]
            found[pattern.text] = pattern
            hits.add((end, start, pattern.text))
        brands = list(self.brands)
        own, shares = frozenset(found), False
        for name in others:
            known = spelled(name)
            for pattern in {pattern.text: pattern for pattern in _note(known.find(folded), hits)}.values():
                shares = shares or pattern.text in own
                _add(found, msgspec.structs.replace(pattern, brands=(len(brands),)))
            brands.append(known.brand)
        numbers = {text: number for number, text in enumerate(found)}
        excerpt = [(numbers[text], start, end) for end, start, text in sorted(hits)]
        return _Excerpt(self, brands, found.values(), excerpt, shares=shares)


class Spelled:
    """All that a name may look like, of a brand of which nothing else is known: ready for any number of texts."""

    def __init__(self, name: str) -> None:
        self.brand = Brand(name)
        self._patterns = {pattern.text: pattern for pattern in _patterns([self.brand])}
        # A name has dozens of spellings, which begin alike: where none of them begins, nothing else is tried.
        beginnings: dict[str, list[str]] = {}
        for text in self._patterns:
            beginnings.setdefault(text[:1], []).append(text)
        self._ways = [(_beginning_of(texts), sorted({len(text) for text in texts})) for texts in beginnings.values()]

    def find(self, folded: str) -> Iterator[tuple[Pattern, int, int]]:
        """Every (pattern, start, end), overlaps included; boundaries are not looked at."""
        patterns = self._patterns
        for beginning, lengths in self._ways:
            start = folded.find(beginning)
            while start >= 0:
                for length in lengths:
                    pattern = patterns.get(folded[start : start + length])
                    if pattern is not None and len(pattern.text) == length:
                        yield pattern, start, start + length
                start = folded.find(beginning, start + 1)

    def is_in(self, folded: str) -> bool:
        return next(self.find(folded), None) is not None


# The same names stand in most answers of a check, and in those of the next one.
spelled = lru_cache(maxsize=2_048)(Spelled)


class _Excerpt(Lexicon):
    """What matters of a Lexicon for one text, which has been searched already."""

    def __init__(
        self,
        tracked: Lexicon,
        brands: Iterable[Brand],
        patterns: Iterable[Pattern],
        hits: list[tuple[int, int, int]],
        *,
        shares: bool,
    ) -> None:
        self.brands = tuple(brands)
        self.patterns = tuple(patterns)
        self.owners, self.category_words = tracked.owners, tracked.category_words
        self._hits = hits
        self.shares = shares

    def hits(self, folded: str) -> list[tuple[int, int, int]]:  # noqa: ARG002 - the text that it was made for
        return self._hits


def _beginning_of(texts: Sequence[str]) -> str:
    """What all of them begin with: as much as the first and the last in their order have in common."""
    first, last = min(texts), max(texts)
    size = next(
        (place for place, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first)
    )
    return first[:size]


def _note(found: Iterable[tuple[Pattern, int, int]], hits: set[tuple[int, int, str]]) -> Iterator[Pattern]:
    for pattern, start, end in found:
        hits.add((end, start, pattern.text))
        yield pattern


def _patterns(brands: Sequence[Brand]) -> tuple[Pattern, ...]:
    found: dict[str, Pattern] = {}
    for index, brand in enumerate(brands):
        for pattern in _all_spellings(brand, index):
            _add(found, pattern)
    return tuple(found.values())


def _add(found: dict[str, Pattern], pattern: Pattern) -> None:
    """Two brands, or two names of one, may be spelled alike."""
    known = found.get(pattern.text)
    if known is None or (known.languages is not None and pattern.languages is None):
        found[pattern.text] = pattern  # a name as it stands wins over another's inflection
    elif (known.languages is None) == (pattern.languages is None):
        (index,) = pattern.brands
        found[pattern.text] = msgspec.structs.replace(
            known,
            brands=known.brands if index in known.brands else (*known.brands, index),
            languages=known.languages and known.languages | (pattern.languages or frozenset()),
        )


def _all_spellings(brand: Brand, index: int) -> Iterable[Pattern]:
    for spelling, form in _spellings(brand):
        yield from _spelled(spelling, form, index)


def _spellings(brand: Brand) -> Iterable[tuple[str, Form]]:
    for name in (brand.name, *brand.aliases, *brand.products):
        tidy = " ".join(normalize(name)[0].split())
        if not tidy:
            continue
        yield tidy, "name"
        yield from ((shorter, "name") for shorter in without_legal_form(tidy))
        handle = _SEPARATOR.sub("", tidy)
        if handle != tidy and handle.isalnum():
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


def _spelled(spelling: str, form: Form, brand: int) -> Iterable[Pattern]:
    text = fold(spelling)
    exact = fold_case(spelling)
    letters = sum(character.isalpha() for character in text)
    unspaced = bool(text) and (script(text[0]) == "unspaced" or script(text[-1]) == "unspaced")
    if unspaced and len(text) < 2:
        return
    doubt = 0 if form != "name" or unspaced else commonness(spelling)

    def pattern(text: str, language: str | None = None, exact: str | None = None) -> Pattern:
        languages = None if language is None else frozenset({language})
        return Pattern(text, form, (brand,), exact, doubt, languages, unspaced, spelling)

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
    """ "McDonalds", "Weiss" for "Weiß" and the reverse."""
    if "'" in text and len(text) > _STRICT_BELOW:
        yield text.replace("'", "")
    for replaced, by in (("ß", "ss"), ("ss", "ß")):
        if replaced in text:
            yield text.replace(replaced, by)


def _variants(text: str) -> list[str]:
    """The name with every separator inside of it written in each of the usual ways; the first is as given."""
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
    """Too short to be told from a part of a longer word."""
    return len(text) <= 3 and all(KATAKANA.match(character) for character in text)
