"""Metrics 4: the score of a possible competitor. `tests/answers/test_candidates.py` covers how names are found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.metrics.discovery import CompetitorCandidate, classify_candidate, rank_competitors, score_competitor
from sightline.metrics.figure import round_value
from tests.property_testing import prove


def _candidate(name="Foo", **fields):
    defaults = {"rank_weight": 2.0, "answers": 3, "prompts": 2, "platforms": 2}
    return CompetitorCandidate(name=name, **(defaults | fields))


@pytest.mark.parametrize(
    ("weight", "prompts", "platforms", "score"),
    [
        pytest.param(7.1, 6, 4, 49.8, id="4 Ex A"),
        pytest.param(2.0, 2, 2, 4.8, id="4 Ex B"),
    ],
)
def test_4_the_score(weight, prompts, platforms, score):
    assert round_value(score_competitor(weight, prompts, platforms)) == score


def test_4_ex_g2_cited_14_times_and_never_named_is_a_source():
    g2 = _candidate("G2", answers=0, rank_weight=0, prompts=0, platforms=0, cited=14)
    assert classify_candidate(g2) == "source"
    assert rank_competitors([g2]) == ()


@pytest.mark.parametrize(
    ("fields", "classification"),
    [
        ({}, "competitor"),
        ({"answers": 2}, "too_rare"),
        ({"prompts": 1}, "too_rare"),
        ({"platforms": 1}, "competitor"),
        ({"platforms": 1, "answers": 2}, "too_rare"),
        ({"platforms": 1, "answers": 5, "prompts": 1}, "too_rare"),
        ({"cited": 30}, "competitor"),
        ({"cited": 31}, "source"),
    ],
)
def test_4_thresholds(fields, classification):
    assert classify_candidate(_candidate(**fields)) == classification


def test_4_the_strongest_comes_first_and_rare_ones_are_left_out():
    found = rank_competitors(
        [_candidate("b"), _candidate("a"), _candidate("rare", answers=1), _candidate("strong", rank_weight=9.0)]
    )
    assert [suggestion.candidate.name for suggestion in found] == ["strong", "a", "b"]


@prove
@given(st.floats(0.1, 100), st.integers(1, 50), st.integers(1, 10))
def test_more_of_anything_never_lowers_the_score(weight, prompts, platforms):
    score = score_competitor(weight, prompts, platforms)
    assert score < score_competitor(weight + 1, prompts, platforms)
    assert score < score_competitor(weight, prompts + 1, platforms)
    assert score < score_competitor(weight, prompts, platforms + 1)
