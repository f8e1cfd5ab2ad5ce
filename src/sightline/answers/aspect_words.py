"""The English words of aspects and opinions, in `data/aspects.toml`, and where they stand in a text."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Literal

import ahocorasick_rs
import msgspec

from sightline.answers.characters import fold

Kind = Literal[
    "aspect", "praise", "blame", "positive", "negative", "relative positive",
    "relative negative", "positive lead", "negative lead", "negation", "turn", "wish",
    "advice", "comparison", "ignored",
]  # fmt: skip
_LONGEST_ENDING = 6  # letters


class AspectHit(msgspec.Struct, frozen=True, gc=False):
    """A place in folded text where an entry stands."""

    start: int
    end: int
    kinds: Mapping[Kind, str]
    """What it is, with the name of the aspect if it is one, or praises or blames one."""


class _Signs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    positive: tuple[str, ...] = ()
    negative: tuple[str, ...] = ()


class _Lists(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    strengths: tuple[str, ...] = ()
    weaknesses: tuple[str, ...] = ()


class _Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: tuple[str, ...] = ()


class _Names(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    names: tuple[str, ...] = ()


class _Phrases(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    phrases: tuple[str, ...] = ()


class _Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file; `data/ASPECTS.md` explains it."""

    aspects: dict[str, tuple[str, ...]]
    praise: dict[str, tuple[str, ...]] = {}
    blame: dict[str, tuple[str, ...]] = {}
    opinions: _Signs = _Signs()
    relative: _Signs = _Signs()
    leads: _Signs = _Signs()
    lists: _Lists = _Lists()
    negation: _Words = _Words()
    turns: _Words = _Words()
    wishes: _Words = _Words()
    advice: _Words = _Words()
    comparisons: _Words = _Words()
    pronouns: _Words = _Words()
    meta: _Words = _Words()
    measured: _Names = _Names()
    ignored: _Phrases = _Phrases()

    def entries(self) -> Iterator[tuple[str, Kind, str]]:
        """Yield every entry with its kind and the name of its aspect."""
        for name, wordings in self.aspects.items():
            yield name, "aspect", name
            yield from ((wording, "aspect", name) for wording in wordings)
        for name, words in self.praise.items():
            yield from ((word, "praise", name) for word in words)
        for name, words in self.blame.items():
            yield from ((word, "blame", name) for word in words)
        plain: tuple[tuple[Kind, tuple[str, ...]], ...] = (
            ("positive", self.opinions.positive),
            ("negative", self.opinions.negative),
            ("relative positive", self.relative.positive),
            ("relative negative", self.relative.negative),
            ("positive lead", self.leads.positive),
            ("negative lead", self.leads.negative),
            ("negation", self.negation.words),
            ("turn", self.turns.words),
            ("wish", self.wishes.words),
            ("advice", self.advice.words),
            ("comparison", self.comparisons.words),
            ("ignored", self.ignored.phrases),
        )
        for kind, words in plain:
            yield from ((word, kind, "") for word in words)


class AspectWords:
    """The entries, ready for any number of texts."""

    def __init__(self, tables: _Tables) -> None:
        self.pronouns = frozenset(map(fold, tables.pronouns.words))
        self.names = frozenset({*tables.aspects, *tables.praise, *tables.blame})
        """The aspects that have a name in the lists."""
        self._measured = frozenset(tables.measured.names)
        self.wishes = frozenset(map(fold, tables.wishes.words))
        self.meta = frozenset(map(fold, tables.meta.words))
        self.strengths = frozenset(map(fold, tables.lists.strengths))
        self.weaknesses = frozenset(map(fold, tables.lists.weaknesses))
        found: dict[tuple[str, bool], dict[tuple[Kind, str], None]] = {}
        for entry, kind, name in tables.entries():
            for form in _list_forms(entry, kind):
                text = fold(form.removesuffix("*"))
                found.setdefault((text, form.endswith("*")), {})[kind, name] = None
        self._texts = list(found)
        self._kinds: list[Mapping[Kind, str]] = [dict(reversed(kinds)) for kinds in found.values()]
        self._aspects = {
            text: kinds["aspect"] for (text, _), kinds in zip(found, self._kinds, strict=True) if "aspect" in kinds
        }
        self._automaton = ahocorasick_rs.AhoCorasick([text for text, _ in self._texts])

    def find_aspect(self, label: str) -> str:
        """Return the aspect that a folded label names, or an empty string."""
        return self._aspects.get(label, "")

    def is_measured(self, name: str) -> bool:
        """Return whether a number alone can describe this aspect."""
        return name in self._measured

    def is_list_label(self, label: str) -> bool:
        """Return whether a folded label introduces strengths, weaknesses, or people whom something is for."""
        return self.find_sign(label) != 0 or label in self.wishes

    def find_sign(self, label: str) -> int:
        """Return 1 for the folded head of a list of strengths, -1 for one of weaknesses, and 0 for any other."""
        return (label in self.strengths) - (label in self.weaknesses)

    def find_hits(self, folded: str) -> list[AspectHit]:
        """Return the entries in their order. Where some overlap, the first one counts; of equal starts, the longest."""
        hits: dict[tuple[int, int], Mapping[Kind, str]] = {}
        for index, start, end in self._automaton.find_matches_as_indexes(folded, overlapping=True):
            # Most entries stand between blanks, and comparing one character is faster than the full check.
            if folded[start - 1 : start] != " " and not _starts_word(folded, start):
                continue
            is_open = self._texts[index][1]
            stop = end if not is_open and folded[end : end + 1] == " " else _find_end(folded, end, open_ended=is_open)
            if stop:
                known = hits.get((start, stop))
                hits[start, stop] = {**self._kinds[index], **known} if known else self._kinds[index]
        kept: list[AspectHit] = []
        last = 0
        for (start, end), kinds in sorted(hits.items(), key=lambda item: (item[0][0], -item[0][1])):
            if start >= last:
                kept.append(AspectHit(start, end, kinds))
                last = end
        return kept


def _list_forms(entry: str, kind: Kind) -> Iterator[str]:
    yield entry
    if kind == "aspect" and not entry.endswith(("s", "*")):
        yield entry[:-1] + "ies" if entry.endswith("y") and entry[-2] not in "aeiou" else entry + "s"


def _starts_word(folded: str, start: int) -> bool:
    if start == 0:
        return True
    before = folded[start - 1]
    if before == "-" and folded[max(0, start - 2)].isalnum():
        return False
    return not before.isalnum()


def _find_end(folded: str, end: int, *, open_ended: bool) -> int:
    """Return where the entry ends, with its ending if it has one, or 0 if it is only part of a longer word."""
    stop = end
    while stop < len(folded) and stop - end <= _LONGEST_ENDING and folded[stop].isalnum():
        stop += 1
    if stop == end:
        return 0 if folded[end : end + 1] == "-" and folded[end + 1 : end + 2].isalpha() and open_ended else end
    return stop if open_ended and stop - end <= _LONGEST_ENDING else 0


@cache
def read_aspect_words() -> AspectWords:
    """Return the entries of the file."""
    text = files("sightline.answers").joinpath("data", "aspects.toml").read_text("utf-8")
    return AspectWords(msgspec.convert(tomllib.loads(text), _Tables))
