"""How certain a figure is (metrics 3.1, 3.2): the repeat interval, the market interval, the shrunken share."""

import math
from collections.abc import Sequence
from functools import cache
from statistics import fmean, stdev

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
    effective = total * total / math.fsum(whole * whole for whole in wholes)
    return wilson_interval(math.fsum(parts) / total * effective, effective)


def market_interval(prompt_means: Sequence[float], *, floor: float = 0.0) -> Interval | None:
    """Return the interval for "other questions like these".

    The answers to one prompt are alike, so each prompt counts once. None below five prompts, and if all prompts agree
    exactly: without any spread, an interval without width would claim certainty.
    """
    prompts = len(prompt_means)
    if prompts < MIN_PROMPTS_FOR_MARKET or max(prompt_means) - min(prompt_means) < _NO_SPREAD:
        return None
    middle = fmean(prompt_means)
    half = student_t_quantile(0.975, prompts - 1) * stdev(prompt_means) / math.sqrt(prompts)
    return Interval(max(floor, middle - half), min(1.0, middle + half))


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
