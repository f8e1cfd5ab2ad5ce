"""Metrics 1.0: "full precision inside, one decimal outside, half away from zero on the decimal value (46.25 → 46.3)"
and "No valid answers gives null, never 0. Zero means measured and absent"."""

import math
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sightline.kit.rounding import percentage, round_half_away, round_half_away_or_none
from tests.property_testing import prove


@pytest.mark.parametrize(
    ("value", "rounded"),
    [
        (46.25, 46.3),
        (-46.25, -46.3),
        (46.35, 46.4),  # as a binary number it lies below the half
        (0.05, 0.1),
        (-0.05, -0.1),
        (0.15, 0.2),
        (0.25, 0.3),
        (2.5, 2.5),
        (99.95, 100.0),
        (99.94, 99.9),
        (0.04999, 0.0),
        (0.0, 0.0),
        (100.0, 100.0),
        (1 / 3, 0.3),
        (200 / 3, 66.7),
        (1e-7, 0.0),
        (5, 5.0),
    ],
)
def test_one_decimal_half_away_from_zero_on_the_decimal_value(value, rounded):
    assert round_half_away(value) == rounded
    assert isinstance(round_half_away(value), float)


@pytest.mark.parametrize(("value", "rounded"), [(2.675, 2.68), (-2.675, -2.68), (1.005, 1.01), (19.0, 19.0)])
def test_dollars_have_two_decimals(value, rounded):
    assert round_half_away(value, 2) == rounded


@pytest.mark.parametrize("value", [-0.04, -0.0, -1e-9])
def test_nothing_is_ever_minus_zero(value):
    """JSON would show it as -0.0, and a delta of "-0.0" reads as a loss."""
    assert math.copysign(1, round_half_away(value)) == 1


@prove
@given(st.integers(-1_000_000, 1_000_000))
def test_a_half_always_goes_away_from_zero(tenths):
    value = float(f"{tenths}.5") / 10 if tenths >= 0 else -float(f"{-tenths}.5") / 10
    expected = (abs(tenths) + 1) / 10
    assert round_half_away(value) == (expected if tenths >= 0 else -expected)


@prove
@given(st.floats(-1e6, 1e6))
def test_rounding_is_symmetric_idempotent_and_never_further_than_half_a_step(value):
    rounded = round_half_away(value)
    assert round_half_away(-value) == -rounded
    assert round_half_away(rounded) == rounded
    assert abs(Fraction(str(value)) - Fraction(str(rounded))) <= Fraction(1, 20)


@pytest.mark.parametrize(
    ("part", "whole", "expected"),
    [
        (0, 1, 0.0),
        (1, 1, 100.0),
        (1, 3, 33.3),
        (2, 3, 66.7),
        (37, 80, 46.3),
        (1, 2000, 0.1),
        (1, 2001, 0.0),
        (1999, 2000, 100.0),
    ],
)
def test_percentage(part, whole, expected):
    assert percentage(part, whole) == expected


def test_a_value_that_was_not_measured_is_null_never_0():
    assert percentage(0, 0) is None
    assert round_half_away_or_none(None) is None


def test_zero_means_measured_and_absent():
    assert percentage(0, 7) == 0.0
    assert round_half_away_or_none(0.0) == 0.0
    assert round_half_away_or_none(46.25) == 46.3


@prove
@given(st.integers(1, 10**9).flatmap(lambda whole: st.tuples(st.integers(0, whole), st.just(whole))))
@example((1, 2000))
def test_percentage_is_exact(pair):
    part, whole = pair
    tenths = Fraction(1000 * part, whole)
    assert percentage(part, whole) == math.floor(tenths + Fraction(1, 2)) / 10
