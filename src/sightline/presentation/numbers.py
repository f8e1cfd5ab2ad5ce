"""How numbers are written: counts, decimals, percentages, signed differences and amounts of money."""

from decimal import Decimal

from sightline.metrics.figure import Number
from sightline.presentation.language import current_language, gettext

NOT_MEASURED = "\u2013"
_LEAST_COST = Decimal("0.0001")
_SEPARATORS = {"de": str.maketrans(",.", ".,")}
_PERCENT_SIGNS = {"de": "\N{NO-BREAK SPACE}%"}


def format_number(value: Number | None) -> str:
    """Write a count without decimals and everything else with one. A value that was not measured is a dash, not 0."""
    if value is None:
        return NOT_MEASURED
    return localize(f"{value:,}" if isinstance(value, int) else f"{value:,.1f}")


def format_percent(value: Number | None) -> str:
    """Write a percentage: `43.8%` in English, `43,8 %` in German."""
    return NOT_MEASURED if value is None else add_unit(format_number(value), "%")


def add_unit(text: str, unit: str) -> str:
    """Return a written number or range with its unit: `%` as the chosen language writes it, or empty for none."""
    return text + (_PERCENT_SIGNS.get(current_language(), "%") if unit == "%" else unit)


def format_ordinal(number: int) -> str:
    """Write a position: `2nd` in English, `2.` in German."""
    if current_language() == "de":
        return f"{number}."
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number % 100 in {11, 12, 13} else endings.get(number % 10, 'th')}"


def localize(text: str) -> str:
    """Return a number that was written the English way with the separators of the chosen language."""
    separators = _SEPARATORS.get(current_language())
    return text.translate(separators) if separators else text


def format_signed(value: Number) -> str:
    """Write a difference with its sign and one decimal."""
    return localize(f"{value:+.1f}".replace("-", "\u2212") if value else "0.0")


def format_cost(dollars: Decimal | float | None) -> str:
    """Write what something cost: `12.30 USD`, and below a dollar with up to four decimals: `0.0123 USD`.

    An unknown cost is a dash, not 0.
    """
    if dollars is None:
        return NOT_MEASURED
    if 0 < dollars < _LEAST_COST:
        return gettext("under %(amount)s", amount=_add_currency(f"{_LEAST_COST}"))
    if dollars >= 1:
        return _add_currency(f"{dollars:,.2f}")
    text = f"{dollars:.4f}"
    return _add_currency(text[:-2] + text[-2:].rstrip("0"))


def _add_currency(amount: str) -> str:
    return gettext("%(amount)s USD", amount=localize(amount))


def format_money(cents: int, currency: str = "usd") -> str:
    return f"{localize(f'{cents / 100:,.2f}')} {currency.upper()}"


def format_unit_price(cents: int, units: int, currency: str = "usd") -> str:
    """Return the price of one unit, with a third decimal place if it is needed."""
    text = f"{cents / units / 100:,.3f}"
    return f"{localize(text.removesuffix('0'))} {currency.upper()}"
