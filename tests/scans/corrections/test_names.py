"""Which words can become a name of the brand, and which phrase says more than the name in it."""

import pytest

from sightline.answers.models import Brand
from sightline.scans.corrections.names import is_longer_phrase, is_name_of, is_plausible_name


@pytest.mark.parametrize(
    "words",
    ["Akme", "eBay", "akme", "Akme Forge 2", "AKME", "The Akme Shop", "小米", "Żabka", "Forge", "3M", "akme one"],
)
def test_names_are_plausible(words):
    assert is_plausible_name(words)


@pytest.mark.parametrize(
    "words",
    ["They", "The company", "our company", "it", "", "2026", "forge", "a b c d e f", "info@acme.com", "x/y", "!"],
)
def test_other_words_are_not(words):
    assert not is_plausible_name(words)


@pytest.mark.parametrize(
    ("phrase", "words", "longer"),
    [
        ("target audience", "Target", True),
        ("Target", "target", False),
        ("Target!", "target", False),
        ("audience", "target", False),
        ("小米粥", "小米", True),
    ],
)
def test_a_phrase_says_more_than_the_name(phrase, words, longer):
    assert is_longer_phrase(phrase, words) is longer


def test_every_spelling_that_is_searched_is_a_name():
    brand = Brand("Acme", ("Forge & Sons",), ("acme.com",))
    assert all(is_name_of(brand, words) for words in ("ACME", "acme.com", "forge-sons", "Fórge & Sons"))
    assert not is_name_of(brand, "Acme Peak")
