"""The headline of a report: each figure with its range, what it is made of, and how it changed."""

from typing import Any

from sightline.kit.counting import count
from sightline.metrics.figure import Figure, Number
from sightline.reports.weekly import sayings
from sightline.reports.weekly.models import HeadlineLine
from sightline.reports.words import NOTHING, say_interval, say_number, say_position


def say_percent(value: Number | None) -> str:
    return NOTHING if value is None else f"{say_number(value)} %"


def _say_value(key: str, figure: Figure) -> str:
    if key == "market_position":
        return say_position(figure)
    return say_percent(figure.value) if key.endswith("_pct") else say_number(figure.value)


def say_places(position: Figure) -> str:
    """The places that the answers allow; empty where they allow just one."""
    return "" if position.low == position.high else say_interval(position)


def _say_range(key: str, figure: Figure) -> str:
    if key != "market_position":
        return say_interval(figure)
    return f"range {places}" if (places := say_places(figure)) else ""


def _basis(key: str, figure: Figure) -> str:
    """What the value is made of: numerator and denominator, or n."""
    if key == "visibility_score":
        return f"of 100, over {count(figure.n, 'answer')}"
    if key == "brand_coverage_pct":
        return f"{say_number(figure.numerator)} of {count(figure.n, 'answer')}"
    if key == "share_of_voice_pct":
        if figure.value is None:
            return "no mention to share, or no competitor"
        mentions = "mention" if figure.denominator == 1 else "mentions"
        return f"{say_number(figure.numerator)} of {say_number(figure.denominator)} {mentions}"
    if key == "market_position":
        if figure.value is not None:
            return "by Visibility Score"
        return "not ranked" if figure.denominator else "no competitor is tracked"
    return f"{'own pages, ' if key == 'citation_count' else ''}in {count(figure.n, 'answer')}"


def make_card(line: HeadlineLine, *, is_first: bool) -> dict[str, Any]:
    """`tone` is set for an established change alone; nothing else is ever coloured."""
    figure, change = line.figure, line.figure.comparison
    card: dict[str, Any] = {
        "name": sayings.NAMES[line.key],
        "value": _say_value(line.key, figure),
        "range": _say_range(line.key, figure),
        "basis": _basis(line.key, figure),
        "chips": [],
        "verdict": "",
        "detail": "",
        "tone": "",
    }
    if figure.value is not None:
        card["chips"] += ["Early reading"] * figure.early_reading + ["Incomplete"] * figure.incomplete
    if is_first:
        return card
    was = "" if line.before is None else f"was {_say_value(line.key, line.before)}"
    if change is None:
        card["detail"] = was
        return card
    card["verdict"] = sayings.say_verdict(change)
    card["detail"] = f"{was}; " * bool(was) + f"{change.gained} gained, {change.lost} lost of {change.matched_cells}"
    if line.key == "visibility_score":
        card["detail"] = f"{was}; " * bool(was) + _say_delta(change.delta, change.low, change.high)
    card["tone"] = change.verdict if sayings.is_established(change) else ""
    if change.trend_only:
        card["chips"].append("Trend only")
        card["detail"] += f" ({sayings.say_reasons(change)})"
    return card


def _say_delta(delta: Number, low: Number, high: Number) -> str:
    return f"{_signed(delta)} points ({_signed(low)} to {_signed(high)})"


def _signed(value: Number) -> str:
    return f"{value:+.1f}".replace("-", "\u2212") if value else "0.0"
