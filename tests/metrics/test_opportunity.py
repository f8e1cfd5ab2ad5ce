"""Metrics 6: opportunities."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.metrics.figure import round_value
from sightline.metrics.opportunity import (
    PromptEvidence,
    demand_factor,
    find_openness,
    find_variability,
    rank_opportunities,
    score_opportunity,
    winnability_factor,
)
from tests.property_testing import prove

_MAX = 12_000


@pytest.mark.parametrize(
    ("volume", "gap", "parts", "score"),
    [
        pytest.param(12_000, 6 / 7, (0.7, 0.8, 0.5), 85.7, id="6 Ex A"),
        pytest.param(800, 6 / 7, (0.7, 0.8, 0.5), 77.4, id="6 Ex B"),
        pytest.param(12_000, 1 / 7, (0.7, 0.8, 0.5), 41.8, id="6 Ex C"),
        pytest.param(90, 1, (0.1, 0.2, 0.1), 56.3, id="6 Ex D"),
        pytest.param(2_400, 4 / 7, (0.6, 0.7, 0.4), 66.5, id="6 Ex E"),
        pytest.param(12_000, 0, (0.7, 0.8, 0.5), 0.0, id="6 Ex F"),
    ],
)
def test_6_the_opportunity_score(volume, gap, parts, score):
    assert round_value(score_opportunity(demand_factor(volume, _MAX), gap, winnability_factor(*parts))) == score


def test_6_openness_of_4_3_2_1_of_10():
    assert find_openness([4, 3, 2, 1]) == pytest.approx(0.70)
    assert find_openness([9]) == 0
    assert find_openness([]) == 0.5


def test_6_variability_between_repeats():
    assert find_variability([]) == find_variability([frozenset("ab")]) == 0.5
    assert find_variability([frozenset("ab"), frozenset("ab")]) == 0
    assert find_variability([frozenset("ab"), frozenset("cd")]) == 1
    assert find_variability([frozenset(), frozenset()]) == 0
    three = [frozenset("ab"), frozenset("bc"), frozenset("ab")]
    assert find_variability(three) == pytest.approx(1 - (1 / 3 + 1 + 1 / 3) / 3)


def _prompt(prompt_id, *, volume=1_000, valid=7, gap_answers=6, **fields):
    return PromptEvidence(prompt_id=prompt_id, volume=volume, valid=valid, gap_answers=gap_answers, **fields)


def test_6_ex_a_from_the_evidence_itself():
    """E is 7 of 10, F is .8 for five even domains, and V is .5 for one answer."""
    evidence = _prompt("q", volume=_MAX, citations={f"d{n}": 2 for n in range(5)}, winnable_citations=7)
    (found,) = rank_opportunities([evidence])
    assert round_value(found.score) == 85.7
    assert (found.demand, found.gap) == (1, 6 / 7)
    assert found.low_evidence is False


def test_6_ex_f_a_brand_that_is_always_present_is_not_listed():
    assert rank_opportunities([_prompt("q", gap_answers=0)]) == ()
    assert rank_opportunities([_prompt("q", valid=0, gap_answers=0)]) == ()


@pytest.mark.parametrize(
    ("gap", "parts", "score"),
    [
        pytest.param(6 / 7, (0.7, 0.8, 0.5), 80.2, id="6 Ex G: A without a known volume"),
        pytest.param(1, (0.1, 0.2, 0.1), 60.3, id="6 Ex H: D without a known volume"),
        pytest.param(4 / 7, (0.6, 0.7, 0.4), 60.5, id="6 Ex I: E without a known volume"),
        pytest.param(0, (0.7, 0.8, 0.5), 0.0, id="6 Ex J: F without a known volume"),
    ],
)
def test_6_unknown_demand_is_left_out_of_the_score(gap, parts, score):
    assert round_value(score_opportunity(None, gap, winnability_factor(*parts))) == score


def test_6_unknown_demand_is_null():
    rows = rank_opportunities([_prompt("b", volume=100), _prompt("c", volume=_MAX), _prompt("d", volume=None)])
    demands = {row.prompt_id: row.demand for row in rows}
    assert demands == {"b": demand_factor(100, _MAX), "c": 1, "d": None}


def test_6_opportunities_are_ordered_by_score_alone():
    rows = rank_opportunities(
        [
            _prompt("thin", valid=2, gap_answers=2),
            _prompt("weak", gap_answers=1),
            _prompt("strong"),
        ]
    )
    assert [(row.prompt_id, row.low_evidence) for row in rows] == [("thin", True), ("strong", False), ("weak", False)]


@prove
@given(*[st.floats(0, 1)] * 3, st.floats(0, 1))
def test_the_score_is_bounded_and_grows_with_each_part(demand, gap, winnability, more):
    score = score_opportunity(demand, gap, winnability)
    assert 0 <= score <= 100
    assert score_opportunity(max(demand, more), gap, winnability) >= score
    assert score_opportunity(demand, max(gap, more), winnability) >= score
    assert score_opportunity(demand, gap, max(winnability, more)) >= score


@prove
@given(st.lists(st.integers(1, 50), min_size=1, max_size=20))
def test_openness_lies_below_1_and_is_highest_when_even(counts):
    assert -1e-12 <= find_openness(counts) <= 1 - 1 / len(counts) + 1e-12
