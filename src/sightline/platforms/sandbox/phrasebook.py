"""The phrases of one language: `words/<language>.toml`, and what can be said about a brand in `words/aspects/`.

Sentences have slots, which `words/en.toml` explains.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Literal

import msgspec

from sightline.platforms.sandbox.market import MarketBrand, fold, read_words, sectors
from sightline.platforms.sandbox.seeded_random import SeededRandom, interpolate, normal, uniform

OWN_ASPECTS = 4  # the first aspects of every sector are its own, the next ones those of its family
_STRENGTHS, _WEAKNESSES = 4, 2
_KNOTS = 150  # days between two values of the drift of what a brand is known for
_DRIFT = 0.5  # its standard deviation, where that of the lasting differences is 1
_SLOT = re.compile(r"\{(\w+)\}")
_GENDER = re.compile(r"<([^<>|]*)\|([^<>|]*)>")
_NO_WORD = re.compile(r"[^\w-]+")

Wording = Literal["praise", "praise_clauses", "criticism", "criticism_clauses"]
_SLOT_WORDINGS: dict[str, Wording] = {"f": "praise", "g": "praise", "d": "criticism"}
_SLOT_WORDINGS |= {"p": "praise_clauses", "o": "praise_clauses", "P": "praise_clauses"}
_SLOT_WORDINGS |= {"q": "criticism_clauses", "Q": "criticism_clauses"}


class Labels(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words of headings and tables, and what stands between sentences, names and their descriptions."""

    joiner: str
    colon: str
    comma: str
    conjunction: str = msgspec.field(name="and")
    name: str
    best_for: str
    pros_and_cons: tuple[tuple[str, str], ...]
    price: str
    picks: tuple[str, ...]
    choose: tuple[str, ...]
    compare: tuple[str, ...]
    verdict: tuple[str, ...]
    prices: tuple[str, ...]
    reviews: str
    comparison: str


class AspectPhrases(msgspec.Struct, frozen=True):
    """What can be said about one aspect of a brand. One of praise and criticism may be empty, as may clauses."""

    name: str
    praise: tuple[str, ...]
    praise_clauses: tuple[str, ...] = ()
    criticism: tuple[str, ...] = ()
    criticism_clauses: tuple[str, ...] = ()


class _PhraseFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    labels: Labels
    say: Mapping[str, tuple[str, ...]]
    sectors: Mapping[str, tuple[str, ...]]
    web: Mapping[str, tuple[str, ...]] = {}


class Phrasebook(msgspec.Struct, frozen=True):
    """The phrases of one language for one sector."""

    language: str
    sector: str
    labels: Labels
    category: str
    aspects: tuple[AspectPhrases, ...]
    uses: tuple[str, ...]
    sentences: Mapping[str, tuple[str, ...]]  # by their role; `ask` are questions
    web: Mapping[str, tuple[str, ...]]  # titles of pages by their kind, and `search`

    def join(self, names: Sequence[str]) -> str:
        """Return "A, B and C" in this language."""
        if len(names) < 2:
            return "".join(names)
        return self.fix(self.labels.comma.join(names[:-1]) + self.labels.conjunction + names[-1])

    def fill_fitting(self, kind: str, slots: Mapping[str, str], year: int) -> list[str]:
        """Return the titles of a kind of page, or the searches, whose slots are all known."""
        labels = self.labels
        known = {"cats": self.category, "comparison": labels.comparison, "reviews": labels.reviews, "year": str(year)}
        known |= {"choose": labels.choose[0], **slots}
        return [
            fill_template(template, known) for template in self.web[kind] if {*list_slots(template)} <= known.keys()
        ]

    def fix(self, text: str) -> str:
        """Replace "y" by "e" before the same sound in Spanish."""
        if self.language != "es":
            return text
        return re.sub(r" y (?=\**(?:[iIíÍ]|[hH][iIíÍ])(?![aeAE]))", " e ", text)


def list_slots(template: str) -> list[str]:
    return _SLOT.findall(template)


def fill_template(template: str, slots: Mapping[str, str]) -> str:
    """Fill the slots in one pass, so that braces inside a name or a question stay as they are."""
    return _SLOT.sub(lambda slot: slots[slot[1]], template)


@cache
def load_phrasebook(language: str, sector: str) -> Phrasebook:
    file = read_words(language, _PhraseFile)
    said = read_words(f"aspects/{language}", dict[str, dict[str, tuple[tuple[str, str, str, str, str], ...]]])
    own, family = said["sectors"][sector], said["families"][sectors()[sector].family]
    category, uses, *gender = file.sectors[sector]
    form = r"\2" if gender == ["f"] else r"\1"
    return Phrasebook(
        language=language,
        sector=sector,
        labels=file.labels,
        category=category,
        aspects=tuple(
            AspectPhrases(name, *map(_split, phrases))
            for name, *phrases in (*own[:OWN_ASPECTS], *family, *own[OWN_ASPECTS:])
        ),
        uses=_split(uses),
        sentences={role: tuple(_GENDER.sub(form, line) for line in lines) for role, lines in file.say.items()},
        web=file.web or read_words("plain", dict[str, tuple[str, ...]]),
    )


def _split(line: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for phrase in line.split(";") if phrase)


class BrandProfile(msgspec.Struct, frozen=True):
    """The aspects of a brand, as places in the list of its sector."""

    strengths: tuple[int, ...]  # best first
    weaknesses: tuple[int, ...]  # worst first
    defensible: frozenset[int]  # what it can be praised for if someone asks: the better half


@lru_cache(maxsize=16384)
def find_profile(market: str, brand: str, language: str, sector: str, week: int) -> BrandProfile:
    """Return what a brand is known for around this week. It is the same in every language that has words for it."""
    aspects = load_phrasebook(language, sector).aspects
    scores = [_score(market, brand, place, week) for place in range(len(aspects))]
    best = sorted((place for place, aspect in enumerate(aspects) if aspect.praise), key=lambda place: -scores[place])
    strengths = best[:_STRENGTHS]
    criticized = (place for place, aspect in enumerate(aspects) if aspect.criticism and place not in strengths)
    weaknesses = sorted(criticized, key=lambda place: scores[place])[:_WEAKNESSES]
    better = best[: (len(best) + 1) // 2]
    return BrandProfile(tuple(strengths), tuple(weaknesses), frozenset(better) - frozenset(weaknesses))


@lru_cache(maxsize=65536)
def _score(market: str, brand: str, place: int, week: int) -> float:
    at = 7 * week / _KNOTS + uniform("aspect phase", market, brand, place)
    return normal("aspect", market, brand, place) + _DRIFT * interpolate(at, "aspect knot", market, brand, place)


class SentenceWriter:
    """Writes sentences from templates. `asked` is the place of the aspect that the question asks for."""

    def __init__(self, words: Phrasebook, market: str, rng: SeededRandom, week: int, asked: int | None = None) -> None:
        self.words = words
        self._market = market
        self._dice = rng
        self._week = week
        self._asked = asked
        self._unused: dict[str, list[str]] = {}
        self._unused_aspects: dict[tuple[str, bool], list[int]] = {}
        self._used_wordings: set[str] = set()

    def write(self, role: str, about: MarketBrand | None = None, **names: str) -> str:
        """Write a sentence of this role.

        `about` decides praise and criticism; `names` fill the other slots.
        """
        template = self._draw_unused(role, self.words.sentences[role])
        return self.words.fix(fill_template(template, {**self._phrases(about, template), **names}))

    def write_question(self, template: str) -> str:
        return fill_template(template, self._phrases(None, template))

    def _phrases(self, about: MarketBrand | None, template: str) -> Mapping[str, str]:
        slots = {"cats": self.words.category}
        wanted = list_slots(template)
        spoken_of: list[int] = []
        for slot in wanted:
            wording = _SLOT_WORDINGS.get(slot)
            if wording is None:
                continue
            place = self._next_aspect(about, wording, spoken_of)
            spoken_of.append(place)
            text = self._choose_wording(place, wording, varied=about is not None)
            slots[slot] = capital(text) if slot.isupper() else text
            if slot in "pP":
                slots["tp"] = self.words.aspects[place].name
        if {"u", "v"} & set(wanted):
            slots["u"] = slots["v"] = self.draw_use()
            while slots["v"] == slots["u"]:
                slots["v"] = self.draw_use()
        if {"t", "w"} & set(wanted):
            slots["t"], slots["w"] = (aspect.name for aspect in self._dice.shuffled(self.words.aspects)[:2])
        return slots

    def draw(self, about: MarketBrand, wording: Wording, count: int) -> list[str]:
        """Draw what the brand is praised or criticized for, each for another aspect."""
        places: list[int] = []
        for _ in range(count):
            places.append(self._next_aspect(about, wording, places))
        return [self._choose_wording(place, wording) for place in dict.fromkeys(places)]

    def draw_use(self) -> str:
        """Draw a group of people that a brand suits. None is used twice while others are left, for any brand."""
        return self._draw_unused("uses", self.words.uses)

    def _draw_unused(self, key: str, options: Sequence[str]) -> str:
        if not self._unused.get(key):
            self._unused[key] = self._dice.shuffled(options)
        return self._unused[key].pop()

    def _next_aspect(self, about: MarketBrand | None, wording: Wording, without: Sequence[int]) -> int:
        """Return the next aspect of a brand that this answer has not spoken of, and none of `without` if possible."""
        key = (about.key if about else "", wording.startswith("praise"))
        unused = self._unused_aspects.get(key)
        if unused is None or not any(place not in without for place in unused):
            unused = self._unused_aspects[key] = self._order_aspects(about, praised=key[1], first=unused is None)
        place = next((each for each in unused if each not in without), unused[0])
        unused.remove(place)
        return place

    def _order_aspects(self, about: MarketBrand | None, *, praised: bool, first: bool) -> list[int]:
        if about is None:
            has_words = (aspect.praise if praised else aspect.criticism for aspect in self.words.aspects)
            return self._dice.shuffled(place for place, phrases in enumerate(has_words) if phrases)
        profile = find_profile(self._market, about.key, self.words.language, self.words.sector, self._week)
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

    def _choose_wording(self, place: int, wording: Wording, *, varied: bool = True) -> str:
        options: Sequence[str] = getattr(self.words.aspects[place], wording)
        if not varied:
            return options[0]
        text = self._dice.pick([each for each in options if each not in self._used_wordings] or options)
        self._used_wordings.add(text)
        return text


@lru_cache(maxsize=8192)
def find_asked_aspect(language: str, sector: str, prompt: str) -> int | None:
    """Return the place of the aspect that the question names, or None."""
    asked = _NO_WORD.sub(" ", f" {fold(prompt)} ")
    for place, aspect in enumerate(load_phrasebook(language, sector).aspects):
        if any(f" {fold(phrase)} " in asked for phrase in (aspect.name, *aspect.praise)):
            return place
    return None


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
