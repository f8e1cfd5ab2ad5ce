"""Metrics 5: brand themes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.metrics.themes import ThemeCount, find_log_odds, rank_themes
from tests.property_testing import prove


def _count(descriptor="easy", answers=12, competitor_answers=5, platforms=3, **fields):
    return ThemeCount(
        descriptor=descriptor, answers=answers, competitor_answers=competitor_answers, platforms=platforms, **fields
    )


def test_5_ex_a_12_of_300_against_5_of_900_is_distinctive():
    log_odds, z = find_log_odds(12, 300, 5, 900)
    assert (round(log_odds, 3), round(z, 2)) == (1.970, 3.74)
    (theme,) = rank_themes([_count()], total=300, competitor_total=900)
    assert (theme.kind, theme.answers, theme.share) == ("distinctive", 12, 4.0)


def test_5_ex_b_3_of_300_against_8_of_900_is_shared():
    assert round(find_log_odds(3, 300, 8, 900)[1], 2) == 0.17
    (theme,) = rank_themes([_count(answers=3, competitor_answers=8)], total=300, competitor_total=900)
    assert theme.kind == "shared"


def test_5_ex_c_2_of_300_is_dropped():
    assert rank_themes([_count(answers=2, competitor_answers=0)], total=300, competitor_total=900) == ()


def test_5_one_platform_makes_no_theme():
    assert rank_themes([_count(platforms=1)], total=300, competitor_total=900) == ()


def test_5_at_most_ten_themes_by_distinctiveness_with_polarity_and_quote():
    counts = [_count(f"theme {number}", 3 + number) for number in range(12)]
    counts.append(_count("loved", 40, 1, clause_scores=(90, 20, 70), quote="people love it", answer_ids=("a",)))
    themes = rank_themes(counts, total=300, competitor_total=900)
    assert len(themes) == 10
    assert [theme.z for theme in themes] == sorted((theme.z for theme in themes), reverse=True)
    best = themes[0]
    assert (best.descriptor, best.polarity, best.polarity_label) == ("loved", 70, "positive")
    assert (best.quote, best.answer_ids) == ("people love it", ("a",))
    assert themes[1].polarity is None and themes[1].polarity_label is None


def test_without_competitors_nothing_is_distinctive():
    (theme,) = rank_themes([_count(answers=50, competitor_answers=0)], total=60, competitor_total=0)
    assert (theme.kind, theme.z) == ("shared", pytest.approx(0, abs=1e-9))


def test_a_descriptor_in_every_answer_is_not_distinctive():
    assert find_log_odds(30, 30, 40, 40) == (0, 0)


@prove
@given(st.integers(1, 300), st.integers(0, 299), st.integers(1, 300), st.integers(0, 299))
def test_the_two_sides_mirror_and_more_answers_are_more_distinctive(total, answers, other_total, other):
    answers, other = min(answers, total - 1), min(other, other_total - 1)
    log_odds, z = find_log_odds(answers, total, other, other_total)
    back_odds, back_z = find_log_odds(other, other_total, answers, total)
    assert (log_odds, z) == (pytest.approx(-back_odds, abs=1e-9), pytest.approx(-back_z, abs=1e-9))
    if answers / total > other / other_total + 1e-9:
        assert z > 0
