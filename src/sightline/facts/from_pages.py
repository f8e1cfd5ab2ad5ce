"""Facts that a page declares in JSON-LD: prices and discontinued products, the year of founding, the address. Pure."""

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any

from babel import Locale
from selectolax.lexbor import LexborHTMLParser

from sightline.domains.json_ld import Node, list_types, read_json_ld
from sightline.domains.page_declarations import cut_declarations
from sightline.facts.schemas import FactInput

_PRODUCTS = frozenset(
    {"product", "productgroup", "softwareapplication", "webapplication", "mobileapplication", "service"}
)
_COMPANIES = frozenset(
    {"organization", "corporation", "localbusiness", "onlinestore", "onlinebusiness", "brand", "store"}
)
_UNITS = {"mon": "month", "ann": "year"}  # UN/CEFACT codes
_MOST = 50
_LONGEST = 120


def read_declared_facts(html: str) -> list[FactInput]:
    """Return the facts that a page declares, each once. What is not a plain value is left out."""
    found: dict[tuple[str, str, str | None], FactInput] = {}
    for tag in LexborHTMLParser(cut_declarations(html)).css("script"):
        for node in read_json_ld(tag):
            for fact in _read_node(node):
                found.setdefault((fact.kind, fact.subject.casefold(), fact.unit), fact)
                if len(found) == _MOST:
                    return list(found.values())
    return list(found.values())


def _read_node(node: Node) -> Iterator[FactInput]:
    types = set(list_types(node))
    if types & _PRODUCTS:
        yield from _read_product(node)
    if types & _COMPANIES:
        yield from _read_company(node)


def _read_product(node: Node) -> Iterator[FactInput]:
    name = _read_text(node.get("name"))
    if not name:
        return
    offers = _list_nodes(node.get("offers"))
    priced = [each for each in offers if "aggregateoffer" not in list_types(each)]
    if len(priced) == 1:  # of several, nobody knows which one is meant
        price = _read_price(priced[0])
        if price is not None:
            amount, currency, unit = price
            yield FactInput(kind="price", subject=name, value=amount, currency=currency, unit=unit)
    states = {str(each.get("availability", "")).rpartition("/")[2].lower() for each in offers}
    if states == {"discontinued"}:
        yield FactInput(kind="product", subject=name, value="no")


def _read_price(offer: Node) -> tuple[str, str, Any] | None:
    details = next(iter(_list_nodes(offer.get("priceSpecification"))), {})
    amount, currency = (
        offer.get("price", details.get("price")),
        offer.get("priceCurrency", details.get("priceCurrency")),
    )
    try:
        value = Decimal(str(amount).strip())
    except InvalidOperation:
        return None
    if not value.is_finite() or value <= 0 or not isinstance(currency, str) or currency not in Locale("en").currencies:
        return None
    unit = str(details.get("unitCode", "")).lower()
    return f"{value.normalize():f}", currency, _UNITS.get(unit)


def _read_company(node: Node) -> Iterator[FactInput]:
    year = _read_text(node.get("foundingDate"))[:4]
    if year.isascii() and year.isdigit() and int(year) >= 1000:
        yield FactInput(kind="founded", value=year)
    for address in _list_nodes(node.get("address"))[:1]:
        country = _read_text(address.get("addressCountry")).upper()
        code = country if country in Locale("en").territories and len(country) == 2 else None
        city = _read_text(address.get("addressLocality"))
        if city:
            named = Locale("en").territories[code] if code else ""
            yield FactInput(
                kind="place", subject="headquarters", value=", ".join(filter(None, (city, named))), country=code
            )


def _list_nodes(value: Any) -> list[Node]:
    return [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict)]


def _read_text(value: Any) -> str:
    """Return a short text; empty for anything else, such as one in several languages."""
    if not isinstance(value, str):
        return ""
    text = " ".join(value.split())
    return text if len(text) <= _LONGEST and text.isprintable() else ""
