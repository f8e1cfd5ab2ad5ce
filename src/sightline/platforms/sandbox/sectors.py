"""Which sector a name or a question belongs to, read off its words. Pure after the first call, which reads a file."""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec

UNKNOWN = "any"  # nothing gives the sector away: answers then speak of providers in general
_FREE_LENGTH = 5  # shorter words are too often part of others
_LETTERS = r"0-9a-z\u00c0-\u024f"  # `\b` would see no end of a word between CRM and ソフト
_OTHER_SCRIPT = 0x2E80  # from here on: Han, Kana and their kin, which are written without spaces


class Sector(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    family: str
    slug: str
    words: tuple[str, ...]


def fold(text: str) -> str:
    """Case, width and white space do not matter to a reader."""
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


def sector_of_text(text: str) -> str | None:
    """The sector whose words are found, by the length of what is found; None when there are none."""
    pattern, names = _pattern()
    weight: dict[str, int] = {}
    for word in pattern.findall(fold(text)):
        weight[names[word]] = weight.get(names[word], 0) + len(word) * (2 if ord(word[0]) >= _OTHER_SCRIPT else 1)
    return max(weight, key=lambda name: weight[name]) if weight else None


def sector_of_label(label: str) -> str | None:
    """As of a text; in a label words are run together, so a short one counts at its start or end (pixelcrm, payfin)."""
    known = sector_of_text(label.replace("-", " "))
    if known:
        return known
    _, names = _pattern()
    label = fold(label)
    ends = [word for word in names if len(word) >= 3 and (label.startswith(word) or label.endswith(word))]
    return names[max(ends, key=len)] if ends else None
