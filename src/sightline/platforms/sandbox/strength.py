"""How likely a brand is to be named in a cell on a day, and whether it is. The model is in the package's docstring."""

import math
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from sightline.platforms.sandbox.dice import normal, uniform
from sightline.platforms.sandbox.events import events_on
from sightline.platforms.sandbox.market import Brand, Market, Subject, market_of
from sightline.platforms.sandbox.question import Reading, read_prompt

KEEP = 0.17  # the chance that a cell's draw of the day is that of the day before
BRANDED = 0.97  # a prompt that names a brand nearly always gets an answer that does
BESIDE = 0.55  # a prompt about others leaves less room for the brand
SPREAD = {"platform": 0.4, "prompt": 0.4, "country": 0.2, "cell": 0.3}  # standard deviations of the log-odds
TOPIC = 0.5
_FLOOR, _CEILING = 0.03, 0.97
_DRIFT = ((28, 0.5), (9, 0.18))  # days between knots, standard deviation
_LOOK_BACK = 60


class Cell(NamedTuple):
    prompt: str
    platform: str
    country: str


def cell_of(reading: Reading, platform: str, country: str | None) -> Cell:
    return Cell(reading.key, platform, (country or "").strip().upper())


def mention_probability(
    subject: Subject, prompt: str, platform: str, country: str | None, day: date, *, brand: str | None = None
) -> float:
    """The truth: how likely an answer of that day, if there is one, names the brand (or the rival of that name).

    For a rival it is the probability before two of them are sure of a place. Raises KeyError for a name that is not in
    the market.
    """
    market = market_of(subject)
    reading = read_prompt(market, prompt)
    whom = market.own if brand is None else {rival.name: rival for rival in market.brands}[brand]
    return probability(market, whom, reading, cell_of(reading, platform, country), day)


def probability(market: Market, brand: Brand, reading: Reading, cell: Cell, day: date) -> float:
    return probability_at(log_odds(market, brand, reading, cell, day), brand, reading)


def probability_at(odds: float, brand: Brand, reading: Reading) -> float:
    """Of a brand whose log-odds in the cell are known."""
    if brand in reading.named:
        return BRANDED
    p = 1 / (1 + math.exp(-odds))
    about_others = bool(reading.named or reading.pair)
    return min(max(p * (BESIDE if about_others else 1.0), _FLOOR), _CEILING)


def log_odds(market: Market, brand: Brand, reading: Reading, cell: Cell, day: date) -> float:
    topic = TOPIC * ((reading.topic == brand.strong) - (reading.topic == brand.weak))
    moved = drift(market.key, brand.key, cell.platform, day)
    happened = sum(event.effect_on(brand.key, cell.platform, day) for event in events_on(market, day))
    return brand.base + _fixed(market.key, brand.key, cell) + topic + moved + happened


@lru_cache(maxsize=65536)
def _fixed(market: str, brand: str, cell: Cell) -> float:
    return (
        SPREAD["platform"] * normal("platform", market, brand, cell.platform)
        + SPREAD["prompt"] * normal("prompt", market, brand, cell.prompt)
        + SPREAD["country"] * normal("country", market, brand, cell.country)
        + SPREAD["cell"] * normal("cell", market, brand, *cell)
    )


@lru_cache(maxsize=65536)
def drift(market: str, brand: str, platform: str, day: date) -> float:
    """How far a brand stands from its usual log-odds on a platform that day."""
    total = 0.0
    for period, deviation in _DRIFT:
        at = day.toordinal() / period + uniform("phase", market, brand, platform, period)
        knot = math.floor(at)
        before = normal("knot", market, brand, platform, period, knot)
        after = normal("knot", market, brand, platform, period, knot + 1)
        share = at - knot
        # Divided by its own deviation, the mix of two knots varies as much between them as on them.
        mixed = ((1 - share) * before + share * after) / math.hypot(1 - share, share)
        total += deviation * mixed
    return total


def held_draw(market: str, brand: str, cell: Cell, day: date) -> float:
    """The brand is named when this is below its probability: today's number, or yesterday's, or the one before."""
    ordinal = day.toordinal()
    for _ in range(_LOOK_BACK):
        if uniform("keep", market, brand, *cell, ordinal) >= KEEP:
            break
        ordinal -= 1
    return uniform("draw", market, brand, *cell, ordinal)


def surface_probability(market: Market, cell: Cell) -> float:
    """How often the platform shows an answer at all. Only Google AI Overviews stay away, from some prompts often."""
    if cell.platform != "google_ai_overviews":
        return 1.0
    return 0.5 + 0.5 * math.pow(uniform("surface", market.key, *cell), 0.35)


def has_surface(market: Market, cell: Cell, day: date) -> bool:
    return uniform("shown", market.key, *cell, day.toordinal()) < surface_probability(market, cell)
