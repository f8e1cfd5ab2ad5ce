"""Brand Themes (metrics 5): which descriptors distinguish the brand. They are extracted in `answers/`."""

import math
from collections.abc import Sequence
from statistics import median
from typing import Literal

import msgspec

from sightline.metrics.sentiment import Label, label_score

Kind = Literal["distinctive", "shared"]

PRIOR = 10
MIN_ANSWERS = 3
MIN_PLATFORMS = 2
DISTINCTIVE_FROM = 1.96
MAX_THEMES = 10


class ThemeCount(msgspec.Struct, frozen=True, kw_only=True):
    """The counts of one descriptor, with synonyms merged: answers about the brand and about competitors that use it."""

    descriptor: str
    answers: int
    competitor_answers: int
    platforms: int
    clause_scores: tuple[float, ...] = ()
    """Sentiment of the scored clauses, 0 to 100."""
    quote: str = ""
    answer_ids: tuple[str, ...] = ()


class Theme(msgspec.Struct, frozen=True, kw_only=True):
    """A descriptor of the brand, and how it compares with the competitors."""

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


def find_log_odds(answers: int, total: int, competitor_answers: int, competitor_total: int) -> tuple[float, float]:
    """Return log-odds against the competitors with an informative Dirichlet prior, and their z."""
    pooled = (answers + competitor_answers) / (total + competitor_total)
    prior = PRIOR * pooled
    if pooled in {0.0, 1.0}:
        return 0.0, 0.0  # said of nobody or of everybody, it distinguishes no brand
    own = math.log((answers + prior) / (total + PRIOR - answers - prior))
    rivals = math.log((competitor_answers + prior) / (competitor_total + PRIOR - competitor_answers - prior))
    log_odds = own - rivals
    return log_odds, log_odds / math.sqrt(1 / (answers + prior) + 1 / (competitor_answers + prior))


def is_frequent(count: ThemeCount) -> bool:
    """Return whether it is frequent enough: one wordy platform makes no theme."""
    return count.answers >= MIN_ANSWERS and count.platforms >= MIN_PLATFORMS


def rank_themes(counts: Sequence[ThemeCount], *, total: int, competitor_total: int) -> tuple[Theme, ...]:
    """Rank the themes, the most distinctive first, at most ten."""
    themes = [_build_theme(count, total, competitor_total) for count in counts if is_frequent(count)]
    themes.sort(key=lambda theme: (-theme.z, -theme.answers, theme.descriptor))
    return tuple(themes[:MAX_THEMES])


def _build_theme(count: ThemeCount, total: int, competitor_total: int) -> Theme:
    log_odds, z = find_log_odds(count.answers, total, count.competitor_answers, competitor_total)
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
