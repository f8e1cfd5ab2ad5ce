"""Metrics 2.2 "Matching": its vectors, its "More rules, each a test", and further cases."""

# ruff: noqa: RUF001 (characters that look alike are what is tested)

import pytest

from sightline.answers.models import Brand
from tests.answers.builders import ACME, XYLIA, analyze_brand, analyze_text, count

COCA_COLA = Brand("Coca-Cola", domains=("coca-cola.com",))
XIAOMI = Brand("小米", aliases=("Xiaomi",), domains=("mi.com",))
H_AND_M = Brand("H&M", domains=("hm.com",))
L_OREAL = Brand("L'Oréal", domains=("loreal.com",))
MONDAY = Brand("monday.com", aliases=("monday",), domains=("monday.com",))
NESTLE = Brand("Nestlé", domains=("nestle.com",))
SIGHTLINE = Brand("Sightline", domains=("sightline.io",))


@pytest.mark.parametrize(
    ("text", "brand", "occurrences"),
    [
        pytest.param("Acme’s", ACME, 1, id="Acme’s"),
        pytest.param("The Acmes", ACME, 1, id="The Acmes"),
        pytest.param("AcmeWork", ACME, 0, id="AcmeWork"),
        pytest.param("**Ac**me", ACME, 1, id="split bold"),
        pytest.param("[Acme](https://acme.com) [1]", ACME, 1, id="anchor and mark"),
        pytest.param("Good tools exist.[1](https://acme.com/blog)", ACME, 0, id="only a mark leads there"),
        pytest.param("visit acme.com", ACME, 1, id="visit acme.com"),
        pytest.param("Coca‑Cola and Coca Cola", COCA_COLA, 2, id="Coca‑Cola and Coca Cola"),
        pytest.param("我推荐小米手机", XIAOMI, 1, id="我推荐小米手机"),
        pytest.param("ＡＣＭＥ", ACME, 1, id="full-width"),
        pytest.param("pineacme", ACME, 0, id="pineacme"),
        pytest.param("H&M vs H & M", H_AND_M, 2, id="H&M vs H & M"),
        pytest.param("L'Oréal's", L_OREAL, 1, id="L'Oréal's"),
        pytest.param("monday", MONDAY, 0, id="monday alone for monday.com"),
        pytest.param("acme-like", ACME, 1, id="acme-like"),
        pytest.param("@acme", ACME, 1, id="@acme"),
        pytest.param("```\nAcme\n```", ACME, 0, id="code block"),
    ],
)
def test_2_2_vector(text, brand, occurrences):
    assert count(text, brand) == occurrences


def test_2_2_vector_a_mark_is_still_a_citation():
    assert analyze_brand("Good tools exist.[1](https://acme.com/blog)").cited
    assert analyze_brand("[Acme](https://acme.com) [1]").cited


def test_2_2_vector_acme_like_is_derived_and_has_no_rank():
    analysis = analyze_brand("acme-like")
    assert (analysis.mentioned, analysis.rank, analysis.stance) == (True, None, "neutral")
    assert analysis.occurrences[0].derived


@pytest.mark.parametrize(
    ("text", "occurrences"),
    [
        ("Acme", 1),
        ("ACME", 1),
        ("acme", 1),
        ("ACME'S", 1),
        ("the Acmes' plans", 1),
        ("the Acme's", 1),
        ('Acme, Acme; Acme: Acme! Acme? (Acme) "Acme" “Acme” «Acme» Acme/Acme', 11),
        ("🚀Acme🚀", 1),
        ("_Acme_ and ***Acme***", 2),
        ("~~Acme~~", 1),
        ("Acme™ and Acme® and Acme¹ and Acme[2]", 4),
        ("d'Acme, l’Acme", 2),
        ("ex-Acme and non-Acme", 2),
        ("#Acme", 1),
        ("Acme2", 0),
        ("2Acme", 0),
        ("Acme２", 0),
        ("Acmeé", 0),
        ("éAcme", 0),
        ("Acmeя", 0),
        ("яAcme", 0),
        ("Acmeα and αAcme", 0),
        ("AcmeX, XAcme, Acmelike, Acmeing, Acmed", 0),
        ("Ac me", 0),
        ("Ac\n\nme", 0),
        ("- Ac\n- me", 0),
    ],
)
def test_no_letter_or_digit_may_adjoin_a_name_except_possessive_and_plural_endings(text, occurrences):
    assert count(text) == occurrences


@pytest.mark.parametrize(
    ("text", "occurrences"),
    [
        ("Ac\u200bme", 1),
        ("Ac\u00adme", 1),
        ("\ufeffAcme", 1),
        ("Ac\u2060me", 1),
        ("A\u200dc\u200cm\u00ade", 1),
        ("Acme\u200bWork", 0),
        ("𝐀𝐜𝐦𝐞", 1),  # mathematical bold, as some answers write for emphasis
        ("ａｃｍｅ．com", 1),
    ],
)
def test_invisible_characters_and_other_widths_do_not_hide_a_name(text, occurrences):
    assert count(text) == occurrences


@pytest.mark.parametrize(
    ("written", "occurrences"),
    [
        ("Coca-Cola", 1),
        ("Coca Cola", 1),
        ("Coca.Cola", 1),
        ("Coca&Cola", 1),
        ("Coca & Cola", 1),
        ("Coca\u00a0Cola", 1),
        ("Coca‐Cola", 1),
        ("Coca–Cola", 1),
        ("Coca\nCola", 1),
        ("Coca  Cola", 1),  # two blanks are one on the page
        ("COCA-COLA'S", 1),
        ("Coca-Cola-Flasche", 1),
        ("Coca, Cola", 0),
        ("Coca or Cola", 0),
        ("Coca/Cola", 0),
        ("Coca\n\nCola", 0),
        ("Coca-Colada", 0),
    ],
)
def test_separators_inside_a_name_match_space_hyphen_dot_and_ampersand(written, occurrences):
    assert count(f"I drink {written} daily.", COCA_COLA) == occurrences


def test_several_separators_each_match():
    brand = Brand("Johnson & Johnson")
    assert count("Johnson & Johnson, Johnson&Johnson, Johnson-Johnson, Johnson Johnson", brand) == 4
    three = Brand("One-Off Quill Xander")
    assert count("One Off-Quill.Xander and one off quill xander's and ONE-OFF-QUILL-XANDER", three) == 3


@pytest.mark.parametrize("written", ["Sight-line", "Sight line", "Sight.line", "Sight & line"])
def test_separators_are_not_invented_in_a_name_that_has_none(written):
    assert count(f"Try {written} now.", SIGHTLINE) == 0
    with_alias = Brand("Sightline", aliases=("Sight-line",))
    assert count(f"Try {written} now.", with_alias) == 1


@pytest.mark.parametrize(
    ("name", "written", "occurrences"),
    [
        ("Nestlé", "Nestlé", 1),
        ("Nestlé", "Nestle", 1),
        ("Nestlé", "NESTLÉ", 1),
        ("Nestlé", "Nestle\u0301", 1),
        ("Nestle", "Nestlé", 1),
        ("Škoda", "Skoda", 1),
        ("Citroën", "CITROEN", 1),
        ("Røde Kors", "Rode Kors", 1),
        ("Qéxu", "Qéxu", 1),
        ("Qéxu", "QÉXU", 1),
        ("Qéxu", "Qe\u0301xu", 1),
        ("Qéxu", "Qexu", 0),
        ("Qexu", "Qéxu", 0),
        ("Acme", "Acmé", 0),
        ("Acme", "Acme\u0301", 0),
        ("Acme", "Ácme", 0),
    ],
)
def test_diacritics_are_folded_in_names_of_five_letters_or_more(name, written, occurrences):
    assert count(f"People like {written} a lot.", Brand(name)) == occurrences


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Weißhaus", "WEISSHAUS"),
        ("Weißhaus", "Weisshaus"),
        ("Weisshaus", "Weißhaus"),
        ("Κωτσόβολος", "ΚΩΤΣΟΒΟΛΟΣ"),
        ("Ростелеком", "РОСТЕЛЕКОМ"),
        ("Pınarel", "PINAREL"),
        ("Pınarel", "pınarel"),
        ("İpekyol", "ipekyol"),
        ("İpekyol", "IPEKYOL"),
        ("İpekyol", "İPEKYOL"),
        ("ipekyol", "İPEKYOL"),
        ("Filix", "FİLİX"),
        ("ﬁlix", "Filix"),
    ],
)
def test_names_are_compared_by_full_casefold_and_turkish_i(name, written):
    assert count(f"1. {written}", Brand(name)) == 1


@pytest.mark.parametrize(
    ("legal", "short"),
    [
        ("Zentro Inc", "Zentro"),
        ("Zentro, Inc.", "Zentro"),
        ("Zentro GmbH", "Zentro"),
        ("Zentro Ltd", "Zentro"),
        ("Zentro Ltd.", "Zentro"),
        ("Zentro S.A.", "Zentro"),
        ("株式会社メルカリ", "メルカリ"),
        ("メルカリ株式会社", "メルカリ"),
    ],
)
def test_a_legal_name_also_matches_without_its_suffix(legal, short):
    assert count(f"1. {short}", Brand(legal)) == 1
    assert count(f"1. {legal}", Brand(legal)) == 1
    assert count(f"1. {legal}", Brand(short)) == 1


def test_names_aliases_products_domains_and_handles_name_the_brand():
    brand = Brand("Acme", aliases=("Wile Supply",), domains=("acme.com", "acme.co.uk"), products=("Rocket Skates",))
    for text in (
        "Acme",
        "Wile Supply",
        "Wile-Supply's",
        "Rocket Skates",
        "acme.com",
        "acme.co.uk",
        "@acme",
        "Acme.com",
    ):
        assert count(f"People know {text} well.", brand) == 1, text


@pytest.mark.parametrize(
    "text", ["notacme.com", "acme.com.evil.io", "@acmecorp", "acme.community", "acme.company is new", "sacme.com"]
)
def test_another_host_or_handle_is_not_the_domain_form(text):
    assert count(f"visit {text}", Brand("Zentro", domains=("acme.com",))) == 0


@pytest.mark.parametrize("text", ["Acme (acme.com)", "Acme (@acme)"])
def test_name_and_domain_form_or_handle_are_two_occurrences(text):
    assert count(text) == 2
    assert count(f"I like {text} a lot.") == 2


def test_the_domain_form_is_one_occurrence():
    assert count("visit acme.com") == 1
    assert count("visit Acme.com, then ACME.COM.") == 2


def test_the_longest_match_consumes_its_span():
    music = Brand("Acme Music")
    analysis = analyze_text("Acme Music is popular, Acme-Music too.", ACME, music)
    assert [len(brand.occurrences) for brand in analysis.brands] == [0, 2]
    analysis = analyze_text("Acme makes Acme Music.", ACME, music)
    assert [len(brand.occurrences) for brand in analysis.brands] == [1, 1]
    assert [len(b.occurrences) for b in analyze_text("我去小米之家买小米手机", XIAOMI, Brand("小米之家")).brands] == [
        1,
        1,
    ]
    assert [len(b.occurrences) for b in analyze_text("visit acme.com", ACME, Brand("acme.com Store")).brands] == [1, 0]


def test_brand_and_product_word_names_the_brand_unless_the_longer_name_is_listed():
    assert count("The Acme Watch is nice.") == 1
    assert count("The Acme Watch is nice.", ACME, Brand("Acme Watch")) == 0
    assert count("The Acme Watches are nice.", ACME, XYLIA) == 1


def test_an_alias_of_two_brands_is_decided_by_evidence_or_counts_for_neither():
    one, two = Brand("Xylia", aliases=("Quorvex",)), Brand("Yamira", aliases=("Quorvex",))
    assert [len(b.occurrences) for b in analyze_text("Quorvex sells chairs.", one, two).brands] == [0, 0]
    assert [len(b.occurrences) for b in analyze_text("Xylia sells chairs as Quorvex.", one, two).brands] == [2, 0]
    assert [len(b.occurrences) for b in analyze_text("Yamira sells chairs as Quorvex.", one, two).brands] == [0, 2]
    assert [len(b.occurrences) for b in analyze_text("Xylia and Yamira and Quorvex.", one, two).brands] == [1, 1]


@pytest.mark.parametrize("word", ["Acme-like", "Acme-style", "Acme-esque", "ACME-LIKE", "acme‑style"])
def test_derived_forms_are_neutral_without_rank(word):
    analysis = analyze_text(f"Xylia is an {word} tool.").brands[0]
    assert analysis.mentioned and analysis.stance == "neutral" and analysis.rank is None
    assert [occurrence.derived for occurrence in analysis.occurrences] == [True]


def test_a_derived_form_does_not_affect_the_rank_of_a_plain_one():
    analysis = analyze_text("An Acme-like tool is Xylia. Acme is fine too.")
    assert (analysis.brands[0].rank, analysis.brands[1].rank) == (2, 1)


@pytest.mark.parametrize(
    "word", ["Acme-Abo", "Acme-based", "Acme-powered", "Acme-Kunden", "Acme-inspired", "Acme-first", "Acme-liked"]
)
def test_any_other_hyphenated_compound_is_a_plain_mention(word):
    analysis = analyze_text(f"Das {word} kostet nichts.").brands[0]
    assert analysis.rank == 1
    assert [occurrence.derived for occurrence in analysis.occurrences] == [False]
