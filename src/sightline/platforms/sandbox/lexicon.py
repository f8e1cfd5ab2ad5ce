"""The words of one language, read from `words/<language>.toml` once.

Sentences have slots: {b} the brand, {r} and {s} rivals, {a} the other side of a comparison, {f} and {g} features, {d} a
drawback, {u} and {v} whom it suits, {cats} the category in the plural, {list} names. `<one|other>` is the masculine and
the feminine form, by the gender of the category. So that the grammar holds for every filling, a feature or drawback is
never the subject of a verb or adjective that would have to agree with it, and each file says which case or article its
phrases carry.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

import msgspec

from sightline.platforms.sandbox.sectors import sectors

SLOTS = frozenset({"a", "b", "r", "s", "f", "g", "d", "u", "v", "cats", "list"})
FEATURES, DRAWBACKS = 8, 4  # of every sector: four features of its own, four of its family, then the complaints
# In each family: which of its features says the opposite of which drawback, by their places.
_OPPOSITES: Mapping[str, tuple[tuple[int, int], ...]] = {
    "software": ((0, 1), (1, 0), (2, 3)),
    "contract": ((0, 1), (2, 3), (3, 2)),
    "goods": ((0, 1), (1, 2), (3, 3)),
    "stay": ((0, 2), (1, 3), (3, 1)),
    "any": ((0, 1), (1, 2), (2, 0)),
}
_SLOT = re.compile(r"\{(\w+)\}")
_GENDER = re.compile(r"<([^<>|]*)\|([^<>|]*)>")

# Even places are text, odd ones are slots.
Template = tuple[str, ...]


class Labels(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    best_for: str
    strengths: str
    weaknesses: str
    price: str
    picks: tuple[str, ...]
    choose: tuple[str, ...]
    compare: tuple[str, ...]
    verdict: tuple[str, ...]
    prices: tuple[str, ...]
    reviews: str
    comparison: str


class Suggest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    ask: tuple[str, ...]


class _Book(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    joiner: str
    colon: str
    comma: str
    conjunction: str = msgspec.field(name="and")
    open_bracket: str
    close_bracket: str
    labels: Labels
    say: Mapping[str, tuple[str, ...]]
    suggest: Suggest
    families: Mapping[str, tuple[str, str]]
    sectors: Mapping[str, tuple[str, ...]]


class Words(msgspec.Struct, frozen=True):
    """One language, for one sector."""

    language: str
    joiner: str
    colon: str
    comma: str
    conjunction: str
    open_bracket: str
    close_bracket: str
    labels: Labels
    category: str
    features: tuple[str, ...]
    drawbacks: tuple[str, ...]
    uses: tuple[str, ...]
    opposites: tuple[tuple[int, int], ...]
    say: Mapping[str, tuple[Template, ...]]
    ask: tuple[Template, ...]

    def join(self, names: Sequence[str]) -> str:
        """ "A, B and C" in this language."""
        if len(names) < 2:
            return "".join(names)
        joined = self.comma.join(names[:-1]) + self.conjunction + names[-1]
        return soften(joined) if self.language == "es" else joined


def soften(text: str) -> str:
    """Spanish: "y" is "e" before the same sound."""
    return re.sub(r" y (?=\**(?:[iIíÍ]|[hH][iIíÍ])(?![aeAE]))", " e ", text)


def fill(template: Template, slots: Mapping[str, str]) -> str:
    """One pass: braces inside of a name or a question stay what they are."""
    return "".join(slots[part] if place % 2 else part for place, part in enumerate(template))


@cache
def _book(language: str) -> _Book:
    text = (files(__package__) / "words" / f"{language}.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), _Book)


@cache
def words_of(language: str, sector: str) -> Words:
    book = _book(language)
    category, features, uses, *gender = book.sectors[sector]
    general, drawbacks = book.families[sectors()[sector].family]
    feminine = gender == ["f"]
    return Words(
        language=language,
        joiner=book.joiner,
        colon=book.colon,
        comma=book.comma,
        conjunction=book.conjunction,
        open_bracket=book.open_bracket,
        close_bracket=book.close_bracket,
        labels=book.labels,
        category=category,
        features=(*_split(features), *_split(general)),
        drawbacks=_split(drawbacks),
        uses=_split(uses),
        opposites=_OPPOSITES[sectors()[sector].family],
        say={role: _compiled(lines, feminine=feminine) for role, lines in book.say.items()},
        ask=_compiled(book.suggest.ask, feminine=feminine),
    )


def _split(line: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for phrase in line.split(";"))


def _compiled(lines: Sequence[str], *, feminine: bool) -> tuple[Template, ...]:
    return tuple(tuple(_SLOT.split(_GENDER.sub(r"\2" if feminine else r"\1", line))) for line in lines)
