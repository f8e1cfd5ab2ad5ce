"""Reading amounts of money and years in the words of an answer, as English, German and Danish write them. Pure.

A figure that can be read in two ways has two values. The comparison decides which one is meant.
"""

import re
from decimal import Decimal, InvalidOperation

import msgspec

# By what stands next to a figure. A sign that several currencies share stands for each of them.
_CURRENCIES: dict[str, tuple[str, ...]] = {
    "us$": ("USD",), "$": ("USD", "CAD", "AUD", "NZD", "SGD", "HKD"), "usd": ("USD",), "us-dollar": ("USD",),
    "dollar": ("USD", "CAD", "AUD", "NZD", "SGD", "HKD"), "dollars": ("USD", "CAD", "AUD", "NZD", "SGD", "HKD"),
    "c$": ("CAD",), "ca$": ("CAD",), "cad": ("CAD",), "a$": ("AUD",), "au$": ("AUD",), "aud": ("AUD",),
    "nz$": ("NZD",), "nzd": ("NZD",), "s$": ("SGD",), "sgd": ("SGD",), "hk$": ("HKD",), "hkd": ("HKD",),
    "€": ("EUR",), "eur": ("EUR",), "euro": ("EUR",), "euros": ("EUR",),
    "£": ("GBP",), "gbp": ("GBP",), "pounds": ("GBP",), "pfund": ("GBP",), "pund": ("GBP",),
    "kr": ("DKK", "SEK", "NOK"), "kr.": ("DKK", "SEK", "NOK"), "kroner": ("DKK", "NOK"), "kronor": ("SEK",),
    "dkk": ("DKK",), "sek": ("SEK",), "nok": ("NOK",), ",-": ("DKK", "SEK", "NOK"),
    "chf": ("CHF",), "fr.": ("CHF",), "franken": ("CHF",),
    "¥": ("JPY", "CNY"), "jpy": ("JPY",), "yen": ("JPY",), "cny": ("CNY",),
    "₹": ("INR",), "inr": ("INR",), "pln": ("PLN",), "zł": ("PLN",), "czk": ("CZK",), "kč": ("CZK",),
    "brl": ("BRL",), "r$": ("BRL",), "₩": ("KRW",), "krw": ("KRW",),
}  # fmt: skip
_NAMES = "|".join(
    rf"(?<![^\W\d_]){re.escape(name)}" if name[0].isalpha() else re.escape(name)
    for name in sorted(_CURRENCIES, key=len, reverse=True)
    if name != ",-"
)
_AFTER = "|".join(
    re.escape(name) + (r"(?![^\W\d_])" if name[-1].isalpha() else "")
    for name in sorted(_CURRENCIES, key=len, reverse=True)
)
_GAP = "[ \u00a0\u202f]?"
_FIGURE = r"\d+(?:[.,'\u2019\u00a0\u202f ]\d+)*"
_DASH = r"\s?(?:-|\u2013|\u2014|\bto\b|\bbis\b|\btil\b)\s?"
_AMOUNT = re.compile(
    rf"(?P<before>{_NAMES}){_GAP}(?P<one>{_FIGURE})(?:(?:{_DASH})(?:{_NAMES})?{_GAP}(?P<upto>{_FIGURE}))?"
    rf"(?P<more>\s?(?:k|m|bn|million|billion|mio|mia|mrd|milliarden|millionen)\b\.?|\+)?"
    rf"|(?<![\w.,])(?:(?P<low>{_FIGURE})(?:{_GAP}(?:{_AFTER}))?{_DASH})?(?P<two>{_FIGURE})"
    rf"(?P<many>\s?(?:k|m|bn|million|billion|mio|mia|mrd|milliarden|millionen)\b\.?|\+)?{_GAP}(?P<after>{_AFTER})(?!\d)",
    re.IGNORECASE,
)
_GROUPED = re.compile(r"\d{1,3}(?:(?P<mark>[.,'\u2019\u00a0\u202f ])\d{3})(?:(?P=mark)\d{3})*")
_DECIMAL_MARKS = {"en": ".", "de": ",", "da": ","}
_YEAR = re.compile(r"(?<![\w.,$€£/-])(1[0-9]{3}|20[0-9]{2})(?![\w%€]|[.,]\d)")
_MONTHLY = re.compile(
    r"\bmonthly\b|\bmonatlich|\bmånedlig|(?:/|\b(?:per|a|each|every|pro|im|om|pr\.?|i|und|and|og)\s)\s?"
    r"(?:mo\b|month|monat|måned|md\b|mnd\b)",
    re.IGNORECASE,
)
_YEARLY = re.compile(
    r"\b(?:yearly|annual|annually|jährlich\w*|årlig\w*)\b|(?:/|\b(?:per|a|each|every|pro|im|om|pr\.?|i|und|and|og)\s)\s?"
    r"(?:yr\b|year|annum|jahr|år)",
    re.IGNORECASE,
)
_PER_USER = re.compile(
    r"(?:/|\b(?:per|a|each|every|pro|je|pr\.?)\s)\s?(?:\w+\s)?"
    r"(?:user|seat|member|agent|editor|person|nutzer|benutzer|platz|bruger|medarbejder)",
    re.IGNORECASE,
)
# Right behind a price, because "pro" is the name of many a plan.
_OTHER_UNIT = re.compile(
    r"(?:[\d$€£¥₹]|kr\.?|euros?|eur|dollars?|usd|dkk|,-)\s?(?:/|(?:per|pro|je|pr\.?)\s)\s?(?!user|seat|member|agent|"
    r"editor|person|nutzer|benutzer|platz|bruger|medarbejder|mo\b|month|monat|måned|md\b|mnd\b|yr\b|year|annum|jahr|år)"
    r"[^\W\d_]",
    re.IGNORECASE,
)


class Amount(msgspec.Struct, frozen=True):
    """An amount of money in a text, with every value that its figure may have."""

    values: frozenset[Decimal]
    currencies: tuple[str, ...]
    start: int
    end: int
    is_open: bool = False
    """Whether it is a range, or has a mark or word that makes it larger than its figure."""


def find_amounts(text: str, language: str | None = None) -> list[Amount]:
    """Return the amounts of money in a text, in their order. A figure without a currency is none."""
    found = []
    for match in _AMOUNT.finditer(text.replace("\\", " ")):
        figure = match["one"] or match["two"]
        sign = (match["before"] or match["after"]).lower()
        values = read_figure(figure, language)
        is_open = bool(match["upto"] or match["low"] or match["more"] or match["many"])
        found.append(Amount(values, _CURRENCIES[sign], *match.span(), is_open or not values))
    return found


def read_figure(figure: str, language: str | None = None) -> frozenset[Decimal]:
    """Return the values that a figure may have; none if its marks make no sense in the language.

    A point or comma before three digits groups them, as prices do not have three decimals, unless it is the mark of
    decimals in the language: then something else is stuck to the price, such as the stars of a product. A blank may
    group digits, or stand between the number of a model and its price: `15 999`.
    """
    marks = {each for each in figure if not each.isdigit()}
    blanks = marks & {" "}
    if blanks:
        parts = figure.split(" ")
        last = read_figure(parts[-1], language)
        joined = "".join(parts)
        return last | (
            read_figure(joined, language) if all(len(re.split(r"[.,]", p)[0]) == 3 for p in parts[1:]) else last
        )
    if not marks:
        return frozenset({Decimal(figure)})
    last_mark = max(figure.rfind(mark) for mark in marks)
    whole, decimals = figure[:last_mark], figure[last_mark + 1 :]
    if len(marks) > 2 or (len(marks) == 2 and figure.count(figure[last_mark]) != 1):
        return frozenset()
    if len(marks) == 1:
        grouped = _GROUPED.fullmatch(figure)
        if grouped is not None and not figure.startswith("0"):
            return frozenset() if figure[last_mark] == _DECIMAL_MARKS.get(language or "") else _number(figure)
        if figure.count(figure[last_mark]) > 1 or figure[last_mark] not in ".,":
            return frozenset()
        return _number(whole, decimals) if len(decimals) <= 2 or whole == "0" else frozenset()
    if figure[last_mark] not in ".," or len(decimals) > 2 or _GROUPED.fullmatch(whole) is None:
        return frozenset()
    return _number(whole, decimals)


def _number(whole: str, decimals: str = "") -> frozenset[Decimal]:
    digits = "".join(filter(str.isdigit, whole))
    try:
        return frozenset({Decimal(f"{digits}.{decimals or 0}").normalize()})
    except InvalidOperation:  # digits of another script
        return frozenset()


def find_years(text: str) -> list[int]:
    """Return the years in a text, in their order. A figure with a currency is none, nor is a decade: `1960s`."""
    amounts = find_amounts(text)
    return [
        int(match[1])
        for match in _YEAR.finditer(text)
        if not any(each.start <= match.start() < each.end for each in amounts)
    ]


def find_units(text: str) -> frozenset[str]:
    """Return what prices in a text are for: each unit that it names; `other` for one that we do not compare."""
    found: set[str] = set()
    per_user = _PER_USER.search(text) is not None
    if _MONTHLY.search(text):
        found.add("user_month" if per_user else "month")
    if _YEARLY.search(text):
        found.add("user_year" if per_user else "year")
    if (per_user and not found) or _OTHER_UNIT.search(text):
        found.add("other")
    return frozenset(found)
