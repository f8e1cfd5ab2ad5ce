"""How numbers are written: counts, decimals, percentages, signed differences and amounts of money."""

from decimal import Decimal

from sightline.metrics.figure import Number

NOT_MEASURED = "\u2013"
_LEAST_COST = Decimal("0.0001")


def format_number(value: Number | None) -> str:
    """Write a count without decimals and everything else with one. A value that was not measured is a dash, not 0."""
    if value is None:
        return NOT_MEASURED
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"


def format_percent(value: Number | None) -> str:
    return NOT_MEASURED if value is None else f"{format_number(value)}%"


def format_signed(value: Number) -> str:
    """Write a difference with its sign and one decimal."""
    return f"{value:+.1f}".replace("-", "\u2212") if value else "0.0"


def format_cost(dollars: Decimal | float | None) -> str:
    """Write what something cost in US dollars: `$12.30`, and below a dollar with up to four decimals: `$0.0123`.

    An unknown cost is a dash, not 0.
    """
    if dollars is None:
        return NOT_MEASURED
    if 0 < dollars < _LEAST_COST:
        return f"under ${_LEAST_COST}"
    if dollars >= 1:
        return f"${dollars:,.2f}"
    text = f"${dollars:.4f}"
    return text[:-2] + text[-2:].rstrip("0")


def format_money(cents: int, currency: str = "usd") -> str:
    return f"{cents / 100:,.2f} {currency.upper()}"
