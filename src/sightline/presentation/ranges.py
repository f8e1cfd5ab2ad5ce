"""How a figure is written together with its two ranges, and a market position together with its own.

The range "for these prompts" is the repeat interval; the range "for questions like these" is the market interval.
"""

import math

from sightline.metrics.figure import Figure, Number
from sightline.metrics.good_for import GoodFor, Grade
from sightline.metrics.intervals import MIN_PROMPTS_FOR_MARKET
from sightline.presentation.language import gettext, translatable
from sightline.presentation.numbers import NOT_MEASURED, add_unit, format_number

TWO_RANGES = translatable(
    "The range \u201cfor these prompts\u201d shows where the figure would settle if the same questions were asked "
    "again and again. The range \u201cfor questions like these\u201d shows where it would settle across all similar "
    "questions. About 95 of 100 such ranges contain the true figure. When you quote a figure, use the wider range."
)


GRADES: dict[Grade, str] = {
    "exploratory": translatable("Exploratory"),
    "directional": translatable("Directional"),
    "decision_grade": translatable("Decision-grade"),
}
# Two figures with the same half-width differ clearly if they differ by this many half-widths.
_CLEAR = math.sqrt(2)


def describe_good_for(good: GoodFor) -> str:
    """Say which difference of a share or score would be clear, and what would lift the figure."""
    parts = []
    if good.half_width is not None:
        points = format_number(round(_CLEAR * good.half_width))
        parts.append(
            gettext("With this sample, a difference of about %(points)s points would be clear.", points=points)
        )
    if good.more_prompts is not None:
        number = format_number(good.more_prompts)
        parts.append(
            gettext("About %(number)s more prompts would make it directional.", number=number)
            if good.grade == "exploratory"
            else gettext("About %(number)s more prompts would make it decision-grade.", number=number)
        )
    return " ".join(parts)


# What a number of prompts can show, from the fewest prompts on: simulated in `bench/changes.py`.
SAMPLES = (
    (1, translatable("A first impression: fewer than 10 prompts cannot show a change reliably.")),
    (10, translatable("A direction: within a quarter, a loss of 20 points is usually found, one of 10 points rarely.")),
    (30, translatable("Within a quarter, a loss of 20 points is found, and one of 10 points in four of ten cases.")),
)


def describe_sample(prompts: int) -> str:
    """Say which changes so many prompts can show."""
    return gettext(next(text for fewest, text in reversed(SAMPLES) if prompts >= fewest or fewest == 1))


def format_range(low: Number, high: Number) -> str:
    return format_number(low) if low == high else f"{format_number(low)}\u2013{format_number(high)}"


def format_interval(figure: Figure, unit: str = "") -> str:
    """Write the range for these prompts, with its unit; empty where the figure has none."""
    if figure.low is None or figure.high is None:
        return ""
    return add_unit(format_range(figure.low, figure.high), unit)


def format_market_range(figure: Figure) -> str:
    """Write the range for questions like these; empty where the figure has none."""
    return "" if figure.market is None else format_range(figure.market.low, figure.market.high)


def describe_range(figure: Figure, unit: str = "") -> str:
    """Describe the range for these prompts; empty where the figure has none."""
    interval = format_interval(figure, unit)
    return gettext("%(range)s for these prompts", range=interval) if interval else ""


def describe_market_range(figure: Figure, unit: str = "") -> str:
    """Describe the range for questions like these, or say why there is none; empty for a count."""
    if market := format_market_range(figure):
        return gettext("%(range)s for questions like these", range=add_unit(market, unit))
    if figure.low is not None and has_few_prompts(figure):
        return gettext("no range for questions like these: fewer than five prompts")
    return ""


def has_few_prompts(figure: Figure) -> bool:
    """Return whether the figure is based on too few prompts for a market range."""
    return figure.prompts is not None and figure.prompts < MIN_PROMPTS_FOR_MARKET


def find_wider_range(figure: Figure) -> tuple[Number, Number] | None:
    """Return the wider of the two ranges, which the headline sentence uses; None where there is neither."""
    ranges = [] if figure.low is None or figure.high is None else [(figure.low, figure.high)]
    if figure.market is not None:
        ranges.append((figure.market.low, figure.market.high))
    return max(ranges, key=lambda ends: ends[1] - ends[0], default=None)


def format_figure(figure: Figure, unit: str = "") -> str:
    """Write the value, followed by its interval in parentheses where it has one."""
    value = add_unit(format_number(figure.value), unit)
    if figure.low is None or figure.high is None or figure.low == figure.high:
        return value
    return f"{value} ({format_interval(figure, unit)})"


def format_position(figure: Figure) -> str:
    if figure.value is None:
        return NOT_MEASURED
    brands = format_number(figure.denominator)
    return gettext("%(position)s of %(brands)s", position=format_number(figure.value), brands=brands)


def format_position_range(position: Figure) -> str:
    """Write the positions that the answers allow; empty where they allow only one."""
    return "" if position.low == position.high else format_interval(position)
