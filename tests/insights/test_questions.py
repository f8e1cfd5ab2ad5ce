"""Questions that may become prompts: nouns of a market, searches, whole questions, and the grammar of templates."""

import pytest

from sightline.answers.prepare import prepare
from sightline.insights.better_prompts import word_better_prompts
from sightline.insights.questions.aspects import ask_for_aspect, find_mentioned_aspects
from sightline.insights.questions.market_nouns import MarketNoun, NounPrompt, find_market_nouns
from sightline.insights.questions.searches import SearchWords, ask_from_search
from sightline.insights.questions.templates import (
    ask_at_stage,
    ask_for_alternatives,
    ask_for_brands,
    ask_for_rivals,
    ask_for_use,
    find_stage,
)
from sightline.insights.questions.uses import find_uses
from sightline.insights.questions.whole_questions import find_whole_questions, is_whole_question

EARBUDS, CARD, LUGGAGE, SHOP = (
    MarketNoun(text, frozenset()) for text in ("earbuds", "credit card", "carry-on luggage", "garden shop")
)


def nouns_of(*prompts, answers=()):
    return [noun.text for noun in find_market_nouns([NounPrompt(text, text, answers) for text in prompts])]


def test_the_noun_of_a_market_is_the_phrase_that_most_prompts_share():
    assert nouns_of(
        "best wireless earbuds under $100", "Which wireless earbuds last longest?", "earbuds for the gym"
    ) == ["wireless earbuds"]
    assert nouns_of("best large family tent", "I'm looking for a family tent", "tent under 300") == ["family tent"]
    cards = ("what's the best credit card for students?", "credit cards with lounge access", "first credit card")
    assert nouns_of(*cards) == ["credit card"]


def test_questions_keep_a_price_limit_that_all_prompts_have():
    def find_limits(*prompts):
        return [noun.limit for noun in find_market_nouns([NounPrompt(text, text) for text in prompts])]

    assert find_limits("best tent under 300", "tents below $300", "Which tent under $300?") == [" under $300"]
    assert find_limits("best tent under 300", "tents below $400", "Which tent under $300?") == [""]
    assert find_limits("best tent under 300", "tents below 300", "Which tent up to 300?") == [""], "kilograms?"
    tent = MarketNoun("tent", frozenset(), " under $300")
    assert ask_at_stage("learn", tent) == (
        "What matters most when choosing a tent under $300, and which brands stand out?"
    )
    assert ask_for_rivals("Globex", "Hooli", tent, None) == "Globex or Hooli: which tent under $300 is better?"


def test_prompts_on_two_things_have_two_nouns_and_prompts_on_many_have_none():
    found = nouns_of(
        "best anvil", "cheap anvil for beginners", "anvil or block?", "best forge hammer", "hammer for smiths"
    )
    assert found == ["anvil", "hammer"]
    assert nouns_of("best anvil", "how to tie a tie", "weather tomorrow") == []


def test_a_noun_that_answers_do_not_speak_of_or_that_says_nothing_is_none():
    assert nouns_of("best anvil", "anvil for beginners", answers=("A hammer and patience.",)) == []
    assert nouns_of("best tool for invoices", "Which tool do designers use?") == []


def test_what_follows_a_preposition_is_not_what_a_prompt_looks_for():
    assert nouns_of("best mesh router for home", "router for a large home", "home router", "cheap router at home") == [
        "router"
    ]
    assert nouns_of("I'm looking for a tent", "shopping for a family tent", "party with 8 people and need a tent") == [
        "tent"
    ]


def test_a_certain_one_is_pointed_at():
    assert CARD.is_pointed_at("How old is the credit card?") and CARD.is_pointed_at("What is the card for?")
    assert not CARD.is_pointed_at("Which credit card has the lowest fees?")


def test_a_word_is_written_as_answers_write_it():
    assert nouns_of(
        "best crm for startups", "crm with phone app", answers=("A CRM helps. This CRM is cheap, that CRM is not.",)
    ) == ["CRM"]


@pytest.mark.parametrize(
    ("aspect", "noun", "question"),
    [
        ("battery life", EARBUDS, "Which earbuds have the best battery life?"),
        ("great battery life", EARBUDS, "Which earbuds have the best battery life?"),
        ("comfort", EARBUDS, "Which earbuds are the most comfortable?"),
        ("ease of use", EARBUDS, "Which earbuds are the easiest to use?"),
        ("customer service", CARD, "Which credit card has the best customer service?"),
        ("fees", CARD, "Which credit card has the lowest fees?"),
        ("espresso quality", CARD, "Which credit card has the best espresso quality?"),
        ("capacity", LUGGAGE, "Which carry-on luggage has the largest capacity?"),
        ("value", CARD, "Which credit card offers the best value for money?"),
        ("value for money", EARBUDS, "Which earbuds offer the best value for money?"),
        ("durability", LUGGAGE, "Which carry-on luggage is the most durable?"),
        ("lightweight", LUGGAGE, "Which carry-on luggage is the lightest?"),
    ],
)
def test_aspects_are_asked_for_in_the_number_of_the_noun(aspect, noun, question):
    assert ask_for_aspect(aspect, noun)[1] == question


@pytest.mark.parametrize("aspect", ["consider", "top pick", "expert review", "student", "great", "high quality", ""])
def test_what_is_no_aspect_is_not_asked_for(aspect):
    assert ask_for_aspect(aspect, EARBUDS) is None


def test_an_aspect_keeps_its_capitals():
    assert ask_for_aspect("RAM", EARBUDS)[1] == "Which earbuds have the most RAM?"


def test_aspects_are_found_as_whole_words_without_ambiguous_ones():
    assert find_mentioned_aspects("a wide range of tents with good battery life, easy to clean.") == {
        "battery life",
        "easy to clean",
    }


def test_templates_agree_with_the_number_of_the_noun():
    assert ask_for_rivals("Globex", "Hooli", EARBUDS, None) == "Globex or Hooli: which earbuds are better?"
    assert (
        ask_for_rivals("Globex", "Hooli", CARD, "travel") == "Globex vs Hooli: which credit card is better for travel?"
    )
    assert (
        ask_for_rivals("Globex", "Hooli", SHOP, "roses")
        == "Globex vs Hooli: which is the better garden shop for roses?"
    )
    assert ask_for_use("long flights", LUGGAGE) == "Which carry-on luggage is best for long flights?"
    assert ask_for_alternatives("Globex", CARD) == "Which credit cards are good alternatives to Globex?"
    assert ask_for_alternatives("Globex", LUGGAGE) == "Which carry-on luggage is a good alternative to Globex?"
    assert ask_for_brands(CARD) == "Which brands make the best credit cards?"
    assert ask_for_brands(SHOP) == "Which garden shops are the best?"
    assert [ask_at_stage(stage, CARD) for stage in ("learn", "compare", "choose", "use", "switch")] == [
        "What matters most when choosing a credit card, and which brands stand out?",
        "How do the leading brands of credit cards compare?",
        "Which credit card offers the best value for money?",
        "Which credit cards do customers recommend most?",
        None,
    ]
    assert ask_at_stage("compare", SHOP) == "How do the leading garden shops compare?"
    assert (
        ask_at_stage("learn", LUGGAGE)
        == "What matters most when choosing carry-on luggage, and which brands stand out?"
    )


@pytest.mark.parametrize(
    ("prompt", "stage"),
    [
        ("best earbuds under $100", "choose"),
        ("Globex vs Hooli earbuds", "compare"),
        ("alternatives to Globex", "switch"),
        ("How do I clean earbuds?", "use"),
        ("How to choose earbuds", "learn"),
        ("What are open earbuds?", "learn"),
        ("What are the best earbuds?", "choose"),
        ("earbuds", None),
    ],
)
def test_the_stage_of_a_prompt(prompt, stage):
    assert find_stage(prompt) == stage


WORDS = SearchWords([EARBUDS, MarketNoun("CRM", frozenset())], {"globex": "Globex", "hooli": "Hooli"})


@pytest.mark.parametrize(
    ("query", "question"),
    [
        ("best budget earbuds 2025 reviews", "What are the best budget earbuds?"),
        ("best crm for startups", "What is the best CRM for startups?"),
        ("top 10 earbuds for running under $100", "What are the best earbuds for running under $100?"),
        ("earbuds for small ears", "What are the best earbuds for small ears?"),
        ("best earbuds brands for runners 2024", "Which brands make the best earbuds for runners?"),
        ("globex vs hooli earbuds", "Globex or Hooli: which earbuds are better?"),
        ("Globex vs Hooli for travel", "Globex or Hooli: which is better for travel?"),
        ("hooli alternatives", "What are the best alternatives to Hooli?"),
        ("how to clean earbuds", "How do I clean earbuds?"),
        ("how to choose crm", "How do I choose a CRM?"),
        ("are expensive earbuds worth the money", "Are expensive earbuds worth the money?"),
        ("site:reddit.com best earbuds", None),
        ("best earbuds site:example.com", None),
        ("best earbuds sound quality comparison", None),
        ("best earbuds under 100", None),
        ("best earbuds with the best battery", None),
        ("globex x200 vs hooli pro", None),
        ("earbuds", None),
        ("earbuds waterproof rating explained", None),
        ("weather in berlin tomorrow", None),
    ],
)
def test_a_search_becomes_the_question_behind_it_or_nothing(query, question):
    assert ask_from_search(query, WORDS, "en") == question


def test_in_other_languages_only_whole_questions_are_taken_over():
    assert ask_from_search("beste Kopfhörer Test", WORDS, "de") is None
    asked = "Welche Kopfhörer halten am längsten?"
    assert ask_from_search(asked, WORDS, "de") == asked
    assert ask_from_search("Vilka hörlurar håller längst?", WORDS, "sv") is None, "nobody reads Swedish here"


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


def test_uses_are_what_answers_recommend_something_for():
    prose = (
        "ideal for long flights. great for travel, and best for you. perfect for those who run. "
        "good for the money. best for home use. ideal for cadence-style runners."
    )
    assert set(find_uses([("a", prose)])) == {"long flights", "travel", "home use"}


def test_a_better_prompt_keeps_the_topic_and_asks_for_brands():
    texts = [
        "how loud is a steel anvil",
        "is an anvil good for small workshops?",
        "how is an anvil made",
        "best steel anvil",
        "steel anvil under $300",
    ]
    prompts = [NounPrompt(text, text) for text in texts]
    found = word_better_prompts(prompts[:3], prompts)
    assert found == {
        texts[0]: "Which steel anvil is the quietest?",
        texts[1]: "Which steel anvil is best for small workshops?",
        texts[2]: "Which brands make the best steel anvils?",
    }
    tracked = [*prompts, NounPrompt("x", "Which brands make the best steel anvils?")]
    assert texts[2] not in word_better_prompts(prompts[:3], tracked), "it is tracked already"
