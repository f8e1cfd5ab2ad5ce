"""Prices in text, in the spellings of many countries. A number that can be read in two ways has both values. Pure."""

import re

import msgspec

_NUMBER = r"\d{1,3}(?:[.,'\u2019\u00a0\u202f ]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?"
_SIGNS = {
    "$": None, "us$": "USD", "usd": "USD", "€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR", "£": "GBP",
    "gbp": "GBP", "kr": None, "kr.": None, "dkk": "DKK", "sek": "SEK", "nok": "NOK", "chf": "CHF", "zł": "PLN",
    "pln": "PLN",
}  # fmt: skip
"""The currencies; None for a sign that several have."""
_CURRENCY = "|".join(sorted(map(re.escape, _SIGNS), key=len, reverse=True))
_PRICE = re.compile(
    rf"(?<![\w.,])(?:(?P<before>{_CURRENCY})\s?(?P<first>{_NUMBER})"
    rf"|(?P<second>{_NUMBER})(?:,-)?\s?(?P<after>{_CURRENCY})(?!\w))(?!\d)",
    re.IGNORECASE,
)
_LARGER = re.compile(r"\s?(?:k|m|bn|million|billion|mio|mia|mrd|tausend|thousand)\b", re.IGNORECASE)


class Price(msgspec.Struct, frozen=True):
    """A price as it stands in a text. `currency` is None if the sign belongs to several."""

    text: str
    values: frozenset[float]
    currency: str | None
    start: int
    end: int


def find_prices(text: str) -> list[Price]:
    """Return the prices of a text in their order. Sums of thousands and millions in words are none."""
    found: list[Price] = []
    for match in _PRICE.finditer(text):
        if _LARGER.match(text, match.end()):
            continue
        number = match["first"] or match["second"]
        currency = _SIGNS[(match["before"] or match["after"]).lower()]
        found.append(Price(match[0], read_number(number), currency, match.start(), match.end()))
    return found


def read_number(text: str) -> frozenset[float]:
    """Return the values that a number can have: 1.299 is one and three tenths, or one thousand two hundred."""
    digits = re.sub(r"['\u2019\u00a0\u202f ]", "", text.strip())
    if not re.fullmatch(r"\d+(?:[.,]\d+)*", digits):
        return frozenset()
    separators = re.findall(r"[.,]", digits)
    if not separators:
        return frozenset({float(digits)})
    whole = float(re.sub(r"[.,]", "", digits))
    last = digits.rpartition(separators[-1])
    as_decimal = float(f"{re.sub(r'[.,]', '', last[0])}.{last[2]}")
    if len(last[2]) != 3:
        return frozenset({as_decimal})
    if len(separators) > 1 and len(set(separators)) == 1:
        return frozenset({whole})
    return frozenset({whole, as_decimal})
