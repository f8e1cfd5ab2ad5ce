"""Metrics 1.6: Share of Voice."""

import pytest
from hypothesis import given

from sightline.metrics.figure import Range, round_value, to_figure
from sightline.metrics.share_of_voice import (
    find_voice_shares,
    measure_share_of_voice,
    measure_weighted_share_of_voice,
)
from tests.metrics.builders import from_rows, named, observe, rival_panels
from tests.property_testing import prove

_ORDERS = ["B X Y", "X", "X Y B", ""]


def _rows(name):
    """Return the observations of a brand in Ex D, ranked by its place in each answer."""
    orders = [order.split() for order in _ORDERS]
    return from_rows([(1, order.index(name) + 1) if name in order else (0,) for order in orders])


def test_1_6_ex_a_42_of_140():
    brands = {name: named(hits, 100) for name, hits in {"B": 42, "X": 63, "Y": 28, "Z": 7}.items()}
    figure = to_figure(measure_share_of_voice(brands["B"], [brands["X"], brands["Y"], brands["Z"]]))
    assert (figure.value, figure.numerator, figure.denominator) == (30.0, 42, 140)


def test_1_6_ex_b_nobody_named_is_null():
    assert measure_share_of_voice(named(0, 5), [named(0, 5)]).value is None
    assert find_voice_shares({"B": named(0, 5), "X": named(0, 5)}) is None


def test_1_6_ex_c_no_competitors_is_null():
    assert measure_share_of_voice(named(5, 5), []).value is None
    assert find_voice_shares({"B": named(5, 5)}) is None


def test_1_6_ex_d_by_mention_and_weighted():
    rivals = [_rows("X"), _rows("Y")]
    assert to_figure(measure_share_of_voice(_rows("B"), rivals)).value == 28.6
    weighted = measure_weighted_share_of_voice(_rows("B"), rivals)
    assert weighted.numerator == pytest.approx(1.5)
    assert weighted.denominator == pytest.approx(1.5 + 2.6309 + 1.1309, abs=1e-4)
    shares = find_voice_shares({name: _rows(name) for name in "BXY"}, weighted=True)
    assert {name: round_value(share) for name, share in shares.items()} == {"B": 28.5, "X": 50.0, "Y": 21.5}


def test_shares_round_independently():
    shares = find_voice_shares({name: named(1, 3) for name in "BXY"})
    assert [round_value(share) for share in shares.values()] == [33.3, 33.3, 33.3]


def test_branded_prompts_stay_out():
    brand = [observe(1, prompt_id="a"), observe(1, prompt_id="b", branded=True)]
    rival = [observe(1, prompt_id="a"), observe(0, prompt_id="b", branded=True)]
    assert measure_share_of_voice(brand, [rival]).value == 50


def test_the_interval_counts_answers_not_mentions():
    """Five brands named in each of ten answers are ten pieces of evidence, not fifty."""
    brand = from_rows([(1, 1)] * 10)
    figure = measure_share_of_voice(brand, [from_rows([(1, 2)] * 10) for _ in range(4)])
    assert figure.value == pytest.approx(20)
    assert (figure.interval.low, figure.interval.high) == (pytest.approx(5.7, abs=0.05), pytest.approx(51.0, abs=0.05))


def test_the_range_for_questions_like_these_counts_prompts_that_name_a_brand():
    """Each of six prompts was asked on four platforms; the sixth names nobody and says nothing about the shares."""
    grid = [(f"q{prompt}", f"p{platform}") for prompt in range(6) for platform in range(4)]
    own, other = [4, 3, 2, 1, 0, 0], [1, 1, 2, 3, 4, 0]

    def brand(counts):
        return [
            observe(int(place % 4 < counts[place // 4]), prompt_id=prompt, platform=platform)
            for place, (prompt, platform) in enumerate(grid)
        ]

    figure = to_figure(measure_share_of_voice(brand(own), [brand(other)]))
    assert (figure.value, figure.prompts, figure.market) == (47.6, 5, Range(5.1, 90.1))
    assert figure.market.low < figure.low and figure.high < figure.market.high
    four = to_figure(measure_share_of_voice(brand([*own[:4], 0, 0]), [brand([*other[:4], 0, 0])]))
    assert (four.prompts, four.market) == (4, None)


@prove
@given(rival_panels())
def test_shares_sum_to_100_before_rounding_and_match_the_figure(pair):
    brand, rival = pair
    for weighted, measure in ((False, measure_share_of_voice), (True, measure_weighted_share_of_voice)):
        shares = find_voice_shares({"B": brand, "X": rival}, weighted=weighted)
        figure = measure(brand, [rival])
        if shares is None:
            assert figure.value is None and figure.interval is None
            continue
        assert sum(shares.values()) == pytest.approx(100)
        assert figure.value == pytest.approx(shares["B"])
        assert 0 <= figure.interval.low <= figure.value + 1e-9
        assert figure.value - 1e-9 <= figure.interval.high <= 100
