"""Searching for other names along with a lexicon gives what a lexicon of all names would, at far less cost."""

import msgspec
import pytest

from sightline.answers.analyze import analyze, analyze_prepared, find_sources, rank_prepared
from sightline.answers.models import Brand
from sightline.answers.names import Lexicon, index_spellings
from sightline.answers.prepare import prepare
from sightline.answers.presented_names import find_presented_names
from sightline.answers.stance_rules import NAME, RULES
from sightline.answers.tracked_names import is_named

TRACKED = (Brand("Acme", ("Acme CRM",), ("acme.com",), ("crm",)), Brand("Nova"))
# Some are spelled alike, some inflect into another, some are ordinary words, and one contains another.
NAMES = (
    "Globex",
    "globex",
    "Globex Mini",
    "Notion",
    "Żabka",
    "Zabki",
    "Acmes",
    "Apple",
    "Apple Music",
    "O'Hara",
    "小米",
)
TEXTS = (
    "1. **Globex** - rich\n2. **Acme** - easy\n3. **Notion** - cheap\n4. Żabki\n",
    "Unlike Globex Mini, the Acmes and Apple Music are fine. OHara sells 小米; acme.com and globex-mini do not.",
    "My pick: Acme. Then Nova, Notion and Apple. The notion that an apple is a crm is odd.",
    "W Żabce i Żabki kupują, a Zabki to miasto. Globexu nie polecam, Acme tak.",
    "Nothing is named here.",
)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("others", [(), NAMES[:3], NAMES[3:6], NAMES[::-1], NAMES, ("Zabki", "Żabka", "Notion")])
def test_other_names_are_ranked_as_in_a_lexicon_of_all_names(text, others):
    lexicon = Lexicon([*TRACKED, *map(Brand, others)])
    prepared = prepare(text, "best crm")
    part = Lexicon(TRACKED).with_others(others, prepared.folded)
    expected = [(lexicon.patterns[n], start, end) for n, start, end in lexicon.find_hits(prepared.folded)]
    assert [(part.patterns[n], start, end) for n, start, end in part.find_hits(prepared.folded)] == expected
    assert (part.brands, part.category_words) == (lexicon.brands, lexicon.category_words)
    whole = analyze_prepared(prepared, lexicon, find_sources(prepared, ()), prompt="best crm")
    ranking = rank_prepared(prepared, part, prompt="best crm")
    assert [ranking.ranks.get(place) for place in range(len(lexicon.brands))] == [brand.rank for brand in whole.brands]
    assert (ranking.brand_count, ranking.source) == (whole.n_brands, whole.rank_source)


OVERLAPPING_TEXTS = (
    "1. **Nova Poshta** - quick\n2. **Acme** - easy\n3. **Globex** - rich\n",
    "Nova Poshta delivers. Acme and Nova do not, and Globex is better than Acme.",
    "Unlike Globex, Acme is fine. Avoid Nova Poshta. Apple is my pick, and Acme Apple Music.",
)


@pytest.mark.parametrize("text", [*TEXTS, *OVERLAPPING_TEXTS])
@pytest.mark.parametrize("others", [NAMES[:3], NAMES, ("Nova Poshta",), ("Apple Music", "Nova Poshta"), ("Nova",)])
def test_other_names_change_only_the_ranks_of_an_answer(text, others):
    assert_only_ranks_change(text, TRACKED, others)


def test_another_name_may_equal_an_inflected_form_of_a_brand():
    text = "Polacy lubią Żabki, bo są otwarte codziennie i blisko domu."
    analysis = assert_only_ranks_change(text, [Brand("Żabka")], ["Żabki"])
    assert analysis.brands[0].mentioned


def test_a_brand_without_a_rank_among_others_keeps_its_own_rank():
    text = "Initech is quick. Avoid Globex and Acme."  # discourages Acme only where Globex is a known name
    analysis = assert_only_ranks_change(text, [Brand("Initech"), Brand("Acme")], ["Globex"])
    assert [brand.rank for brand in analysis.brands] == [1, 2]


def assert_only_ranks_change(text, tracked, others):
    lexicon, prepared = Lexicon(tracked), prepare(text, "best crm")
    sources = find_sources(prepared, ())
    alone = analyze_prepared(prepared, lexicon, sources, prompt="best crm")
    combined = analyze_prepared(prepared, lexicon, sources, others=others, prompt="best crm")
    ranking = rank_prepared(prepared, lexicon.with_others(others, prepared.folded), prompt="best crm")
    for place, (one, both) in enumerate(zip(alone.brands, combined.brands, strict=True)):
        assert both.rank == (None if one.rank is None else ranking.ranks.get(place, one.rank))
        assert msgspec.structs.replace(both, rank=one.rank) == one
    has_ranks = any(brand.rank for brand in alone.brands)
    expected = (ranking.brand_count, ranking.source) if has_ranks else (alone.n_brands, alone.rank_source)
    assert (combined.n_brands, combined.rank_source) == expected
    assert (combined.citations, combined.unresolved) == (alone.citations, alone.unresolved)
    return combined


def test_an_empty_lexicon_finds_nothing():
    assert Lexicon(()).with_others((), "acme").find_hits("acme") == []


@pytest.mark.parametrize("name", [*NAMES, "Acme Inc.", "Nova Poshta", "Нова Пошта", "A & B"])
def test_a_single_name_is_found_as_in_a_lexicon(name):
    lexicon = Lexicon([Brand(name)])
    for text in (*TEXTS, f"{name} and {name}s, not {name.upper()}.", "новою поштою, a-b, A&B"):
        folded = prepare(text).folded
        expected = {(lexicon.patterns[n], start, end) for n, start, end in lexicon.find_hits(folded)}
        assert set(index_spellings(name).find(folded)) == expected
        assert index_spellings(name).is_in(folded) == bool(expected)


@pytest.mark.parametrize("text", [*TEXTS, "Acme", "acme crm", "I have no information about Acme.", "Unlike Acme.", ""])
def test_is_named_agrees_with_the_full_analysis(text):
    for brand in (*TRACKED, Brand("Apple"), Brand("Żabka")):
        lexicon = Lexicon([brand, Brand("Globex")])
        assert is_named(prepare(text), lexicon) == analyze(text, lexicon).brands[0].mentioned


@pytest.mark.parametrize(
    "phrase",
    [
        "in plaats van N", "in tegenstelling tot de N", "anders dan N", "vergeleken met N", "in vergelijking met N",
        "i stallet for N", "istallet for N", "till skillnad fran N", "jamfort med N", "alternatief voor N",
        "alternatieven  voor een N", "alternativ till N", "goedkoper dan N", "beter\tdan de N", "meer  dan N",
        "billigare an N", "mer\nan N", "mindre an N", "battre an N", "zamiast N", "w przeciwienstwie do N",
        "w odroznieniu od N", "w porownaniu z N", "w porownaniu ze N", "w porownaniu do N", "na rozdil od N",
        "misto N", "ve srovnani s N", "oproti N", "alternatywa dla N", "niz w N", "nez N", "tanszy od N",
        "szybciej  od N", "lepsze\tod N", "drozsza od N",
    ],
)  # fmt: skip
def test_every_match_of_a_rule_contains_a_required_phrase(phrase):
    sentence = phrase.replace("N", NAME)
    spaced = " ".join(sentence.split())
    matching = [rule for rule in RULES if rule.requires and rule.pattern.search(sentence)]
    assert matching
    assert all(any(phrase in spaced for phrase in rule.requires) for rule in matching)


@pytest.mark.parametrize("head", ["A" + "." * 100_000 + "b", "Acme" + "." * 100_000, "Acme " * 20_000, "Ac-" * 30_000])
def test_reading_a_long_head_is_fast(head):
    assert len(find_presented_names(prepare(f"1. **{head}**\n2. Acme"))) <= 3
