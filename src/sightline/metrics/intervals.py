"""How certain a figure is (metrics 3.1, 3.2): the repeat interval, the market interval, the shrunken share.

The repeat interval is for "the same questions again", which people read as "for these prompts". The market interval is
"for questions like these": the prompts are a sample of what people ask, and carry most of the variance.
"""

import math
from collections.abc import Sequence
from functools import cache

import msgspec

Z = 1.959964
MIN_PROMPTS_FOR_MARKET = 5
EARLY_BELOW_PROMPTS = 10
PRIOR_WEIGHT = 4
# Rounding errors between equal means are smaller.
_NO_SPREAD = 1e-9


class Interval(msgspec.Struct, frozen=True):
    """A 95% interval."""

    low: float
    high: float

    def scaled(self, factor: float) -> "Interval":
        return Interval(self.low * factor, self.high * factor)


def wilson_interval(successes: float, trials: float) -> Interval | None:
    """Return the repeat interval as shares: "the same questions again". None without trials.

    `successes` may be a sum of values in [0, 1], because their variance is at most that of yes and no with the same
    mean. `trials` may be an effective number.
    """
    if trials <= 0:
        return None
    share = successes / trials
    stretch = 1 + Z * Z / trials
    middle = (share + Z * Z / (2 * trials)) / stretch
    half = Z * math.sqrt(max(0.0, share * (1 - share)) / trials + (Z / (2 * trials)) ** 2) / stretch
    # At 0 and 1 the exact end is 0 and 1, which rounding errors would miss.
    return Interval(max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half)))


def ratio_interval(parts: Sequence[float], wholes: Sequence[float]) -> Interval | None:
    """Return the interval of a share whose denominator varies by answer (Share of Voice, citation share) [prop].

    The ratio is a mean of per-answer shares weighted by `wholes`, so Wilson holds with Kish's effective number of
    answers. Counting every mention as a trial of its own would claim more certainty than the answers give.
    """
    total = math.fsum(wholes)
    if total <= 0:
        return None
    effective = find_effective_number(wholes)
    return wilson_interval(math.fsum(parts) / total * effective, effective)


def find_effective_number(weights: Sequence[float]) -> float:
    """Return Kish's effective number: how many equal weights are as informative as these."""
    return math.fsum(weights) ** 2 / math.fsum(weight * weight for weight in weights)


def market_interval(prompt_means: Sequence[float], *, floor: float = 0.0) -> Interval | None:
    """Return the interval for "other questions like these" from one mean for each prompt. None below five prompts.

    The means lie between `floor` and 1.
    """
    span = 1 - floor
    found = market_ratio_interval([(mean - floor) / span for mean in prompt_means], [1.0] * len(prompt_means))
    return found and Interval(found.low * span + floor, found.high * span + floor)


def market_ratio_interval(
    parts: Sequence[float], wholes: Sequence[float], *, trials: float = math.inf
) -> Interval | None:
    """Return the market interval of a share, from the part and the whole of each prompt. None below five prompts.

    Every whole is above 0. Answers to one prompt are alike, so the prompts are the sample: Student's t over prompts.
    Near 0 and 1 a few prompts show little of their spread, and t alone covers as little as half of the cases [sim]. So
    the interval is at least Wilson's with the effective number of answers, widened by t in the same way. The effective
    number is at most `trials`, so this interval always contains the repeat interval.
    """
    prompts, total = len(wholes), math.fsum(wholes)
    if prompts < MIN_PROMPTS_FOR_MARKET:
        return None
    share = min(1.0, math.fsum(parts) / total)
    squares = math.fsum((part - share * whole) ** 2 for part, whole in zip(parts, wholes, strict=True))
    error = math.sqrt(squares * prompts / (prompts - 1)) / total
    quantile = student_t_quantile(0.975, prompts - 1)
    # Prompts that agree exactly show no spread at all. Then each counts as one answer, which claims the least.
    effective = prompts if error < _NO_SPREAD else min(trials, share * (1 - share) / error**2)
    shrunk = effective * (Z / quantile) ** 2
    wilson = wilson_interval(share * shrunk, shrunk)
    assert wilson is not None
    half = quantile * error
    return Interval(max(0.0, min(wilson.low, share - half)), min(1.0, max(wilson.high, share + half)))


def is_early_reading(prompts: int) -> bool:
    """Return whether few prompts were measured. None measured is not an early reading."""
    return 0 < prompts < EARLY_BELOW_PROMPTS


def shrink_share(successes: float, trials: float, overall: float) -> float:
    """Shrink a share before small samples are ranked or alerted on; never for the headline."""
    return (successes + PRIOR_WEIGHT * overall) / (trials + PRIOR_WEIGHT)


def find_cells_for_half_width(share: float, half_width: float) -> int:
    """Return the fewest cells whose repeat interval is at most this wide to each side (3.4)."""
    cells = 1
    while (found := wilson_interval(share * cells, cells)) and (found.high - found.low) / 2 > half_width:
        cells += 1
    return cells


@cache
def student_t_quantile(probability: float, freedom: int) -> float:
    """Return a quantile of Student's t for whole degrees of freedom.

    For these the distribution is a finite sum in the angle atan(t/sqrt(freedom)). So no special function is needed, and
    bisecting the angle gives every digit that a float holds.
    """
    if freedom < 1 or not 0 < probability < 1:
        raise ValueError("Student's t needs a degree of freedom and a probability inside (0, 1)")
    if probability < 0.5:
        return -student_t_quantile(1 - probability, freedom)
    wanted = 2 * probability - 1
    low, high = 0.0, math.pi / 2
    while (angle := (low + high) / 2) not in {low, high}:
        if _central_t_mass(angle, freedom) < wanted:
            low = angle
        else:
            high = angle
    return math.sqrt(freedom) * math.tan(angle)


def _central_t_mass(angle: float, freedom: int) -> float:
    """Return P(|T| <= sqrt(freedom)·tan(angle)): Abramowitz and Stegun 26.7.3 and 26.7.4."""
    square = math.cos(angle) ** 2
    odd = freedom % 2
    term = math.cos(angle) if odd else 1.0
    terms = []
    for step in range(freedom // 2):
        terms.append(term)
        term *= square * (2 * step + 1 + odd) / (2 * step + 2 + odd)
    series = math.sin(angle) * math.fsum(terms)
    return (angle + series) * 2 / math.pi if odd else series
