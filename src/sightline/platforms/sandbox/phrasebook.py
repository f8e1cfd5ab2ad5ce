"""The phrases of one language, read from `words/<language>.toml` once.

Sentences have slots: {b} the brand, {r} and {s} rivals, {a} the other side of a comparison, {f} and {g} what is praised
about the brand, {d} what is criticized, {u} and {v} whom it suits, {cats} the category in the plural, {list} names.
`<one|other>` is the masculine and the feminine form, by the gender of the category. So that the grammar holds for every
filling, praise and criticism are never the subject of a verb or adjective that would have to agree with them, and each
file says which case or article its phrases carry.

A language with a file in `words/aspects/` has several wordings for every aspect, and more slots: {p} and {o} are
clauses of praise, {q} is a clause of criticism ({P} and {Q} at the start of a sentence), {tp} is the name of the aspect
of {p}, {t} and {w} are names of any two aspects. The other languages have one wording for each.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

import msgspec

from sightline.platforms.sandbox.sectors import sectors

SLOTS = frozenset(
    {"a", "b", "r", "s", "f", "g", "d", "u", "v", "cats", "list", "p", "o", "q", "P", "Q", "tp", "t", "w"}
)
OWN_ASPECTS = 4  # the first aspects of every sector are its own, the next ones those of its family
# In each family: which of its features says the opposite of which drawback, by their places. Both are one aspect.
_OPPOSITES: Mapping[str, tuple[tuple[int, int], ...]] = {
    "software": ((0, 1), (1, 0), (2, 3)),
    "contract": ((0, 1), (2, 3), (3, 2)),
    "goods": ((0, 1), (1, 2), (3, 3)),
    "stay": ((0, 2), (1, 3), (3, 1)),
    "any": ((0, 1), (1, 2), (2, 0)),
}
_SLOT = re.compile(r"\{(\w+)\}")
_GENDER = re.compile(r"<([^<>|]*)\|([^<>|]*)>")

# Titles of pages and searches in a language that has none of its own: without a sentence no grammar can go wrong.
_PLAIN_TITLES: Mapping[str, tuple[str, ...]] = {
    "list": ("{Cats}: {comparison} {year}", "{Cats} {year}: {reviews}", "{Cats}: {comparison} ({x}, {y})"),
    "new": ("{x}: {reviews} {year}", "{x} vs. {y}: {reviews}"),
    "versus": ("{x} vs. {y}: {comparison}",),
    "guide": ("{Cats}: {choose}",),
    "forum": ("{Cats}: {reviews}?", "{x} vs. {y}?"),
    "video": ("{Cats}: {comparison} {year}", "{x} vs. {y}"),
    "shop": ("{Cats} | {site}",),
    "directory": ("{Cats}: {reviews} | {site}",),
    "brand": ("{x}: {reviews} | {site}",),
}
_PLAIN_SEARCHES = ("{cats} {comparison} {year}", "{cats} {reviews}", "{r} vs {s}", "{r} {reviews}", "{cats} {year}")

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
    pros_and_cons: tuple[tuple[str, str], ...] = ()
    needs: tuple[str, ...] = ()
    related: tuple[str, ...] = ()


class AspectPhrases(msgspec.Struct, frozen=True):
    """What can be said about one aspect of a brand. One of praise and criticism may be empty, as may clauses."""

    name: str
    praise: tuple[str, ...]
    praise_clauses: tuple[str, ...] = ()
    criticism: tuple[str, ...] = ()
    criticism_clauses: tuple[str, ...] = ()


class _AspectFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    families: Mapping[str, tuple[tuple[str, str, str, str, str], ...]]
    sectors: Mapping[str, tuple[tuple[str, str, str, str, str], ...]]


class _Searches(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    queries: tuple[str, ...] = ()


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
    sectors: Mapping[str, tuple[str, ...]]
    families: Mapping[str, tuple[str, str]] = {}
    titles: Mapping[str, tuple[str, ...]] = {}
    searches: _Searches = _Searches()


class Phrasebook(msgspec.Struct, frozen=True):
    """The phrases of one language for one sector."""

    language: str
    sector: str
    joiner: str
    colon: str
    comma: str
    conjunction: str
    open_bracket: str
    close_bracket: str
    labels: Labels
    category: str
    aspects: tuple[AspectPhrases, ...]
    uses: tuple[str, ...]
    sentences: Mapping[str, tuple[Template, ...]]
    questions: tuple[Template, ...]
    titles: Mapping[str, tuple[Template, ...]]
    searches: tuple[Template, ...]

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
def _read_aspect_file(language: str) -> _AspectFile | None:
    path = files(__package__) / "words" / "aspects" / f"{language}.toml"
    return msgspec.convert(tomllib.loads(path.read_text("utf-8")), _AspectFile) if path.is_file() else None


@cache
def load_phrasebook(language: str, sector: str) -> Phrasebook:
    file = _read_file(language)
    category, *features, uses = (part for part in file.sectors[sector] if part not in {"m", "f"})
    feminine = file.sectors[sector][-1] == "f"
    return Phrasebook(
        language=language,
        sector=sector,
        joiner=file.joiner,
        colon=file.colon,
        comma=file.comma,
        conjunction=file.conjunction,
        open_bracket=file.open_bracket,
        close_bracket=file.close_bracket,
        labels=file.labels,
        category=category,
        aspects=_read_aspects(language, sector) or _build_aspects(file, sector, "".join(features)),
        uses=_split(uses),
        sentences={role: _compile_templates(lines, feminine=feminine) for role, lines in file.sentences.items()},
        questions=_compile_templates(file.suggest.ask, feminine=feminine),
        titles={
            kind: _compile_templates(file.titles.get(kind, plain), feminine=feminine)
            for kind, plain in _PLAIN_TITLES.items()
        },
        searches=_compile_templates(file.searches.queries or _PLAIN_SEARCHES, feminine=feminine),
    )


def _read_aspects(language: str, sector: str) -> tuple[AspectPhrases, ...]:
    file = _read_aspect_file(language)
    if file is None:
        return ()
    own, general = file.sectors[sector], file.families[sectors()[sector].family]
    rows = (*own[:OWN_ASPECTS], *general, *own[OWN_ASPECTS:])
    return tuple(AspectPhrases(name, *map(_split, phrases)) for name, *phrases in rows)


def _build_aspects(file: _PhraseFile, sector: str, features: str) -> tuple[AspectPhrases, ...]:
    """Build aspects of one wording from the features and drawbacks of a language without wordings of its own."""
    family = sectors()[sector].family
    general, drawbacks = map(_split, file.families[family])
    opposites = dict(_OPPOSITES[family])
    own = [AspectPhrases(feature, (feature,)) for feature in _split(features)]
    shared = [
        AspectPhrases(feature, (feature,), criticism=(drawbacks[opposites[place]],) if place in opposites else ())
        for place, feature in enumerate(general)
    ]
    rest = [
        AspectPhrases(drawback, (), criticism=(drawback,))
        for place, drawback in enumerate(drawbacks)
        if place not in opposites.values()
    ]
    return (*own, *shared, *rest)


def _split(line: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for phrase in line.split(";"))


def _compile_templates(lines: Sequence[str], *, feminine: bool) -> tuple[Template, ...]:
    return tuple(tuple(_SLOT.split(_GENDER.sub(r"\2" if feminine else r"\1", line))) for line in lines)
