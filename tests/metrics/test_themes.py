"""Metrics 5: brand themes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.metrics.themes import (
    ThemeCount,
    compare_themes,
    find_log_odds,
    is_frequent,
    label_opinions,
    rank_themes,
)
from tests.property_testing import prove


def _count(name="ease of use", answers=12, rival_answers=5, *, prompts=4, platforms=3, negative=0, neutral=0):
    return ThemeCount(
        name=name,
        prompts=prompts,
        platforms=platforms,
        positive=answers - negative - neutral,
        neutral=neutral,
        negative=negative,
        rival_answers=rival_answers,
    )


def test_5_ex_a_12_of_300_against_5_of_900_is_distinctive():
    log_odds, z = find_log_odds(12, 300, 5, 900)
    assert (round(log_odds, 3), round(z, 2)) == (1.970, 3.74)
    (theme,) = rank_themes([_count()], total=300, rival_total=900)
    assert (theme.kind, theme.count.answers, theme.share) == ("distinctive", 12, 4.0)
    assert (round(theme.interval.low, 1), round(theme.interval.high, 1)) == (2.3, 6.9)


def test_5_ex_b_3_of_300_against_8_of_900_is_shared():
    assert round(find_log_odds(3, 300, 8, 900)[1], 2) == 0.17
    (theme,) = rank_themes([_count(answers=3, rival_answers=8)], total=300, rival_total=900)
    assert theme.kind == "shared"


def test_5_ex_c_2_of_300_is_dropped():
    assert rank_themes([_count(answers=2, rival_answers=0)], total=300, rival_total=900) == ()


def test_5_two_prompts_or_two_platforms_make_a_theme():
    assert is_frequent(3, prompts=2, platforms=1) and is_frequent(3, prompts=1, platforms=2)
    assert not is_frequent(9, prompts=1, platforms=1)


def test_5_what_many_themes_show_by_chance_is_not_distinctive():
    alone = _count("grip", 12, 16)
    assert round(find_log_odds(12, 300, 16, 900)[1], 2) == 2.16, "p is .031, and of ten tests .01 would count"
    (theme,) = rank_themes([alone], total=300, rival_total=900)
    assert theme.kind == "distinctive"
    others = [_count(f"theme {number}", 6, 18) for number in range(9)]
    among_many = rank_themes([alone, *others], total=300, rival_total=900)
    assert {theme.kind for theme in among_many} == {"shared"}


def test_5_distinctive_themes_then_criticism_then_the_most_frequent_at_most_ten():
    counts = [_count(f"theme {number}", 5 + number, 60) for number in range(12)]
    counts += [_count("loved", 40, 1), _count("noise level", 3, 9, negative=3)]
    themes = rank_themes(counts, total=300, rival_total=900)
    assert [theme.count.name for theme in themes[:3]] == ["loved", "noise level", "theme 11"]
    assert len(themes) == 10
    assert [theme.label for theme in themes[:2]] == ["positive", "negative"]


@pytest.mark.parametrize(
    ("positive", "neutral", "negative", "label"),
    [(2, 0, 1, "positive"), (1, 0, 2, "negative"), (3, 0, 2, "neutral"), (2, 3, 0, "neutral"), (0, 4, 0, "neutral")],
)
def test_5_two_thirds_of_the_opinions_make_a_label(positive, neutral, negative, label):
    assert label_opinions(positive, neutral, negative) == label


def test_5_polarity_is_the_balance_of_the_answers_and_few_answers_are_flagged():
    (theme,) = rank_themes([_count(answers=4, negative=1, neutral=1)], total=9, rival_total=900)
    assert (theme.polarity, theme.few_answers) == (62.5, True)
    (theme,) = rank_themes([_count(answers=4)], total=10, rival_total=900)
    assert not theme.few_answers


def test_without_rivals_nothing_is_distinctive():
    (theme,) = rank_themes([_count(answers=50, rival_answers=0)], total=60, rival_total=0)
    assert (theme.kind, theme.z) == ("shared", pytest.approx(0, abs=1e-9))


def test_an_aspect_in_every_answer_is_not_distinctive():
    assert find_log_odds(30, 30, 40, 40) == (0, 0)


def _cells(**counts):
    """Return ten cells, the first of which state each aspect as often as given."""
    return {
        (f"prompt {number}", "chatgpt"): frozenset(name for name, count in counts.items() if number < count)
        for number in range(10)
    }


def test_5_a_change_needs_matched_cells_and_a_test():
    names = [frozenset({"price"}), frozenset({"grip", "hold"}), frozenset({"noise"}), frozenset({"bass"})]
    before = _cells(price=9, grip=0, noise=4, bass=0)
    now = _cells(price=1, hold=9, noise=5, bass=1)
    changes = compare_themes(before, now, names)
    assert [(change.verdict, change.previous_share) for change in changes] == [
        ("down", 90.0),
        ("new", 0.0),
        ("no_clear_change", 40.0),
        ("no_clear_change", 0.0),
    ]
    assert compare_themes(_cells(hold=1), now, names)[1].verdict == "up"
    assert compare_themes({("other", "gemini"): frozenset()}, now, names) == [None] * 4


@prove
@given(st.integers(1, 300), st.integers(0, 299), st.integers(1, 300), st.integers(0, 299))
def test_the_two_sides_mirror_and_more_answers_are_more_distinctive(total, answers, other_total, other):
    answers, other = min(answers, total - 1), min(other, other_total - 1)
    log_odds, z = find_log_odds(answers, total, other, other_total)
    back_odds, back_z = find_log_odds(other, other_total, answers, total)
    assert (log_odds, z) == (pytest.approx(-back_odds, abs=1e-9), pytest.approx(-back_z, abs=1e-9))
    if answers / total > other / other_total + 1e-9:
        assert z > 0
