"""The phrases of one language, read from `words/<language>.toml` once.

Sentences have slots: {b} the brand, {r} and {s} rivals, {a} the other side of a comparison, {f} and {g} what is praised
about the brand, {d} what is criticized, {u} and {v} whom it suits, {cats} the category in the plural, {list} names.
`<one|other>` is the masculine and the feminine form, by the gender of the category. So that the grammar holds for every
filling, praise and criticism are never the subject of a verb or adjective that would have to agree with them, and each
file says which case or article its phrases carry.

`words/aspects/` has what can be said about a brand: several wordings for every aspect in English, where {p} and {o} are
clauses of praise, {q} is a clause of criticism ({P} and {Q} at the start of a sentence), {tp} is the name of the aspect
of {p}, {t} and {w} are names of any two aspects; one wording in other languages, without clauses.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache, lru_cache
from typing import Literal

import msgspec

from sightline.platforms.sandbox.market import MarketBrand, fold, read_words, sectors
from sightline.platforms.sandbox.seeded_random import SeededRandom, normal, uniform

SLOTS = frozenset(
    {"a", "b", "r", "s", "f", "g", "d", "u", "v", "cats", "list", "p", "o", "q", "P", "Q", "tp", "t", "w"}
)
OWN_ASPECTS = 4  # the first aspects of every sector are its own, the next ones those of its family
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
    pros_and_cons: tuple[tuple[str, str], ...] = ()


class AspectPhrases(msgspec.Struct, frozen=True):
    """What can be said about one aspect of a brand. One of praise and criticism may be empty, as may clauses."""

    name: str
    praise: tuple[str, ...]
    praise_clauses: tuple[str, ...] = ()
    criticism: tuple[str, ...] = ()
    criticism_clauses: tuple[str, ...] = ()


_Rows = Mapping[str, tuple[tuple[str, str, str, str, str], ...]]


class _AspectFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    families: _Rows
    sectors: _Rows


class _Suggestions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    ask: tuple[str, ...]


class _Searches(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    queries: tuple[str, ...] = ()


class PhraseFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of one language."""

    joiner: str
    colon: str
    comma: str
    conjunction: str = msgspec.field(name="and")
    labels: Labels
    sentences: Mapping[str, tuple[str, ...]] = msgspec.field(name="say")
    suggest: _Suggestions
    sectors: Mapping[str, tuple[str, ...]]
    titles: Mapping[str, tuple[str, ...]] = {}
    searches: _Searches = _Searches()


class _PlainFile(msgspec.Struct, frozen=True):
    queries: tuple[str, ...]
    titles: Mapping[str, tuple[str, ...]]


class Phrasebook(msgspec.Struct, frozen=True):
    """The phrases of one language for one sector."""

    language: str
    sector: str
    joiner: str
    colon: str
    comma: str
    conjunction: str
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
def load_phrasebook(language: str, sector: str) -> Phrasebook:
    file, plain = read_words(language, PhraseFile), read_words("plain", _PlainFile)
    said = read_words(f"aspects/{language}", _AspectFile)
    own = said.sectors[sector]
    category, uses, *gender = file.sectors[sector]

    def compile_all(lines: Mapping[str, tuple[str, ...]]) -> Mapping[str, tuple[Template, ...]]:
        return {key: _compile_templates(texts, feminine=gender == ["f"]) for key, texts in lines.items()}

    rows = (*own[:OWN_ASPECTS], *said.families[sectors()[sector].family], *own[OWN_ASPECTS:])
    single = compile_all({"ask": file.suggest.ask, "queries": file.searches.queries or plain.queries})
    return Phrasebook(
        language=language,
        sector=sector,
        joiner=file.joiner,
        colon=file.colon,
        comma=file.comma,
        conjunction=file.conjunction,
        labels=file.labels,
        category=category,
        aspects=tuple(AspectPhrases(name, *map(_split, phrases)) for name, *phrases in rows),
        uses=_split(uses),
        sentences=compile_all(file.sentences),
        questions=single["ask"],
        titles=compile_all(file.titles or plain.titles),
        searches=single["queries"],
    )


def _split(line: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for phrase in line.split(";") if phrase)


def _compile_templates(lines: Sequence[str], *, feminine: bool) -> tuple[Template, ...]:
    return tuple(tuple(_SLOT.split(_GENDER.sub(r"\2" if feminine else r"\1", line))) for line in lines)


_STRENGTHS, _WEAKNESSES = 4, 2
_KNOTS = 150  # days between two values of the drift
_DRIFT = 0.5  # its standard deviation, where that of the lasting differences is 1


class BrandProfile(msgspec.Struct, frozen=True):
    """The aspects of a brand, as places in the list of its sector."""

    strengths: tuple[int, ...]  # best first
    weaknesses: tuple[int, ...]  # worst first
    defensible: frozenset[int]  # what it can be praised for if someone asks: the better half


@lru_cache(maxsize=16384)
def find_profile(market: str, brand: str, language: str, sector: str, day: date) -> BrandProfile:
    """Return what a brand is known for around this day. It is the same in every language that has words for it."""
    aspects = load_phrasebook(language, sector).aspects
    praised = tuple(place for place, aspect in enumerate(aspects) if aspect.praise)
    criticized = tuple(place for place, aspect in enumerate(aspects) if aspect.criticism)
    return _rank(market, brand, praised, criticized, day.toordinal() // 7)


@lru_cache(maxsize=16384)
def _rank(market: str, brand: str, praised: Sequence[int], criticized: Sequence[int], week: int) -> BrandProfile:
    scores = {place: _score(market, brand, place, week) for place in {*praised, *criticized}}
    best = sorted(praised, key=lambda place: -scores[place])
    strengths = best[:_STRENGTHS]
    worst = sorted((place for place in criticized if place not in strengths), key=lambda place: scores[place])
    weaknesses = worst[:_WEAKNESSES]
    return BrandProfile(
        tuple(strengths), tuple(weaknesses), frozenset(best[: (len(best) + 1) // 2]) - frozenset(weaknesses)
    )


def _score(market: str, brand: str, place: int, week: int) -> float:
    at = 7 * week / _KNOTS + uniform("aspect phase", market, brand, place)
    knot, share = int(at), at % 1
    before, after = (normal("aspect knot", market, brand, place, knot + step) for step in (0, 1))
    return normal("aspect", market, brand, place) + _DRIFT * ((1 - share) * before + share * after)


_NO_WORD = re.compile(r"[^\w-]+")

Wording = Literal["praise", "praise_clauses", "criticism", "criticism_clauses"]
_SLOT_WORDINGS: Mapping[str, Wording] = {
    **dict.fromkeys("fg", "praise"),
    **dict.fromkeys("poP", "praise_clauses"),
    "d": "criticism",
    **dict.fromkeys("qQ", "criticism_clauses"),
}


class SentenceWriter:
    """Writes sentences from templates. `asked` is the place of the aspect that the question asks for."""

    def __init__(self, words: Phrasebook, market: str, rng: SeededRandom, day: date, asked: int | None = None) -> None:
        self.words = words
        self._market = market
        self._dice = rng
        self._day = day
        self._asked = asked
        self._templates: dict[str, list[Template]] = {}
        self._unused_aspects: dict[tuple[str, bool], list[int]] = {}
        self._used_wordings: set[str] = set()
        self._unused_uses: list[str] = []

    def write(self, role: str, about: MarketBrand | None = None, **names: str) -> str:
        """Write a sentence of this role.

        `about` decides praise and criticism; `names` fill the other slots.
        """
        unused = self._templates.get(role)
        if not unused:
            unused = self._templates[role] = self._dice.shuffled(self.words.sentences[role])
        template = unused.pop()
        text = fill_template(template, {**self._phrases(about, template), **names})
        return fix_spanish_and(text) if self.words.language == "es" else text

    def write_question(self, template: Template) -> str:
        return fill_template(template, self._phrases(None, template))

    def _phrases(self, about: MarketBrand | None, template: Template) -> Mapping[str, str]:
        slots = {"cats": self.words.category}
        wanted = template[1::2]
        spoken_of: list[int] = []
        for slot in wanted:
            wording = _SLOT_WORDINGS.get(slot)
            if wording is None:
                continue
            place = self._next_aspect(about, spoken_of, praised=wording.startswith("praise"))
            spoken_of.append(place)
            text = self._choose_wording(self.words.aspects[place], wording, varied=about is not None)
            slots[slot] = text[:1].upper() + text[1:] if slot.isupper() else text
            if slot in "pP":
                slots["tp"] = self.words.aspects[place].name
        if {"u", "v"} & set(wanted):
            slots["u"] = slots["v"] = self.draw_use()
            while slots["v"] == slots["u"]:
                slots["v"] = self.draw_use()
        if {"t", "w"} & set(wanted):
            first, second = self._dice.shuffled(self.words.aspects)[:2]
            slots["t"], slots["w"] = first.name, second.name
        return slots

    def draw_praise(self, about: MarketBrand, count: int) -> list[str]:
        """Draw what the brand is praised for, each for another aspect."""
        return self._draw(about, "praise", count)

    def draw_criticism(self, about: MarketBrand, count: int = 1) -> list[str]:
        return self._draw(about, "criticism", count)

    def _draw(self, about: MarketBrand, wording: Wording, count: int) -> list[str]:
        places: list[int] = []
        for _ in range(count):
            place = self._next_aspect(about, places, praised=wording == "praise")
            if place not in places:
                places.append(place)
        return [self._choose_wording(self.words.aspects[place], wording) for place in places]

    def draw_use(self) -> str:
        """Draw a group of people that a brand suits. None is used twice while others are left, for any brand."""
        if not self._unused_uses:
            self._unused_uses = self._dice.shuffled(self.words.uses)
        return self._unused_uses.pop()

    def _next_aspect(self, about: MarketBrand | None, without: Sequence[int], *, praised: bool) -> int:
        """Return the next aspect of a brand that this answer has not spoken of, and none of `without` if possible."""
        key = (about.key if about else "", praised)
        unused = self._unused_aspects.get(key)
        if unused is None or not any(place not in without for place in unused):
            unused = self._unused_aspects[key] = self._order_aspects(about, praised=praised, first=unused is None)
        place = next((each for each in unused if each not in without), unused[0])
        unused.remove(place)
        return place

    def _order_aspects(self, about: MarketBrand | None, *, praised: bool, first: bool) -> list[int]:
        if about is None:
            has_words = (aspect.praise if praised else aspect.criticism for aspect in self.words.aspects)
            return self._dice.shuffled([place for place, phrases in enumerate(has_words) if phrases])
        profile = find_profile(self._market, about.key, self.words.language, self.words.sector, self._day)
        ordered = self._shuffle_by_rank(profile.strengths if praised else profile.weaknesses)
        asked = self._asked
        if asked is None or not first or not praised or asked not in profile.defensible:
            return ordered
        return [asked, *(place for place in ordered if place != asked)]

    def _shuffle_by_rank(self, places: Sequence[int]) -> list[int]:
        """Shuffle so that the first of n is drawn n times as often as the last."""
        left = list(places)
        ordered = []
        while left:
            place = self._dice.weighted([(each, len(left) - rank) for rank, each in enumerate(left)])
            ordered.append(place)
            left.remove(place)
        return ordered

    def _choose_wording(self, aspect: AspectPhrases, wording: Wording, *, varied: bool = True) -> str:
        options = getattr(aspect, wording)
        if not varied:
            return str(options[0])
        text = self._dice.pick([each for each in options if each not in self._used_wordings] or options)
        self._used_wordings.add(text)
        return str(text)


@lru_cache(maxsize=8192)
def find_asked_aspect(language: str, sector: str, prompt: str) -> int | None:
    """Return the place of the aspect that the question names, or None."""
    asked = _NO_WORD.sub(" ", f" {fold(prompt)} ")
    for place, aspect in enumerate(load_phrasebook(language, sector).aspects):
        if any(f" {fold(phrase)} " in asked for phrase in (aspect.name, *aspect.praise)):
            return place
    return None
