"""The phrases of one language, read from `words/<language>.toml` once.

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


class _Suggestions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    ask: tuple[str, ...]


class _PhraseFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    joiner: str
    colon: str
    comma: str
    conjunction: str = msgspec.field(name="and")
    open_bracket: str
    close_bracket: str
    labels: Labels
    sentences: Mapping[str, tuple[str, ...]] = msgspec.field(name="say")
    suggest: _Suggestions
    families: Mapping[str, tuple[str, str]]
    sectors: Mapping[str, tuple[str, ...]]


class Phrasebook(msgspec.Struct, frozen=True):
    """The phrases of one language for one sector."""

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
    sentences: Mapping[str, tuple[Template, ...]]
    questions: tuple[Template, ...]

    def join(self, names: Sequence[str]) -> str:
        """Return "A, B and C" in this language."""
        if len(names) < 2:
            return "".join(names)
        joined = self.comma.join(names[:-1]) + self.conjunction + names[-1]
        return fix_spanish_and(joined) if self.language == "es" else joined


def fix_spanish_and(text: str) -> str:
    """Replace "y" by "e" before the same sound, as Spanish requires."""
    return re.sub(r" y (?=\**(?:[iIíÍ]|[hH][iIíÍ])(?![aeAE]))", " e ", text)


def fill_template(template: Template, slots: Mapping[str, str]) -> str:
    """Fill the slots in one pass, so that braces inside a name or a question stay as they are."""
    return "".join(slots[part] if place % 2 else part for place, part in enumerate(template))


@cache
def _read_file(language: str) -> _PhraseFile:
    text = (files(__package__) / "words" / f"{language}.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), _PhraseFile)


@cache
def load_phrasebook(language: str, sector: str) -> Phrasebook:
    file = _read_file(language)
    category, features, uses, *gender = file.sectors[sector]
    general, drawbacks = file.families[sectors()[sector].family]
    feminine = gender == ["f"]
    return Phrasebook(
        language=language,
        joiner=file.joiner,
        colon=file.colon,
        comma=file.comma,
        conjunction=file.conjunction,
        open_bracket=file.open_bracket,
        close_bracket=file.close_bracket,
        labels=file.labels,
        category=category,
        features=(*_split(features), *_split(general)),
        drawbacks=_split(drawbacks),
        uses=_split(uses),
        opposites=_OPPOSITES[sectors()[sector].family],
        sentences={role: _compile_templates(lines, feminine=feminine) for role, lines in file.sentences.items()},
        questions=_compile_templates(file.suggest.ask, feminine=feminine),
    )


def _split(line: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for phrase in line.split(";"))


def _compile_templates(lines: Sequence[str], *, feminine: bool) -> tuple[Template, ...]:
    return tuple(tuple(_SLOT.split(_GENDER.sub(r"\2" if feminine else r"\1", line))) for line in lines)
