"""Metrics 7: the chance to see the brand in one answer."""

import pytest

from sightline.metrics.figure import to_figure
from sightline.metrics.registry import REGISTRY
from sightline.metrics.spot_check import MIN_REPEATS, measure_spot_check, spot_check
from tests.metrics.builders import failed, named


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


def test_no_answer_shown_is_a_look_that_found_nothing_and_a_failed_answer_is_no_look():
    repeats = [*named(4, 6), *failed(2, "no_surface"), *failed(3)]
    found = spot_check(repeats)
    assert (found.value, found.n, found.numerator) == (50.0, 8, 4)


def test_a_branded_prompt_counts():
    assert spot_check(named(5, 5, branded=True)).value == 100
