"""Metrics 7: the chance to see the brand in one answer."""

import pytest

from sightline.metrics.figure import to_figure
from sightline.metrics.registry import REGISTRY
from sightline.metrics.spot_check import MIN_REPEATS, measure_spot_check


@pytest.mark.parametrize(
    ("hits", "asked", "expected"),
    [(22, 50, (44.0, 31.2, 57.7)), (0, 5, (0.0, 0.0, 43.4)), (5, 5, (100.0, 56.6, 100.0)), (1, 5, (20.0, 3.6, 62.4))],
)
def test_the_chance_has_the_interval_of_wilson(hits, asked, expected):
    figure = to_figure(measure_spot_check(hits, asked))
    assert (figure.value, figure.low, figure.high) == expected
    assert (figure.numerator, figure.denominator, figure.n) == (hits, asked, asked)


@pytest.mark.parametrize("asked", range(MIN_REPEATS))
def test_below_five_repeats_there_is_no_number(asked):
    found = measure_spot_check(0, asked)
    assert (found.value, found.interval, found.n) == (None, None, asked)
    assert str(MIN_REPEATS) in REGISTRY["spot_check"].null_rule
