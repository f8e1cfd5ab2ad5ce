"""What an answer will say, before any word of it is chosen: which brands, in which order, in which form.

`docs/reference/sandbox.md` has the model: the probability that a brand is named in a cell on a day, and the rare events
that change it.
"""

import math
from collections.abc import Iterator, Mapping
from datetime import date
from functools import lru_cache
from typing import Literal, NamedTuple

import msgspec

from sightline.platforms.models import Question
from sightline.platforms.sandbox.market import OWN, MarketBrand, SandboxMarket, Subject, build_market, read_words
from sightline.platforms.sandbox.prompts import PromptIntent, choose_language, interpret_prompt
from sightline.platforms.sandbox.seeded_random import SeededRandom, interpolate, normal, uniform

# Separate from the catalog: another order there must not move past events.
PLATFORM_KEYS = (
    *("chatgpt", "gemini", "perplexity", "google_ai_overviews", "claude", "copilot"),
    *("grok", "mistral", "deepseek", "google_ai_mode", "local"),
)
# Without web search there is nothing to cite, as for the real connectors of both.
NEVER_CITES = frozenset({"deepseek", "local"})
_WITHOUT_CITATIONS = {"only_cited": "absent", "retrieved": "absent"}
_MIN_RIVALS = 2
_NOISE = 1.2  # log-odds added to the order to either side: rank changes from day to day more than presence
PERSISTENCE = 0.17  # probability that a cell's draw is that of the day before
_LOOK_BACK = 60  # days
BRANDED = 0.97  # answers to a prompt that names the brand nearly always name it
OTHERS_ONLY = 0.55  # factor for a prompt that names only others
SPREAD = {"platform": 0.4, "prompt": 0.4, "country": 0.2, "cell": 0.3}  # standard deviations of the log-odds
TOPIC = 0.5
_FLOOR, _CEILING = 0.03, 0.97
_DRIFT = ((28, 0.5), (9, 0.18))  # days between knots, standard deviation
_WINDOW, _UPDATE_WINDOW = 56, 84  # days; a window has at most one launch, one drop, and one update of each platform
_LAUNCH_DAYS, _DROP_DAYS, _UPDATE_DAYS = 21, 12, 6
_LAUNCH_CHANCE, _DROP_CHANCE, _UPDATE_CHANCE = 0.5, 0.4, 0.25
_LAUNCH_GAIN, _LAUNCH_LOSS, _DROP_LOSS, _UPDATE_LOSS = 1.4, -0.3, -1.8, -1.2  # log-odds


class Cell(NamedTuple):
    """A prompt on a platform in a country."""

    prompt: str
    platform: str
    country: str


class AnswerPlan(msgspec.Struct, frozen=True):
    """The plan of one answer."""

    market: SandboxMarket
    intent: PromptIntent
    cell: Cell
    prompt: str
    language: str
    day: date
    shown: bool  # False: the platform shows no answer that day
    named: bool  # whether the brand is named
    form: str
    cited: bool  # whether the brand's own page is cited
    brands: tuple[MarketBrand, ...]  # all that are named, best first

    @property
    def cites(self) -> bool:
        return self.cell.platform not in NEVER_CITES


def read_forms() -> Mapping[str, tuple[tuple[str, float, float], ...]]:
    """Return the forms of answers, with their shares, by what the question is about and whether the brand is named."""
    return read_words("forms", dict[str, tuple[tuple[str, float, float], ...]])


def plan_answer(subject: Subject, question: Question, platform: str, day: date) -> AnswerPlan:
    market = build_market(subject)
    intent = interpret_prompt(market, question.prompt)
    cell = _build_cell(intent, platform, question.country)
    own_named, brands = _draw_brands(market, intent, cell, day)
    about = "branded" if market.own in intent.named else "others" if intent.named or intent.pair else "open"
    rng = SeededRandom("case", market.key, *cell, day.toordinal())
    form, cited = _draw_form(f"{about}_{'named' if own_named else 'unnamed'}", rng, cites=platform not in NEVER_CITES)
    return AnswerPlan(
        market=market,
        intent=intent,
        cell=cell,
        prompt=question.prompt,
        language=choose_language(question.language, question.country, question.prompt),
        day=day,
        shown=_has_surface(market, cell, day),
        named=own_named,
        form=form,
        cited=cited,
        brands=brands,
    )


def _build_cell(intent: PromptIntent, platform: str, country: str | None) -> Cell:
    return Cell(intent.key, platform, (country or "").strip().upper())


def _draw_brands(
    market: SandboxMarket, intent: PromptIntent, cell: Cell, day: date
) -> tuple[bool, tuple[MarketBrand, ...]]:
    """Return whether the brand is named today, and all brands that are, best first; at least two of them are rivals."""
    noise = SeededRandom("order", market.key, *cell, day.toordinal())
    named, strength = set(), {}
    for brand in market.brands:
        odds = _find_log_odds(market, brand, intent, cell, day)
        strength[brand] = odds + _NOISE * (noise.between(-1000, 1000) / 1000)
        if _draw_persistently(market.key, brand.key, cell, day) < _find_probability(odds, brand, intent):
            named.add(brand)
    ordered = sorted(market.brands, key=lambda brand: -strength[brand])
    missing = max(_MIN_RIVALS - len(named - {market.own}), 0)
    extra = [brand for brand in ordered if brand not in named and not brand.is_own][:missing]
    return market.own in named, tuple(brand for brand in ordered if brand in named or brand in extra)


def _draw_persistently(market: str, brand: str, cell: Cell, day: date) -> float:
    """Return today's number, or that of an earlier day: the brand is named if it is below the probability."""
    ordinal = day.toordinal()
    for _ in range(_LOOK_BACK):
        if uniform("keep", market, brand, *cell, ordinal) >= PERSISTENCE:
            break
        ordinal -= 1
    return uniform("draw", market, brand, *cell, ordinal)


def _draw_form(group: str, rng: SeededRandom, *, cites: bool) -> tuple[str, bool]:
    """Draw the form of an answer, and whether the brand's own page is cited in it."""
    form, cited = rng.weighted([((form, cited), share) for form, share, cited in read_forms()[group]])
    # A platform that never cites cannot cite a brand that it does not name.
    return form if cites else _WITHOUT_CITATIONS.get(form, form), rng.chance(cited) and cites


def _has_surface(market: SandboxMarket, cell: Cell, day: date) -> bool:
    """Return whether the platform shows an answer. Only Google AI Overviews are sometimes missing, for some often."""
    if cell.platform != "google_ai_overviews":
        return True
    probability = 0.5 + 0.5 * math.pow(uniform("surface", market.key, *cell), 0.35)
    return uniform("shown", market.key, *cell, day.toordinal()) < probability


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
    odds = _find_log_odds(market, target, intent, _build_cell(intent, platform, country), day)
    return _find_probability(odds, target, intent)


def _find_probability(odds: float, brand: MarketBrand, intent: PromptIntent) -> float:
    if brand in intent.named:
        return BRANDED
    factor = OTHERS_ONLY if intent.named or intent.pair else 1.0
    return min(max(1 / (1 + math.exp(-odds)) * factor, _FLOOR), _CEILING)


def _find_log_odds(market: SandboxMarket, brand: MarketBrand, intent: PromptIntent, cell: Cell, day: date) -> float:
    topic = TOPIC * ((intent.topic == brand.strong) - (intent.topic == brand.weak))
    drifted = _find_drift(market.key, brand.key, cell.platform, day)
    happened = _find_effect(market, brand, cell, day)
    return brand.base + _find_lasting_effects(market.key, brand.key, cell) + topic + drifted + happened


@lru_cache(maxsize=65536)
def _find_lasting_effects(market: str, brand: str, cell: Cell) -> float:
    return (
        SPREAD["platform"] * normal("platform", market, brand, cell.platform)
        + SPREAD["prompt"] * normal("prompt", market, brand, cell.prompt)
        + SPREAD["country"] * normal("country", market, brand, cell.country)
        + SPREAD["cell"] * normal("cell", market, brand, *cell)
    )


@lru_cache(maxsize=65536)
def _find_drift(market: str, brand: str, platform: str, day: date) -> float:
    """Return how far a brand is from its usual log-odds on a platform that day."""
    total = 0.0
    for period, deviation in _DRIFT:
        at = day.toordinal() / period + uniform("phase", market, brand, platform, period)
        # Divided by its own deviation, so that the variance is the same between two knots as on them.
        total += deviation * (interpolate(at, "knot", market, brand, platform, period) / math.hypot(1 - at % 1, at % 1))
    return total


def _find_effect(market: SandboxMarket, brand: MarketBrand, cell: Cell, day: date) -> float:
    """Return what the events of the market add, or the story that is planted in it."""
    planted = market.planted
    if planted is None:
        return sum(event.effect_on(brand.key, cell.platform, day) for event in find_events(market, day))
    story = planted.story
    is_told = brand == (market.rising if story.is_of_rival else market.own)
    if not is_told or uniform("told", market.key, cell.prompt) >= story.prompts:
        return 0.0
    return planted.find_shift(day, cell.platform)


class MarketEvent(msgspec.Struct, frozen=True):
    kind: Literal["launch", "drop", "update"]
    first: date
    days: int
    platform: str | None = None  # None: everywhere
    brand: str | None = None  # the key of the rival that launches

    def effect_on(self, brand: str, platform: str, day: date) -> float:
        """Return what it adds to a brand's log-odds on a platform while it lasts. What a launch adds fades."""
        if self.platform not in {None, platform}:
            return 0.0
        if self.kind == "update":
            return _UPDATE_LOSS
        if self.kind == "drop":
            return _DROP_LOSS if brand == OWN else 0.0
        effect = _LAUNCH_GAIN if brand == self.brand else _LAUNCH_LOSS if brand == OWN else 0.0
        return (1 - (day - self.first).days / self.days) * effect


@lru_cache(maxsize=4096)
def find_events(market: SandboxMarket, day: date) -> tuple[MarketEvent, ...]:
    """Return the events of a day. Each ends in the window that it began in."""
    return tuple(event for event in _draw_events(market, day) if 0 <= (day - event.first).days < event.days)


def _draw_events(market: SandboxMarket, day: date) -> Iterator[MarketEvent]:
    """Draw the events of the windows that the day is in. Updates are the same in every market."""
    window, update_window = day.toordinal() // _WINDOW, day.toordinal() // _UPDATE_WINDOW
    rng = SeededRandom("events", market.key, window)
    if rng.chance(_LAUNCH_CHANCE):
        first = date.fromordinal(window * _WINDOW + rng.between(0, _WINDOW - _LAUNCH_DAYS))
        yield MarketEvent("launch", first, _LAUNCH_DAYS, brand=rng.pick(market.rivals).key)
    if rng.chance(_DROP_CHANCE):
        first = date.fromordinal(window * _WINDOW + rng.between(0, _WINDOW - _DROP_DAYS))
        yield MarketEvent("drop", first, _DROP_DAYS, platform=rng.pick(PLATFORM_KEYS))
    for platform in PLATFORM_KEYS:
        rng = SeededRandom("updates", platform, update_window)
        if rng.chance(_UPDATE_CHANCE):
            first = date.fromordinal(update_window * _UPDATE_WINDOW + rng.between(0, _UPDATE_WINDOW - _UPDATE_DAYS))
            yield MarketEvent("update", first, _UPDATE_DAYS, platform=platform)
