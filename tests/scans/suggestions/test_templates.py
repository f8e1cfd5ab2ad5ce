"""Every template gives a whole question about every noun, and there are always at least ten different ones."""

import re

import pytest

from sightline.scans.suggestions.intents import group_by_intent
from sightline.scans.suggestions.offers import Offer
from sightline.scans.suggestions.reply import is_whole_question
from sightline.scans.suggestions.templates import fill_template, list_questions
from sightline.scans.suggestions.word_files import LANGUAGES, load_categories, load_words


def offers(language):
    words = load_words(language)
    for key, category in words.categories.items():
        yield Offer(key, category.noun)
    for key, noun in words.offers.items():
        yield Offer(load_categories().offers[key][0], noun)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_noun_has_ten_different_whole_questions(language):
    for offer in offers(language):
        questions = list(list_questions(offer, language))
        assert len(set(questions[:10])) == 10, offer
        for question in questions:
            assert is_whole_question(question), question
            assert not re.search(r"[{}<>|]|  ", question), question


@pytest.mark.parametrize("language", LANGUAGES[:4])
def test_the_first_four_languages_have_questions_of_each_category(language):
    words = load_words(language)
    for key, category in words.categories.items():
        assert len(category.ask) + (len(words.shared) if key != "general" else 0) >= 10, key
        assert len(set(category.ask)) == len(category.ask)


@pytest.mark.parametrize(
    ("language", "template", "noun", "question"),
    [
        ("en", "Which {things} <is|are> best?", "CRM software|s", "Which CRM software is best?"),
        ("en", "Which {things} <is|are> best?", "laptops", "Which laptops are best?"),
        ("fr", "<Quels|Quelles> {things} choisir ?", "banques|f", "Quelles banques choisir ?"),
        ("fr", "<Quels|Quelles> {things} choisir ?", "courtiers", "Quels courtiers choisir ?"),
        ("es", "¿Son <caros|caras> <los|las> {things}?", "bodegas|f", "¿Son caras las bodegas?"),
    ],
)
def test_words_agree_with_the_noun(language, template, noun, question):
    assert fill_template(template, noun, language) == question


def test_only_software_is_read_without_a_plural():
    """Questions of the other categories have plural verbs only."""
    heads = load_words("en").heads
    assert {key for key, head in heads.items() if any("|" in form for form in head.words.values())} == {"software"}
    assert {key for key, category in load_words("en").categories.items() if "|" in category.noun} == {"software"}
    assert not any("|" in noun for noun in load_words("en").offers.values())


@pytest.mark.parametrize(
    ("prompt", "heading"),
    [
        ("What should I look for when I compare software?", "Finding out what matters"),
        ("How does the leading software compare?", "Comparing"),
        ("Was kosten Softwarelösungen pro Nutzer und Monat?", "Asking about price and value"),
        ("Quels reproches fait-on le plus souvent aux logiciels ?", "Problems and switching"),
        ("Which companies have the best customer service?", "Looking for the right one"),
        ("¿Qué centros de formación tienen los mejores profesores?", "Looking for the right one"),
        ("主流的软件对比起来有什么差别", "Comparing"),
    ],
)
def test_prompts_are_grouped_by_what_they_are_asked_for(prompt, heading):
    assert group_by_intent([prompt]) == [(heading, [prompt])]
