"""The word files of suggested prompts, each read once."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

GENERAL = "general"
LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "ja", "zh")
"""Languages with questions. The first four have questions for each category, the others have general ones."""


class Category(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The noun and the questions of one category in one language."""

    noun: str
    ask: tuple[str, ...] = ()


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Last words of a noun that may be read from a site, each with the form that questions use."""

    noun: str = msgspec.field(name="as")
    words: Mapping[str, str]
    sure: tuple[str, ...] | None = None
    """Words that mean this category without another word. None stands for all of them."""


class NounWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What decides where a noun begins and whether it says enough, each a list with spaces between the words."""

    vague: str = ""
    boundaries: str = ""
    evidence: str = ""
    acronyms: str = ""


class NounLimits(msgspec.Struct, frozen=True):
    """The lists of `NounWords` as sets."""

    vague: frozenset[str]
    boundaries: frozenset[str]
    evidence: frozenset[str]
    acronyms: frozenset[str]


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The questions and nouns of one language."""

    shared: tuple[str, ...]
    categories: Mapping[str, Category]
    offers: Mapping[str, str]
    heads: Mapping[str, Head] = {}
    nouns: NounWords = NounWords()


class Categories(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words that identify an offer or a category. The first item of an offer is its category."""

    offers: Mapping[str, tuple[str, ...]]
    categories: Mapping[str, tuple[str, ...]]
    types: Mapping[str, str]
    """The offer or category of types of schema.org."""


@cache
def load_words(language: str) -> Words:
    return msgspec.convert(_read(language), Words)


@cache
def load_noun_limits(language: str) -> NounLimits:
    words = load_words(language).nouns
    return NounLimits(**{name: frozenset(getattr(words, name).split()) for name in NounWords.__struct_fields__})


@cache
def load_categories() -> Categories:
    return msgspec.convert(_read("categories"), Categories)


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "words" / f"{name}.toml").read_text("utf-8"))
