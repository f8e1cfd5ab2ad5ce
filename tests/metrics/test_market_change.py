"""Metrics 1.11 and 3.3 for Share of Voice, Market Position and citations: changes over matched cells."""

import math

import pytest
from hypothesis import given

from sightline.metrics.compare import compare_citations
from sightline.metrics.figure import to_comparison
from sightline.metrics.market_change import compare_position, compare_share_of_voice
from sightline.metrics.share_of_voice import find_voice_shares
from tests.metrics.builders import observe, rival_panels
from tests.property_testing import prove


def named(*hits, of=140, first=0, failed=0, **fields):
    """Return observations of each brand in the same cells: the first `hits` answers name it, at the first place."""
    return [
        [
            observe(status="failed", prompt_id=f"q{first + number // 7}", platform=f"p{number % 7}")
            if number < failed
            else observe(
                number < hit,
                1 if number < hit else None,
                prompt_id=f"q{first + number // 7}",
                platform=f"p{number % 7}",
            )
            for number in range(of)
        ]
        for hit in hits
    ]


@pytest.mark.parametrize("compare", [compare_share_of_voice, compare_position])
def test_1_11_ex_a_to_d_the_delta_is_over_the_cells_that_both_scans_answered(compare):
    before = named(42, 63, 28, 7)
    assert compare(before, named(42, 63, 28, 7)).matched_cells == 140  # Ex A
    assert compare(before, named(42, 63, 28, 7, of=175)).matched_cells == 140  # Ex B
    assert compare(before, named(42, 63, 28, 7, failed=30)).matched_cells == 110  # Ex C
    assert compare(before, named(42, 63, 28, 7, first=50)) is None  # Ex D


def test_1_6_ex_a_a_share_that_halves_is_down_by_points():
    """B42 X63 Y28 Z7 is 30.0%; with B14 it is 14 of 112, which is 12.5%."""
    shown = to_comparison(compare_share_of_voice(named(42, 63, 28, 7), named(14, 63, 28, 7)), against_scan_id="before")
    assert (shown.delta, shown.verdict, shown.matched_cells) == (-17.5, "down", 140)
    assert shown.low < -17.5 < shown.high < 0 and shown.p < 0.05
    back = to_comparison(compare_share_of_voice(named(14, 63, 28, 7), named(42, 63, 28, 7)), against_scan_id="before")
    assert (back.delta, back.low, back.high, back.p) == (17.5, -shown.high, -shown.low, shown.p)


def test_a_competitor_that_is_named_more_often_lowers_the_share():
    assert compare_share_of_voice(named(42, 0), named(42, 60)).verdict == "down"


@pytest.mark.parametrize(
    ("before", "now"),
    [
        pytest.param(named(5), named(9), id="1.6 Ex C, no competitor"),
        pytest.param(named(0, 0), named(9, 3), id="1.6 Ex B, no mention before"),
        pytest.param(named(9, 3), named(0, 0), id="1.6 Ex B, no mention now"),
    ],
)
def test_a_share_that_is_null_on_one_side_has_no_change(before, now):
    assert compare_share_of_voice(before, now) is None


@prove
@given(panels=rival_panels(), others=rival_panels())
def test_the_delta_is_the_difference_of_the_two_shares_over_matched_cells(panels, others):
    found = compare_share_of_voice(panels, others)
    cells = {each.cell for each in panels[0]} & {each.cell for each in others[0]}
    shares = [
        find_voice_shares(
            {name: [each for each in brand if each.cell in cells] for name, brand in zip("ab", side, strict=True)}
        )
        for side in (panels, others)
    ]
    if None in shares:
        assert found is None
    else:
        assert math.isclose(found.delta, shares[1]["a"] - shares[0]["a"], abs_tol=1e-6)
        assert found.interval.low - 1e-9 <= found.delta <= found.interval.high + 1e-9 and 0 < found.p <= 1


def test_a_place_that_is_won_by_many_answers_is_up_and_counts_downwards():
    found = compare_position(named(20, 60), named(100, 60))
    assert (found.delta, found.verdict) == (-1.0, "up")
    assert (found.interval.low, found.interval.high) == (-1, -1)  # surely second before, surely first now
    assert compare_position(named(100, 60), named(20, 60)).verdict == "down"


def test_a_place_that_one_answer_decides_is_no_clear_change():
    found = compare_position(named(60, 61), named(61, 60))
    assert (found.delta, found.verdict) == (-1.0, "no_clear_change") and found.p > 0.05


def test_each_competitor_that_is_passed_has_to_be_passed_clearly():
    """The brand passes X by eighty answers and Y by one: two places, of which one is chance."""
    assert compare_position(named(20, 60, 60), named(100, 60, 60)).verdict == "up"
    found = compare_position(named(20, 60, 21), named(100, 60, 99))
    assert (found.delta, found.verdict) == (-2.0, "no_clear_change")


def test_the_same_place_is_no_change_however_much_moved():
    found = compare_position(named(20, 60), named(50, 90))
    assert (found.delta, found.p, found.verdict, found.gained) == (0.0, 1.0, "no_clear_change", 30)


@pytest.mark.parametrize("brands", [named(30), named(0, 9)], ids=["1.7 Ex D", "1.7 Ex B"])
def test_without_a_place_there_is_no_change(brands):
    assert compare_position(brands, brands) is None


def test_1_5_citations_count_pages_and_branded_prompts():
    def cite(pages):
        return [
            observe(
                prompt_id=f"q{number}", branded=number == 0, cited_urls={f"acme.com/{page}" for page in range(many)}
            )
            for number, many in enumerate(pages)
        ]

    found = compare_citations(cite([0] * 10), cite([3] * 6 + [0] * 4))
    assert (found.matched_cells, found.gained, found.delta, found.verdict) == (10, 6, 18.0, "up")
    assert found.p == pytest.approx(2 / 64) and found.interval.high > 18
    assert compare_citations(cite([0] * 10), cite([3] * 5 + [0] * 5)).verdict == "no_clear_change"
