"""Rare events of a market, so that alerts and statistics have something to find. All are known in advance.

There are three kinds: a rival's launch (it gains everywhere for three weeks and fades, the brand loses a little), a
drop (the brand loses most of its strength on one platform for twelve days), and an update (all brands fall on one
platform for six days; the same days in every market, as when a platform changes its model).
"""

from datetime import date, timedelta
from functools import lru_cache
from typing import Literal

import msgspec

from sightline.platforms.sandbox.market import OWN, SandboxMarket
from sightline.platforms.sandbox.seeded_random import SeededRandom

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
