"""Share of Voice (metrics 1.6): the brand's part of all mentions of the brand and its tracked competitors."""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from sightline.metrics.intervals import Interval, ratio_interval
from sightline.metrics.measure import Measure, build_measure
from sightline.metrics.observation import Cell, Observation
from sightline.metrics.panel import select_unbranded
from sightline.metrics.visibility import discount_rank


def measure_share_of_voice(brand: Sequence[Observation], competitors: Sequence[Sequence[Observation]]) -> Measure:
    """Measure Share of Voice. Null if no brand is named or no competitor is tracked.

    Numerator and denominator are the mentions.
    """
    return _measure_share(brand, competitors, _count_mention)


def measure_weighted_share_of_voice(
    brand: Sequence[Observation], competitors: Sequence[Sequence[Observation]]
) -> Measure:
    """Measure Share of Voice with g(rank) for each mention, so that earlier mentions count more."""
    return _measure_share(brand, competitors, _weigh_mention)


def find_voice_shares(
    brands: Mapping[str, Sequence[Observation]], *, weighted: bool = False
) -> dict[str, float] | None:
    """Return the share of each brand in percent, at full precision.

    They sum to 100 here, and are rounded separately later.
    """
    weight_of = _weigh_mention if weighted else _count_mention
    voices = {name: _sum_voice(observations, weight_of) for name, observations in brands.items()}
    total = math.fsum(voices.values())
    if len(voices) < 2 or total == 0:
        return None
    return {name: 100 * voice / total for name, voice in voices.items()}


def _count_mention(observation: Observation) -> float:
    return float(observation.mentioned)


def _weigh_mention(observation: Observation) -> float:
    return discount_rank(observation.rank)


def _sum_voice(observations: Sequence[Observation], weight_of: Callable[[Observation], float]) -> float:
    return math.fsum(select_unbranded(observations).evaluate(weight_of))


def _measure_share(
    brand: Sequence[Observation],
    competitors: Sequence[Sequence[Observation]],
    weight_of: Callable[[Observation], float],
) -> Measure:
    own = _sum_voice(brand, weight_of)
    total = math.fsum([own, *(_sum_voice(observations, weight_of) for observations in competitors)])
    panel = select_unbranded(brand)
    measured = bool(competitors) and total > 0
    return build_measure(
        panel,
        value=100 * own / total if measured else None,
        numerator=own,
        denominator=total,
        n=len(panel.answers),
        interval=_interval_by_answer(brand, competitors, weight_of) if measured else None,
    )


def _interval_by_answer(
    brand: Sequence[Observation],
    competitors: Sequence[Sequence[Observation]],
    weight_of: Callable[[Observation], float],
) -> Interval | None:
    own: dict[Cell, float] = defaultdict(float)
    total_by_cell: dict[Cell, float] = defaultdict(float)
    for voices, observations in ((own, brand), *((total_by_cell, each) for each in (brand, *competitors))):
        panel = select_unbranded(observations)
        for cell, voice in zip(panel.cells, panel.evaluate(weight_of), strict=True):
            voices[cell] += voice
    found = ratio_interval([own[cell] for cell in total_by_cell], list(total_by_cell.values()))
    return found.scaled(100) if found else None
