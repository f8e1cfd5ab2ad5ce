"""How a figure is written together with its interval, and a market position together with its range."""

from sightline.metrics.figure import Figure, Number
from sightline.presentation.numbers import NOT_MEASURED, format_number


def format_range(low: Number, high: Number) -> str:
    return f"{format_number(low)}\u2013{format_number(high)}"


def format_interval(figure: Figure) -> str:
    """Write the interval of a figure; empty where it has none."""
    return "" if figure.low is None or figure.high is None else format_range(figure.low, figure.high)


def format_figure(figure: Figure, unit: str = "") -> str:
    """Write the value, followed by its interval in parentheses where it has one."""
    value = f"{format_number(figure.value)}{unit}"
    if figure.low is None or figure.high is None or figure.low == figure.high:
        return value
    return f"{value} ({format_range(figure.low, figure.high)})"


def format_position(figure: Figure) -> str:
    return NOT_MEASURED if figure.value is None else f"{figure.value} of {figure.denominator}"


def format_position_range(position: Figure) -> str:
    """Write the positions that the answers allow; empty where they allow only one."""
    return "" if position.low == position.high else format_interval(position)
