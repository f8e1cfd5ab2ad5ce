"""How stable the answers to one prompt are (metrics 7) [prop].

Two answers of the same cell on different days agree if both name the brand or neither does. A cell's stability is the
share of its pairs that agree; a prompt's is the mean over its cells. 100 means that every repeat said the same, 50 is a
coin toss. It says nothing about how often the brand is named: never named is as stable as always named.
"""

from collections.abc import Sequence
from math import comb
from statistics import fmean

from sightline.metrics.intervals import market_interval
from sightline.metrics.measure import Measure
from sightline.metrics.observation import Observation
from sightline.metrics.panel import select_all, split_by

# With fewer pairs a single odd answer moves the score by ten points and more.
MIN_PAIRS = 10


def measure_stability(answers: Sequence[Observation]) -> Measure:
    """Measure the stability from all stored answers to the prompt in the period.

    Null if no cell was answered twice. The interval is over the cells (null below five of them): pairs of one cell
    share answers and are not independent.
    """
    cells = split_by(select_all(answers).answers, lambda answer: answer.cell).values()
    repeated = [[answer.mentioned for answer in cell] for cell in cells if len(cell) > 1]
    agreeing = [comb(sum(cell), 2) + comb(len(cell) - sum(cell), 2) for cell in repeated]
    pairs = [comb(len(cell), 2) for cell in repeated]
    shares = [part / whole for part, whole in zip(agreeing, pairs, strict=True)]
    found = market_interval(shares)
    return Measure(
        value=100 * fmean(shares) if shares else None,
        numerator=sum(agreeing),
        denominator=sum(pairs),
        n=sum(map(len, repeated)),
        interval=found.scaled(100) if found else None,
        early_reading=bool(pairs) and sum(pairs) < MIN_PAIRS,
    )
