"""Brand Themes (metrics 5): which descriptors set the brand apart. Extracting them from clauses is in `answers/`."""

import math
from collections.abc import Sequence
from statistics import median
from typing import Literal

import msgspec

from sightline.metrics.sentiment import Label, label_score

Kind = Literal["distinctive", "shared"]

PRIOR = 10
FEWEST_ANSWERS = 3
FEWEST_PLATFORMS = 2
DISTINCTIVE_FROM = 1.96
MOST_THEMES = 10


class ThemeCount(msgspec.Struct, frozen=True, kw_only=True):
    """One descriptor, synonyms already merged: answers about the brand, and about competitors, that use it."""

    descriptor: str
    answers: int
    competitor_answers: int
    platforms: int
    clause_scores: tuple[float, ...] = ()
    """Sentiment of the scored clauses, 0 to 100."""
    quote: str = ""
    answer_ids: tuple[str, ...] = ()


class Theme(msgspec.Struct, frozen=True, kw_only=True):
    descriptor: str
    kind: Kind
    answers: int
    share: float
    """Percent of the brand's answers."""
    log_odds: float
    z: float
    polarity: float | None
    polarity_label: Label | None
    quote: str
    answer_ids: tuple[str, ...]


def weigh_theme(answers: int, total: int, competitor_answers: int, competitor_total: int) -> tuple[float, float]:
    """Log-odds against the competitors with an informative Dirichlet prior, and their z."""
    pooled = (answers + competitor_answers) / (total + competitor_total)
    prior = PRIOR * pooled
    if pooled in {0.0, 1.0}:
        return 0.0, 0.0  # nobody says it, or everybody: it sets nobody apart
    own = math.log((answers + prior) / (total + PRIOR - answers - prior))
    theirs = math.log((competitor_answers + prior) / (competitor_total + PRIOR - competitor_answers - prior))
    log_odds = own - theirs
    return log_odds, log_odds / math.sqrt(1 / (answers + prior) + 1 / (competitor_answers + prior))


def is_kept(count: ThemeCount) -> bool:
    """One talkative platform makes no theme."""
    return count.answers >= FEWEST_ANSWERS and count.platforms >= FEWEST_PLATFORMS


def rank_themes(counts: Sequence[ThemeCount], *, total: int, competitor_total: int) -> tuple[Theme, ...]:
    """At most ten, what sets the brand apart first."""
    themes = [_describe(count, total, competitor_total) for count in counts if is_kept(count)]
    themes.sort(key=lambda theme: (-theme.z, -theme.answers, theme.descriptor))
    return tuple(themes[:MOST_THEMES])


def _describe(count: ThemeCount, total: int, competitor_total: int) -> Theme:
    log_odds, z = weigh_theme(count.answers, total, count.competitor_answers, competitor_total)
    polarity = median(count.clause_scores) if count.clause_scores else None
    return Theme(
        descriptor=count.descriptor,
        kind="distinctive" if z >= DISTINCTIVE_FROM else "shared",
        answers=count.answers,
        share=100 * count.answers / total,
        log_odds=log_odds,
        z=z,
        polarity=polarity,
        polarity_label=None if polarity is None else label_score(polarity),
        quote=count.quote,
        answer_ids=count.answer_ids,
    )
