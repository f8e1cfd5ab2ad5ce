"""The training of the sentiment model, as far as it can be tested without PyTorch."""

import json
import math
import re
from collections import Counter
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from sightline.answers.gold import load_gold_set
from training.phrases import card as phrases_card
from training.sentiment import card as sentiment_card
from training.sentiment.card import write_card
from training.sentiment.measure import calibration_error, fit_most_opposite, fit_temperature, keep, measure, softmax

ROOT = Path(__file__).parents[2]
CLAUSES = ROOT / "training" / "sentiment" / "clauses"
SHIPPED = files("sightline.answers").joinpath("data", "sentiment")


@pytest.fixture(scope="module")
def clauses():
    return [json.loads(line) for path in sorted(CLAUSES.glob("*.jsonl")) for line in path.read_text().splitlines()]


def test_there_are_at_least_600_own_clauses_each_with_a_target(clauses):
    assert len(clauses) >= 600
    for each in clauses:
        assert 0 <= each["from"] < each["to"] <= len(each["text"])
        assert each["text"][each["from"] : each["to"]].strip()
        assert each["label"] in {"positive", "neutral", "negative"} and each["split"] in {"train", "dev"}


def test_the_same_sentence_is_never_in_both_splits(clauses):
    texts = {split: {each["text"] for each in clauses if each["split"] == split} for split in ("train", "dev")}
    assert not texts["train"] & texts["dev"]
    assert min(Counter(each["label"] for each in clauses if each["split"] == "dev").values()) >= 20


def test_no_clause_is_in_the_gold_set(clauses):
    gold = "\n".join(answer.text for answer in load_gold_set())
    assert not [each["text"] for each in clauses if len(each["text"]) > 30 and each["text"] in gold]


def test_macro_f1_and_the_rate_of_opposites_match_a_manual_calculation():
    chosen, labels = np.array([0, 0, 1, 2, 2, 0]), np.array([0, 1, 1, 2, 0, 2])
    found = measure(chosen, labels)
    # negative: 1 correct of 3 predicted and 2 true; neutral: 1 of 1 and 2; positive: 1 of 2 and 2
    assert found.macro_f1 == pytest.approx((2 / 5 + 2 / 3 + 2 / 4) / 3)
    assert found.opposite == pytest.approx(2 / 6) and found.kept == 1


def test_only_sure_predictions_are_kept():
    probabilities = np.array([[0.9, 0.05, 0.05], [0.4, 0.3, 0.3], [0.1, 0.1, 0.8], [0.2, 0.6, 0.2], [0.25, 0.0, 0.75]])
    labels = np.array([0, 2, 2, 1, 0])
    found = keep(probabilities, labels, (0.5, 0.7), 0.2)
    assert (found.kept, found.opposite, found.accuracy) == (pytest.approx(3 / 5), 0, 1)
    assert keep(probabilities, labels, (0.5, 0.7), 1.0).opposite == pytest.approx(1 / 4)


def test_the_opposite_may_be_as_likely_as_the_limits_of_all_sources_allow():
    confident = [[0.02, 0.03, 0.95]] * 97
    uncertain = [[0.105, 0.095, 0.8]] * 10
    probabilities, labels = np.array(confident + uncertain), np.array([2] * 97 + [0] * 10)
    sources = np.array(["a"] * 107)
    assert fit_most_opposite(probabilities, labels, sources, {"a": 0.03}, (0.5, 0.5)) == pytest.approx(0.1)
    assert fit_most_opposite(probabilities, labels, sources, {"a": 0.2}, (0.5, 0.5)) == pytest.approx(0.3)


def test_temperature_corrects_overconfidence():
    rng = np.random.default_rng(7)
    probabilities = softmax(rng.normal(size=(4_000, 3)))
    labels = np.array([rng.choice(3, p=row) for row in probabilities])
    overconfident = 2 * np.log(probabilities)
    temperature = fit_temperature(overconfident, labels)
    assert temperature == pytest.approx(2, rel=0.1)
    before, after = (
        calibration_error(softmax(overconfident), labels),
        calibration_error(softmax(overconfident, temperature), labels),
    )
    assert after < 0.03 < before and math.isfinite(before)


def test_the_shipped_card_matches_the_shipped_figures(tmp_path):
    (tmp_path / "figures.json").write_bytes(SHIPPED.joinpath("figures.json").read_bytes())
    card = SHIPPED.joinpath("CARD.md").read_text()
    base = card.partition("0.1.0 (SHA-256 `")[2].partition("`")[0]
    write_card(tmp_path, base)
    assert (tmp_path / "CARD.md").read_text() == card


def test_the_card_contains_no_figure_but_those_of_the_evaluation():
    """A figure in the text itself would stay as it is when the model or the rules change."""
    for text in (sentiment_card.TEXT, phrases_card.TEXT):
        assert re.findall(r"\d%|\d?\.\d{2,}", re.sub(r"\{.*?\}", "", text)) == []


def test_the_accuracy_page_shows_the_figures_of_the_evaluation():
    gold = json.loads(SHIPPED.joinpath("figures.json").read_text())["gold"]
    page = (ROOT / "docs" / "measure" / "accuracy.md").read_text()
    rates = [gold["model"][f"sentiment_{key}"] for key in ("macro_f1", "abstained", "opposite")]
    assert f"| model | {' | '.join(f'{rate:.3f}' for rate in rates)} |" in page
    assert f"its macro-F1 is {gold['model, all scored']['sentiment_macro_f1']:.3f}." in page


def test_the_model_meets_its_targets_on_the_development_sets():
    """Both sources reach the published recipe, 8 bits lose at most a point, and opposites are at most 3%."""
    dev = json.loads(SHIPPED.joinpath("figures.json").read_text())["dev"]
    assert dev["newsmtsc"]["8 bits"]["macro_f1"] >= 0.816 and dev["mams"]["8 bits"]["macro_f1"] >= 0.803
    for source in ("newsmtsc", "mams", "together"):
        assert dev[source]["full precision"]["macro_f1"] - dev[source]["8 bits"]["macro_f1"] <= 0.01
    assert dev["together"]["at the threshold"]["opposite"] <= 0.03
    assert dev["together"]["calibration error after"] < dev["together"]["calibration error before"]
