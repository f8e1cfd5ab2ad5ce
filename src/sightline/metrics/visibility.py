"""Visibility Score (metrics 1.4) [prop, built on DCG]: seen, seen early, and cited, in one number from 0 to 100.

A mean of values per answer, so it adds up over prompts, platforms and countries. Presence dominates, for rank is close
to noise. Sentiment stays out: seen is not liked. One more mention or citation never lowers it.
"""

import math
from collections.abc import Sequence

from sightline.metrics.measure import Measure, measure_mean
from sightline.metrics.observation import Observation
from sightline.metrics.panel import select_unbranded

PRESENCE = 0.5
PROMINENCE = 0.3
CITATION = 0.2


def discount_rank(rank: int | None) -> float:
    """g(r) = 1/log2(r + 1), the gentlest standard discount; 0 where an answer gives no order."""
    return 0.0 if rank is None else 1 / math.log2(rank + 1)


def value_answer(reading: Observation) -> float:
    """v, from 0 to 1. Where a platform never cites, the weight of a citation falls to the other two in proportion."""
    named = PRESENCE + PROMINENCE * discount_rank(reading.rank) if reading.mentioned else 0.0
    if not reading.platform_cites:
        return named / (PRESENCE + PROMINENCE)
    return named + CITATION * reading.cited


def measure_visibility(readings: Sequence[Observation]) -> Measure:
    """100 = named first and cited in every answer."""
    return measure_mean(select_unbranded(readings), value_answer)
