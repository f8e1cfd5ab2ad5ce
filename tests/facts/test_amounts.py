"""Reading amounts and years as English, German and Danish write them."""

from decimal import Decimal

import pytest
from babel.numbers import format_decimal
from hypothesis import given
from hypothesis import strategies as st

from sightline.facts.amounts import find_amounts, find_units, find_years, read_figure
from sightline.facts.compare import Statement, compare
from sightline.facts.models import Fact

CENTS = st.integers(0, 99_999_999)


@pytest.mark.parametrize(
    ("figure", "values"),
    [
        ("1.299", ["1299"]),
        ("1,299", ["1299"]),
        ("1.299,50", ["1299.5"]),
        ("1,299.50", ["1299.5"]),
        ("1 299", ["1299", "299"]),
        ("15 999", ["15999", "999"]),
        ("1\u202f299,5", ["1299.5"]),
        ("1'299.50", ["1299.5"]),
        ("12,99", ["12.99"]),
        ("12.9", ["12.9"]),
        ("0.299", ["0.299"]),
        ("1.2.3", []),
        ("1.29,99.1", []),
        ("12,3456", []),
        ("1.299.000", ["1299000"]),
    ],
)
def test_figures(figure, values):
    assert read_figure(figure) == {Decimal(each) for each in values}


@given(CENTS, st.sampled_from(["en", "de", "da", "de_CH", "fr"]))
def test_every_amount_reads_back_as_it_is_written(cents, locale):
    amount = Decimal(cents) / 100
    written = format_decimal(amount, format="#,##0.00", locale=locale)
    for text in (f"€{written}", f"{written} €", f"{written} EUR", f"costs €{written}."):
        (found,) = find_amounts(text)
        assert amount in found.values
        assert not found.is_open


@given(CENTS, CENTS, st.sampled_from(["en", "de", "da"]))
def test_no_way_of_writing_makes_a_contradiction_out_of_agreement(cents, other, locale):
    amount, wrong = Decimal(cents) / 100, Decimal(other) / 100
    fact = Fact(id=None, kind="price", subject="Anvil", value=str(amount), currency="EUR")

    def verdict(value):
        words = f"Anvil: {format_decimal(value, format='#,##0.00', locale=locale)} €"
        return compare(fact, Statement(words, words, "states", language=locale)).verdict

    assert verdict(amount) == "agrees"
    difference = abs(amount - wrong)
    if difference <= Decimal("0.02") * amount:
        assert verdict(wrong) == ("agrees" if difference < 1 else "cannot_tell")
    else:
        assert verdict(wrong) == ("contradicts" if amount / 3 <= wrong <= 3 * amount else "cannot_tell")


@given(st.text(max_size=200))
def test_no_text_breaks_the_reading(text):
    find_amounts(text)
    find_years(text)
    find_units(text)
    for kind, value in (("price", "20"), ("founded", "1976"), ("place", "Aarhus"), ("ability", "no")):
        fact = Fact(id=None, kind=kind, subject="Anvil", value=value, currency="USD")
        for passage in (text, f"Anvil {text}"):
            compare(fact, Statement(passage, text, "states", context=text))


@pytest.mark.parametrize(
    ("text", "currencies", "is_open"),
    [
        ("$20", "USD", False),
        ("20 $", "USD", False),
        ("US$20", "USD", False),
        ("A$20", "AUD", False),
        ("20 kr.", "DKK", False),
        ("20,-", "DKK", False),
        ("kr 20", "DKK", False),
        ("20\u201330 kr.", "DKK", True),
        ("$20-$30", "USD", True),
        ("$20k", "USD", True),
        ("2 Mio. Euro", "EUR", True),
        ("$20+", "USD", True),
    ],
)
def test_amounts(text, currencies, is_open):
    (found,) = find_amounts(text)
    assert found.currencies[0] == currencies
    assert found.is_open is is_open


@pytest.mark.parametrize("text", ["20 per month", "version 20", "krone 20", "20 krokodiller", "20%", "2024"])
def test_what_is_no_amount(text):
    assert find_amounts(text) == []


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("in 1976", [1976]),
        ("$1976", []),
        ("1976 €", []),
        ("1,976", []),
        ("1976\u20131999", [1976, 1999]),
        ("the 1980s", []),
    ],
)
def test_years(text, years):
    assert find_years(text) == years


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("$20/mo", {"month"}),
        ("$20 per user per month", {"user_month"}),
        ("$20 per user/month", {"user_month"}),
        ("$20 a year", {"year"}),
        ("20 € im Monat", {"month"}),
        ("20 € pro Nutzer und Monat", {"user_month"}),
        ("20 kr. om måneden", {"month"}),
        ("20 kr/md", {"month"}),
        ("20 kr. pr. liter", {"other"}),
        ("$20 per month or $200 per year", {"month", "year"}),
        ("$20", set()),
    ],
)
def test_units(text, units):
    assert find_units(text) == units
