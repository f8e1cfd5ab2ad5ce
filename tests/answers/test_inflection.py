"""Metrics 2.2: inflected and clitic forms count, by lists for each language and only in that language."""

# ruff: noqa: RUF001 (characters that look alike are what is tested)

import pytest

from sightline.answers.characters import fold
from sightline.answers.inflection import CLITICS, ENDINGS, endings_for, inflected_stems
from sightline.answers.models import Brand
from tests.answers.builders import count


def forms(name, language):
    return {form for spoken, form in inflected_stems(name) if spoken == language}


@pytest.mark.parametrize("language", sorted(ENDINGS))
def test_endings_are_folded(language):
    assert [ending for ending in ENDINGS[language] if fold(ending) != ending] == []
    assert "s" in endings_for(language)


def test_clitics_are_folded():
    assert [clitic for clitic in CLITICS if fold(clitic) != clitic] == []
    assert {"و", "ب", "ل", "ك"} <= CLITICS


@pytest.mark.parametrize("language", [None, "en", "xx", ""])
def test_other_languages_have_only_the_plural(language):
    assert endings_for(language) == {"s", "es"}


@pytest.mark.parametrize(
    ("name", "language", "expected"),
    [
        ("zabka", "pl", {"zabki", "zabke", "zabce", "zabko"}),
        ("biedronka", "pl", {"biedronki", "biedronce"}),
        ("allegro", "pl", {"allegra", "allegru", "allegrem"}),
        ("skoda", "cs", {"skody", "skodu", "skodou"}),
        ("лента", "ru", {"ленты", "ленте", "ленту", "лентои"}),
        ("пошта", "uk", {"пошти", "пошті", "пошту", "поштою"}),
        ("нова пошта", "uk", {"новою поштою", "нову пошту"}),
    ],
)
def test_stems(name, language, expected):
    assert expected <= forms(name, language)


@pytest.mark.parametrize("name", ["zabka", "лента", "нова пошта", "allegro", "skoda", "acme"])
def test_no_form_is_the_name_itself_or_repeated(name):
    made = list(inflected_stems(name))
    assert made and len(set(made)) == len(made)
    assert name not in {form for _, form in made}
    assert all(fold(form) == form for _, form in made)
    assert all(form[:2] == name[:2] for _, form in made)


@pytest.mark.parametrize("name", ["", "abc", "h&m", "3m", "one two three", "a zabka", "samsung"])
def test_short_odd_and_long_names_are_not_inflected(name):
    assert list(inflected_stems(name)) == []


def test_a_name_is_inflected_only_in_the_languages_of_its_script():
    assert {language for language, _ in inflected_stems("zabka")} == {"pl", "cs", "sk"}
    assert {language for language, _ in inflected_stems("лента")} == {"ru", "uk"}
    assert all(form.isascii() for _, form in inflected_stems("zabka group"))


@pytest.mark.parametrize(
    ("brand", "language", "text"),
    [
        ("Żabka", "pl", "Kupiłem to w Żabce."),
        ("Żabka", "pl", "Lubię Żabkę."),
        ("Żabka", "pl", "Obok Żabki jest sklep."),
        ("Zalando", "pl", "Kupiłem buty na Zalandzie, a wolę Zalando."),
        ("Xylion", "pl", "Polecam pracę z Xylionem."),
        ("Xylion", "cs", "Doporučuji práci s Xylionem."),
        ("Ксилион", "ru", "Мы работаем с Ксилионом."),
        ("Тойота", "ru", "Я доволен Тойотой."),
        ("Нова Пошта", "uk", "Надішліть Новою Поштою."),
        ("Xylion", "tr", "Xylion'un fiyatı uygun."),
        ("Xylion", "fi", "Käytän Xylionia päivittäin."),
        ("Xylion", "hu", "A Xylionban minden megvan."),
        ("زيلون", "ar", "أنصح بزيلون وزيلون جيد."),
    ],
)
def test_inflected_names_are_mentions(brand, language, text):
    assert count(text, Brand(brand), language=language) >= 1


@pytest.mark.parametrize(
    ("brand", "text"),
    [("Xylion", "Polecam Xylionem."), ("Biedronka", "Biedronki und Biedronce"), ("Xylion", "Xylionban")],
)
def test_inflected_names_count_only_in_their_language(brand, text):
    assert count(text, Brand(brand), language="en") == 0


@pytest.mark.parametrize("language", sorted(ENDINGS))
def test_any_other_letters_make_another_word(language):
    assert count("Xylionquark", Brand("Xylion"), language=language) == 0
    assert count("Xylions", Brand("Xylion"), language=language) == 1
