"""Metrics 6: the effect of an action with its range, platforms that do worse, and prompts that were lost."""

import pytest

from sightline.metrics.recommendations import (
    ExpectedEffect,
    PromptHistory,
    Rate,
    average_share,
    expect_change,
    expect_regained,
    find_lost_prompts,
    find_mantel_haenszel_z,
    find_repeat_rate,
    find_weak_platforms,
    is_lead_by_chance,
    is_recurring,
    shrink_rate,
)
from tests.metrics.builders import observe


def rounded(expected):
    return tuple(round(value, 1) for value in (expected.answers, expected.low, expected.high))


def test_6_worked_example_of_an_expected_effect():
    """Page P is cited by answers 1 to 4, page Q by 4 and 5. Answers 1, 2 and 4 name the brand.

    Answer 1: of the others that cite P (2, 3, 4), two name it: 2/3. Answer 2: the same, 2/3. Answer 4: of the others
    that cite P or Q (1, 2, 3, 5), two name it: 1/2. So 1.83 of 3 trials. Rivals have 0.5 on average, with four trials:
    3.83 of 7, or 54.8%, Wilson 23.4 to 82.8%. Nine answers of a gap: 4.9 could change, 2.1 to 7.4.
    """
    own = find_repeat_rate([("1", "2", "3", "4"), ("4", "5")], {"1", "2", "4"})
    assert (round(own.hits, 3), own.trials) == (1.833, 3)
    usual = average_share([Rate(2, 8), Rate(6, 8), Rate(0, 0)])
    assert usual == 0.5
    assert rounded(expect_change(9, shrink_rate(own, usual))) == (4.9, 2.1, 7.4)


def test_6_a_page_that_one_answer_cites_says_nothing_and_nothing_known_is_an_open_range():
    assert find_repeat_rate([("1",), ("2",)], {"1", "2"}) == Rate(0, 0)
    assert expect_change(4, Rate(0, 0)) == ExpectedEffect(0.0, 0.0, 4.0)
    assert average_share([]) == 0.0


def test_6_worked_example_of_a_platform_below_the_rest():
    """One of three answers is the platform's, and the two others name the brand: 2/3 expected, variance 2/9 a question.

    Six questions: 4 mentions fewer than expected, variance 4/3, so (4 - 0.5) / 1.155 = 3.03 standard deviations.
    """
    questions = [
        [
            observe(prompt_id=str(number), platform=each, mentioned=each != "grok")
            for each in ("chatgpt", "claude", "grok")
        ]
        for number in range(6)
    ]
    assert round(find_mantel_haenszel_z(questions, "grok"), 2) == -3.03
    assert find_mantel_haenszel_z(questions, "gemini") == 0.0


@pytest.mark.parametrize(("questions", "fires"), [(3, False), (6, True)])
def test_6_a_platform_below_the_rest_for_the_same_questions(questions, fires):
    observations = [
        observe(prompt_id=str(number), platform=platform, mentioned=platform != "grok", answer_id=f"{platform}{number}")
        for number in range(questions)
        for platform in ("chatgpt", "claude", "grok")
    ]
    found = find_weak_platforms(observations)
    assert [weak.platform for weak in found] == (["grok"] if fires else [])
    if fires:
        (weak,) = found
        assert (weak.own_share, weak.other_share, weak.questions) == (0.0, 1.0, 6)
        assert weak.expected == ExpectedEffect(6.0, 6.0, 6.0)
        assert weak.answer_ids == tuple(f"grok{number}" for number in range(6))


def test_6_a_platform_that_only_others_were_asked_about_is_not_compared():
    observations = [observe(prompt_id=str(number), platform="chatgpt", mentioned=False) for number in range(9)]
    assert find_weak_platforms(observations) == []


def history(prompt_id, named, asked, missed):
    return PromptHistory(prompt_id=prompt_id, named=named, asked=asked, missed=missed)


def test_6_a_prompt_is_lost_when_its_misses_are_too_many_for_chance():
    lost, unsure = history("a", 18, 20, 6), history("b", 4, 20, 6)
    never, still = history("c", 0, 20, 6), history("d", 15, 20, 0)
    assert find_lost_prompts([lost, unsure, never, still]) == [lost]
    assert find_lost_prompts([]) == []
    assert rounded(expect_regained([lost])) == (5.4, 4.2, 5.8)


@pytest.mark.parametrize(
    ("answers", "platforms", "prompts", "naming", "recurs"),
    [
        (3, 2, 1, 300, True),
        (3, 1, 2, 300, True),
        (3, 1, 1, 300, False),
        (2, 2, 2, 41, False),
        (2, 2, 1, 40, True),
        (2, 1, 1, 40, False),
        (1, 1, 1, 1, False),
    ],
)
def test_6_a_criticism_recurs_on_two_platforms_or_for_two_prompts(answers, platforms, prompts, naming, recurs):
    assert is_recurring(answers, prompts=prompts, platforms=platforms, naming=naming) is recurs


@pytest.mark.parametrize(
    ("shares", "by_chance"),
    [((9, 10, 5, 14), False), ((7, 7, 3, 5), True), ((4, 4, 0, 5), False), ((3, 3, 0, 0), True), ((0, 0, 0, 0), True)],
)
def test_6_a_page_carries_the_brand_only_if_chance_does_not_explain_it(shares, by_chance):
    assert is_lead_by_chance(*shares) is by_chance
