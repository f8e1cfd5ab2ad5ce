"""Metrics 7 [prop]: the stability of a prompt's answers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.metrics.stability import measure_stability
from tests.metrics.builders import failed, observe
from tests.property_testing import prove


def _cell(pattern, platform="chatgpt"):
    return [observe(letter == "m", prompt_id="q", platform=platform) for letter in pattern]


@pytest.mark.parametrize(
    ("patterns", "value"),
    [
        (["mmmm"], 100),
        (["...."], 100),
        (["m."], 0),
        (["mm.."], 100 * 2 / 6),
        (["mmm."], 50),
        (["mmmm", "m."], 50),
        (["mmmm", "m"], 100),
        (["m", "."], None),
        ([], None),
    ],
)
def test_stability_is_the_share_of_agreeing_pairs_of_the_same_cell(patterns, value):
    answers = [answer for index, pattern in enumerate(patterns) for answer in _cell(pattern, f"p{index}")]
    assert measure_stability(answers).value == (None if value is None else pytest.approx(value))


def test_failed_repeats_do_not_count():
    assert measure_stability([*_cell("m"), *failed(3, prompt_id="q")]).value is None


@pytest.mark.parametrize(("pattern", "early"), [("m" * 4, True), ("m" * 5, False)])
def test_fewer_than_ten_pairs_are_an_early_reading(pattern, early):
    figure = measure_stability(_cell(pattern))
    assert figure.early_reading is early
    assert (figure.numerator, figure.n) == (figure.denominator, len(pattern))


def test_five_cells_have_an_interval():
    answers = [
        one for index, pattern in enumerate(["mm", "m.", "mm", "..", ".m"]) for one in _cell(pattern, f"p{index}")
    ]
    figure = measure_stability(answers)
    assert figure.value == pytest.approx(60)
    assert figure.interval.low == 0 and figure.interval.high == 100
    assert measure_stability(_cell("m.m.")).interval is None


@prove
@given(st.lists(st.booleans(), min_size=2, max_size=30), st.randoms(use_true_random=False))
def test_stability_is_bounded_and_ignores_order_and_inversion(pattern, random):
    answers = [observe(hit, prompt_id="q") for hit in pattern]
    value = measure_stability(answers).value
    assert 0 <= value <= 100
    assert measure_stability(random.sample(answers, len(answers))).value == value
    assert measure_stability([observe(not hit, prompt_id="q") for hit in pattern]).value == value
    assert (value == 100) is (len(set(pattern)) == 1)
