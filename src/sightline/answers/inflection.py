"""How languages inflect a name: endings after it, letters before it.

All forms are folded, so without diacritics. The tables are in `data/inflection.toml`.
"""

import tomllib
from collections.abc import Iterator
from importlib.resources import files
from itertools import product

import msgspec

from sightline.answers.characters import fold


class _Tables(msgspec.Struct, frozen=True):
    endings: dict[str, str]
    consonant_endings: dict[str, str]
    stems: dict[str, dict[str, str]]
    clitics: dict[str, str]


def _read_tables() -> _Tables:
    text = files("sightline.answers").joinpath("data", "inflection.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), _Tables)


_TABLES = _read_tables()
ENDINGS = {language: frozenset(fold(endings).split()) | {"s"} for language, endings in _TABLES.endings.items()}
CLITICS = frozenset(clitic for clitics in _TABLES.clitics.values() for clitic in clitics.split())
_PLURAL = frozenset({"s", "es"})
_CYRILLIC = frozenset({"ru", "uk"})


def endings_for(language: str | None) -> frozenset[str]:
    return ENDINGS.get(language or "", _PLURAL)


def inflected_stems(name: str) -> Iterator[tuple[str, str]]:
    """Yield (language, form) for the forms of a folded name that are more than the name with an ending.

    In a name of two words both are inflected, because they agree: Нова Пошта, Новою Поштою.
    """
    words = name.split(" ")
    if len(words) > 2 or not all(word.isalpha() and len(word) > 2 for word in words) or len(words[-1]) < 4:
        return
    for language in _TABLES.stems:
        if name.isascii() == (language in _CYRILLIC or language == "el"):
            continue
        last = list(_inflect(words[-1], language))
        if len(words) == 1:
            yield from ((language, form) for form in last)
            continue
        first = [words[0], *_inflect(words[0], language), *_add_endings(words[0], language)]
        last += [words[1], *_add_endings(words[1], language)]
        for one, other in product(first, last):
            if f"{one} {other}" != name:
                yield language, f"{one} {other}"


def _inflect(word: str, language: str) -> Iterator[str]:
    for cut, endings in _TABLES.stems[language].items():
        if word.endswith(cut):
            stem = word.removesuffix(cut)
            yield from (stem + ending for ending in endings.split() if stem + ending != word)
    if language in {"pl", "cs"} and word.endswith("ka"):
        yield word[:-2] + "ce"
    if language == "pl" and word.endswith("ra"):
        yield word[:-2] + "rze"


def _add_endings(word: str, language: str) -> Iterator[str]:
    if word[-1] not in "aeiouyаеиоуыяюь":
        yield from (word + ending for ending in _TABLES.consonant_endings.get(language, "").split())
