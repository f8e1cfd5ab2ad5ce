"""Metrics 3.1 and 3.2, and the sample sizes of 3.4."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.metrics.figure import Range, round_value, to_figure
from sightline.metrics.intervals import (
    Z,
    find_cells_for_half_width,
    market_interval,
    market_ratio_interval,
    ratio_interval,
    shrink_share,
    student_t_quantile,
    wilson_interval,
)
from sightline.metrics.visibility import measure_visibility
from tests.metrics.builders import observe
from tests.property_testing import prove

trials = st.integers(1, 5_000)


def _percent(interval):
    return round_value(100 * interval.low), round_value(100 * interval.high)


@pytest.mark.parametrize(
    ("successes", "cells", "low", "high"),
    [
        pytest.param(42, 140, 23.0, 38.0, id="3.1 42/140"),
        pytest.param(12, 40, 18.1, 45.4, id="3.1 12/40"),
        pytest.param(3, 7, 15.8, 75.0, id="3.1 3/7"),
        pytest.param(0, 10, 0.0, 27.8, id="3.1 0/10"),
        pytest.param(1, 1, 20.7, 100.0, id="3.1 1/1"),
        pytest.param(0.4625 * 4, 4, 13.1, 83.0, id="3.1 score .4625 n 4"),
        pytest.param(0.312 * 140, 140, 24.1, 39.3, id="3.1 score .312 n 140"),
    ],
)
def test_3_1_the_repeat_interval(successes, cells, low, high):
    assert _percent(wilson_interval(successes, cells)) == (low, high)


@pytest.mark.parametrize(
    ("means", "value", "low", "high"),
    [
        pytest.param([0.80, 0.60, 0.55, 0.50, 0.45, 0.40, 0.30, 0.20], 47.5, 32.0, 63.0, id="3.1 eight prompts"),
        pytest.param([1, 0.65, 0.5, 0.2, 0], 47.0, 0.0, 95.4, id="3.1 five prompts"),
    ],
)
def test_3_1_the_market_interval(means, value, low, high):
    assert round_value(100 * sum(means) / len(means)) == value
    assert _percent(market_interval(means)) == (low, high)


def test_3_1_the_market_interval_of_a_score_clusters_by_prompt():
    """Five prompts on two platforms that agree count as five prompts, not as ten answers."""
    rows = [(1, 1, 1), (1, 3, 0), (1, None, 0), (0, None, 1), (0,)]
    answers = [
        observe(*row, prompt_id=f"q{index}", platform=platform) for index, row in enumerate(rows) for platform in "ab"
    ]
    assert to_figure(measure_visibility(answers)).market == Range(0.0, 95.4)


@pytest.mark.parametrize("means", [[], [0.5], [0.1, 0.2, 0.3, 0.4], [0.0] * 4])
def test_3_1_no_market_interval_below_five_prompts(means):
    assert market_interval(means) is None


@pytest.mark.parametrize(
    ("means", "low", "high"),
    [
        pytest.param([0.0] * 5, 0.0, 60.7, id="never named, five prompts"),
        pytest.param([0.0] * 20, 0.0, 18.0, id="never named, twenty prompts"),
        pytest.param([1.0] * 12, 71.2, 100.0, id="always named"),
        pytest.param([0.5] * 9, 19.5, 80.5, id="all alike"),
        pytest.param([0.25] + [0.0] * 9, 0.0, 15.7, id="one prompt of ten"),
    ],
)
def test_the_market_interval_where_prompts_show_little_spread_is_wilsons(means, low, high):
    assert _percent(market_interval(means)) == (low, high)


def test_the_market_interval_weighs_a_prompt_by_its_answers():
    """The middle is the share that is shown: 12 of 24, not the mean of the shares of the prompts."""
    parts, wholes = [4, 4, 2, 1, 1, 0], [4, 4, 4, 4, 4, 4]
    assert _percent(market_ratio_interval(parts, wholes, trials=24)) == (6.1, 93.9)
    uneven = market_ratio_interval([*parts, 0], [*wholes, 1], trials=25)
    assert (uneven.low + uneven.high) / 2 == pytest.approx(12 / 25, abs=0.01)


def test_3_1_nothing_measured_has_no_interval():
    assert wilson_interval(0, 0) is None
    assert ratio_interval([], []) is None
    assert ratio_interval([0.0], [0.0]) is None


@pytest.mark.parametrize(
    ("successes", "cells", "shrunk"),
    [
        pytest.param(1, 1, 0.440, id="3.2 1/1"),
        pytest.param(0, 7, 0.109, id="3.2 0/7"),
        pytest.param(6, 7, 0.655, id="3.2 6/7"),
    ],
)
def test_3_2_small_samples_are_shrunk(successes, cells, shrunk):
    assert round(shrink_share(successes, cells, 0.3), 3) == shrunk


@pytest.mark.parametrize(("half_width", "cells"), [(0.15, 33), (0.10, 78), (0.05, 320)])
def test_3_4_cells_for_a_half_width_at_30_percent(half_width, cells):
    assert find_cells_for_half_width(0.3, half_width) == cells


# To 15 digits, as R's qt() prints them.
@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [
        (1, 12.7062047361747),
        (2, 4.30265272974946),
        (3, 3.18244630528371),
        (4, 2.77644510519779),
        (5, 2.57058183563631),
        (7, 2.36462425159278),
        (9, 2.26215716279820),
        (10, 2.22813885198627),
        (29, 2.04522964213270),
        (30, 2.04227245630124),
        (100, 1.98397151852355),
        (1000, 1.96233908082641),
    ],
)
def test_student_t_matches_known_values(freedom, quantile):
    assert student_t_quantile(0.975, freedom) == pytest.approx(quantile, rel=1e-11)
    assert student_t_quantile(0.025, freedom) == pytest.approx(-quantile, rel=1e-11)


@pytest.mark.parametrize("probability", [0.5, 0.6, 0.9, 0.975, 0.995, 0.9999])
def test_student_t_in_closed_form(probability):
    """One and two degrees of freedom have a quantile that can be written down."""
    centered = 2 * probability - 1
    assert student_t_quantile(probability, 1) == pytest.approx(math.tan(math.pi * centered / 2), rel=1e-10, abs=1e-12)
    closed = centered * math.sqrt(2 / (1 - centered * centered))
    assert student_t_quantile(probability, 2) == pytest.approx(closed, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("freedom", [3, 4, 7, 12, 29])
def test_student_t_matches_the_integrated_density(freedom):
    """Simpson's rule over the density gives the same area."""
    log_scale = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2) - math.log(freedom * math.pi) / 2
    limit = student_t_quantile(0.975, freedom)
    steps = 20_000
    heights = [
        math.exp(log_scale - (freedom + 1) / 2 * math.log1p((limit * step / steps) ** 2 / freedom))
        for step in range(steps + 1)
    ]
    inner = 4 * math.fsum(heights[1:-1:2]) + 2 * math.fsum(heights[2:-1:2])
    area = limit / steps / 3 * (heights[0] + inner + heights[-1])
    assert area == pytest.approx(0.475, abs=1e-11)


@pytest.mark.parametrize(("probability", "freedom"), [(0.975, 0), (0.0, 5), (1.0, 5)])
def test_student_t_refuses_arguments_without_a_quantile(probability, freedom):
    with pytest.raises(ValueError, match="degree of freedom"):
        student_t_quantile(probability, freedom)


@prove
@given(trials, st.floats(0, 1))
def test_wilson_contains_the_estimate_and_is_symmetric(cells, share):
    interval = wilson_interval(share * cells, cells)
    assert 0 <= interval.low <= share + 1e-12
    assert share - 1e-12 <= interval.high <= 1
    assert interval.low < interval.high
    mirrored = wilson_interval(cells - share * cells, cells)
    assert mirrored.low == pytest.approx(1 - interval.high, abs=1e-12)
    assert mirrored.high == pytest.approx(1 - interval.low, abs=1e-12)


@prove
@given(trials, st.floats(0.001, 0.999))
def test_wilson_ends_are_where_the_score_test_just_fails(cells, share):
    """The ends satisfy the definition that the formula solves: |share - end| = z·sqrt(end·(1 - end)/n)."""
    interval = wilson_interval(share * cells, cells)
    for end in (interval.low, interval.high):
        assert abs(share - end) == pytest.approx(Z * math.sqrt(end * (1 - end) / cells), rel=1e-6, abs=1e-9)


@prove
@given(trials, st.floats(0, 1))
def test_more_cells_never_widen_the_interval(cells, share):
    few, many = wilson_interval(share * cells, cells), wilson_interval(share * 2 * cells, 2 * cells)
    assert many.high - many.low <= few.high - few.low


@prove
@given(st.lists(st.integers(0, 6), min_size=1, max_size=30), st.data())
def test_a_ratio_with_equal_denominators_is_plain_wilson(parts, data):
    whole = data.draw(st.integers(6, 9))
    found = ratio_interval(parts, [whole] * len(parts))
    plain = wilson_interval(sum(parts) / whole, len(parts))
    assert (found.low, found.high) == (pytest.approx(plain.low, abs=1e-12), pytest.approx(plain.high, abs=1e-12))


@prove
@given(st.lists(st.floats(0, 1), min_size=5, max_size=40), st.randoms(use_true_random=False))
def test_the_market_interval_contains_the_mean_in_any_order(means, random):
    found = market_interval(means)
    mean = math.fsum(means) / len(means)
    assert 0 <= found.low <= mean + 1e-12 and mean - 1e-12 <= found.high <= 1
    again = market_interval(random.sample(means, len(means)))
    assert (again.low, again.high) == (pytest.approx(found.low, abs=1e-12), pytest.approx(found.high, abs=1e-12))


@prove
@given(st.lists(st.integers(1, 9).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=5, max_size=40))
def test_the_market_interval_contains_the_repeat_interval(prompts):
    parts, wholes = zip(*prompts, strict=True)
    market = market_ratio_interval(parts, wholes, trials=sum(wholes))
    repeat = wilson_interval(sum(parts), sum(wholes))
    assert market.low <= repeat.low + 1e-12 and market.high >= repeat.high - 1e-12


@prove
@given(st.integers(0, 50), st.integers(0, 50), st.floats(0, 1))
def test_a_shrunk_share_lies_between_the_share_and_the_mean_and_nears_the_share_with_evidence(hits, misses, overall):
    cells = hits + misses
    shrunk = shrink_share(hits, cells, overall)
    if cells == 0:
        assert shrunk == pytest.approx(overall)
        return
    share = hits / cells
    assert min(share, overall) - 1e-12 <= shrunk <= max(share, overall) + 1e-12
    assert abs(shrink_share(10 * hits, 10 * cells, overall) - share) <= abs(shrunk - share) + 1e-12
