"""Whole questions: sentences of platforms that can be prompts as they stand."""

import pytest

from sightline.answers.prepare import prepare
from sightline.insights.whole_questions import find_whole_questions, is_whole_question


def test_other_languages_are_read_if_they_have_rules():
    assert is_whole_question("Welche Kopfhörer halten am längsten?", "de")
    assert not is_whole_question("beste Kopfhörer Test", "de")
    assert not is_whole_question("Vilka hörlurar håller längst?", "sv"), "nobody reads Swedish here"


@pytest.mark.parametrize(
    "question",
    [
        "Which anvil weight suits a small forge?",
        "How loud is a cast iron anvil indoors?",
        "Are forged anvils worth the extra money?",
    ],
)
def test_whole_questions(question):
    assert is_whole_question(question, "en")


@pytest.mark.parametrize(
    "question",
    [
        "Would you like me to compare prices?",
        "How long do you need the anvil to last?",
        "Which one is right for a small forge?",
        "How long does it last on average?",
        "Are they worth the extra money?",
        "What's your budget for an anvil?",
        "com/products/steel-anvil-55-lb?",
        "Is forge.example.com/anvils a good site?",
        "Forged or cast, which is better?",
        "Which anvil (for a small forge?",
        "Which anvil?",
        "which anvil weight suits a small forge?",
        "Weight: How heavy should an anvil be?",
        "**Which** anvil weight suits a forge?",
    ],
)
def test_fragments_and_questions_to_the_reader_are_none(question):
    assert not is_whole_question(question, "en")


def test_questions_are_taken_from_prose_and_headings_without_labels_and_addresses():
    text = (
        "## How heavy should a first anvil be?\n\nAbout 50 kg. Would you like more?\n\n"
        "- Face: Which anvil face is hard enough for tools?\n\n"
        "See [the list](https://smiths.example.com/best-anvils/?utm=1). "
        "([Smiths](https://smiths.example.com/which-anvil-is-best-for-me?ref=a))\n\n"
        "| Which anvil is best for a table cell? | yes |\n|---|---|\n| a | b |\n"
    )
    assert find_whole_questions(prepare(text), "en") == [
        "How heavy should a first anvil be?",
        "Which anvil face is hard enough for tools?",
    ]
    assert find_whole_questions(prepare(text), "sv") == []
