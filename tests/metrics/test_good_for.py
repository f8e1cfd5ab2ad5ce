"""What a figure is good for: the limits of its range, early readings, and the prompts that would lift it."""

import pytest

from sightline.metrics.figure import Figure, Range
from sightline.metrics.good_for import judge_figure
from sightline.metrics.intervals import market_ratio_interval
from sightline.metrics.registry import REGISTRY


def build(low, high, *, value=50.0, prompts=40):
    market = None if low is None else Range(low, high)
    early = prompts < 10
    return Figure(
        value=value,
        low=None,
        high=None,
        n=100,
        numerator=None,
        denominator=None,
        early_reading=early,
        incomplete=False,
        prompts=prompts,
        market=market,
    )


def judge(key, *ends, **options):
    return judge_figure(REGISTRY[key], build(*ends, **options))


@pytest.mark.parametrize(
    ("half", "grade"),
    [(3, "decision_grade"), (3.05, "directional"), (8, "directional"), (8.05, "exploratory"), (50, "exploratory")],
)
def test_the_width_of_the_wider_range_decides(half, grade):
    for key in ("visibility_score", "brand_coverage_pct", "share_of_voice_pct"):
        assert judge(key, 50 - half, 50 + half).grade == grade
    assert judge("net_sentiment", -2 * half, 2 * half).grade == grade, "its scale is twice as wide"


def test_a_rank_is_judged_by_the_places_that_it_may_have():
    grades = [judge("market_position", 2, worst, value=2).grade for worst in (2, 3, 4)]
    assert grades == ["decision_grade", "directional", "exploratory"]
    assert judge("market_position", 2, 4, value=2).more_prompts is None


def test_few_prompts_are_exploratory_however_narrow_the_range_is():
    assert (few := judge("brand_coverage_pct", 49, 51, prompts=9)).grade == "exploratory" and few.more_prompts == 5
    none = judge("brand_coverage_pct", None, None, prompts=4)
    assert (none.grade, none.half_width, none.more_prompts) == ("exploratory", None, 10)
    assert judge("market_position", 2, 2, value=2, prompts=9).grade == "exploratory"


def test_counts_and_what_was_not_measured_are_good_for_nothing_in_particular():
    assert judge("ai_mentions", 3, 5) is None and judge("brand_coverage_pct", 40, 60, value=None) is None


@pytest.mark.parametrize("prompts", [12, 30, 80])
def test_so_many_more_prompts_of_the_same_kind_lift_the_figure_to_the_next_grade(prompts):
    def measure(number):
        parts = [each % 3 for each in range(number)]  # of three answers each
        found = market_ratio_interval(parts, [3] * number, trials=3 * number).scaled(100)
        return judge("brand_coverage_pct", found.low, found.high, prompts=number)

    now = measure(prompts)
    order = ["exploratory", "directional", "decision_grade"]
    later = measure(prompts + now.more_prompts + 5)
    assert order.index(later.grade) >= order.index(now.grade) + 1
    if now.more_prompts > 20:
        assert measure(prompts + now.more_prompts // 2).grade == now.grade, "half of them do not"
