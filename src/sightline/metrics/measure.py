"""A metric at full precision, with everything needed to judge it. It is rounded in `figure.py`."""

import math

import msgspec

from sightline.metrics.intervals import Interval, is_early_reading, wilson_interval
from sightline.metrics.panel import AnswerValue, Panel


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    """A measured value.

    `value` is None if nothing was measured; 0 means measured and absent. Shares are in percent.
    """

    value: float | None
    numerator: float
    denominator: float
    n: int
    """Valid answers that the value is based on (prompts, for `prompt_reach`)."""
    interval: Interval | None = None
    """ "The same questions again", in the unit of the value. A count has none."""
    market: Interval | None = None
    """ "Other questions like these". None below five prompts."""
    prompts: int | None = None
    """Prompts that the value is based on. None where it is measured within one prompt."""
    early_reading: bool = False
    incomplete: bool = False
    only_branded: bool = False


def measure_mean(panel: Panel, value_of: AnswerValue) -> Measure:
    """Return 100 times the mean value of the valid answers, each from 0 to 1.

    Sums are exact before they are rounded once, so the order of answers never matters.
    """
    market = panel.find_market_interval(value_of)
    total = math.fsum(panel.evaluate(value_of))
    return measure_share(panel, total, len(panel.answers), market=market.scaled(100) if market else None)


def measure_share(panel: Panel, part: float, whole: int, *, market: Interval | None = None) -> Measure:
    found = wilson_interval(part, whole)
    return build_measure(
        panel,
        value=100 * part / whole if whole else None,
        numerator=part,
        denominator=whole,
        n=whole,
        interval=found.scaled(100) if found else None,
        market=market,
    )


def measure_count(panel: Panel, total: int) -> Measure:
    answers = len(panel.answers)
    return build_measure(panel, value=total if answers else None, numerator=total, denominator=answers, n=answers)


def build_measure(
    panel: Panel,
    *,
    value: float | None,
    numerator: float,
    denominator: float,
    n: int,
    interval: Interval | None = None,
    market: Interval | None = None,
    prompts: int | None = None,
) -> Measure:
    """Build a measure with the flags of its panel, and its number of prompts unless `prompts` is given."""
    return Measure(
        value=value,
        numerator=numerator,
        denominator=denominator,
        n=n,
        interval=interval,
        market=market,
        prompts=panel.prompts if prompts is None else prompts,
        early_reading=is_early_reading(panel.prompts),
        incomplete=panel.incomplete,
        only_branded=panel.only_branded,
    )
