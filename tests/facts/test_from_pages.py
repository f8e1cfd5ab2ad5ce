"""Facts that a page declares in JSON-LD, and hostile pages."""

import json

import pytest

from sightline.facts.from_pages import read_declared_facts


def _page(*nodes) -> str:
    return "".join(f'<script type="application/ld+json">{json.dumps(node)}</script>' for node in nodes)


def _read(*nodes):
    return [(each.kind, each.subject, each.value) for each in read_declared_facts(_page(*nodes))]


def test_prices_founding_and_address_are_read():
    page = _page(
        {
            "@type": "Product",
            "name": "Anvil 3",
            "offers": {"@type": "Offer", "price": "399.00", "priceCurrency": "EUR"},
        },
        {
            "@type": "SoftwareApplication",
            "name": "Acme Pro",
            "offers": [{"priceSpecification": {"price": 20, "priceCurrency": "USD", "unitCode": "MON"}}],
        },
        {
            "@type": "Organization",
            "foundingDate": "1976-04-01",
            "address": {"addressLocality": "Aarhus", "addressCountry": "DK"},
        },
    )
    price, plan, founded, place = read_declared_facts(page)
    assert (price.value, price.currency, price.unit) == ("399", "EUR", None)
    assert (plan.value, plan.currency, plan.unit) == ("20", "USD", "month")
    assert founded.value == "1976"
    assert (place.value, place.country) == ("Aarhus, Denmark", "DK")


def test_a_discontinued_product_is_read():
    offer = {"availability": "https://schema.org/Discontinued"}
    assert _read({"@type": "Product", "name": "Anvil 2", "offers": offer}) == [("product", "Anvil 2", "no")]


@pytest.mark.parametrize(
    "node",
    [
        {"@type": "Product", "name": "A", "offers": {"price": "from 3", "priceCurrency": "EUR"}},
        {"@type": "Product", "name": "A", "offers": {"price": "3", "priceCurrency": ["EUR"]}},
        {"@type": "Product", "name": "A", "offers": {"price": "Infinity", "priceCurrency": "EUR"}},
        {"@type": "Product", "name": "A", "offers": {"price": "-1", "priceCurrency": "EUR"}},
        {"@type": "Product", "name": "A" * 200, "offers": {"price": "1", "priceCurrency": "EUR"}},
        {"@type": "Product", "name": {"en": "A"}, "offers": {"price": "1", "priceCurrency": "EUR"}},
        {"@type": "Product", "offers": {"price": "1", "priceCurrency": "EUR"}},
        {"@type": "Product", "name": "A", "offers": {"@type": "AggregateOffer", "price": "1", "priceCurrency": "EUR"}},
        {
            "@type": "Product",
            "name": "A",
            "offers": [{"price": "1", "priceCurrency": "EUR"}, {"price": "2", "priceCurrency": "EUR"}],
        },
        {"@type": "Organization", "foundingDate": "long ago", "address": "Aarhus"},
        {"@type": "Review", "name": "A", "offers": {"price": "1", "priceCurrency": "EUR"}},
        ["@type"],
        "Product",
        None,
    ],
)
def test_what_is_no_plain_fact_is_left_out(node):
    assert _read(node) == []


def test_a_hostile_page_gives_nothing():
    assert read_declared_facts("<script type='application/ld+json'>{" * 1000) == []
    deep = "[" * 100_000
    assert read_declared_facts(f'<script type="application/ld+json">{deep}</script>') == []
    many = [{"@type": "Product", "name": f"P{n}", "offers": {"price": 1, "priceCurrency": "EUR"}} for n in range(999)]
    assert len(_read(many)) == 50
