"""Whom a check of a tracked domain measures, and by which names it is found."""

from datetime import UTC, datetime

import pytest

from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.answers.prepare import prepare
from sightline.answers.tracked_names import is_named
from sightline.competitors.models import CompetitorRow
from sightline.domains.models import TrackedDomainRow
from sightline.kit.ids import new_id
from sightline.scans.brands import build_tracked_brands

NOW = datetime(2026, 11, 15, tzinfo=UTC)


def tracked(brand_name="Acme", aliases=(), owned=()) -> TrackedDomainRow:
    latest = (None, None, None, None)
    return TrackedDomainRow(
        new_id(), "acme.com", brand_name, list(aliases), list(owned), "active", [], *latest, None, *latest, 0, 0, 0, NOW
    )


def rival(domain="globex.com", *names, declared=None, found_as=None) -> CompetitorRow:
    return CompetitorRow(
        new_id(), new_id(), domain, found_as, list(names), declared, "detected", "confirmed", None, NOW, NOW
    )


def only(row: CompetitorRow, **brand) -> Brand:
    (measured,) = build_tracked_brands(tracked(**brand), [row]).competitors
    return measured


def names(text: str, brand: Brand) -> bool:
    return is_named(prepare(text), Lexicon([brand]))


def test_the_name_that_is_shown_is_the_declared_one_else_the_first_given_else_the_domain():
    assert only(rival("globex.com", "GBX", "Globex", declared="Globex International")).name == "Globex International"
    assert only(rival("globex.com", "GBX", "Globex")).name == "GBX"
    assert only(rival("globex.com")).name == "globex.com"
    assert only(rival("globex.com", found_as="Globex")).name == "globex.com", "nobody has given that name"


def test_until_somebody_names_it_it_is_found_by_the_name_in_its_domain_and_shown_by_its_domain():
    trello = only(rival("trello.com"))
    assert trello == Brand("trello.com", ("Trello",), ("trello.com",))
    assert names("Have a look at trello.com first.", trello)
    assert names("Trello is the best board, and everybody uses Trello.", trello)
    assert only(rival("trello.com", declared="Trello Boards")).aliases == ("Trello",)
    assert only(rival("trello.com", "TRL")) == Brand("TRL", (), ("trello.com",)), "a given name replaces it"
    monday = only(rival("monday.com"))
    assert not names("We meet on Monday.", monday), "an ordinary word needs evidence"


def test_a_name_in_a_domain_that_others_have_is_not_used():
    assert only(rival("acme.net")) == Brand("acme.net", (), ("acme.net",))
    twins = build_tracked_brands(tracked(), [rival("globex.com"), rival("globex.de"), rival("globex.io", "Globex")])
    assert [brand.aliases for brand in twins.competitors] == [(), (), ()]


def test_it_is_found_by_every_name():
    known = only(rival("globex.com", "GBX Anvils", declared="Globex"))
    assert known == Brand("Globex", ("GBX Anvils",), ("globex.com",))
    for text in ("Globex is fine.", "GBX Anvils are fine.", "globex.com is fine."):
        assert names(text, known)


def test_the_brand_is_measured_with_its_names_and_domains():
    brand = build_tracked_brands(tracked("Acme Corp", ["Acme"], ["acme.io"]), []).brand
    assert brand == Brand("Acme Corp", ("Acme",), ("acme.com", "acme.io"))
    assert build_tracked_brands(tracked("acme"), []).brand.name == "Acme", (
        "the bare label is looked for with its capital"
    )


@pytest.mark.parametrize("same", ["Acme", "ACME", "Anvils Inc"])
def test_a_rival_under_the_brands_own_name_is_known_by_what_is_left(same):
    assert only(rival("acme.net", same), aliases=["Anvils Inc"]) == Brand("acme.net", (), ("acme.net",))
    named = only(rival("acme.net", "Acme Networks", declared=same), aliases=["Anvils Inc"])
    assert named == Brand("Acme Networks", (), ("acme.net",))


def test_rivals_under_one_name_are_one_with_several_domains():
    measured = build_tracked_brands(tracked(), [rival("globex.com", "Globex"), rival("globex.de", declared="GLOBEX")])
    assert measured.competitors == (Brand("Globex", (), ("globex.com", "globex.de")),)
