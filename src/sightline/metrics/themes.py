"""Brand Themes (metrics 5): which aspects answers praise or criticize, which of them set the brand apart, what changed.

The aspects are found in `answers/`.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from statistics import NormalDist
from typing import Literal

import msgspec

from sightline.metrics.alerts import select_discoveries
from sightline.metrics.compare import compare_flips
from sightline.metrics.intervals import Interval, wilson_interval
from sightline.metrics.sentiment import Label

Kind = Literal["distinctive", "shared"]
ChangeVerdict = Literal["up", "down", "no_clear_change", "new"]

PRIOR = 10
MIN_ANSWERS = 3
MIN_PROMPTS = 2
MIN_PLATFORMS = 2
DISTINCTIVE_FROM = 1.96
CLEAR_FROM = 2 / 3
"""The share of the opinions that have to agree for a label."""
FEW_ANSWERS_BELOW = 10
MAX_THEMES = 10


class ThemeCount(msgspec.Struct, frozen=True, kw_only=True):
    """The answers about the brand that state an aspect, by their opinion, and those about rivals."""

    name: str
    prompts: int
    platforms: int
    positive: int
    neutral: int
    negative: int
    rival_answers: int

    @property
    def answers(self) -> int:
        return self.positive + self.neutral + self.negative


class RankedTheme(msgspec.Struct, frozen=True, kw_only=True):
    """An aspect of the brand, how it is judged, and how it compares with the rivals."""

    count: ThemeCount
    kind: Kind
    share: float
    """Percent of the brand's answers."""
    interval: Interval
    log_odds: float
    z: float
    label: Label
    polarity: float
    """0 if all answers criticize it, 100 if all praise it."""
    few_answers: bool


class ThemeChange(msgspec.Struct, frozen=True, kw_only=True):
    """How the share of a theme has changed since the previous Full Check."""

    previous_share: float
    """Percent of the brand's answers in the earlier check."""
    matched_cells: int
    p: float
    verdict: ChangeVerdict


def find_log_odds(answers: int, total: int, rival_answers: int, rival_total: int) -> tuple[float, float]:
    """Return log-odds against the rivals with an informative Dirichlet prior, and their z."""
    pooled = (answers + rival_answers) / (total + rival_total)
    prior = PRIOR * pooled
    if pooled in {0.0, 1.0}:
        return 0.0, 0.0  # said of nobody or of everybody, it distinguishes no brand
    own = math.log((answers + prior) / (total + PRIOR - answers - prior))
    rivals = math.log((rival_answers + prior) / (rival_total + PRIOR - rival_answers - prior))
    log_odds = own - rivals
    return log_odds, log_odds / math.sqrt(1 / (answers + prior) + 1 / (rival_answers + prior))


def is_frequent(answers: int, *, prompts: int, platforms: int) -> bool:
    """Return whether it recurs: one answer that was given several times makes no theme."""
    return answers >= MIN_ANSWERS and (prompts >= MIN_PROMPTS or platforms >= MIN_PLATFORMS)


def label_opinions(positive: int, neutral: int, negative: int) -> Label:
    """Return what two thirds of the opinions agree on. Otherwise, and without opinions, it is neutral."""
    opinions = positive + negative
    if neutral > opinions or not opinions:
        return "neutral"
    if positive >= CLEAR_FROM * opinions:
        return "positive"
    return "negative" if negative >= CLEAR_FROM * opinions else "neutral"


def rank_themes(
    counts: Sequence[ThemeCount],
    *,
    total: int,
    rival_total: int,
    first: Collection[str] = (),
    known: Collection[str] = (),
    most: int = MAX_THEMES,
) -> tuple[RankedTheme, ...]:
    """Rank the themes: what sets the brand apart, then criticism, then the most frequent. At most `most`.

    Those of `first` come before all others. Those that are `known` from earlier checks need not recur again, so that
    their history goes on. A theme is distinctive from z 1.96, if it is also among the discoveries of Benjamini-Hochberg
    over all themes.
    """
    found = [
        (count, *find_log_odds(count.answers, total, count.rival_answers, rival_total))
        for count in counts
        if count.name in known or is_frequent(count.answers, prompts=count.prompts, platforms=count.platforms)
    ]
    chance = NormalDist().cdf
    selected = select_discoveries([2 * chance(-abs(z)) for _, _, z in found])
    themes = [
        _build_theme(count, total, log_odds, z, is_discovery=is_discovery)
        for (count, log_odds, z), is_discovery in zip(found, selected, strict=True)
    ]
    themes.sort(
        key=lambda theme: (
            theme.count.name not in first,
            theme.kind != "distinctive",
            theme.label != "negative",
            -theme.count.answers,
            theme.count.name,
        )
    )
    return tuple(themes[:most])


def _build_theme(count: ThemeCount, total: int, log_odds: float, z: float, *, is_discovery: bool) -> RankedTheme:
    interval = wilson_interval(count.answers, total)
    assert interval is not None  # a theme has answers
    return RankedTheme(
        count=count,
        kind="distinctive" if is_discovery and z >= DISTINCTIVE_FROM else "shared",
        share=100 * count.answers / total,
        interval=interval.scaled(100),
        log_odds=log_odds,
        z=z,
        label=label_opinions(count.positive, count.neutral, count.negative),
        polarity=100 * (count.positive + count.neutral / 2) / count.answers,
        few_answers=total < FEW_ANSWERS_BELOW,
    )


Cell = tuple[str, str]
"""A prompt and a platform."""


def compare_themes(
    before: Mapping[Cell, frozenset[str]], now: Mapping[Cell, frozenset[str]], names: Sequence[frozenset[str]]
) -> list[ThemeChange | None]:
    """Compare each theme with the Full Check before it.

    `before` and `now` hold the aspects of every cell whose answer names the brand, `names` the aspects that each theme
    joins. Only cells that name the brand in both checks can show a change. Benjamini-Hochberg selects those that count.
    Without a matched cell there is no comparison.
    """
    matched = before.keys() & now.keys()
    if not matched:
        return [None] * len(names)
    changes = []
    for own in names:
        lost = sum(not own.isdisjoint(before[cell]) and own.isdisjoint(now[cell]) for cell in matched)
        gained = sum(own.isdisjoint(before[cell]) and not own.isdisjoint(now[cell]) for cell in matched)
        changes.append(compare_flips(lost, gained, len(matched)))
    selected = select_discoveries([change.p for change in changes])
    found: list[ThemeChange | None] = []
    for own, change, is_discovery in zip(names, changes, selected, strict=True):
        earlier = sum(not own.isdisjoint(aspects) for aspects in before.values())
        verdict: ChangeVerdict = change.verdict if is_discovery else "no_clear_change"
        found.append(
            ThemeChange(
                previous_share=100 * earlier / len(before),
                matched_cells=len(matched),
                p=change.p,
                verdict="new" if verdict == "up" and not earlier else verdict,
            )
        )
    return found
