"""Visibility Score (metrics 1.4) [prop, built on DCG]: seen, seen early, and cited, in one number from 0 to 100.

It is a mean of values per answer, so it adds up over prompts, platforms and countries. Presence dominates, because rank
is close to noise. Sentiment plays no part: seen is not liked. One more mention or citation never lowers it.
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
    """Return g(r) = 1/log2(r + 1), the gentlest standard discount; 0 if an answer gives no order."""
    return 0.0 if rank is None else 1 / math.log2(rank + 1)


def value_answer(observation: Observation) -> float:
    """Return v, from 0 to 1."""
    return value_facts(
        mentioned=observation.mentioned,
        rank=observation.rank,
        cited=observation.cited,
        platform_cites=observation.platform_cites,
    )


def value_facts(*, mentioned: bool, rank: int | None, cited: bool, platform_cites: bool) -> float:
    """Return v of an answer that says this about a brand.

    If a platform never cites, the weight of a citation goes to the other two in proportion.
    """
    named = PRESENCE + PROMINENCE * discount_rank(rank) if mentioned else 0.0
    if not platform_cites:
        return named / (PRESENCE + PROMINENCE)
    return named + CITATION * cited


def measure_visibility(observations: Sequence[Observation]) -> Measure:
    """Measure the Visibility Score. 100 means named first and cited in every answer."""
    return measure_mean(select_unbranded(observations), value_answer)
