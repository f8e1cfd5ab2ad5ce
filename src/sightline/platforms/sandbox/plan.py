"""What an answer will say, before any word of it is chosen: which brands, in which order, in which form."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from typing import NamedTuple

import msgspec

from sightline.platforms.models import Question
from sightline.platforms.sandbox.market import MarketBrand, SandboxMarket, Subject, build_market, read_words
from sightline.platforms.sandbox.prompts import PromptIntent, choose_language, interpret_prompt
from sightline.platforms.sandbox.seeded_random import SeededRandom
from sightline.platforms.sandbox.strength import (
    Cell,
    build_cell,
    has_surface,
    log_odds,
    persistent_draw,
    probability_at,
)


class AnswerForm(msgspec.Struct, frozen=True, array_like=True):
    """A form that an answer can take."""

    name: str
    share: float  # among the answers of its group
    cites: float  # how often the brand's own page is then cited, where the platform cites at all
    why: str


@cache
def read_forms() -> Mapping[str, tuple[AnswerForm, ...]]:
    """Return the forms by what the question is about, and whether the brand is named."""
    return read_words("forms", dict[str, tuple[AnswerForm, ...]])


# A platform that never cites cannot cite a brand that it does not name.
_WITHOUT_CITATIONS: dict[str, str] = {"only_cited": "absent", "retrieved": "absent"}


def draw_form(about: str, rng: SeededRandom, *, named: bool, cites: bool) -> tuple[str, bool]:
    """Draw the form of this answer, and whether the brand's own page is cited in it."""
    form = rng.weighted([(form, form.share) for form in read_forms()[f"{about}_{'named' if named else 'unnamed'}"]])
    cited = rng.chance(form.cites)
    name = form.name if cites else _WITHOUT_CITATIONS.get(form.name, form.name)
    return name, cited and cites


# Without web search there is nothing to cite, as for the real connectors of both.
NEVER_CITES = frozenset({"deepseek", "local"})
_MIN_RIVALS = 2
_NOISE = 1.2  # log-odds added to the order to either side: rank changes from day to day more than presence


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

    def rng(self, purpose: str) -> SeededRandom:
        return SeededRandom(purpose, self.market.key, *self.cell, self.day.toordinal())


def plan_answer(subject: Subject, question: Question, platform: str, day: date) -> AnswerPlan:
    market = build_market(subject)
    intent = interpret_prompt(market, question.prompt)
    cell = build_cell(intent, platform, question.country)
    standing = _rank_brands(market, intent, cell, day)
    named = next(row.named for row in standing if row.brand.is_own)
    about = "branded" if market.own in intent.named else "others" if intent.named or intent.pair else "open"
    rng = SeededRandom("case", market.key, *cell, day.toordinal())
    form, cited = draw_form(about, rng, named=named, cites=platform not in NEVER_CITES)
    return AnswerPlan(
        market=market,
        intent=intent,
        cell=cell,
        prompt=question.prompt,
        language=choose_language(question.language, question.country, question.prompt),
        day=day,
        shown=has_surface(market, cell, day),
        named=named,
        form=form,
        cited=cited,
        brands=_select_shown(standing),
    )


class _RankedBrand(NamedTuple):
    place: float
    named: bool
    brand: MarketBrand


def _rank_brands(market: SandboxMarket, intent: PromptIntent, cell: Cell, day: date) -> list[_RankedBrand]:
    """Return every brand of the market, best first, and whether it is named today."""
    noise = SeededRandom("order", market.key, *cell, day.toordinal())
    rows = []
    for brand in market.brands:
        odds = log_odds(market, brand, intent, cell, day)
        named = persistent_draw(market.key, brand.key, cell, day) < probability_at(odds, brand, intent)
        rows.append(_RankedBrand(odds + _NOISE * (noise.between(-1000, 1000) / 1000), named, brand))
    return sorted(rows, key=lambda row: -row.place)


def _select_shown(standing: Sequence[_RankedBrand]) -> tuple[MarketBrand, ...]:
    rivals = [row for row in standing if not row.brand.is_own]
    missing = max(_MIN_RIVALS - sum(row.named for row in rivals), 0)
    extra = [row.brand for row in rivals if not row.named][:missing]
    return tuple(row.brand for row in standing if row.named or row.brand in extra)
