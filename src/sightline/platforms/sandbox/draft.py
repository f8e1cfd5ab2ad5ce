"""The state of one answer being composed: plan, voice, words, page, and which sources are still to be cited."""

from collections.abc import Sequence

from sightline.platforms.sandbox.dice import Dice
from sightline.platforms.sandbox.lexicon import words_of
from sightline.platforms.sandbox.market import Brand
from sightline.platforms.sandbox.page import Link, Page
from sightline.platforms.sandbox.plan import Plan
from sightline.platforms.sandbox.sources import own_page, third_parties
from sightline.platforms.sandbox.speech import Speech
from sightline.platforms.sandbox.voices import VOICES

_LATIN_END = 0x250  # letters beyond are of another script
_FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}


class Draft:
    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.voice = VOICES[plan.cell.platform]
        self.dice: Dice = plan.dice("text")
        self.words = words_of(plan.language, plan.reading.sector)
        self.speech = Speech(self.words, plan.market.key, self.dice)
        self.page = Page(self.voice.marks)
        self.thirds = third_parties(plan.market.key, plan.reading.sector, plan.language)
        self.own_due = plan.cited  # the brand's page is to be cited, and is not yet

    @property
    def own(self) -> Brand:
        return self.plan.market.own

    def name(self, brand: Brand) -> str:
        """How the brand is written in this answer."""
        if brand.is_own and self.plan.case == "other_script":
            return in_other_script(brand)
        return brand.name

    def own_link(self) -> Link:
        self.own_due = False
        return own_page(self.own, self.plan.reading.sector, self.dice)

    def third(self) -> Link:
        return self.dice.weighted(self.thirds)

    def links_for(self, brand: Brand) -> list[Link]:
        """What an entry about a brand leans on. The own brand's page only where the plan says so, and once."""
        if not self.plan.cites:
            return []
        links = []
        if brand.is_own:
            if self.own_due:
                links.append(self.own_link())
        elif self.dice.chance(self.voice.own):
            links.append(own_page(brand, self.plan.reading.sector, self.dice))
        if self.dice.chance(self.voice.thirds):
            links.append(self.third())
        return links

    def general_links(self, probability: float = 0.6) -> list[Link]:
        return [self.third()] if self.plan.cites and self.dice.chance(probability) else []

    def sentences(self, texts: Sequence[str], links: Sequence[Link] = ()) -> None:
        """A run of sentences; what is cited is cited for the first of them."""
        for place, text in enumerate(texts):
            if place:
                self.page.add(self.words.joiner)
            self.page.add(text, links if place == 0 else ())

    def paragraph(self, texts: Sequence[str], links: Sequence[Link] = ()) -> None:
        self.sentences(texts, links)
        self.page.add("\n\n")

    def size(self) -> int:
        """In words, or what makes up for them where words are not spaced."""
        text = self.page.prose
        return len(text) // 2 if self.words.joiner == "" else len(text.split())


def in_other_script(brand: Brand) -> str:
    """An alias in another script than the name's, else the full-width form, which every reader takes for the same."""
    latin = _is_latin(brand.name)
    for alias in brand.aliases:
        if _is_latin(alias) != latin:
            return alias
    return brand.name.translate(_FULL_WIDTH)


def _is_latin(text: str) -> bool:
    return all(ord(letter) < _LATIN_END for letter in text)
