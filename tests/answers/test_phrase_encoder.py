"""Wordings and prompts are compared by meaning, with the encoder that ships."""

import hashlib
import json
from importlib.resources import files

import numpy as np

from sightline.answers import phrase_encoder
from sightline.answers.phrase_encoder import group_by_meaning, load_encoder, most_alike

WORDINGS = {
    "battery life": 9,
    "long battery life": 4,
    "charging speed": 5,
    "sound quality": 6,
    "audio quality": 6,
    "build quality": 3,
    "customer support": 2,
    "customer service": 3,
}
PROMPTS = [
    "What are the best noise cancelling headphones for flights?",
    "Which CRM is easiest to set up for a small team?",
    "Which headphones block the most noise on a plane?",
    "What is the simplest CRM for a small sales team?",
    "Where can I rent a kayak near Lisbon?",
]


def test_a_text_becomes_one_unit_vector_whatever_stands_next_to_it():
    encoder = load_encoder()
    together = encoder.embed(["battery life", "a much longer wording of something else", "battery life"])
    assert together.shape == (3, 384) and np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    encoder.forget()
    assert (encoder.embed(["battery life"])[0] == together[0]).all() and (together[0] == together[2]).all()
    assert encoder.embed([]).shape[0] == 0


def test_capitals_spaces_and_special_tokens_of_the_vocabulary_are_only_text():
    one, other, marked = load_encoder().embed(["Battery Life", " battery  life ", "[SEP] battery life"])
    assert np.allclose(one, other)
    assert one @ marked < 0.99


def test_a_very_long_text_is_cut_and_an_empty_one_is_read():
    assert np.isfinite(load_encoder().embed(["battery " * 500, ""])).all()


def test_only_so_many_vectors_are_remembered(monkeypatch):
    # Thousands of vectors take seconds.
    monkeypatch.setattr(phrase_encoder, "REMEMBERED", 3)
    encoder = load_encoder()
    encoder.forget()
    encoder.embed(["price", "comfort"])
    encoder.embed(["price", "weight"])
    assert set(encoder.known) == {"price", "comfort", "weight"}
    encoder.embed(["camera", "price"])
    assert set(encoder.known) == {"camera", "price"}


def test_wordings_of_one_aspect_are_called_by_the_commonest():
    groups = group_by_meaning(WORDINGS)
    assert groups["long battery life"] == "battery life"
    assert groups["sound quality"] == groups["audio quality"] == "audio quality", "as common: the alphabet decides"
    assert groups["customer support"] == "customer service"
    assert groups["build quality"] == "build quality" and groups["charging speed"] == "charging speed"
    assert groups == group_by_meaning(dict(reversed(WORDINGS.items())))
    assert group_by_meaning({}) == {}


def test_groups_do_not_chain():
    """Every wording is alike to the one that its group is called by, not only to some other of the group."""
    chain = {"customer support": 3, "customer service": 2, "customer experience": 1}
    support, service, experience = load_encoder().embed(list(chain))
    threshold = float(service @ experience)
    assert threshold < support @ service and threshold > support @ experience
    assert group_by_meaning(chain, threshold) == {
        "customer support": "customer support",
        "customer service": "customer support",
        "customer experience": "customer experience",
    }


def test_a_new_prompt_that_asks_what_a_tracked_one_asks_is_found():
    tracked = [
        "Which CRM is best for small teams?",
        "How much does a CRM cost?",
        "Which CRM works best with Gmail?",
        "How hard is it to switch to another CRM?",
        "Which CRM has the best phone app?",
        "Where can I rent a kayak near Lisbon?",
    ]
    least = load_encoder().calibration.same_prompt
    assert most_alike("What is the best CRM for a small team?", tracked) >= least
    assert most_alike("Which CRM has the best reports?", tracked) < least
    assert most_alike("What is the best CRM for a small team?", tracked[1:]) < least
    assert most_alike(tracked[0], tracked) == most_alike(tracked[0], tracked[:1]) == 1
    assert most_alike(tracked[0], []) == -1
    assert most_alike("Which CRM has the best reports?", tracked[:1]) < least


def test_the_card_describes_the_shipped_model():
    folder = files("sightline.answers").joinpath("data", "phrases")
    model, figures = folder.joinpath("model.onnx").read_bytes(), json.loads(folder.joinpath("figures.json").read_text())
    assert len(model) == figures["bytes"] <= 25_000_000
    assert hashlib.sha256(model).hexdigest() == figures["sha256"]
    assert figures["sha256"] in folder.joinpath("CARD.md").read_text()
    assert figures["calibration"]["same_aspect"] == load_encoder().calibration.same_aspect
