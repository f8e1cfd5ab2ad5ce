"""Number, countability and articles of English nouns."""

import pytest

from sightline.answers.english_nouns import add_article, find_number, pluralize, singularize


@pytest.mark.parametrize(
    ("phrase", "number", "plural", "with_article"),
    [
        ("credit card", "singular", "credit cards", "a credit card"),
        ("espresso machine", "singular", "espresso machines", "an espresso machine"),
        ("electric toothbrush", "singular", "electric toothbrushes", "an electric toothbrush"),
        ("mattress", "singular", "mattresses", "a mattress"),
        ("camera lens", "singular", "camera lenses", "a camera lens"),
        ("baby monitor battery", "singular", "baby monitor batteries", "a baby monitor battery"),
        ("toy", "singular", "toys", "a toy"),
        ("chef's knife", "singular", "chef's knives", "a chef's knife"),
        ("women's swimwear retailer", "singular", "women's swimwear retailers", "a women's swimwear retailer"),
        ("used car", "singular", "used cars", "a used car"),
        ("USB hub", "singular", "USB hubs", "a USB hub"),
        ("SUV", "singular", "SUVs", "an SUV"),
        ("CRM", "singular", "CRMs", "a CRM"),
        ("herb garden", "singular", "herb gardens", "an herb garden"),
        ("wedding ring", "singular", "wedding rings", "a wedding ring"),
        ("wireless earbuds", "plural", "wireless earbuds", "wireless earbuds"),
        ("running shoes", "plural", "running shoes", "running shoes"),
        ("sunglasses", "plural", "sunglasses", "sunglasses"),
        ("carry-on luggage", "mass", "carry-on luggage", "carry-on luggage"),
        ("accounting software", "mass", "accounting software", "accounting software"),
        ("nonstick cookware", "mass", "nonstick cookware", "nonstick cookware"),
        ("car insurance", "mass", "car insurance", "car insurance"),
        ("web hosting", "mass", "web hosting", "web hosting"),
    ],
)
def test_a_phrase_inflects_by_its_last_word(phrase, number, plural, with_article):
    assert (find_number(phrase), pluralize(phrase), add_article(phrase)) == (number, plural, with_article)


@pytest.mark.parametrize(
    ("plural", "singular"),
    [
        ("running shoes", "running shoe"),
        ("batteries", "battery"),
        ("toothbrushes", "toothbrush"),
        ("mattresses", "mattress"),
        ("houses", "house"),
        ("knives", "knife"),
        ("jeans", "jeans"),
        ("luggage", "luggage"),
        ("bus", "bus"),
    ],
)
def test_the_singular_of_a_plural(plural, singular):
    assert singularize(plural) == singular
