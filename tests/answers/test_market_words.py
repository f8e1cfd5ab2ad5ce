"""A brand that is named like an ordinary word is not found in an answer on something else."""

import pytest

from sightline.answers.analyze import analyze
from sightline.answers.market_words import find_market_words, is_off_topic
from sightline.answers.models import Brand
from sightline.answers.names import Lexicon

PROMPTS = (
    "best phone for photos",
    "cheap phone with a good battery",
    "which phone lasts longest",
    "phone or tablet for a student",
    "small tablet for reading",
    "best apples for baking a pie",
)
PIE = (
    "A pie needs fruit that keeps its shape in the oven and has enough acid for the sugar in the crust.\n\n"
    "- **Apple** slices should be thin, and **Apple** skins can stay on if the fruit is young and fresh.\n"
    "- Butter belongs in the crust, and a pinch of salt belongs in everything that is sweet and rich.\n"
)


def test_words_that_prompts_share_are_the_markets():
    assert set(find_market_words(PROMPTS)) == {"phone", "tablet", "student"} - {"student"}
    assert "photos" in find_market_words(PROMPTS[:2]), "of a few prompts all words count"


def test_prompts_on_too_many_things_have_no_market():
    assert find_market_words(("red wine", "green tea", "blue jeans", "fast cars", "old books", "tall trees")) == ()


@pytest.mark.parametrize(
    ("prompt", "text", "off"),
    [
        ("best apples for baking a pie", PIE, True),
        ("which phone", PIE, False),
        ("best apples for baking a pie", PIE + "Put your phone away.", False),
        ("best apples for baking a pie", "Apple.", False),
    ],
)
def test_an_answer_is_off_topic_without_any_word_of_the_market(prompt, text, off):
    assert is_off_topic(text.lower(), prompt, find_market_words(PROMPTS)) is off


def test_an_ordinary_name_needs_its_site_in_an_answer_on_something_else():
    brand = Brand("Apple", domains=("apple.com",), market_words=find_market_words(PROMPTS))
    prompt = PROMPTS[-1]
    assert not analyze(PIE, Lexicon([brand]), prompt=prompt).brands[0].mentioned
    assert analyze(PIE + "\nSee Apple at apple.com.", Lexicon([brand]), prompt=prompt).brands[0].mentioned
    assert analyze(PIE, Lexicon([Brand("Apple")]), prompt=prompt).brands[0].mentioned, "nothing tells the market"
