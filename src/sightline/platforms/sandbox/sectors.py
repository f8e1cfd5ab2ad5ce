"""Finds the sector of a name or a question from its words. It is pure after the first call, which reads a file."""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec

UNKNOWN = "any"  # unknown sector: answers speak of providers in general
_FREE_LENGTH = 5  # shorter words are too often part of others
_LETTERS = r"0-9a-z\u00c0-\u024f"  # `\b` would see no end of a word between CRM and ソフト
_OTHER_SCRIPT = 0x2E80  # from here on: Han, Kana and their kin, which are written without spaces


class Sector(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sector and the words that identify it."""

    family: str
    slug: str
    words: tuple[str, ...]


def fold(text: str) -> str:
    """Return the text without differences of case, width and white space."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


@cache
def sectors() -> Mapping[str, Sector]:
    text = (files(__package__) / "words" / "sectors.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, Sector])


@cache
def _pattern() -> tuple[re.Pattern[str], Mapping[str, str]]:
    found: dict[str, str] = {}
    for name, sector in sectors().items():
        found |= {fold(word): name for word in sector.words}
    ordered = sorted(found, key=len, reverse=True)
    alternatives = "|".join(
        re.escape(word)
        if len(word) >= _FREE_LENGTH or ord(word[0]) >= _OTHER_SCRIPT
        else rf"(?<![{_LETTERS}]){re.escape(word)}(?![{_LETTERS}])"
        for word in ordered
    )
    return re.compile(alternatives), found


def find_sector(text: str) -> str | None:
    """Return the sector with the longest words found, or None if there are none."""
    pattern, names = _pattern()
    weight: dict[str, int] = {}
    for word in pattern.findall(fold(text)):
        weight[names[word]] = weight.get(names[word], 0) + len(word) * (2 if ord(word[0]) >= _OTHER_SCRIPT else 1)
    return max(weight, key=lambda name: weight[name]) if weight else None


def find_sector_of_label(label: str) -> str | None:
    """Return the sector of a domain label.

    Its words run together, so a short word counts at its start or end (pixelcrm, payfin).
    """
    known = find_sector(label.replace("-", " "))
    if known:
        return known
    _, names = _pattern()
    label = fold(label)
    ends = [word for word in names if len(word) >= 3 and (label.startswith(word) or label.endswith(word))]
    return names[max(ends, key=len)] if ends else None
