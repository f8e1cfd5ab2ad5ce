"""Share of Voice (metrics 1.6): the brand's part of all mentions of the brand and its tracked competitors."""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from sightline.metrics.intervals import Interval, ratio_interval
from sightline.metrics.measure import Measure, describe
from sightline.metrics.observation import Cell, Observation
from sightline.metrics.panel import select_unbranded
from sightline.metrics.visibility import discount_rank


def measure_share_of_voice(brand: Sequence[Observation], competitors: Sequence[Sequence[Observation]]) -> Measure:
    """Null where nobody is named or no competitor is tracked. The mentions themselves stand in the fraction."""
    return _measure_share(brand, competitors, _count_mention)


def measure_weighted_share_of_voice(
    brand: Sequence[Observation], competitors: Sequence[Sequence[Observation]]
) -> Measure:
    """The same with g(rank) for each mention: to be named first is to speak louder."""
    return _measure_share(brand, competitors, _weigh_mention)


def share_out_voice(brands: Mapping[str, Sequence[Observation]], *, weighted: bool = False) -> dict[str, float] | None:
    """All shares in percent, at full precision: they sum to 100 here, and are rounded each for itself later."""
    loudness = _weigh_mention if weighted else _count_mention
    voices = {name: _sum_voice(readings, loudness) for name, readings in brands.items()}
    total = math.fsum(voices.values())
    if len(voices) < 2 or total == 0:
        return None
    return {name: 100 * voice / total for name, voice in voices.items()}


def _count_mention(reading: Observation) -> float:
    return float(reading.mentioned)


def _weigh_mention(reading: Observation) -> float:
    return discount_rank(reading.rank)


def _sum_voice(readings: Sequence[Observation], loudness: Callable[[Observation], float]) -> float:
    return math.fsum(select_unbranded(readings).weigh(loudness))


def _measure_share(
    brand: Sequence[Observation], competitors: Sequence[Sequence[Observation]], loudness: Callable[[Observation], float]
) -> Measure:
    own = _sum_voice(brand, loudness)
    total = math.fsum([own, *(_sum_voice(readings, loudness) for readings in competitors)])
    panel = select_unbranded(brand)
    measured = bool(competitors) and total > 0
    return describe(
        panel,
        value=100 * own / total if measured else None,
        numerator=own,
        denominator=total,
        n=len(panel.answers),
        interval=_interval_by_answer(brand, competitors, loudness) if measured else None,
    )


def _interval_by_answer(
    brand: Sequence[Observation], competitors: Sequence[Sequence[Observation]], loudness: Callable[[Observation], float]
) -> Interval | None:
    own: dict[Cell, float] = defaultdict(float)
    everyone: dict[Cell, float] = defaultdict(float)
    for voices, readings in ((own, brand), *((everyone, each) for each in (brand, *competitors))):
        panel = select_unbranded(readings)
        for cell, voice in zip(panel.cells, panel.weigh(loudness), strict=True):
            voices[cell] += voice
    found = ratio_interval([own[cell] for cell in everyone], list(everyone.values()))
    return found.scaled(100) if found else None
