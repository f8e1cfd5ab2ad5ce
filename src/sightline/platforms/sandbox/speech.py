"""Sentences of one answer: no template twice while others are left; each brand is praised for what it stands for."""

from collections.abc import Mapping
from functools import lru_cache

from sightline.platforms.sandbox.dice import Dice
from sightline.platforms.sandbox.lexicon import DRAWBACKS, FEATURES, Template, Words, fill, soften
from sightline.platforms.sandbox.market import Brand

_TRAITS = 4  # so many features are a brand's own, which gives it themes that last


class Speech:
    def __init__(self, words: Words, market: str, dice: Dice) -> None:
        self.words = words
        self._market = market
        self._dice = dice
        self._decks: dict[str, list[Template]] = {}
        self._met: dict[tuple[str, str], list[str]] = {}

    def say(self, role: str, about: Brand | None = None, **names: str) -> str:
        """A sentence of this role. `about` decides features, drawbacks and uses; `names` fill the other slots."""
        deck = self._decks.get(role)
        if not deck:
            deck = self._decks[role] = self._dice.shuffled(self.words.say[role])
        template = deck.pop()
        text = fill(template, {**self._phrases(about, template), **names})
        return soften(text) if self.words.language == "es" else text

    def ask(self, template: Template) -> str:
        return fill(template, self._phrases(None, template))

    def _phrases(self, about: Brand | None, template: Template) -> Mapping[str, str]:
        wanted = set(template[1::2])
        slots = {"cats": self.words.category}
        if wanted & {"f", "g"}:
            slots["f"], slots["g"] = self.two(about, "feature")
        if wanted & {"u", "v"}:
            slots["u"], slots["v"] = self.two(about, "use")
        if "d" in wanted:
            slots["d"] = self.trait(about, "drawback")
        return slots

    def two(self, about: Brand | None, kind: str) -> tuple[str, str]:
        first = second = self.trait(about, kind)
        while second == first:
            second = self.trait(about, kind)
        return first, second

    def trait(self, about: Brand | None, kind: str) -> str:
        """The next feature, use or drawback of a brand that was not said of it in this answer."""
        key = (about.key if about and kind != "use" else "", kind)  # uses go round, or all would suit the same people
        deck = self._met.get(key)
        if not deck:
            deck = self._met[key] = self._dice.shuffled(self._own(about, kind))
        return deck.pop()

    def _own(self, about: Brand | None, kind: str) -> tuple[str, ...]:
        words = self.words
        if kind == "use":
            return words.uses
        pool = words.features if kind == "feature" else words.drawbacks
        if about is None:
            return pool
        features, drawbacks = own_traits(self._market, about.key, words.opposites)
        return tuple(pool[place] for place in (features if kind == "feature" else drawbacks))


@lru_cache(maxsize=16384)
def own_traits(
    market: str, brand: str, opposites: tuple[tuple[int, int], ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What this brand is always praised and blamed for, in every language, as places in the lists of its sector.

    Nobody is praised for quick support and blamed for slow support.
    """
    features = Dice("features", market, brand).shuffled(range(FEATURES))[:_TRAITS]
    denied = {drawback for feature, drawback in opposites if feature + FEATURES // 2 in features}
    drawbacks = [place for place in Dice("drawbacks", market, brand).shuffled(range(DRAWBACKS)) if place not in denied]
    return tuple(features), tuple(drawbacks[:2])
