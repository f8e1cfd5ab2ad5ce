"""The probability that a brand is named in a cell on a day, and the rare events that change it.

The docstring of the package has the model. Events give alerts and statistics something to find. There are three kinds:
a rival's launch (it gains everywhere for three weeks and fades, the brand loses a little), a drop (the brand loses
most of its strength on one platform for twelve days), and an update (all brands fall on one platform for six days; the
same days in every market, as when a platform changes its model).
"""

import math
from datetime import date, timedelta
from functools import lru_cache
from typing import Literal, NamedTuple

import msgspec

from sightline.platforms.sandbox.market import OWN, MarketBrand, SandboxMarket, Subject, build_market
from sightline.platforms.sandbox.prompts import PromptIntent, interpret_prompt
from sightline.platforms.sandbox.seeded_random import SeededRandom, normal, uniform

# Separate from the catalog: another order there must not move past events.
PLATFORM_KEYS = (
    *("chatgpt", "gemini", "perplexity", "google_ai_overviews", "claude", "copilot"),
    *("grok", "mistral", "deepseek", "google_ai_mode", "local"),
)
_WINDOW = 56  # days; each window has at most one launch and one drop
_UPDATE_WINDOW = 84
_LAUNCH_DAYS, _DROP_DAYS, _UPDATE_DAYS = 21, 12, 6
_LAUNCH_CHANCE, _DROP_CHANCE, _UPDATE_CHANCE = 0.5, 0.4, 0.25
_LAUNCH_GAIN, _LAUNCH_LOSS, _DROP_LOSS, _UPDATE_LOSS = 1.4, -0.3, -1.8, -1.2  # log-odds

Kind = Literal["launch", "drop", "update"]


class MarketEvent(msgspec.Struct, frozen=True):
    """An event of a market."""

    kind: Kind
    first: date
    days: int
    platform: str | None = None  # None: everywhere
    brand: str | None = None  # the key of the rival that launches

    def effect_on(self, brand: str, platform: str, day: date) -> float:
        """Return what it adds to a brand's log-odds on a platform that day."""
        since = (day - self.first).days
        if not 0 <= since < self.days or self.platform not in {None, platform}:
            return 0.0
        if self.kind == "launch":
            fading = 1 - since / self.days
            return fading * (_LAUNCH_GAIN if brand == self.brand else _LAUNCH_LOSS if brand == OWN else 0.0)
        if self.kind == "drop":
            return _DROP_LOSS if brand == OWN else 0.0
        return _UPDATE_LOSS


def find_events(market: SandboxMarket, first: date, last: date) -> tuple[MarketEvent, ...]:
    """Return every event with at least one day within these two, in the order of their first days."""
    met = {event for number in _windows(first, last, _WINDOW) for event in _draw_events(market, number)}
    met |= {event for number in _windows(first, last, _UPDATE_WINDOW) for event in _draw_updates(number)}
    inside = [event for event in met if event.first <= last and event.first + timedelta(event.days - 1) >= first]
    return tuple(sorted(inside, key=lambda event: (event.first, event.kind, event.platform or "")))


@lru_cache(maxsize=4096)
def events_on(market: SandboxMarket, day: date) -> tuple[MarketEvent, ...]:
    return find_events(market, day, day)


def _windows(first: date, last: date, length: int) -> range:
    return range(first.toordinal() // length, last.toordinal() // length + 1)


def _draw_events(market: SandboxMarket, number: int) -> list[MarketEvent]:
    rng = SeededRandom("events", market.key, number)
    found = []
    if rng.chance(_LAUNCH_CHANCE):
        first = _day(number, _WINDOW, rng.between(0, _WINDOW - _LAUNCH_DAYS))
        found.append(MarketEvent("launch", first, _LAUNCH_DAYS, brand=rng.pick(market.rivals).key))
    if rng.chance(_DROP_CHANCE):
        first = _day(number, _WINDOW, rng.between(0, _WINDOW - _DROP_DAYS))
        found.append(MarketEvent("drop", first, _DROP_DAYS, platform=rng.pick(PLATFORM_KEYS)))
    return found


def _draw_updates(number: int) -> list[MarketEvent]:
    found = []
    for platform in PLATFORM_KEYS:
        rng = SeededRandom("updates", platform, number)
        if rng.chance(_UPDATE_CHANCE):
            first = _day(number, _UPDATE_WINDOW, rng.between(0, _UPDATE_WINDOW - _UPDATE_DAYS))
            found.append(MarketEvent("update", first, _UPDATE_DAYS, platform=platform))
    return found


def _day(number: int, length: int, offset: int) -> date:
    return date.fromordinal(max(number * length + offset, 1))


PERSISTENCE = 0.17  # probability that a cell's draw is that of the day before
BRANDED = 0.97  # answers to a prompt that names the brand nearly always name it
OTHERS_ONLY = 0.55  # factor for a prompt that names only others
SPREAD = {"platform": 0.4, "prompt": 0.4, "country": 0.2, "cell": 0.3}  # standard deviations of the log-odds
TOPIC = 0.5
_FLOOR, _CEILING = 0.03, 0.97
_DRIFT = ((28, 0.5), (9, 0.18))  # days between knots, standard deviation
_LOOK_BACK = 60


class Cell(NamedTuple):
    """A prompt on a platform in a country."""

    prompt: str
    platform: str
    country: str


def build_cell(intent: PromptIntent, platform: str, country: str | None) -> Cell:
    return Cell(intent.key, platform, (country or "").strip().upper())


def mention_probability(
    subject: Subject, prompt: str, platform: str, country: str | None, day: date, *, brand: str | None = None
) -> float:
    """Return how likely an answer of that day, if there is one, names the brand (or the rival of that name).

    This is the true value that measurements estimate. For a rival it is the probability before two of them are
    guaranteed a place. Raises KeyError for a name that is not in the market.
    """
    market = build_market(subject)
    intent = interpret_prompt(market, prompt)
    target = market.own if brand is None else {rival.name: rival for rival in market.brands}[brand]
    return probability(market, target, intent, build_cell(intent, platform, country), day)


def probability(market: SandboxMarket, brand: MarketBrand, intent: PromptIntent, cell: Cell, day: date) -> float:
    return probability_at(log_odds(market, brand, intent, cell, day), brand, intent)


def probability_at(odds: float, brand: MarketBrand, intent: PromptIntent) -> float:
    """Return the probability for known log-odds in the cell."""
    if brand in intent.named:
        return BRANDED
    p = 1 / (1 + math.exp(-odds))
    about_others = bool(intent.named or intent.pair)
    return min(max(p * (OTHERS_ONLY if about_others else 1.0), _FLOOR), _CEILING)


def log_odds(market: SandboxMarket, brand: MarketBrand, intent: PromptIntent, cell: Cell, day: date) -> float:
    topic = TOPIC * ((intent.topic == brand.strong) - (intent.topic == brand.weak))
    drifted = drift(market.key, brand.key, cell.platform, day)
    happened = _find_effect(market, brand, cell, day)
    return brand.base + _fixed_effects(market.key, brand.key, cell) + topic + drifted + happened


def _find_effect(market: SandboxMarket, brand: MarketBrand, cell: Cell, day: date) -> float:
    """Return what the events of the market add, or the story that is planted in it."""
    planted = market.planted
    if planted is None:
        return sum(event.effect_on(brand.key, cell.platform, day) for event in events_on(market, day))
    story = planted.story
    if brand != (market.rising if story.is_of_rival else market.own):
        return 0.0
    if uniform("told", market.key, cell.prompt) >= story.prompts:
        return 0.0
    return planted.find_shift(day, cell.platform)


@lru_cache(maxsize=65536)
def _fixed_effects(market: str, brand: str, cell: Cell) -> float:
    return (
        SPREAD["platform"] * normal("platform", market, brand, cell.platform)
        + SPREAD["prompt"] * normal("prompt", market, brand, cell.prompt)
        + SPREAD["country"] * normal("country", market, brand, cell.country)
        + SPREAD["cell"] * normal("cell", market, brand, *cell)
    )


@lru_cache(maxsize=65536)
def drift(market: str, brand: str, platform: str, day: date) -> float:
    """Return how far a brand is from its usual log-odds on a platform that day."""
    total = 0.0
    for period, deviation in _DRIFT:
        at = day.toordinal() / period + uniform("phase", market, brand, platform, period)
        knot = math.floor(at)
        before = normal("knot", market, brand, platform, period, knot)
        after = normal("knot", market, brand, platform, period, knot + 1)
        share = at - knot
        # Divided by its own deviation, so that the variance is the same between two knots as on them.
        mixed = ((1 - share) * before + share * after) / math.hypot(1 - share, share)
        total += deviation * mixed
    return total


def persistent_draw(market: str, brand: str, cell: Cell, day: date) -> float:
    """Return today's number, or that of an earlier day: the brand is named if it is below the probability."""
    ordinal = day.toordinal()
    for _ in range(_LOOK_BACK):
        if uniform("keep", market, brand, *cell, ordinal) >= PERSISTENCE:
            break
        ordinal -= 1
    return uniform("draw", market, brand, *cell, ordinal)


def surface_probability(market: SandboxMarket, cell: Cell) -> float:
    """Return how often the platform shows an answer at all.

    Only Google AI Overviews are sometimes missing, for some prompts often.
    """
    if cell.platform != "google_ai_overviews":
        return 1.0
    return 0.5 + 0.5 * math.pow(uniform("surface", market.key, *cell), 0.35)


def has_surface(market: SandboxMarket, cell: Cell, day: date) -> bool:
    return uniform("shown", market.key, *cell, day.toordinal()) < surface_probability(market, cell)
