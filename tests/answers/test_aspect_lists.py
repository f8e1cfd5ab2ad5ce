"""The word lists of aspects: each is consistent, and ordinary sentences of its language are read right."""

import tomllib
from importlib.resources import files

import pytest

from sightline.answers.aspect_words import list_aspect_languages
from sightline.answers.aspects import find_aspects
from sightline.answers.characters import fold
from sightline.answers.models import Brand
from sightline.answers.names import Lexicon

FOLDER = files("sightline.answers").joinpath("data", "aspects")


@pytest.mark.parametrize("language", list_aspect_languages())
def test_no_entry_says_two_things(language):
    """An entry that praises and blames, or that names two aspects, would be read by chance.

    It can happen by folding: "schön" (beautiful) becomes "schon" (already).
    """
    tables = tomllib.loads(FOLDER.joinpath(f"{language}.toml").read_text("utf-8"))
    names, signs = {}, {}
    for name, wordings in tables["aspects"].items():
        for entry in (name, *wordings):
            assert names.setdefault(fold(entry), name) == name, entry
    for table in ("praise", "blame"):
        said = {}
        for name, entries in tables[table].items():
            for entry in entries:
                assert said.setdefault(fold(entry), name) == name, entry
                assert signs.setdefault(fold(entry), table) == table, entry
    for sign, table in (("positive", "praise"), ("negative", "blame")):
        for entry in tables["opinions"][sign]:
            assert signs.setdefault(fold(entry), table) == table, entry
    assert not [entry for entry in (*names, *signs) if "*" in entry[:-1]]


def read(text, language):
    found = find_aspects(text, Lexicon([Brand("Acme"), Brand("Globex")]), language=language)
    return {aspect.name: aspect.polarity for aspect in found.get(0, ())}


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "Acme ist günstig und leise.", {"Preis": "positive", "Lautstärke": "positive"}),
        ("de", "Acme hat eine kurze Akkulaufzeit.", {"Akkulaufzeit": "negative"}),
        ("de", "Acme ist nicht günstig.", {"Preis": "negative"}),
        ("de", "Acme ist günstig, jedoch laut im Betrieb.", {"Preis": "positive", "Lautstärke": "negative"}),
        ("de", "Acme ist schon lange auf dem Markt.", {}),
        ("de", "Laut Herstellerangaben stammt Acme aus Berlin.", {}),
        ("fr", "Acme est fiable mais cher.", {"fiabilité": "positive", "prix": "negative"}),
        ("fr", "Acme manque de transparence.", {"transparence": "negative"}),
        ("fr", "Acme a son siège à Lyon.", {}),
        ("fr", "L'autonomie d'Acme n'est pas bonne.", {"autonomie": "negative"}),
        ("es", "Acme destaca por su diseño, pero es caro.", {"diseño": "positive", "precio": "negative"}),
        ("es", "Acme tiene mala atención al cliente.", {"atención al cliente": "negative"}),
        ("es", "Acme no solo vende zapatos.", {}),
        ("it", "Acme è noto per la puntualità, ma è costoso.", {"puntualità": "positive", "prezzo": "negative"}),
        ("it", "Acme non è affidabile.", {"affidabilità": "negative"}),
        ("pt", "O Acme é barato, mas o suporte é lento.", {"preço": "positive", "suporte": "negative"}),
        ("pt", "O Acme destaca-se pela segurança.", {"segurança": "positive"}),
        ("nl", "Acme is betrouwbaar, maar duur.", {"betrouwbaarheid": "positive", "prijs": "negative"}),
        ("nl", "Klanten klagen bij Acme over de klantenservice.", {}),
        ("pl", "Acme jest cichy, ale drogi.", {"głośność": "positive", "cena": "negative"}),
        ("pl", "Acme słynie z niezawodności.", {"niezawodność": "positive"}),
        ("pl", "Acme nie jest tani.", {"cena": "negative"}),
        ("sv", "Acme är billig men har dålig kundtjänst.", {"pris": "positive", "kundtjänst": "negative"}),
        ("sv", "Acme är inte bara ett varumärke.", {}),
        ("nl", "Klanten van Acme klagen over de klantenservice.", {"klantenservice": "negative"}),
    ],
)
def test_ordinary_sentences(language, text, expected):
    found = read(text, language)
    assert {name: found[name] for name in found if name in expected} == expected
    assert expected or not found


@pytest.mark.parametrize(
    ("language", "pros", "good", "cons", "bad", "expected"),
    [
        ("de", "Vorteile", "Schneller Kundenservice", "Nachteile", "Hoher Preis", ("Kundenservice", "Preis")),
        ("fr", "Avantages", "Interface claire", "Inconvénients", "Prix élevé", ("interface", "prix")),
        ("es", "Ventajas", "Interfaz clara", "Desventajas", "Precio elevado", ("interfaz", "precio")),
        ("it", "Pro", "Interfaccia chiara", "Contro", "Prezzo alto", ("interfaccia", "prezzo")),
        ("pt", "Vantagens", "Interface simples", "Desvantagens", "Preço alto", ("interface", "preço")),
        ("nl", "Voordelen", "Snelle klantenservice", "Nadelen", "Hoge prijs", ("klantenservice", "prijs")),
    ],
)
def test_items_of_pros_and_cons_are_not_taken_for_names(language, pros, good, cons, bad, expected):
    text = f"## Acme\n**{pros}**\n- {good}\n\n**{cons}**\n- {bad}\n\n## Globex\n**{pros}**\n- {good}\n"
    assert read(text, language) == dict(zip(expected, ("positive", "negative"), strict=True))


def test_words_of_a_name_say_nothing():
    lexicon = Lexicon([Brand("Assicura Facile")])
    found = find_aspects("L'app di Assicura Facile è stata lanciata in marzo.", lexicon, language="it")
    assert found == {}
