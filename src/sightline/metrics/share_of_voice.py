"""Share of Voice (metrics 1.6): the brand's part of all mentions of the brand and its tracked competitors."""

import math
from array import array
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from sightline.metrics.intervals import find_effective_number, market_ratio_interval, ratio_interval
from sightline.metrics.measure import Measure, build_measure
from sightline.metrics.observation import Observation
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
    parts, wholes = _sum_voices(brand, competitors, weight_of) if measured else ((), ())
    by_prompt: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for answer, part, whole in zip(panel.answers if measured else (), parts, wholes, strict=True):
        if whole > 0:
            by_prompt[answer.prompt_id][0] += part
            by_prompt[answer.prompt_id][1] += whole
    repeat = ratio_interval(parts, wholes)
    market = market_ratio_interval(
        [part for part, _ in by_prompt.values()],
        [whole for _, whole in by_prompt.values()],
        trials=find_effective_number(wholes) if measured else 0,
    )
    return build_measure(
        panel,
        value=100 * own / total if measured else None,
        numerator=own,
        denominator=total,
        n=len(panel.answers),
        interval=repeat and repeat.scaled(100),
        market=market and market.scaled(100),
        # A prompt whose answers name no tracked brand says nothing about how the mentions are shared.
        prompts=len(by_prompt),
    )


def _sum_voices(
    brand: Sequence[Observation],
    competitors: Sequence[Sequence[Observation]],
    weight_of: Callable[[Observation], float],
) -> tuple[Sequence[float], Sequence[float]]:
    """Return the voice of the brand and that of all brands for each answer.

    The brands have observations of the same answers, in the same order.
    """
    own, *others = (select_unbranded(observations).evaluate(weight_of) for observations in (brand, *competitors))
    return own, array("d", map(sum, zip(own, *others, strict=True)))
