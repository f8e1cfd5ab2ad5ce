"""Market Position (metrics 1.7): the brand's place among its tracked competitors, and how certain it is."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean, stdev

import msgspec

from sightline.kit.rounding import round_half_away
from sightline.metrics.compare import find_paired_interval
from sightline.metrics.intervals import MIN_PROMPTS_FOR_MARKET, student_t_quantile
from sightline.metrics.measure import Measure
from sightline.metrics.observation import Observation
from sightline.metrics.panel import select_unbranded
from sightline.metrics.visibility import measure_visibility, value_answer

# Scores that differ by less are equal but for rounding errors.
_EPSILON = 1e-9
# Fewer than six one-way differences are never significant (3.3), so they make no brand "surely" better [prop].
MIN_DIFFERENCES = 6


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the ranking."""

    name: str
    score: Measure
    position: int | None
    """None if neither named nor cited, shown as "Not ranked"."""
    of: int
    tied: bool
    """Whether its rounded score equals another's, so that the order between them means nothing."""
    best: int
    worst: int
    """The range of positions that are possible, given what is certain for these prompts."""
    market: tuple[int, int] | None = None
    """The same range for questions like these, of the measured brand. None below five prompts."""


def rank_scores(scores: Mapping[str, float]) -> dict[str, int]:
    """Return positions such as 1-2-2-4: one plus the number of higher unrounded scores."""
    return {name: 1 + sum(other > score + _EPSILON for other in scores.values()) for name, score in scores.items()}


def find_ties(scores: Mapping[str, float]) -> set[str]:
    """Return the names whose rounded score equals another's."""
    shown = {name: round_half_away(round(score, 9)) for name, score in scores.items()}
    return {name for name, score in shown.items() if list(shown.values()).count(score) > 1}


def rank_market(brands: Mapping[str, Sequence[Observation]]) -> tuple[Standing, ...]:
    """Rank every brand by its score, best first. Empty without a competitor or without a valid answer."""
    measures = {name: measure_visibility(observations) for name, observations in brands.items()}
    scores = {name: measure.value for name, measure in measures.items() if measure.value is not None}
    if len(brands) < 2 or len(scores) < len(brands):
        return ()
    positions, ties, ranges = rank_scores(scores), find_ties(scores), find_position_ranges(brands)
    standings = []
    for name in sorted(scores, key=lambda name: (positions[name], name)):
        best, worst = ranges[name]
        standings.append(
            Standing(
                name=name,
                score=measures[name],
                position=positions[name] if is_seen(brands[name]) else None,
                of=len(brands),
                tied=name in ties,
                best=best,
                worst=worst,
            )
        )
    return tuple(standings)


def measure_position(brand: Sequence[Observation], competitors: Mapping[str, Sequence[Observation]]) -> Standing | None:
    """Return the brand's standing, or None without competitors.

    The position itself is None if the brand is neither named nor cited.
    """
    # A competitor may have the brand's own name; no brand has an empty one.
    standings = rank_market({"": brand, **competitors})
    own = next((standing for standing in standings if standing.name == ""), None)
    return own and msgspec.structs.replace(own, market=find_market_range(brand, list(competitors.values())))


def find_position_ranges(brands: Mapping[str, Sequence[Observation]]) -> dict[str, tuple[int, int]]:
    """Return [1 + surely above, n - surely below] for each brand.

    A brand is surely above another if the paired interval over the answers does not contain 0. The brands have
    observations of the same answers, in the same order.
    """
    # Each answer is valued once, as many competitors make many pairs.
    values = {name: select_unbranded(observations).evaluate(value_answer) for name, observations in brands.items()}
    above, below = dict.fromkeys(brands, 0), dict.fromkeys(brands, 0)
    for one, other in combinations(brands, 2):
        lead = _find_lead(values[one], values[other])
        if lead:
            winner, loser = (one, other) if lead > 0 else (other, one)
            above[loser] += 1
            below[winner] += 1
    return {name: (1 + above[name], len(brands) - below[name]) for name in brands}


def find_market_range(
    brand: Sequence[Observation], competitors: Sequence[Sequence[Observation]]
) -> tuple[int, int] | None:
    """Return the places that the brand may have for questions like these; None below five prompts.

    A competitor is surely above or below if that is so for these prompts, at least six prompts differ, and Student's t
    over the mean differences of the prompts does not allow 0, either. So this range contains the one for these prompts.
    """
    panel = select_unbranded(brand)
    if panel.prompts < MIN_PROMPTS_FOR_MARKET:
        return None
    prompts, own = [answer.prompt_id for answer in panel.answers], panel.evaluate(value_answer)
    leads = [
        _find_market_lead(prompts, own, select_unbranded(observations).evaluate(value_answer))
        for observations in competitors
    ]
    return 1 + leads.count(-1), 1 + len(leads) - leads.count(1)


def _find_market_lead(prompts: Sequence[str], one: Sequence[float], other: Sequence[float]) -> int:
    lead = _find_lead(one, other)
    if not lead:
        return 0
    by_prompt: dict[str, list[float]] = defaultdict(list)
    for prompt, value, theirs in zip(prompts, one, other, strict=True):
        by_prompt[prompt].append(value - theirs)
    means = [fmean(differences) for differences in by_prompt.values()]
    if sum(abs(mean) > _EPSILON for mean in means) < MIN_DIFFERENCES:
        return 0
    half = student_t_quantile(0.975, len(means) - 1) * stdev(means) / math.sqrt(len(means))
    return 0 if abs(fmean(means)) <= half else lead


def _find_lead(one: Sequence[float], other: Sequence[float]) -> int:
    """Return 1 if the first is surely above the second, -1 if surely below, 0 if neither is established."""
    differences = [value - theirs for value, theirs in zip(one, other, strict=True)]
    if sum(abs(difference) > _EPSILON for difference in differences) < MIN_DIFFERENCES:
        return 0
    interval = find_paired_interval(differences)
    return (interval.low > 0) - (interval.high < 0)


def is_seen(observations: Sequence[Observation]) -> bool:
    """Return whether an answer for the headline names or cites the brand. If none does, the brand has no position."""
    return any(answer.mentioned or answer.cited for answer in select_unbranded(observations).answers)
