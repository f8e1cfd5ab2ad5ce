"""Rare events of a market, so that alerts and statistics have something true to find. All are known in advance.

Three kinds: a rival's launch (it gains everywhere for three weeks and fades, the brand loses a little), a drop (the
brand loses most of its standing on one platform for twelve days), an update (everybody falls on one platform for six
days; the same days in every market, as when a platform changes its model).
"""

from datetime import date, timedelta
from functools import lru_cache
from typing import Literal

import msgspec

from sightline.platforms.sandbox.dice import Dice
from sightline.platforms.sandbox.market import OWN, Market

# A list of its own: another order in the catalogue must not move past events.
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


class Event(msgspec.Struct, frozen=True):
    kind: Kind
    first: date
    days: int
    platform: str | None = None  # None: everywhere
    brand: str | None = None  # the key of the rival that launches

    def effect_on(self, brand: str, platform: str, day: date) -> float:
        """What it adds to a brand's log-odds on a platform that day."""
        since = (day - self.first).days
        if not 0 <= since < self.days or self.platform not in {None, platform}:
            return 0.0
        if self.kind == "launch":
            fading = 1 - since / self.days
            return fading * (_LAUNCH_GAIN if brand == self.brand else _LAUNCH_LOSS if brand == OWN else 0.0)
        if self.kind == "drop":
            return _DROP_LOSS if brand == OWN else 0.0
        return _UPDATE_LOSS


def events_of(market: Market, first: date, last: date) -> tuple[Event, ...]:
    """Every event of which at least one day lies within these two, in the order of their first days."""
    met = {event for number in _windows(first, last, _WINDOW) for event in _of_window(market, number)}
    met |= {event for number in _windows(first, last, _UPDATE_WINDOW) for event in _updates(number)}
    inside = [event for event in met if event.first <= last and event.first + timedelta(event.days - 1) >= first]
    return tuple(sorted(inside, key=lambda event: (event.first, event.kind, event.platform or "")))


@lru_cache(maxsize=4096)
def events_on(market: Market, day: date) -> tuple[Event, ...]:
    return events_of(market, day, day)


def _windows(first: date, last: date, length: int) -> range:
    return range(first.toordinal() // length, last.toordinal() // length + 1)


def _of_window(market: Market, number: int) -> list[Event]:
    dice = Dice("events", market.key, number)
    found = []
    if dice.chance(_LAUNCH_CHANCE):
        first = _day(number, _WINDOW, dice.between(0, _WINDOW - _LAUNCH_DAYS))
        found.append(Event("launch", first, _LAUNCH_DAYS, brand=dice.pick(market.rivals).key))
    if dice.chance(_DROP_CHANCE):
        first = _day(number, _WINDOW, dice.between(0, _WINDOW - _DROP_DAYS))
        found.append(Event("drop", first, _DROP_DAYS, platform=dice.pick(PLATFORM_KEYS)))
    return found


def _updates(number: int) -> list[Event]:
    found = []
    for platform in PLATFORM_KEYS:
        dice = Dice("updates", platform, number)
        if dice.chance(_UPDATE_CHANCE):
            first = _day(number, _UPDATE_WINDOW, dice.between(0, _UPDATE_WINDOW - _UPDATE_DAYS))
            found.append(Event("update", first, _UPDATE_DAYS, platform=platform))
    return found


def _day(number: int, length: int, offset: int) -> date:
    return date.fromordinal(max(number * length + offset, 1))
