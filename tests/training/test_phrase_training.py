"""The labels and thresholds of the phrase encoder, as far as they can be tested without PyTorch."""

import json
from importlib.resources import files
from itertools import chain

import pytest

from sightline.answers.phrase_encoder import load_encoder
from training.phrases.card import write_card
from training.phrases.labels import fit_threshold, measure_groups, read_aspects, read_prompts, separate

SHIPPED = files("sightline.answers").joinpath("data", "phrases")


@pytest.mark.parametrize(("read", "least"), [(read_aspects, 600), (read_prompts, 120)])
def test_no_wording_is_labelled_twice_and_no_market_is_in_both_halves(read, least):
    meanings = read()
    wordings = list(chain.from_iterable(each.wordings for each in meanings))
    assert len(wordings) == len(set(wordings))
    markets = {half: {each.market for each in meanings if each.half == half} for half in ("fit", "report")}
    assert markets["fit"] and markets["report"] and not markets["fit"] & markets["report"]
    assert sum(len(each.wordings) * (len(each.wordings) - 1) // 2 for each in meanings) >= least, (
        "pairs that are the same"
    )
    assert all(len(each.wordings) >= 2 for each in meanings)


def test_the_lowest_threshold_with_enough_precision_is_chosen():
    scored = [(0.9, True), (0.8, True), (0.7123, False), (0.6, True), (0.5, False), (0.5, True)]
    assert fit_threshold(scored, 1.0) == 0.8
    assert fit_threshold(scored, 0.75) == 0.6, "3 of 4"
    assert fit_threshold(scored, 0.66) == 0.5, "4 of 6; what is equally alike is taken together"
    assert fit_threshold([(0.9, False)], 0.5) == 1.0


def test_precision_and_recall_match_a_manual_calculation():
    found = separate([(0.9, True), (0.8, False), (0.7, True), (0.2, True)], 0.7).as_dict()
    assert (found["taken"], found["right"]) == (3, 2)
    assert (found["precision"], found["recall"]) == (0.667, 0.667)
    assert separate([(0.1, False)], 0.7).as_dict()["precision"] is None


def test_wordings_that_join_a_group_belong_there():
    """The shipped encoder with its threshold, on markets that the threshold was not fitted on."""
    found = measure_groups(read_aspects(), "report", load_encoder())
    assert found.right / found.taken >= 0.97 and found.right / found.same >= 0.4


def test_the_shipped_card_matches_the_shipped_figures(tmp_path):
    (tmp_path / "figures.json").write_bytes(SHIPPED.joinpath("figures.json").read_bytes())
    card = SHIPPED.joinpath("CARD.md").read_text()
    write_card(tmp_path, card.partition("0.1.0 (SHA-256 `")[2].partition("`")[0])
    assert (tmp_path / "CARD.md").read_text() == card


def test_the_thresholds_meet_their_targets():
    figures = json.loads(SHIPPED.joinpath("figures.json").read_text())
    assert figures["fit"]["aspects"]["precision"] >= 0.97 and figures["fit"]["prompts"]["precision"] >= 0.95
    assert figures["rounding"]["mean"] >= 0.99 and figures["rounding"]["least"] >= 0.95
