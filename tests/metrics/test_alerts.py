"""Metrics 3.5: the statistical tests behind an alert."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.metrics.alerts import (
    CellHistory,
    expected_shares,
    find_flip_p,
    find_lower_tail,
    is_platform_wide,
    run_cell_alert,
    run_rule_a,
    run_rule_b,
    select_discoveries,
)
from sightline.metrics.compare import find_mcnemar_p
from sightline.metrics.platform_spread import Flips
from tests.property_testing import prove

_COUNTS = [7, 7, 6, 5, 4, 3, 1, 0, 0, 0]


def _cells(today):
    return [CellHistory(count, 7, index < today) for index, count in enumerate(_COUNTS)]


def test_3_5_ex_ten_cells_expected_shares():
    expected = expected_shares(_cells(0))
    assert [round(share, 3) for share in expected] == [
        0.883, 0.883, 0.771, 0.660, 0.549, 0.438, 0.216, 0.105, 0.105, 0.105
    ]  # fmt: skip
    assert round(sum(_COUNTS) / 70, 4) == 0.4714
    assert round(math.fsum(expected), 2) == 4.71


@pytest.mark.parametrize(
    ("today", "p", "holds"),
    [
        pytest.param(3, 0.1595, False, id="3.5 k 3"),
        pytest.param(2, 0.0340, False, id="3.5 k 2"),
        pytest.param(1, 0.0037, True, id="3.5 k 1"),
        pytest.param(0, 0.0002, True, id="3.5 k 0"),
    ],
)
def test_3_5_ex_ten_cells_probability_of_so_few_mentions(today, p, holds):
    finding = run_rule_b(_cells(today), earlier_dailies=7)
    assert (round(finding.p, 4), finding.holds) == (p, holds)


@pytest.mark.parametrize(("dailies", "holds"), [(4, False), (5, True)])
def test_3_5_rule_b_needs_five_earlier_dailies(dailies, holds):
    assert run_rule_b(_cells(0), earlier_dailies=dailies).holds is holds


def test_3_5_rule_b_never_holds_without_cells_or_history():
    assert not run_rule_b([], earlier_dailies=7).holds
    assert not run_rule_b([CellHistory(0, 0, named_today=False)] * 9, earlier_dailies=7).holds


@pytest.mark.parametrize(
    ("lost", "gained", "cells", "holds"),
    [
        pytest.param(8, 1, 35, True, id="significant, 20 points, 7 net"),
        pytest.param(5, 0, 35, False, id="p .0625"),
        pytest.param(6, 0, 60, True, id="exactly 10 points"),
        pytest.param(6, 0, 61, False, id="below 10 points"),
        pytest.param(1, 8, 35, True, id="a rise"),
        pytest.param(0, 0, 0, False, id="no cells"),
    ],
)
def test_3_5_rule_a(lost, gained, cells, holds):
    finding = run_rule_a(lost, gained, cells)
    assert finding.holds is holds
    assert finding.direction == (None if lost == gained else "down" if lost > gained else "up")


@pytest.mark.parametrize(
    ("flips", "p"),
    [
        pytest.param([(8, 1)], [0.0391, 0.1428, 0.3379], id="one platform"),
        pytest.param([(9, 0)], [0.0039, 0.0333, 0.1418], id="one platform, one way"),
        pytest.param([(4, 0), (4, 1)], [0.0391, 0.0823, 0.1691], id="two platforms"),
    ],
)
def test_3_5_ex_rule_a_allows_for_bad_days(flips, p):
    """The more a platform's days differ, the less its flips prove. The days of two platforms differ independently."""
    for spread, expected in zip((0, 0.5, 1), p, strict=True):
        by_platform = [Flips(lost, gained, spread) for lost, gained in flips]
        finding = run_rule_a(
            sum(lost for lost, _ in flips), sum(gained for _, gained in flips), 35, by_platform=by_platform
        )
        assert (round(finding.p, 4), finding.holds) == (expected, expected < 0.05)


@pytest.mark.parametrize(
    ("today", "one", "two"),
    [(2, [0.0340, 0.0613, 0.1156], [0.0340, 0.0460, 0.0715]), (1, [0.0037, 0.0113, 0.0376], [0.0037, 0.0065, 0.0150])],
)
def test_3_5_ex_rule_b_allows_for_bad_days(today, one, two):
    """The ten cells on one platform, and on two."""
    for platforms, p in ((1, one), (2, two)):
        for spread, expected in zip((0, 0.5, 1), p, strict=True):
            cells = [
                CellHistory(count, 7, index < today, spread=spread, platform=str(index % platforms))
                for index, count in enumerate(_COUNTS)
            ]
            finding = run_rule_b(cells, earlier_dailies=7)
            assert (round(finding.p, 4), finding.holds) == (expected, expected < 0.01)


@prove
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=4), st.floats(0.05, 1.5))
def test_a_spread_never_makes_a_drop_more_certain(flips, spread):
    lost, gained = sum(lost for lost, _ in flips), sum(gained for _, gained in flips)
    plain = find_flip_p([Flips(*each) for each in flips])
    assert plain == find_mcnemar_p(lost, gained)
    assert find_flip_p([Flips(down, up, spread) for down, up in flips]) >= plain - 1e-9


def test_thousands_of_flips_do_not_overflow():
    assert find_flip_p([Flips(1_600, 1_400)]) == pytest.approx(0.00028, abs=1e-5)
    assert 0.5 < find_flip_p([Flips(1_600, 1_400, 0.5)]) < 1


@pytest.mark.parametrize(
    ("named", "asked", "misses", "p", "holds"),
    [
        pytest.param(9, 10, 1, 0.1667, False, id="3.5 9/10 then 1"),
        pytest.param(9, 10, 2, 0.0385, True, id="3.5 9/10 then 2"),
        pytest.param(6, 6, 2, 0.0278, True, id="3.5 6/6 then 2"),
        pytest.param(5, 10, 3, 0.1538, False, id="3.5 5/10 then 3"),
        pytest.param(3, 3, 2, 0.0667, False, id="3.5 3/3 then 2"),
        pytest.param(3, 3, 0, 1.0, False, id="no miss"),
    ],
)
def test_3_5_cell_alert(named, asked, misses, p, holds):
    finding = run_cell_alert(named, asked, misses)
    assert (round(finding.p, 4), finding.holds) == (p, holds)


def test_3_5_ex_benjamini_hochberg_keeps_the_first_four():
    assert select_discoveries([0.004, 0.012, 0.03, 0.04, 0.20, 0.60]) == (True, True, True, True, False, False)
    assert select_discoveries([0.60, 0.04, 0.012, 0.20, 0.004, 0.03]) == (False, True, True, False, True, True)
    assert select_discoveries([]) == ()
    assert select_discoveries([0.11]) == (False,)
    assert select_discoveries([0.10]) == (True,)


def test_benjamini_hochberg_steps_up_over_a_gap():
    """The second p-value exceeds its own threshold but the third does not, so all three pass."""
    assert select_discoveries([0.01, 0.07, 0.0999]) == (True, True, True)


_FALL, _CALM, _RISE = (8, 1, 35), (3, 3, 35), (1, 9, 35)


@pytest.mark.parametrize(
    ("falls", "wide"),
    [
        ([_FALL, _FALL, _CALM, _CALM], True),
        ([_FALL, _FALL, _CALM, _CALM, _CALM], False),
        ([_FALL, _RISE], False),
        ([_FALL], False),
        ([_FALL, _FALL], True),
        ([(2, 0, 5), (2, 0, 5)], False),
        ([], False),
    ],
)
def test_3_5_a_fall_of_half_of_all_brands_is_platform_wide(falls, wide):
    assert is_platform_wide(falls) is wide


@prove
@given(st.lists(st.floats(0, 1), min_size=1, max_size=9), st.integers(0, 9))
def test_the_lower_tail_is_the_sum_over_all_outcomes(shares, mentions):
    total = 0.0
    for outcome in itertools.product((0, 1), repeat=len(shares)):
        if sum(outcome) <= mentions:
            total += math.prod(share if hit else 1 - share for share, hit in zip(shares, outcome, strict=True))
    assert find_lower_tail(shares, mentions) == pytest.approx(total, abs=1e-12)


@prove
@given(st.integers(1, 60), st.floats(0.01, 0.99), st.integers(0, 60))
def test_the_lower_tail_of_equal_cells_is_binomial(cells, share, mentions):
    exact = math.fsum(
        math.comb(cells, hits) * share**hits * (1 - share) ** (cells - hits) for hits in range(min(mentions, cells) + 1)
    )
    assert find_lower_tail([share] * cells, mentions) == pytest.approx(exact, abs=1e-12)


@prove
@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.integers(0, 39), st.randoms(use_true_random=False))
def test_fewer_mentions_are_never_likelier_and_order_does_not_matter(shares, mentions, random):
    p = find_lower_tail(shares, mentions)
    assert 0 <= p <= find_lower_tail(shares, mentions + 1) + 1e-12
    assert find_lower_tail(random.sample(shares, len(shares)), mentions) == pytest.approx(p, abs=1e-12)
    assert find_lower_tail(shares, len(shares)) == pytest.approx(1)


@prove
@given(st.lists(st.floats(0, 1), max_size=30), st.data())
def test_a_smaller_p_never_fails_where_a_larger_one_passes(p_values, data):
    passing = select_discoveries(p_values)
    for (one, passed), (other, also) in itertools.product(zip(p_values, passing, strict=True), repeat=2):
        assert not (one <= other and also and not passed)
    if p_values:
        place = data.draw(st.integers(0, len(p_values) - 1))
        better = [*p_values[:place], p_values[place] / 2, *p_values[place + 1 :]]
        assert sum(select_discoveries(better)) >= sum(passing)


@prove
@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 10))
def test_each_miss_lowers_the_p_of_a_cell_alert(hits, misses_before, misses):
    asked = hits + misses_before
    assert run_cell_alert(hits, asked, misses + 1).p < run_cell_alert(hits, asked, misses).p


@pytest.mark.parametrize("spread", [0.0, 0.5])
def test_3_5_a_gain_is_tested_as_the_drop_of_answers_without_the_brand(spread):
    """The ten cells turned around: seven of seven are none of seven, and one mention is one miss."""
    turned = [CellHistory(7 - count, 7, index >= 1, spread=spread) for index, count in enumerate(_COUNTS)]
    gain = run_rule_b(turned, earlier_dailies=7, direction="up")
    drop = run_rule_b(
        [CellHistory(count, 7, index < 1, spread=spread) for index, count in enumerate(_COUNTS)], earlier_dailies=7
    )
    assert (round(gain.p, 9), gain.holds, gain.direction) == (round(drop.p, 9), drop.holds, "up")
    assert run_cell_alert(6, 6, 2, direction="up").p == run_cell_alert(6, 6, 2).p
    assert is_platform_wide([(0, 5, 10), (1, 6, 10), (0, 0, 10)], direction="up")
    assert not is_platform_wide([(0, 5, 10), (1, 6, 10), (0, 0, 10)])
