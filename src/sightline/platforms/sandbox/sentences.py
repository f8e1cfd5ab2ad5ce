"""Writes the sentences of one answer.

No template is used twice while others are left, and each brand is praised and criticized for what it is known for, in
wordings that change.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Literal

from sightline.platforms.sandbox.aspects import find_profile
from sightline.platforms.sandbox.market import MarketBrand
from sightline.platforms.sandbox.phrasebook import (
    AspectPhrases,
    Phrasebook,
    Template,
    fill_template,
    fix_spanish_and,
    load_phrasebook,
)
from sightline.platforms.sandbox.sectors import fold
from sightline.platforms.sandbox.seeded_random import SeededRandom

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
