"""Comparing what answers claim with facts."""

import uuid
from datetime import date

import msgspec
import pytest

from sightline.facts.compare import Statement, compare, find_countries
from sightline.facts.models import Fact, FormerValue

FACT = uuid.UUID(int=1)
ASKED = date(2026, 11, 1)
PRICE = Fact(id=FACT, kind="price", subject="Acme Pro", value="20", currency="USD", unit="month")
ANVIL = Fact(id=FACT, kind="price", subject="Anvil 3", value="399", currency="USD")
FOUNDED = Fact(id=FACT, kind="founded", subject="", value="1976")
PLACE = Fact(id=FACT, kind="place", subject="headquarters", value="Aarhus, Denmark")


def _say(words: str, passage: str = "", manner="states", **more) -> Statement:
    return Statement(passage or words, words, manner, asked_on=more.pop("asked_on", ASKED), **more)


def _verdict(fact: Fact, words: str, passage: str = "", manner="states", others=(), rivals=(), **more) -> str:
    return compare(fact, _say(words, passage, manner, **more), others=others, rivals=rivals).verdict


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ("Acme Pro costs $20 per month", "agrees"),
        ("**Acme Pro:** \\$20/mo", "agrees"),
        ("Acme Pro costs $40 per month", "contradicts"),
        ("Acme Pro costs US$40 monthly", "contradicts"),
        ("Acme Pro costs 40 dollars a month", "contradicts"),
        ("Acme Pro is not $40 per month", "cannot_tell"),
        ("Acme Pro costs around $40 per month", "cannot_tell"),
        ("Acme Pro starts at $40 per month", "cannot_tell"),
        ("Acme Pro costs from $40 per month", "cannot_tell"),
        ("Acme Pro costs up to $40 per month", "cannot_tell"),
        ("Acme Pro costs ~$40 per month", "cannot_tell"),
        ("Acme Pro costs $40+ per month", "cannot_tell"),
        ("Acme Pro costs $40\u2013$60 per month", "cannot_tell"),
        ("Acme Pro costs $40 to $60 per month", "cannot_tell"),
        ("Acme Pro costs 40-60 USD per month", "cannot_tell"),
        ("Acme Pro costs $15 or $40 per month", "cannot_tell"),
        ("Acme Pro costs €40 per month", "cannot_tell"),
        ("Acme Pro costs £20 per month", "cannot_tell"),
        ("Acme Pro costs $240 per year", "cannot_tell"),
        ("Acme Pro costs $40", "cannot_tell"),
        ("Acme Pro costs $40 per user per month", "cannot_tell"),
        ("Acme Pro costs $40 per month, billed annually", "cannot_tell"),
        ("Acme Pro would cost $40 per month", "cannot_tell"),
        ("If you pay yearly, Acme Pro costs $40 per month", "cannot_tell"),
        ("Acme Pro used to cost $40 per month", "cannot_tell"),
        ("Acme Pro was $40 per month", "cannot_tell"),
        ("Does Acme Pro cost $40 per month?", "cannot_tell"),
        ("Acme Pro Max costs $40 per month", "cannot_tell"),
        ("Acme Pro 2 costs $40 per month", "cannot_tell"),
        ("Acme Pro 2 costs $20 per month", "cannot_tell"),
        ("Acme Business costs $40 per month", "cannot_tell"),
        ("Acme Pro costs $40k per month", "cannot_tell"),
        ("Acme Pro costs $19.99 per month", "agrees"),
        ("Acme Pro costs $20.90 per month", "contradicts"),
        ("Acme Pro saves you $40 per month", "cannot_tell"),
        ("In Canada, Acme Pro costs $40 per month", "cannot_tell"),
    ],
)
def test_prices(words, verdict):
    assert _verdict(PRICE, words) == verdict


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ("Anvil 3 ($399)", "agrees"),
        ("Anvil 3: $399.00", "agrees"),
        ("Anvil 3 Forging Anvil \u2013 $449.99", "cannot_tell"),
        ("The Anvil 3 sells for $449.", "contradicts"),
        ("Anvil 3 $449", "contradicts"),
        ("Anvil 3 449 $", "cannot_tell"),
        ("Anvil 3: $1,299", "cannot_tell"),
        ("Anvil 3: $99", "cannot_tell"),
        ("Anvil 3$449", "contradicts"),
        ("Anvil 3 Limited $449", "cannot_tell"),
        ("Anvil 3 $449.994.7(1k+)", "cannot_tell"),
        ("Anvil 3 $449.994", "cannot_tell"),
        ("Anvil 3 $405", "cannot_tell"),
        ("Anvil 3 (2-pack): $799", "cannot_tell"),
        ("Anvil 3 refurbished: $299", "cannot_tell"),
        ("Anvil 3: on sale for $299", "cannot_tell"),
        ("Anvil 3: $299 off", "cannot_tell"),
        ("Anvil 3: $39.99 per month", "cannot_tell"),
        ("Anvil 3: $2 per kg", "cannot_tell"),
        ("Anvil 30 costs $449", "cannot_tell"),
        ("Anvil 3S costs $449", "cannot_tell"),
        ("Anvil 3 S costs $449", "cannot_tell"),
        ("Anvil 3 mini costs $449", "cannot_tell"),
    ],
)
def test_prices_of_products(words, verdict):
    assert _verdict(ANVIL, words) == verdict


@pytest.mark.parametrize(
    ("value", "currency", "language", "words", "verdict"),
    [
        ("1299", "EUR", "de", "Amboss 3 kostet 1.299 €", "agrees"),
        ("1299", "EUR", "de", "Amboss 3 kostet 1.299,00 Euro", "agrees"),
        ("1299", "EUR", "de", "Amboss 3 kostet 1.499,00 €", "contradicts"),
        ("1299", "EUR", "de", "Amboss 3 kostet rund 1.499 €", "cannot_tell"),
        ("1299", "EUR", "de", "Amboss 3 kostet ab 1.499 €", "cannot_tell"),
        ("1299", "EUR", "de", "Amboss 3 kostete früher 1.499 €", "cannot_tell"),
        ("1299", "EUR", "de", "Amboss 3 kostet nicht 1.499 €", "cannot_tell"),
        ("1299", "EUR", "de", "Amboss 3 würde 1.499 € kosten", "cannot_tell"),
        ("129.5", "DKK", "da", "Amboss 3 koster 129,50 kr.", "agrees"),
        ("1295", "DKK", "da", "Amboss 3 koster 1.295 kr", "agrees"),
        ("1295", "DKK", "da", "Amboss 3 koster 1295,-", "agrees"),
        ("1295", "DKK", "da", "Amboss 3 koster 1.495 kroner", "contradicts"),
        ("1295", "DKK", "da", "Amboss 3 koster omkring 1.495 kr.", "cannot_tell"),
        ("1295", "DKK", "da", "Amboss 3 koster fra 1.495 kr.", "cannot_tell"),
        ("1295", "DKK", "da", "Amboss 3 koster ikke 1.495 kr.", "cannot_tell"),
        ("1295", "SEK", "da", "Amboss 3 koster 1.495 kr.", "cannot_tell"),
        ("1299", "EUR", "fr", "Amboss 3 coûte 1 299 €", "agrees"),
        ("1299", "EUR", "fr", "Amboss 3 coûte 1499 €", "cannot_tell"),
        ("1299", "USD", "en", "Amboss 3 costs $1,299", "agrees"),
        ("1299", "USD", "en", "Amboss 3 costs $1,499.00", "contradicts"),
    ],
)
def test_prices_in_languages(value, currency, language, words, verdict):
    fact = Fact(id=FACT, kind="price", subject="Amboss 3", value=value, currency=currency)
    assert _verdict(fact, words, language=language) == verdict


def test_a_dollar_is_that_of_the_country_of_the_prompt():
    words = "Acme Pro costs $40 per month"
    assert _verdict(PRICE, words, country="US") == "contradicts"
    assert _verdict(PRICE, words, country="CA") == "cannot_tell"
    canadian = msgspec.structs.replace(PRICE, currency="CAD")
    assert _verdict(canadian, words, country="CA") == "contradicts"
    assert _verdict(canadian, words) == "cannot_tell"


def test_a_price_of_one_country_says_nothing_about_another():
    local = msgspec.structs.replace(PRICE, country="US")
    assert _verdict(local, "Acme Pro costs $40 per month", country="DE") == "cannot_tell"
    assert _verdict(local, "In the United States, Acme Pro costs $40 per month", country="DE") == "contradicts"


def test_a_former_price_is_outdated_once_it_changed():
    changed = msgspec.structs.replace(PRICE, valid_from=date(2026, 6, 1), former=(FormerValue("15", date(2026, 6, 1)),))
    words = "Acme Pro costs $15 per month"
    assert _verdict(changed, words) == "outdated"
    assert _verdict(changed, words, asked_on=date(2026, 5, 1)) == "cannot_tell"
    assert _verdict(changed, "Acme Pro costs $40 per month") == "contradicts"
    assert _verdict(changed, "Acme Pro costs $40 per month", asked_on=date(2026, 5, 1)) == "cannot_tell"


def test_a_claim_about_another_product_or_brand_is_none():
    passage = "Acme Pro is fine. Acme Business costs $40 per month."
    words = "costs $40 per month"
    assert _verdict(PRICE, words, passage, others=["Acme Business"]) == "cannot_tell"
    assert _verdict(PRICE, "it costs $40 per month", "Acme Pro is fine; it costs $40 per month") == "contradicts"
    passage = "Acme Pro is cheaper than Globex at $40 per month"
    assert _verdict(PRICE, "$40 per month", passage, rivals=["Globex"]) == "cannot_tell"


def test_the_subject_may_stand_in_the_context():
    words = "Price: $40 per month"
    assert _verdict(PRICE, words, context="### 1. Acme Pro") == "contradicts"
    assert _verdict(PRICE, words, context="### 1. Acme Pro Max") == "cannot_tell"
    assert _verdict(PRICE, words) == "cannot_tell"


def test_words_that_do_not_stand_in_the_passage_are_no_claim():
    said = Statement("Acme Pro costs $20 per month", "Acme Pro costs $40 per month", "states")
    assert compare(PRICE, said).verdict == "cannot_tell"
    assert compare(PRICE, said._replace(words="")).verdict == "cannot_tell"
    assert _verdict(PRICE, "Acme Pro costs $40 per month", manner="unclear") == "cannot_tell"


@pytest.mark.parametrize(
    ("words", "language", "verdict"),
    [
        ("Acme was founded in 1976", "en", "agrees"),
        ("Acme was founded in 1986", "en", "contradicts"),
        ("Acme, since 1986", "en", "cannot_tell"),
        ("Acme has sold its anvils abroad since 1986", "en", "cannot_tell"),
        ("Acme was founded around 1986", "en", "cannot_tell"),
        ("Acme was founded in the 1980s", "en", "cannot_tell"),
        ("Acme was founded in 1986 and sold in 1999", "en", "cannot_tell"),
        ("Acme was probably founded in 1986", "en", "cannot_tell"),
        ("Acme was not founded in 1986", "en", "cannot_tell"),
        ("Acme wurde 1986 gegründet", "de", "contradicts"),
        ("Acme wurde vermutlich 1986 gegründet", "de", "cannot_tell"),
        ("Acme blev grundlagt i 1986", "da", "contradicts"),
        ("Acme blev grundlagt omkring 1986", "da", "cannot_tell"),
        ("Acme sold 1986 $ of anvils", "en", "cannot_tell"),
    ],
)
def test_founding_years(words, language, verdict):
    assert _verdict(FOUNDED, words, language=language) == verdict


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ("Acme is based in Aarhus", "agrees"),
        ("Acme is a company from Denmark", "agrees"),
        ("Acme is based in Sweden", "contradicts"),
        ("Acme is based in Odense", "cannot_tell"),
        ("Acme has its seat in Sweden and Norway", "cannot_tell"),
        ("Acme is not based in Sweden", "cannot_tell"),
        ("Acme may be based in Sweden", "cannot_tell"),
    ],
)
def test_places(words, verdict):
    assert _verdict(PLACE, words) == verdict


def test_a_former_place_is_outdated():
    moved = msgspec.structs.replace(PLACE, former=(FormerValue("Malmö, Sweden"),))
    assert _verdict(moved, "Acme is based in Malmö") == "outdated"


def test_words_of_the_market_do_not_make_another_product():
    words = "Anvil 3 Forging Anvil: $449"
    assert _verdict(ANVIL, words, market_words=("forging", "anvil")) == "contradicts"
    assert _verdict(ANVIL, words) == "cannot_tell"


@pytest.mark.parametrize(
    ("kind", "subject", "value", "words", "manner", "verdict"),
    [
        ("ability", "free plan", "no", "Acme has a free plan", "states", "contradicts"),
        ("ability", "free plan", "no", "Acme has no free plan", "denies", "agrees"),
        ("ability", "free plan", "yes", "Acme has no free plan", "denies", "contradicts"),
        ("ability", "free plan", "yes", "Acme has no free plan", "states", "cannot_tell"),
        ("ability", "free plan", "no", "Acme has a free plan", "denies", "cannot_tell"),
        ("ability", "free plan", "no", "Acme may have a free plan", "states", "cannot_tell"),
        ("ability", "free plan", "no", "Does Acme have a free plan?", "states", "cannot_tell"),
        ("ability", "free plan", "no", "Acme has a free trial", "states", "cannot_tell"),
        ("certification", "ISO 27001", "yes", "Acme is certified to ISO 27001", "states", "agrees"),
        ("certification", "ISO 27001", "no", "Acme is certified to ISO 27001", "states", "contradicts"),
        ("product", "Anvil 2", "no", "The Anvil 2 was discontinued", "denies", "cannot_tell"),
        ("product", "Anvil 2", "no", "The Anvil 2 is discontinued", "denies", "agrees"),
        ("product", "Anvil 2", "yes", "The Anvil 2 is no longer sold", "denies", "contradicts"),
        ("product", "Anvil 2", "yes", "Der Anvil 2 ist nicht mehr erhältlich", "denies", "contradicts"),
        ("product", "Anvil 2", "yes", "The Anvil 2 Pro is no longer sold", "denies", "cannot_tell"),
    ],
)
def test_what_is_or_is_not_so(kind, subject, value, words, manner, verdict):
    fact = Fact(id=FACT, kind=kind, subject=subject, value=value)
    assert _verdict(fact, words, manner=manner, language="de" if words.startswith("Der") else "en") == verdict


def test_a_discontinued_product_that_is_said_to_be_sold_is_outdated():
    fact = Fact(id=FACT, kind="product", subject="Anvil 2", value="no", valid_from=date(2026, 1, 1))
    assert _verdict(fact, "The Anvil 2 is in stock") == "outdated"
    unknown = msgspec.structs.replace(fact, valid_from=None)
    assert _verdict(unknown, "The Anvil 2 is in stock") == "contradicts"


def test_availability_is_compared_in_its_country():
    fact = Fact(id=FACT, kind="availability", subject="", value="yes", country="DE")
    assert _verdict(fact, "Acme is not available in Germany", manner="denies") == "contradicts"
    assert _verdict(fact, "Acme is not available in France", manner="denies") == "cannot_tell"
    assert _verdict(fact, "Acme ist in Deutschland erhältlich", language="de") == "agrees"


def test_countries_are_found_in_three_languages():
    assert find_countries("Tyskland, Österreich and the UK") == {"DE", "AT", "GB"}
    assert find_countries("prices for us") == frozenset()


def test_the_statement_names_what_was_stated():
    assert compare(PRICE, _say("Acme Pro costs $40.00 per month")).stated == "USD 40 month"
    assert compare(FOUNDED, _say("Acme was founded in 1986")).stated == "1986"


@pytest.mark.parametrize(
    ("passage", "words", "verdict"),
    [
        ("Anvil 3$449.00", "$449.00", "contradicts"),
        ("Anvil 3$449.004", "$449.00", "cannot_tell"),  # the rating, 4 and something, sticks to the price
        ("Anvil 3$449.004.6(3k+)", "$449.00", "cannot_tell"),
        ("Anvil 3: $1,449", "$1", "cannot_tell"),
        ("Anvil 3: $1,449", "449", "cannot_tell"),
        ("The Anvil 3 sells for $449.", "$449", "contradicts"),
    ],
)
def test_words_that_cut_a_number_say_nothing(passage, words, verdict):
    assert _verdict(ANVIL, words, passage) == verdict
