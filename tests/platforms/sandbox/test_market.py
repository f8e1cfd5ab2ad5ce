"""The market of a domain is made up but stable, and given competitors appear under exactly their names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.platforms.sandbox.market import (
    SandboxRival,
    Subject,
    build_market,
    find_sector,
    find_sector_of_label,
    sectors,
)
from tests.platforms.sandbox.samples import ACME, RIVALS
from tests.property_testing import prove


def test_a_market_has_six_to_ten_brands_with_names_and_domains_of_their_own():
    sizes = set()
    for number in range(60):
        market = build_market(Subject(f"brand{number}.com", f"Brand{number}"))
        sizes.add(len(market.brands))
        assert len({brand.name.casefold() for brand in market.brands}) == len(market.brands)
        assert len({brand.domain for brand in market.brands}) == len(market.brands)
        assert market.own.name == f"Brand{number}" and market.own.domain == f"brand{number}.com"
        for rival in market.rivals:
            assert rival.name.isalpha() and rival.name[0].isupper() and rival.domain.startswith(rival.name.lower())
            assert rival.strong != rival.weak
    assert sizes == {6, 7, 8, 9, 10}


def test_given_competitors_appear_under_exactly_their_names():
    market = build_market(Subject("acme.com", "Acme", (*RIVALS, SandboxRival("Über & Söhne", None))))
    found = {brand.name: brand.domain for brand in market.rivals}
    assert found["Globex"] == "globex.com" and found["Initech"] == "initech.co.uk"
    assert found["Über & Söhne"].endswith(".com")


def test_a_given_competitor_only_replaces_an_invented_one():
    plain, given_one = build_market(ACME), build_market(Subject("acme.com", "Acme", RIVALS[:1]))
    assert len(plain.brands) == len(given_one.brands)
    assert plain.own == given_one.own
    assert set(given_one.rivals) - set(plain.rivals) == {r for r in given_one.rivals if r.name == "Globex"}


def test_an_invented_rival_stays_the_same_once_it_is_tracked():
    """A competitor that is suggested from answers and then confirmed keeps its history."""
    plain = build_market(ACME)
    met = plain.rivals[2]
    for rival in (
        SandboxRival(met.name, met.domain),
        SandboxRival(met.name.upper(), None),
        SandboxRival("Other name", met.domain),
    ):
        tracked = build_market(Subject("acme.com", "Acme", (rival,)))
        again = next(brand for brand in tracked.rivals if brand.key == met.key)
        assert again.name == rival.name and again.base == met.base
        assert [brand.key for brand in tracked.rivals] == [brand.key for brand in plain.rivals]


def test_more_competitors_than_places_all_appear():
    many = tuple(SandboxRival(f"SandboxRival{n}", f"rival{n}.com") for n in range(25))
    assert {rival.name for rival in build_market(Subject("acme.com", "Acme", many)).rivals} == {r.name for r in many}


def test_the_brand_and_duplicates_are_not_competitors():
    names = [
        rival.name
        for rival in build_market(
            Subject("acme.com", "Acme", (SandboxRival("ACME"), SandboxRival("Other", "acme.com"), *RIVALS, RIVALS[0]))
        ).rivals
    ]
    assert "ACME" not in names and "Other" not in names and names.count("Globex") == 1


@pytest.mark.parametrize(
    ("domain", "brand", "sector"),
    [
        ("pixelcrm.com", "Pixel", "crm"),
        ("nordbank.de", "Nord", "bank"),
        ("roastery-coffee.com", "R", "coffee"),
        ("acme.com", "Acme Insurance", "insurance"),
        ("xn--bcher-schuhe-9db.de", "B", "shoes"),
    ],
)
def test_the_sector_is_derived_from_the_name(domain, brand, sector):
    market = build_market(Subject(domain, brand))
    assert market.sector == sector and market.certain


def test_a_name_without_hints_is_assigned_a_sector():
    market = build_market(ACME)
    assert not market.certain and market.sector in sectors() and market.sector != "any"


@pytest.mark.parametrize(
    ("text", "sector"),
    [
        ("best running shoes", "shoes"),
        ("Welche Versicherung ist gut?", "insurance"),
        ("mejores bancos en línea", "bank"),
        ("おすすめのホテルは", "hotels"),
        ("哪个密码管理器好", "security"),
        ("best coffee shop", "coffee"),
        ("best zeppelin", None),
        ("", None),
    ],
)
def test_the_sector_of_a_question(text, sector):
    assert find_sector(text) == sector


def test_a_short_word_matches_only_a_whole_label_or_its_start_or_end():
    assert find_sector("a scrum board") is None
    assert find_sector_of_label("mycrm") == "crm" and find_sector_of_label("crmworld") == "crm"
    assert find_sector_of_label("acrmb") is None


@prove
@given(st.text(max_size=60), st.lists(st.text(max_size=30), max_size=4))
def test_any_names_make_a_market(brand, names):
    market = build_market(Subject("acme.com", brand, tuple(SandboxRival(name) for name in names)))
    assert len(market.brands) >= 6 and all(brand.name and "\n" not in brand.name for brand in market.brands)
    assert all(brand.domain.isascii() for brand in market.brands)
