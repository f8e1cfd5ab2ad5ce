"""What the sentiment model is made with, as far as it can be tried without PyTorch."""

import json
import math
from collections import Counter
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from sightline.answers.gold import load_gold_set
from training.sentiment.card import write_card
from training.sentiment.measure import calibration_error, fit_temperature, fit_threshold, keep, measure, softmax

CLAUSES = Path(__file__).parents[2] / "training" / "sentiment" / "clauses"
SHIPPED = files("sightline.answers").joinpath("data", "sentiment")


@pytest.fixture(scope="module")
def clauses():
    return [json.loads(line) for path in sorted(CLAUSES.glob("*.jsonl")) for line in path.read_text().splitlines()]


def test_there_are_at_least_600_clauses_of_our_own_with_a_target_each(clauses):
    assert len(clauses) >= 600
    for each in clauses:
        assert 0 <= each["from"] < each["to"] <= len(each["text"])
        assert each["text"][each["from"] : each["to"]].strip()
        assert each["label"] in {"positive", "neutral", "negative"} and each["split"] in {"train", "dev"}


def test_the_same_sentence_is_never_in_both_splits(clauses):
    texts = {split: {each["text"] for each in clauses if each["split"] == split} for split in ("train", "dev")}
    assert not texts["train"] & texts["dev"]
    assert min(Counter(each["label"] for each in clauses if each["split"] == "dev").values()) >= 20


def test_no_clause_stands_in_the_gold_set(clauses):
    gold = "\n".join(answer.text for answer in load_gold_set())
    assert not [each["text"] for each in clauses if len(each["text"]) > 30 and each["text"] in gold]


def test_macro_f1_and_the_opposite_by_hand():
    chosen, labels = np.array([0, 0, 1, 2, 2, 0]), np.array([0, 1, 1, 2, 0, 2])
    found = measure(chosen, labels)
    # negative: 1 right of 3 said and 2 true; neutral: 1 of 1 and 2; positive: 1 of 2 and 2
    assert found.macro_f1 == pytest.approx((2 / 5 + 2 / 3 + 2 / 4) / 3)
    assert found.opposite == pytest.approx(2 / 6) and found.kept == 1


def test_what_is_kept_is_at_least_as_sure_as_the_threshold():
    likely = np.array([[0.9, 0.05, 0.05], [0.4, 0.3, 0.3], [0.1, 0.1, 0.8]])
    found = keep(likely, np.array([0, 2, 2]), 0.5)
    assert (found.kept, found.opposite, found.accuracy) == (pytest.approx(2 / 3), 0, 1)


def test_the_threshold_is_the_lowest_that_keeps_the_opposite_rare():
    sure = [[0.02, 0.03, 0.95]] * 97
    unsure = [[0.1, 0.295, 0.605]] * 10
    likely, labels = np.array(sure + unsure), np.array([2] * 97 + [0] * 10)
    assert fit_threshold(likely, labels, 0.03) == pytest.approx(0.61)
    assert fit_threshold(likely, labels, 0.2) == pytest.approx(0.34)


def test_temperature_mends_what_is_too_sure_of_itself():
    draw = np.random.default_rng(7)
    likely = softmax(draw.normal(size=(4_000, 3)))
    labels = np.array([draw.choice(3, p=row) for row in likely])
    too_sure = 2 * np.log(likely)
    temperature = fit_temperature(too_sure, labels)
    assert temperature == pytest.approx(2, rel=0.1)
    before, after = (
        calibration_error(softmax(too_sure), labels),
        calibration_error(softmax(too_sure, temperature), labels),
    )
    assert after < 0.03 < before and math.isfinite(before)


def test_the_card_that_ships_is_made_from_the_figures_that_ship(tmp_path):
    (tmp_path / "figures.json").write_bytes(SHIPPED.joinpath("figures.json").read_bytes())
    card = SHIPPED.joinpath("CARD.md").read_text()
    base = card.partition("0.1.0 (SHA-256 `")[2].partition("`")[0]
    write_card(tmp_path, base)
    assert (tmp_path / "CARD.md").read_text() == card


def test_what_was_promised_of_the_model_holds_on_the_development_sets():
    """Both sources at or above the published recipe; at most a point lost to 8 bits; the opposite at most 3 %."""
    dev = json.loads(SHIPPED.joinpath("figures.json").read_text())["dev"]
    assert dev["newsmtsc"]["8 bits"]["macro_f1"] >= 0.816 and dev["mams"]["8 bits"]["macro_f1"] >= 0.803
    for source in ("newsmtsc", "mams", "together"):
        assert dev[source]["full precision"]["macro_f1"] - dev[source]["8 bits"]["macro_f1"] <= 0.01
    assert dev["together"]["at the threshold"]["opposite"] <= 0.03
    assert dev["together"]["calibration error after"] < dev["together"]["calibration error before"]
