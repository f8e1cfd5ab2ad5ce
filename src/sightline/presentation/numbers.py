"""How numbers are written: counts, decimals, percentages, signed differences and amounts of money."""

from decimal import Decimal

from sightline.metrics.figure import Number

NOT_MEASURED = "\u2013"


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


def format_cost(dollars: Decimal | None) -> str:
    """Write what something cost in US dollars, below a dollar with four decimals. An unknown cost is a dash, not 0."""
    if dollars is None:
        return NOT_MEASURED
    return f"${dollars:,.2f}" if dollars >= 1 else f"${dollars:.4f}"


def format_money(cents: int, currency: str = "usd") -> str:
    return f"{cents / 100:,.2f} {currency.upper()}"
