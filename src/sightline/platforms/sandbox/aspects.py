"""What each brand is praised and criticized for: stable for months, with slow drift, and different from its rivals."""

from collections.abc import Sequence
from datetime import date
from functools import lru_cache

import msgspec

from sightline.platforms.sandbox.phrasebook import load_phrasebook
from sightline.platforms.sandbox.seeded_random import normal, uniform

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
