"""Writes the sentences of one answer.

No template is used twice while others are left, and each brand is praised for what it is known for.
"""

from collections.abc import Mapping
from functools import lru_cache

from sightline.platforms.sandbox.market import MarketBrand
from sightline.platforms.sandbox.phrasebook import (
    DRAWBACKS,
    FEATURES,
    Phrasebook,
    Template,
    fill_template,
    fix_spanish_and,
)
from sightline.platforms.sandbox.seeded_random import SeededRandom

_TRAITS = 4  # features that are a brand's own, which gives it lasting themes


class SentenceWriter:
    """Writes sentences from templates."""

    def __init__(self, words: Phrasebook, market: str, rng: SeededRandom) -> None:
        self.words = words
        self._market = market
        self._dice = rng
        self._templates: dict[str, list[Template]] = {}
        self._traits_left: dict[tuple[str, str], list[str]] = {}

    def write(self, role: str, about: MarketBrand | None = None, **names: str) -> str:
        """Write a sentence of this role.

        `about` decides features, drawbacks and uses; `names` fill the other slots.
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
        wanted = set(template[1::2])
        slots = {"cats": self.words.category}
        if wanted & {"f", "g"}:
            slots["f"], slots["g"] = self.draw_two_traits(about, "feature")
        if wanted & {"u", "v"}:
            slots["u"], slots["v"] = self.draw_two_traits(about, "use")
        if "d" in wanted:
            slots["d"] = self.draw_trait(about, "drawback")
        return slots

    def draw_two_traits(self, about: MarketBrand | None, kind: str) -> tuple[str, str]:
        first = second = self.draw_trait(about, kind)
        while second == first:
            second = self.draw_trait(about, kind)
        return first, second

    def draw_trait(self, about: MarketBrand | None, kind: str) -> str:
        """Draw the next feature, use or drawback of a brand that this answer has not used for it."""
        key = (
            about.key if about and kind != "use" else "",
            kind,
        )  # uses are shared by all brands, or all would suit the same people
        unused = self._traits_left.get(key)
        if not unused:
            unused = self._traits_left[key] = self._dice.shuffled(self._own(about, kind))
        return unused.pop()

    def _own(self, about: MarketBrand | None, kind: str) -> tuple[str, ...]:
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
    """Return what this brand is always praised and criticized for, as places in the lists of its sector.

    They are the same in every language. No brand is praised for quick support and criticized for slow support.
    """
    features = SeededRandom("features", market, brand).shuffled(range(FEATURES))[:_TRAITS]
    denied = {drawback for feature, drawback in opposites if feature + FEATURES // 2 in features}
    drawbacks = [
        place for place in SeededRandom("drawbacks", market, brand).shuffled(range(DRAWBACKS)) if place not in denied
    ]
    return tuple(features), tuple(drawbacks[:2])
