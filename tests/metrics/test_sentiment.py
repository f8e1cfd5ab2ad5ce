"""Metrics 1.8: sentiment of a prompt and of a domain."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.metrics.figure import to_figure
from sightline.metrics.sentiment import label_score, measure_net_sentiment, summarize_sentiment
from tests.metrics.builders import failed, observe
from tests.property_testing import prove


def _scored(*scores, **fields):
    return [observe(1, sentiment=score, **fields) for score in scores]


@pytest.mark.parametrize(
    ("scores", "score", "label", "mixed"),
    [
        pytest.param([72, 65, 50], 65.0, "positive", False, id="1.8 Ex A"),
        pytest.param([30, 50, 70, 80], 60.0, "positive", False, id="1.8 Ex B"),
        pytest.param([20, 80], None, None, False, id="1.8 Ex C"),
        pytest.param([20, 30, 70, 80], 50.0, "neutral", True, id="1.8 Ex D"),
        pytest.param([55, 62, 62, 35], 58.5, "positive", False, id="1.8 Ex E"),
        pytest.param([72, 65, 50, None, None], 65.0, "positive", False, id="1.8 Ex F"),
        pytest.param([30, 50, 70], 50.0, "neutral", False, id="all three tied: the median's label"),
        pytest.param([50, 50, 70, 80], 60.0, "positive", False, id="tied: the median's label"),
        pytest.param([10, 20, 50, 55], 35.0, "negative", False, id="tied the other way"),
        pytest.param([], None, None, False, id="nothing"),
    ],
)
def test_1_8_score_and_label(scores, score, label, mixed):
    summary = summarize_sentiment(_scored(*scores))
    assert (summary.score, summary.label, summary.mixed) == (score, label, mixed)
    assert summary.scored == sum(one is not None for one in scores)
    assert summary.low_data is (summary.scored < 3)
    assert summary.unscored == scores.count(None)


@pytest.mark.parametrize(
    ("score", "label"), [(60, "positive"), (59.9, "neutral"), (40.1, "neutral"), (40, "negative"), (50, "neutral")]
)
def test_1_8_label_thresholds(score, label):
    assert label_score(score) == label


def test_1_8_unknown_failed_and_unmentioned_answers_are_not_scored():
    answers = [*_scored(70, 70), *_scored(10, stance="unknown"), observe(0, sentiment=10), *failed(2)]
    summary = summarize_sentiment(answers)
    assert (summary.score, summary.low_data, summary.scored) == (None, True, 2)


def test_1_8_branded_prompts_count():
    assert summarize_sentiment(_scored(70, 71, 72, branded=True)).score == 71


def test_1_8_ex_g_p12_n3_n20():
    prompts = [
        answer for prompt in range(3) for answer in _scored(*[80] * 12, *[20] * 3, *[50] * 5, prompt_id=f"q{prompt}")
    ]
    assert to_figure(measure_net_sentiment(prompts)).value == 45.0


def test_1_8_each_prompt_counts_once_and_fewer_than_three_give_null():
    good = _scored(*[80] * 50, prompt_id="a")
    bad, split = _scored(20, prompt_id="b"), _scored(20, 80, prompt_id="c")
    assert measure_net_sentiment([*good, *bad]).value is None
    assert measure_net_sentiment([*good, *bad, *split]).value == 0
    assert measure_net_sentiment([*good, *bad, *_scored(None, prompt_id="c")]).value is None


@prove
@given(st.lists(st.integers(0, 100), min_size=3, max_size=30), st.randoms(use_true_random=False))
def test_the_summary_ignores_order_and_mirrors_its_scores(scores, random):
    summary = summarize_sentiment(_scored(*scores))
    assert summarize_sentiment(_scored(*random.sample(scores, len(scores)))) == summary
    assert min(scores) <= summary.score <= max(scores)
    most = max(summary.labels.values())
    assert summary.mixed or summary.labels[summary.label] == most
    mirrored = summarize_sentiment(_scored(*(100 - score for score in scores)))
    opposite = {"positive": "negative", "negative": "positive", "neutral": "neutral"}
    assert (mirrored.score, mirrored.label) == (100 - summary.score, opposite[summary.label])


def test_1_8_unscored_answers_are_counted_by_reason():
    answers = [
        *_scored(70, 70, 70),
        observe(1, unscored="language"),
        observe(1, unscored="language"),
        observe(1, unscored="doubt"),
        observe(1),
        observe(0, unscored="doubt"),
    ]
    found = summarize_sentiment(answers)
    assert (found.unscored, found.unscored_reasons) == (4, {"language": 2, "doubt": 1})
