"""An index of the words of a scan's answers: in which of them can a name occur? Pure.

After a rename only these answers are analyzed again. It may return too many of them and never misses one: a name that
is found in a text is made of parts that are words of the text, or are inside one.
"""

import re
import uuid
import zlib
from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from sightline.answers.blocks import PreparedAnswer
from sightline.answers.candidates import merge_key
from sightline.answers.characters import BLOCK_END, fold, is_combining, is_normalized, normalize
from sightline.answers.models import Brand, Citation
from sightline.answers.names import Lexicon, Pattern

_WORD = re.compile(r"[^\W_]+")


class _Stored(msgspec.Struct, frozen=True):
    """The index as it is stored: the words in order, how many answers have each, and their places in `answers`."""

    answers: list[uuid.UUID]
    words: str
    counts: bytes
    places: bytes


_decode = msgspec.msgpack.Decoder(_Stored).decode


class ChangedNames(msgspec.Struct, frozen=True):
    """What a rename changes: texts that are searched for, and keys by which presented names are recognized."""

    texts: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()
    domains: tuple[str, ...] = ()


def list_words(prepared: PreparedAnswer, citations: Iterable[Citation]) -> set[str]:
    """Return the words of an answer, and of the hosts that it cites."""
    words = set(_WORD.findall(prepared.folded))
    runs = set(prepared.prose.replace(BLOCK_END, " ").split())
    if any(is_combining(run[0]) for run in runs):
        runs = {prepared.prose}  # what becomes of a lone mark depends on the blanks before it
    # Keys of names are made of normalized text. What all runs together are is found faster than what each of them is.
    for run in () if is_normalized(" ".join(runs)) else runs:
        if not is_normalized(run):
            words.update(_WORD.findall(fold(normalize(run)[0])))
    for citation in citations:
        words.update(_WORD.findall(fold(citation.host)))
    return words


def build_name_index(words: Mapping[uuid.UUID, Collection[str]]) -> bytes:
    """Build the index of the answers of a scan."""
    found: dict[str, list[int]] = {}
    for place, each in enumerate(words.values()):
        for word in each:
            found.setdefault(word, []).append(place)
    ordered = sorted(found)
    stored = _Stored(
        list(words),
        "\n".join(ordered),
        array("I", (len(found[word]) for word in ordered)).tobytes(),
        array("I", (place for word in ordered for place in found[word])).tobytes(),
    )
    return zlib.compress(msgspec.msgpack.encode(stored), 6)


class NameIndex:
    """The index of the answers of one scan."""

    def __init__(self, stored: bytes) -> None:
        decoded = _decode(zlib.decompress(stored))
        self._answers = decoded.answers
        self._words = decoded.words.split("\n") if decoded.words else []
        self._numbers = {word: number for number, word in enumerate(self._words)}
        self._places = array("I", decoded.places)
        self._starts = [0]
        for count in array("I", decoded.counts):
            self._starts.append(self._starts[-1] + count)

    def find(self, changed: ChangedNames) -> set[uuid.UUID]:
        """Return the answers that the change can affect."""
        found: set[int] = set()
        hosts = {fold(domain) for domain in changed.domains}
        for parts in {tuple(_WORD.findall(text)) for text in changed.texts | hosts}:
            found |= self._find_all(parts)
        for key in changed.keys:
            found |= self._find_joined(key)
        return {self._answers[place] for place in found}

    def _find_all(self, parts: Sequence[str]) -> set[int]:
        """Return the answers that have, for each part, a word that contains it."""
        found = set(range(len(self._answers)))
        for part in parts:
            found &= {
                place
                for number, word in enumerate(self._words)
                if part in word
                for place in self._places[self._starts[number] : self._starts[number + 1]]
            }
        return found

    def _find_joined(self, key: str) -> set[int]:
        """Return the answers some of whose words, written together, are the key: "Foo-Bar" for "foobar"."""
        reached: list[set[int]] = [set(range(len(self._answers))), *(set() for _ in key)]
        for end in range(1, len(key) + 1):
            for start in range(end):
                number = self._numbers.get(key[start:end]) if reached[start] else None
                if number is not None:
                    reached[end] |= reached[start].intersection(
                        self._places[self._starts[number] : self._starts[number + 1]]
                    )
        return reached[-1] if key else set()


def find_changed_names(former: Sequence[Brand], brands: Sequence[Brand]) -> ChangedNames | None:
    """Return what changed between two sets of brands; None if every answer has to be analyzed again."""
    common = [brand for brand in former if brand in brands]
    if common != [brand for brand in brands if brand in former] or len(set(common)) != len(common):
        return None  # in another order, equal spellings may belong to another brand
    pairs = _pair([each for each in former if each not in brands], [each for each in brands if each not in former])
    texts: set[str] = set()
    domains: set[str] = set()
    for before, after in pairs:
        old, new = _list_patterns(before), _list_patterns(after)
        texts |= {pattern.text for pattern in old ^ new}
        domains |= set(before.domains if before else ()) ^ set(after.domains if after else ())
        if before is None or after is None or not _differs_in_names_alone(before, after):
            texts |= {pattern.text for pattern in old | new}
    return ChangedNames(frozenset(texts), frozenset(_list_keys(former) ^ _list_keys(brands)), tuple(sorted(domains)))


def _pair(former: Sequence[Brand], brands: Sequence[Brand]) -> list[tuple[Brand | None, Brand | None]]:
    """Return each changed brand before and after, by its name."""
    before, after = ({brand.name: brand for brand in each} for each in (former, brands))
    return [(before.get(name), after.get(name)) for name in {**before, **after}]


def _differs_in_names_alone(before: Brand, after: Brand) -> bool:
    """Return whether only other names and domains changed. Any other change can affect every match."""
    return msgspec.structs.replace(before, aliases=(), domains=()) == msgspec.structs.replace(
        after, aliases=(), domains=()
    )


def _list_patterns(brand: Brand | None) -> set[Pattern]:
    return set(Lexicon([brand]).patterns) if brand else set()


def _list_keys(brands: Iterable[Brand]) -> set[str]:
    return {merge_key(name) for brand in brands for name in (brand.name, *brand.aliases, *brand.products)}
