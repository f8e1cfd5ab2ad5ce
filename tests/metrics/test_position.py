"""Metrics 1.7: Market Position, its ties and its range."""

import msgspec
import pytest
from hypothesis import given

from sightline.metrics.figure import to_position_figure
from sightline.metrics.position import find_position_ranges, find_ties, measure_position, rank_market, rank_scores
from tests.metrics.builders import failed, from_rows, observe, rival_panels
from tests.property_testing import prove

_FIRST, _THIRD, _ABSENT, _CITED = (1, 1, 1), (1, 3, 0), (0, None, 0), (0, None, 1)


def test_1_7_ex_a_ties_take_the_same_place():
    assert rank_scores({"X": 60, "B": 46.25, "Y": 46.25, "Z": 10}) == {"X": 1, "B": 2, "Y": 2, "Z": 4}


def test_1_7_ex_a_from_observations():
    """B and Y reach 46.25 with different answers; equal scores are a tie in whatever order they were summed."""
    competitors = {
        "X": from_rows([_FIRST, _FIRST, (1, None, 0), _ABSENT]),
        "Y": from_rows([_CITED, _ABSENT, _FIRST, _THIRD]),
        "Z": from_rows([_CITED, _ABSENT, _ABSENT, _CITED]),
    }
    brand = from_rows([_FIRST, _THIRD, _ABSENT, _CITED])
    standing = measure_position(brand, competitors)
    assert (standing.position, standing.of, standing.tied) == (2, 4, True)
    rows = rank_market({"B": brand, **competitors})
    assert [(row.name, row.position) for row in rows] == [("X", 1), ("B", 2), ("Y", 2), ("Z", 4)]


def test_1_7_ex_b_neither_named_nor_cited_is_not_ranked():
    standing = measure_position(from_rows([_ABSENT] * 4), {"X": from_rows([(1, None, 0), *[_ABSENT] * 3])})
    assert standing.position is None
    figure = to_position_figure(standing)
    assert (figure.value, figure.low, figure.high, figure.denominator) == (None, None, None, 2)


def test_1_7_ex_c_a_tiny_difference_is_two_places_shown_as_tied():
    scores = {"X": 60, "B": 46.26, "Y": 46.25}
    assert rank_scores(scores) == {"X": 1, "B": 2, "Y": 3}
    assert find_ties(scores) == {"B", "Y"}
    assert find_ties({"B": 46.24, "Y": 46.25}) == set()


def test_1_7_ex_d_none_tracked_is_null():
    assert measure_position(from_rows([_FIRST]), {}) is None
    assert to_position_figure(None).value is None


def test_1_7_cited_but_never_named_is_ranked():
    assert measure_position(from_rows([_CITED]), {"X": from_rows([_ABSENT])}).position == 1


def test_1_7_no_valid_answer_is_null():
    assert measure_position(failed(3), {"X": failed(3)}) is None


def test_1_7_the_range_follows_from_significant_differences():
    brand = from_rows([_THIRD] * 20 + [_ABSENT] * 20)
    brands = {
        "B": brand,
        "surely above": from_rows([_FIRST] * 40),
        "surely below": from_rows([_ABSENT] * 40),
        "about the same": from_rows([_ABSENT] * 2 + [_THIRD] * 21 + [_ABSENT] * 17),
    }
    assert find_position_ranges(brands)["B"] == (2, 3)
    assert find_position_ranges(brands)["surely above"] == (1, 1)
    assert find_position_ranges(brands)["surely below"] == (4, 4)
    standing = next(row for row in rank_market(brands) if row.name == "B")
    assert (standing.position, standing.best, standing.worst) == (3, 2, 3)


def test_the_range_for_questions_like_these_needs_a_lead_over_prompts():
    """X leads in 12 answers to two of six prompts: surely for these prompts, but not for others like them."""
    grid = [(f"q{prompt}", f"p{platform}") for prompt in range(6) for platform in range(6)]
    brand = [observe(1, 1, prompt_id=prompt, platform=platform) for prompt, platform in grid]
    behind = [
        observe(*((0,) if prompt in {"q0", "q1"} else (1, 1)), prompt_id=prompt, platform=platform)
        for prompt, platform in grid
    ]
    last = [observe(0, prompt_id=prompt, platform=platform) for prompt, platform in grid]
    standing = measure_position(brand, {"X": behind, "Y": last})
    assert (standing.position, standing.best, standing.worst, standing.market) == (1, 1, 1, (1, 2))
    few = [[row for row in rows if row.prompt_id < "q4"] for rows in (brand, behind, last)]
    assert measure_position(few[0], {"X": few[1], "Y": few[2]}).market is None


@pytest.mark.parametrize(("cells", "expected"), [(5, (1, 2)), (6, (2, 2))])
def test_3_3_fewer_than_six_one_way_differences_are_not_significant(cells, expected):
    brands = {"B": from_rows([_THIRD] * cells), "X": from_rows([_FIRST] * cells)}
    assert find_position_ranges(brands)["B"] == expected


@prove
@given(rival_panels())
def test_two_brands_mirror_each_other(pair):
    brand, rival = pair
    rows = {row.name: row for row in rank_market({"B": brand, "X": rival})}
    if not brand:
        assert rows == {}
        return
    ours, theirs = rows["B"], rows["X"]
    by_score = sorted([ours.score.value, theirs.score.value], reverse=True)
    for row in (ours, theirs):
        assert 1 <= row.best <= row.worst <= row.of == 2
        if row.position is not None:
            assert row.best <= row.position <= row.worst
            assert row.position == 1 + (row.score.value < by_score[0] - 1e-9)
    assert (ours.best, ours.worst) == (3 - theirs.worst, 3 - theirs.best)
    assert ours.tied == theirs.tied


@prove
@given(rival_panels())
def test_an_identical_competitor_is_tied_and_costs_no_place(pair):
    brand, rival = pair
    if not brand:
        return
    twin = [msgspec.structs.replace(answer, answer_id=None) for answer in brand]
    alone = measure_position(brand, {"X": rival})
    with_twin = measure_position(brand, {"X": rival, "twin": twin})
    assert with_twin.position == alone.position
    assert with_twin.tied
    assert with_twin.of == 3


def test_the_order_of_names_is_stable():
    same = {name: from_rows([_THIRD, _ABSENT]) for name in ("c", "a", "b")}
    assert [row.name for row in rank_market(same)] == ["a", "b", "c"]
    assert {row.position for row in rank_market(same)} == {1}
