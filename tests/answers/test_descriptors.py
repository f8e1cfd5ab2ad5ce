"""Metrics 5: clauses about a brand become descriptors of one to three words, each with a verbatim quote."""

from sightline.answers.descriptors import find_descriptors
from sightline.answers.models import Brand
from sightline.answers.names import Lexicon

ACME, GLOBEX = Brand("Acme"), Brand("Globex")


def described(text, *brands, **more):
    lexicon = Lexicon(brands or (ACME, GLOBEX))
    found = find_descriptors(text, lexicon, **more)
    return {lexicon.brands[index].name: {one.text: one for one in own} for index, own in found.items()}


def test_only_clauses_about_the_brand_are_used():
    found = described("Acme has an offline mode. Globex has drawing review.")
    assert set(found["Acme"]) == {"offline mode"}
    assert set(found["Globex"]) == {"drawing review"}


def test_stop_words_bound_a_descriptor():
    assert "battery life" in described("Acme is known for the battery life of its watch.")["Acme"]


def test_longer_runs_are_not_descriptors():
    assert not described("Acme sells seven differently coloured seasonal holiday blankets.").get("Acme")


def test_synonyms_share_one_name():
    for text in ("Acme is intuitive.", "Acme is user-friendly.", "Acme is easy to use."):
        assert "ease of use" in described(text)["Acme"], text


def test_a_descriptor_is_in_the_singular_and_counts_once():
    found = described("Acme has templates. Acme offers a template.")["Acme"]
    assert list(found) == ["template"]


def test_the_quote_is_verbatim():
    text = "**Acme** has, they say, an *offline mode* & more."
    quote = described(text)["Acme"]["offline mode"].quote
    assert quote in text and "offline mode" in quote


def test_a_clause_carries_its_sentiment():
    found = described("Acme has terrible support. Acme has excellent templates.")["Acme"]
    assert found["terrible support"].score < 50 < found["excellent template"].score


def test_other_languages_have_descriptors_without_a_score():
    found = described("Acme hat eine lange Garantie.", language="de")["Acme"]
    assert found["lange garantie"].score is None


def test_an_unknown_brand_is_not_described():
    assert described("I have no information about Acme and its offline mode.") == {}


def test_names_of_brands_are_not_descriptors():
    assert not {"acme", "globex"} & set(described("Acme beats Globex in drawing review.").get("Acme", {}))


def test_odd_answers_have_no_descriptors():
    for text in ("", "Acme", "🙂", "```\nAcme has templates\n```"):
        assert described(text).get("Acme", {}) == {}
