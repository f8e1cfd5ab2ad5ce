"""What an answer will say, before any word of it is chosen: which brands, in which order, in which form."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

import msgspec

from sightline.platforms.models import Question
from sightline.platforms.sandbox.cases import Name, draw_case
from sightline.platforms.sandbox.dice import Dice
from sightline.platforms.sandbox.market import Brand, Market, Subject, market_of
from sightline.platforms.sandbox.question import Reading, language_of, read_prompt
from sightline.platforms.sandbox.strength import Cell, cell_of, has_surface, held_draw, log_odds, probability_at

# Without web search there is nothing to cite. (The catalogue of real connectors says the same of both.)
NEVER_CITES = frozenset({"deepseek", "local"})
_LEAST_RIVALS = 2
_NOISE = 1.2  # of the order, in log-odds, to either side: rank moves from day to day more than presence does


class Plan(msgspec.Struct, frozen=True):
    market: Market
    reading: Reading
    cell: Cell
    prompt: str
    language: str
    day: date
    shown: bool  # False: the platform shows no answer that day
    named: bool  # whether the brand is named
    case: Name
    cited: bool  # whether the brand's own page is cited
    brands: tuple[Brand, ...]  # everyone who is named, best first

    @property
    def cites(self) -> bool:
        return self.cell.platform not in NEVER_CITES

    def dice(self, purpose: str) -> Dice:
        return Dice(purpose, self.market.key, *self.cell, self.day.toordinal())


def plan_answer(subject: Subject, question: Question, platform: str, day: date) -> Plan:
    market = market_of(subject)
    reading = read_prompt(market, question.prompt)
    cell = cell_of(reading, platform, question.country)
    standing = _standing(market, reading, cell, day)
    named = next(row.named for row in standing if row.brand.is_own)
    about = "branded" if market.own in reading.named else "beside" if reading.named or reading.pair else "open"
    dice = Dice("case", market.key, *cell, day.toordinal())
    case, cited = draw_case(about, dice, named=named, cites=platform not in NEVER_CITES)
    return Plan(
        market=market,
        reading=reading,
        cell=cell,
        prompt=question.prompt,
        language=language_of(question.language, question.country, question.prompt),
        day=day,
        shown=has_surface(market, cell, day),
        named=named,
        case=case,
        cited=cited,
        brands=_shown(standing),
    )


class _Row(NamedTuple):
    place: float
    named: bool
    brand: Brand


def _standing(market: Market, reading: Reading, cell: Cell, day: date) -> list[_Row]:
    """Every brand of the market, best first, and whether it is named today."""
    noise = Dice("order", market.key, *cell, day.toordinal())
    rows = []
    for brand in market.brands:
        odds = log_odds(market, brand, reading, cell, day)
        named = held_draw(market.key, brand.key, cell, day) < probability_at(odds, brand, reading)
        rows.append(_Row(odds + _NOISE * (noise.between(-1000, 1000) / 1000), named, brand))
    return sorted(rows, key=lambda row: -row.place)


def _shown(standing: Sequence[_Row]) -> tuple[Brand, ...]:
    rivals = [row for row in standing if not row.brand.is_own]
    missing = max(_LEAST_RIVALS - sum(row.named for row in rivals), 0)
    extra = [row.brand for row in rivals if not row.named][:missing]
    return tuple(row.brand for row in standing if row.named or row.brand in extra)
