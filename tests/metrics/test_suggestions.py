"""Metrics 1.12: prompt suggestions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.metrics.suggestions import (
    PromptCandidate,
    choose_varied,
    find_similarity,
    is_near_duplicate,
    prioritize_prompt,
    rank_suggestions,
)
from tests.property_testing import prove


@pytest.mark.parametrize(
    ("parts", "priority"),
    [
        pytest.param((0.7, 0.6, 0.5), 61, id="1.12 .7/.6/.5"),
        pytest.param((0.2, 0.9, 0.0), 35, id="1.12 .2/.9/0"),
        pytest.param((1, 1, 1), 100, id="all"),
    ],
)
def test_1_12_priority(parts, priority):
    assert prioritize_prompt(*parts) == pytest.approx(priority)


def test_1_12_ex_a_duplicate_of_85_is_dropped():
    known = "abcdefghijklmnopqrs"  # 17 grams
    longer = known + "tuv"  # the same and 3 more
    assert find_similarity(longer, known) == 0.85
    assert is_near_duplicate(longer, [known])


@pytest.mark.parametrize(("more", "duplicate"), [(4, False), (3, True)])
def test_1_12_a_prompt_is_a_duplicate_from_80_percent(more, duplicate):
    known = "abcdefghijklmn"  # 12 grams: 12/15 = .8, 12/16 = .75
    assert is_near_duplicate(known + "opqr"[:more], [known]) is duplicate


def test_1_12_case_width_and_space_do_not_make_a_new_prompt():
    assert find_similarity("Best  CRM tools", "best crm \uff54\uff4f\uff4f\uff4c\uff53 ") == 1
    assert find_similarity("ab", "AB") == find_similarity("", "") == 1
    assert find_similarity("best crm", "云计算推荐") == 0


def test_1_12_similarity_compares_three_characters_at_a_time():
    assert find_similarity("abab", "abba") == 0
    assert find_similarity("abcd", "bcde") == 1 / 3


def _candidate(text, demand=0.5, **fields):
    return PromptCandidate(text=text, demand=demand, novelty=0.5, gap=0.5, **fields)


def test_1_12_the_best_come_first_and_known_branded_or_off_topic_prompts_are_left_out():
    found = rank_suggestions(
        [
            _candidate("which crm suits a small agency", 0.2),
            _candidate("cheapest crm with a phone app", 0.9),
            _candidate("Cheapest CRM with a phone app?", 0.8),
            _candidate("best crm for startups", 1.0),
            _candidate("is acme any good", branded=True),
            _candidate("weather tomorrow", off_topic=True),
        ],
        known=["Best CRM for startups?"],
    )
    assert [row.candidate.text for row in found] == [
        "cheapest crm with a phone app",
        "which crm suits a small agency",
    ]
    assert [row.priority for row in found] == [pytest.approx(66), pytest.approx(38)]


def test_1_12_at_most_two_of_a_template_and_half_of_an_origin():
    """Of eight searches, three aspects of one template and a rival: two aspects, the rival, and as many searches."""
    searches = [_candidate(f"{letter * 9}?", 0.9, origin="fan_out", template=letter) for letter in "abcdefgh"]
    aspects = [_candidate(f"{letter * 9}?", 0.5, origin="aspect", template="aspect") for letter in "ijk"]
    rival = _candidate("zzzzzzzzz?", 0.1, origin="rivals", template="rivals")
    ranked = rank_suggestions([*searches, *aspects, rival], known=[])
    assert [row.candidate.text[0] for row in ranked] == list("abcdefghijz")
    assert [row.candidate.text[0] for row in choose_varied(ranked, 10)] == list("abcijz")
    assert [row.candidate.text[0] for row in choose_varied(ranked[:8], 5)] == list("abcde"), "there is one origin"


def test_1_12_meaning_can_decide_what_is_a_duplicate():
    candidates = [_candidate("cheap anvils", 0.9), _candidate("low-cost anvils", 0.8)]
    found = rank_suggestions(candidates, known=[], is_duplicate=lambda text, others: bool(others))
    assert [row.candidate.text for row in found] == ["cheap anvils"]


@prove
@given(st.text(max_size=40), st.text(max_size=40))
def test_similarity_is_symmetric_and_1_for_the_same_text(one, other):
    assert 0 <= find_similarity(one, other) <= 1
    assert find_similarity(one, other) == find_similarity(other, one)
    assert find_similarity(one, one) == 1
