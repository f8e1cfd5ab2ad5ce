"""Figures as they are shown: the two shapes of decisions 5 ("Metric" and "Comparison"), rounded in one place."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.kit.rounding import round_half_away
from sightline.metrics.compare import compare_flips
from sightline.metrics.coverage import count_mentions, measure_coverage
from sightline.metrics.figure import Range, round_value, to_comparison, to_figure, to_position_figure
from sightline.metrics.intervals import Interval
from sightline.metrics.measure import Measure
from sightline.metrics.position import measure_position
from tests.metrics.builders import failed, from_rows, named
from tests.property_testing import prove

_SHAPE = ["value", "low", "high", "n", "numerator", "denominator", "early_reading", "incomplete", "prompts", "market"]


def test_the_shape_of_a_rate():
    shown = msgspec.to_builtins(to_figure(measure_coverage(named(42, 140))))
    assert list(shown) == _SHAPE
    assert list(shown.values()) == [30.0, 23.0, 38.0, 140, 42, 140, False, False, 140, {"low": 22.3, "high": 38.1}]


def test_a_count_is_whole_and_has_no_interval():
    shown = msgspec.json.encode(to_figure(count_mentions(named(2, 4))))
    assert shown == (
        b'{"value":2,"low":null,"high":null,"n":4,"numerator":2,"denominator":4,"early_reading":true,"incomplete":false,'
        b'"prompts":4,"market":null}'
    )


def test_not_measured_is_null_never_0():
    shown = msgspec.to_builtins(to_figure(measure_coverage(failed(20))))
    assert list(shown.values()) == [None, None, None, 0, 0, 0, False, True, 0, None]


def test_the_shape_of_a_position():
    figure = to_position_figure(measure_position(from_rows([(1, 1, 1)] * 8), {"X": from_rows([(0,)] * 8)}))
    assert list(msgspec.to_builtins(figure).values()) == [1, 1, 1, 8, None, 2, True, False, 8, {"low": 1, "high": 1}]


def test_the_shape_of_a_comparison():
    shown = msgspec.to_builtins(to_comparison(compare_flips(8, 1, 35), against_scan_id="s1", reasons=("cells",)))
    assert shown == {
        "against_scan_id": "s1",
        "trend_only": True,
        "reasons": ("cells",),
        "matched_cells": 35,
        "gained": 1,
        "lost": 8,
        "delta": -20.0,
        "low": -35.4,
        "high": -4.6,
        "p": 0.0391,
        "verdict": "down",
    }
    assert to_comparison(None, against_scan_id="s1") is None


@pytest.mark.parametrize(
    ("value", "shown"),
    [(46.25, 46.3), (46.249999999999993, 46.3), (46.2499, 46.2), (-0.04, 0.0), (3, 3), (None, None), (28.55, 28.6)],
)
def test_1_0_half_away_from_zero_on_the_decimal_value(value, shown):
    assert round_value(value) == shown


def test_numerators_keep_enough_digits_to_recompute_the_value():
    measure = Measure(value=30.106, numerator=1.505336, denominator=5.0, n=5, market=Interval(1.25, 2.04))
    figure = to_figure(measure)
    assert (figure.value, figure.numerator, figure.denominator) == (30.1, 1.5053, 5)
    assert isinstance(figure.denominator, int)
    assert figure.market == Range(1.3, 2.0)


@prove
@given(st.integers(0, 2_000), st.integers(1, 2_000))
def test_the_value_is_the_rounded_fraction_of_its_numerator_and_denominator(part, whole):
    part = min(part, whole)
    figure = to_figure(Measure(value=100 * part / whole, numerator=part, denominator=whole, n=whole))
    assert figure.value == round_half_away(100 * figure.numerator / figure.denominator)
