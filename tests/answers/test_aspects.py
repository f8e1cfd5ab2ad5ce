"""Metrics 5: what answers say about a brand becomes aspects, each with an opinion and a verbatim quote."""

import pytest

from sightline.answers.aspect_words import list_aspect_languages, read_aspect_words
from sightline.answers.aspects import find_aspects
from sightline.answers.models import Brand
from sightline.answers.names import Lexicon

ACME, GLOBEX = Brand("Acme"), Brand("Globex")


def read(text, *brands, **more):
    lexicon = Lexicon(brands or (ACME, GLOBEX))
    found = find_aspects(text, lexicon, **more)
    return {lexicon.brands[index].name: {one.name: one for one in own} for index, own in found.items()}


def polarities(text, **more):
    return {name: one.polarity for name, one in read(text, **more).get("Acme", {}).items()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Acme has excellent battery life.", {"battery life": "positive"}),
        ("Acme has poor battery life and a comfortable fit.", {"battery life": "negative", "fit": "positive"}),
        ("Acme is affordable but noisy.", {"price": "positive", "noise level": "negative"}),
        ("Acme is not the most durable vacuum.", {"durability": "negative"}),
        (
            "Acme is known for its grip, bounce and durability.",
            {"grip": "positive", "bounce": "positive", "durability": "positive"},
        ),
        ("Acme lacks wireless charging.", {"charging": "negative"}),
        ("Acme sells at a premium price.", {"price": "negative"}),
        ("Acme has an app.", {}),
    ],
)
def test_an_aspect_needs_an_opinion(text, expected):
    assert polarities(text) == expected


def test_lists_of_pros_and_cons_are_opinions():
    text = "### Acme Mini\n\n**Pros:**\n\n* battery life\n* bass\n\n**Cons:**\n\n* price\n"
    assert polarities(text) == {"battery life": "positive", "bass": "positive", "price": "negative"}


def test_only_the_own_scope_is_read():
    found = read("Acme has great sound. Globex has a comfortable fit.")
    assert (set(found["Acme"]), set(found["Globex"])) == ({"sound quality"}, {"fit"})


def test_a_language_without_lists_has_no_aspects():
    assert "xx" not in list_aspect_languages()
    assert read("Acme has excellent battery life.", language="xx") == {}


def test_every_language_can_be_read():
    assert "en" in list_aspect_languages()
    assert all(read_aspect_words(language) is not None for language in list_aspect_languages())
