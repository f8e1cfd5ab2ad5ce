"""A name in lower case is the brand only if the brand writes itself so, or the answer shows that it means the brand."""

import pytest

from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.answers.ordinary_words import commonness
from sightline.answers.prepare import prepare
from sightline.answers.tracked_names import is_named
from tests.answers.builders import ACME, XYLIA, count

PLAIN = Brand("acme", domains=("acme.com",))
KLAR = Brand("Klarmut", domains=("klarmut.de",))


def test_the_list_of_ordinary_words_has_none_of_these_names():
    assert commonness("Acme") == commonness("Klarmut") == 0


@pytest.mark.parametrize(
    "text",
    [
        "This pen is the acme of perfection.",
        "Good tools exist. Xylia is the acme of CRM software, ahead of all others.",
        "Reaching the acme takes years.\n\n- patience\n- acme\n- money",
        "Der Stift gilt als acme der Schreibkunst, sagt man.",
        "Many tools (e.g. acme) were there.",
    ],
)
def test_an_ordinary_word_names_nobody(text):
    assert count(text, ACME, XYLIA, prompt="best crm software") == 0


def test_a_capital_elsewhere_does_not_turn_the_word_into_the_brand():
    assert count("Acme is fine. For many it is the acme of taste.", ACME) == 1


@pytest.mark.parametrize(
    "text",
    [
        "This pen is the acme of perfection.",
        "Good tools exist, and acme is one of them.",
    ],
)
def test_a_brand_that_writes_itself_so_counts(text):
    assert count(text, PLAIN) == 1
    assert count(text, Brand("Acme", aliases=("acme",))) == 1
    assert count(text, ACME) == 0


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("It is easy. acme offers a plan. The rest is fine.", id="opens a sentence"),
        pytest.param("There are three.\n\nacme is cheap. Try it.\n\nThe rest is not.", id="opens a paragraph"),
        pytest.param("Popular tools:\n\n1. Xylia\n2. acme\n3. Zentro", id="an entry among capitals"),
        pytest.param("Try **acme** for this.", id="bold after a verb of choosing"),
        pytest.param("See [acme](https://acme.com/a) today.", id="a link to its site"),
        pytest.param("The tool acme (acme.com) is here.", id="its domain in the sentence"),
        pytest.param("The best is the acme X200, they say.", id="the number of a model"),
        pytest.param("Many like the acme Pro Max best.", id="the title of a product"),
        pytest.param("This software is made by acme.", id="a maker near a word of the prompt"),
    ],
)
def test_the_answer_shows_that_it_means_the_brand(text):
    expected = text.count("acme") - text.count("https://acme")
    assert count(text, ACME, XYLIA, prompt="which crm software is the best") == expected


def test_one_clear_place_shows_how_the_answer_writes_the_name():
    assert count("Many like the acme Pro Max. It needs the acme app.", ACME) == 2
    assert count("Many like the Acme Pro Max. It needs the acme app.", ACME) == 1


def test_an_answer_without_capitals_says_nothing_by_case():
    assert count("try acme. both are fine. i like acme most.", ACME) == 2
    assert count("i like acme", ACME) == 1


def test_an_answer_may_write_the_name_as_the_prompt_does():
    text = "Yes, acme has a good name."
    assert count(text, ACME, prompt="is acme any good?") == 1
    assert count(text, ACME, prompt="Is Acme any good?") == 0


def test_names_that_no_ordinary_word_can_be_count_in_any_case():
    for name in ("HubSpot", "Coca-Cola", "Bett1", "Wile Supply"):
        assert count(f"Some people use {name.lower()} here.", Brand(name)) == 1
    assert count("Ask @acme, or an acme-like tool, or acme.io.", ACME) == 3


def test_capitals_and_scripts_without_case_are_read_as_before():
    assert count("THE ACME OF PERFECTION IS HERE.", ACME) == 1
    assert count("Acme of perfection is here.", ACME) == 1
    assert count("我推荐小米手机", Brand("小米")) == 1
    assert count("このツールacmeは安いです。", ACME) == 1
    assert count("Он купил ручку клармут в магазине.", Brand("Клармут")) == 0
    assert count("Er war klarmut und müde, sagte sie.", KLAR) == 0
    assert count("Er kauft bei Klarmut, sagte sie.", KLAR) == 1


def test_a_listed_word_counts_against_a_brand_only_if_the_brand_has_a_capital():
    text = "Many teams choose notion, a workspace for notes."
    words = ("notes", "workspace")
    assert count(text, Brand("Notion", category_words=words)) == 0
    assert count(text, Brand("notion", category_words=words)) == 1
    assert count("It is a strange notion, and that is all.", Brand("notion", category_words=words)) == 0


def test_people_write_prompts_without_capitals():
    lexicon = Lexicon([ACME])
    assert is_named(prepare("Is acme any good?"), lexicon)
    assert is_named(prepare("best crm like acme"), lexicon)
