"""What a statement says about which aspect: each aspect with the opinion that belongs to it."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from sightline.answers.aspect_phrases import PhraseReader
from sightline.answers.aspect_statements import Statement
from sightline.answers.aspect_words import AspectHit, AspectWords, Kind
from sightline.answers.blocks import PreparedAnswer

Polarity = Literal["positive", "negative", "neutral"]

_CLAUSE_END = re.compile(r"[;:()|–—。；：（）]|\s-\s|[.!?](?=\s|$)")
_COMMA = re.compile(r",(?!\d)")
_JOINED = re.compile(r"\W*(?:and|&)?\W*(?:its?|their|the)?\W*")
# A number with its unit, but neither a price nor part of a name: "30 hours", "8-quart".
_MEASURE = re.compile(r"(?<![\w$€£.,-])\d[\d.,]*\+?[\s-]?[^\W\d_]{1,10}\b")
_MEASURE_BEFORE = re.compile(rf"{_MEASURE.pattern}(?:\W+[^\W\d_]+)?\W+$")
_MEASURE_AFTER = re.compile(rf"[\s(:~-]{{1,3}}(?:[^\W\d_]+\s){{0,3}}~?{_MEASURE.pattern}")
_OPINION_REACH = 6  # words between an aspect and its opinion
_OPENS = re.compile(r"[^\w\s,'’&/]\s*$|\n\s*$")
_WEAKNESS = re.compile(r"[^\W\d_][^,;:.!?()\n\x1a–—*]*[^\W_]")
_FEWEST_WORDS, _MOST_WORDS = 2, 5  # of a weakness in its own words
_NEGATION_REACH = 3  # words between a negation and what it denies


_GOOD: frozenset[Kind] = frozenset({"positive", "praise", "relative positive"})
_BAD: frozenset[Kind] = frozenset({"negative", "blame", "relative negative"})
_OPEN_OPINIONS: frozenset[Kind] = frozenset({"positive", "negative"})
"""Opinions that count also for aspects that no list has. "Comfortable" speaks of comfort, whatever it stands before."""
_TELLING = _GOOD | _BAD | {"aspect"}


class Opinion(msgspec.Struct, frozen=True, gc=False):
    """An aspect at its place in the prose, and the opinion about it."""

    name: str
    start: int
    end: int
    polarity: Polarity


class _Part(msgspec.Struct, gc=False):
    """What stands between two commas of a clause."""

    start: int
    end: int
    hits: list[AspectHit]


def find_opinions(
    prepared: PreparedAnswer,
    statement: Statement,
    hits: Sequence[AspectHit],
    words: AspectWords,
    phrases: PhraseReader,
) -> list[Opinion]:
    """Return the aspects of a statement that have an opinion, in their order."""
    is_weakness = statement.sign < 0
    says_something = statement.aspect or any(not hit.kinds.keys().isdisjoint(_TELLING) for hit in hits)
    if statement.is_wish or not (says_something or is_weakness):
        return []
    hits = [hit for hit in hits if not _is_in_name(prepared.prose, statement, hit)]
    reader = _StatementReader(prepared, statement, words, phrases)
    found = list(reader.read_label([hit for hit in hits if hit.start >= statement.body]))
    clauses = list(_split_clauses(prepared, statement, hits))
    for clause in clauses:
        found += reader.read(clause)
    # Praise in a list of weaknesses is what somebody misses: "too heavy for a balanced sound".
    against = {1: "negative", -1: "positive"}.get(statement.sign)
    kept = [opinion for opinion in found if opinion.polarity != against]
    if is_weakness:
        kept += _read_weaknesses(prepared, statement, [part for clause in clauses for part in clause], kept)
    return kept


def _read_weaknesses(
    prepared: PreparedAnswer, statement: Statement, parts: Sequence[_Part], known: Sequence[Opinion]
) -> Iterator[Opinion]:
    """Yield the items of a list of weaknesses that name no known aspect, in their own words: "monochrome only"."""
    for part in parts:
        start = max(part.start, statement.body)
        match = _WEAKNESS.search(prepared.prose, start, part.end) if start < part.end else None
        if match is None or any(part.start <= opinion.start < part.end for opinion in known):
            continue
        words = match[0].split()
        is_name = any(word[0].isupper() and not word.isupper() for word in words[1:])
        if _FEWEST_WORDS <= len(words) <= _MOST_WORDS and not is_name:
            yield Opinion(prepared.folded[slice(*match.span())], *match.span(), "negative")


def _is_in_name(prose: str, statement: Statement, hit: AspectHit) -> bool:
    """Return whether an entry is part of a name: with a capital inside a sentence, as in "Acme Speed 4"."""
    word = prose[hit.start : hit.end]
    if not word[0].isupper() or word.isupper() or hit.start in {statement.start, statement.body}:
        return False
    return _OPENS.search(prose, max(statement.start, hit.start - 4), hit.start) is None


def _split_clauses(prepared: PreparedAnswer, statement: Statement, hits: Sequence[AspectHit]) -> Iterator[list[_Part]]:
    """Yield the clauses of a statement, each as its parts between commas."""
    breaks = [match.span() for match in _CLAUSE_END.finditer(prepared.prose, statement.start, statement.end)]
    breaks += [(hit.start, hit.end) for hit in hits if "turn" in hit.kinds]
    at = statement.start
    for start, end in [*sorted(breaks), (statement.end, statement.end)]:
        if start > at:
            yield _split_parts(prepared, at, start, hits)
        at = max(at, end)


def _split_parts(prepared: PreparedAnswer, start: int, end: int, hits: Sequence[AspectHit]) -> list[_Part]:
    bounds = [start, *(match.start() for match in _COMMA.finditer(prepared.prose, start, end)), end]
    return [_Part(low, high, _without_wishes(low, high, hits)) for low, high in pairwise(bounds)]


def _without_wishes(start: int, end: int, hits: Sequence[AspectHit]) -> list[AspectHit]:
    """Return the hits of a part up to where it says what somebody wants."""
    own = [hit for hit in hits if start <= hit.start < end]
    wish = next((place for place, hit in enumerate(own) if "wish" in hit.kinds), len(own))
    return own[:wish]


class _StatementReader:
    """Reads one statement clause by clause."""

    def __init__(
        self, prepared: PreparedAnswer, statement: Statement, words: AspectWords, phrases: PhraseReader
    ) -> None:
        self._words = words
        self._phrases = phrases
        self._prose = prepared.prose
        self._folded = prepared.folded
        self._statement = statement

    def read_label(self, body: Sequence[AspectHit]) -> Iterator[Opinion]:
        """Yield the aspect that a label names, with the opinion of the text after it: "Comfort: plush pads"."""
        if not self._statement.aspect:
            return
        part = _Part(self._statement.body, self._statement.end, list(body))
        opinions = [found for place in range(len(body)) if (found := self._read_opinion(part, place)) is not None]
        good, bad = opinions.count("positive"), opinions.count("negative")
        is_measured = self._words.is_measured(self._statement.aspect)
        if opinions or (is_measured and _MEASURE.search(self._prose, self._statement.body, self._statement.end)):
            polarity: Polarity = "positive" if good > bad else "negative" if bad > good else "neutral"
            yield Opinion(self._statement.aspect, *self._statement.label, polarity)

    def read(self, parts: Sequence[_Part]) -> Iterator[Opinion]:
        lead: Polarity | None = None
        before: Polarity | None = None
        for part in parts:
            for index, hit in enumerate(part.hits):
                kinds = hit.kinds
                if "positive lead" in kinds or "negative lead" in kinds:
                    lead = self._deny(part, index, "positive" if "positive lead" in kinds else "negative")
                named = kinds.get("praise") or kinds.get("blame")
                if named and not self._is_attribute(part, index):
                    polarity = self._deny(part, index, "positive" if "praise" in kinds else "negative")
                    yield Opinion(named, hit.start, hit.end, polarity)
                elif noun := kinds.get("aspect"):
                    polarity_or_none = self._judge(part, index, noun, lead, before)
                    if polarity_or_none is not None:
                        before = polarity_or_none
                        yield Opinion(noun, hit.start, hit.end, polarity_or_none)
            yield from self._read_phrases(part)

    def _read_phrases(self, part: _Part) -> Iterator[Opinion]:
        """Yield the noun phrases that an opinion belongs to and that no list has."""
        taken = {place for hit in part.hits if "aspect" in hit.kinds for place in range(hit.start, hit.end)}
        for index, hit in enumerate(part.hits):
            if hit.kinds.keys().isdisjoint(_OPEN_OPINIONS):
                continue
            span = self._phrases.find_phrase(part.start, hit.start, hit.end, part.end)
            if span is None or not taken.isdisjoint(range(*span)):
                continue
            if opinion := self._read_opinion(part, index):
                yield Opinion(self._phrases.name(*span), *span, opinion)

    def _is_attribute(self, part: _Part, index: int) -> bool:
        """Return whether a word of praise or blame belongs to the aspect right after it: "comfortable fit"."""
        if index + 1 == len(part.hits):
            return False
        following = part.hits[index + 1]
        return "aspect" in following.kinds and not self._folded[part.hits[index].end : following.start].strip()

    def _judge(
        self, part: _Part, index: int, name: str, lead: Polarity | None, before: Polarity | None
    ) -> Polarity | None:
        hit = part.hits[index]
        before_it = part.hits[index - 1].kinds if index else {}
        if ("negation" in before_it or "negative lead" in before_it) and self._are_near(part, index - 1, index):
            return "negative"
        nearest = self._find_nearest(part, index)
        if nearest is not None:
            return nearest
        if lead is not None:
            return lead
        if self._statement.sign:
            return "positive" if self._statement.sign > 0 else "negative"
        if before is not None and _JOINED.fullmatch(self._folded, part.start, hit.start) and part.end - hit.end < 2:
            return before  # "great sound, comfort and fit" praises all of them
        if not self._words.is_measured(name):
            return None
        is_measured = _MEASURE_BEFORE.search(self._prose, part.start, hit.start) or _MEASURE_AFTER.match(
            self._prose, hit.end, self._statement.end
        )
        return "neutral" if is_measured else None

    def _find_nearest(self, part: _Part, index: int) -> Polarity | None:
        """Return the opinion that stands nearest to an aspect in its part of the clause."""
        hit = part.hits[index]
        found: list[tuple[int, Polarity]] = []
        for place, other in enumerate(part.hits):
            opinion = self._read_opinion(part, place) if place != index else None
            between = self._folded[other.end : hit.start] if place < index else self._folded[hit.end : other.start]
            if opinion is not None and len(between.split()) <= _OPINION_REACH:
                found.append((len(between), opinion))
        return min(found)[1] if found else None

    def _read_opinion(self, part: _Part, index: int) -> Polarity | None:
        kinds = part.hits[index].kinds.keys()
        if not kinds.isdisjoint(_GOOD):
            return self._deny(part, index, "positive")
        return None if kinds.isdisjoint(_BAD) else self._deny(part, index, "negative")

    def _deny(self, part: _Part, index: int, polarity: Literal["positive", "negative"]) -> Polarity:
        """Return the polarity, or its opposite if a negation stands shortly before."""
        for place in range(index - 1, -1, -1):
            if "negation" in part.hits[place].kinds and self._are_near(part, place, index):
                return "negative" if polarity == "positive" else "positive"
        return polarity

    def _are_near(self, part: _Part, first: int, second: int) -> bool:
        between = self._folded[part.hits[first].end : part.hits[second].start]
        return len(between.split()) <= _NEGATION_REACH
