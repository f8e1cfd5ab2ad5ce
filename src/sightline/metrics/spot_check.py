"""Spot check (metrics 7) [prop]: how likely one look at one prompt on one platform finds the brand.

It answers the person who asks once and does not see the brand. Each stored repeat is a trial: the brand is seen if the
answer names it. If no AI answer is shown, it counts as not seen; a failed answer is not a trial.
"""

from sightline.metrics.intervals import wilson_interval
from sightline.metrics.measure import Measure

# With four repeats the interval is at least 49 points wide, whatever they say.
MIN_REPEATS = 5


def measure_spot_check(named: int, asked: int) -> Measure:
    """Measure the chance in percent from how often the question was asked, and how often the answer named the brand.

    Null below five repeats. The interval is Wilson's, which holds for small counts and at 0 and 100%.
    """
    enough = asked >= MIN_REPEATS
    found = wilson_interval(named, asked) if enough else None
    return Measure(
        value=100 * named / asked if enough else None,
        numerator=named,
        denominator=asked,
        n=asked,
        interval=found.scaled(100) if found else None,
    )
