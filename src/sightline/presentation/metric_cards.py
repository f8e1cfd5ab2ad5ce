"""The card of a headline metric: its value with its two ranges, what it is made of, and how it changed."""

from typing import Any

from sightline.kit.counting import count
from sightline.metrics.figure import Comparison, Figure
from sightline.presentation.changes import describe_reasons, format_delta, format_places, format_verdict, is_established
from sightline.presentation.numbers import format_number, format_percent
from sightline.presentation.phrases import METRIC_NAMES
from sightline.presentation.ranges import describe_market_range, describe_range, format_position

_COUNT_NOTES = {
    "ai_mentions": "A count: Brand Coverage gives its ranges as a share.",
    "citation_count": "A count: it has no range.",
}


def build_metric_card(
    key: str, figure: Figure, change: Comparison | None = None, *, before: Figure | None = None, is_first: bool = False
) -> dict[str, Any]:
    """Build the texts of a card. `tone` is set for an established change only; nothing else is colored."""
    card: dict[str, Any] = {
        "name": METRIC_NAMES[key],
        "value": _format_value(key, figure),
        "range": describe_range(figure, _unit(key)),
        "market": _COUNT_NOTES.get(key) or describe_market_range(figure, _unit(key)),
        "basis": _describe_basis(key, figure),
        "chips": [],
        "verdict": "",
        "detail": "",
        "tone": "",
    }
    if figure.value is not None:
        card["chips"] += ["Early reading"] * figure.early_reading + ["Incomplete"] * figure.incomplete
    if is_first:
        return card
    was = "" if before is None else f"was {_format_value(key, before)}"
    if change is None:
        card["detail"] = was
        return card
    card["verdict"] = format_verdict(change)
    detail = f"{change.gained} gained, {change.lost} lost of {change.matched_cells}"
    if key in ("visibility_score", "share_of_voice_pct"):
        detail = format_delta(change)
    elif key == "market_position":
        detail = format_places(change)
    elif key == "citation_count":
        detail = f"more pages in {count(change.gained, 'answer')}, fewer in {change.lost} of {change.matched_cells}"
    card["detail"] = f"{was}; " * bool(was) + detail
    card["tone"] = change.verdict if is_established(change) else ""
    if change.trend_only:
        card["chips"].append("Trend only")
        card["detail"] += f" ({describe_reasons(change)})"
    return card


def _format_value(key: str, figure: Figure) -> str:
    if key == "market_position":
        return format_position(figure)
    return format_percent(figure.value) if key.endswith("_pct") else format_number(figure.value)


def _unit(key: str) -> str:
    return "%" if key.endswith("_pct") else ""


def _describe_basis(key: str, figure: Figure) -> str:
    """Describe what the value is made of: numerator and denominator, or the number of answers."""
    if key == "visibility_score":
        return f"of 100, over {count(figure.n, 'answer')}"
    if key == "brand_coverage_pct":
        return f"{format_number(figure.numerator)} of {count(figure.n, 'answer')}"
    if key == "share_of_voice_pct":
        if figure.value is None:
            return "no mention to share, or no competitor"
        mentions = "mention" if figure.denominator == 1 else "mentions"
        return f"{format_number(figure.numerator)} of {format_number(figure.denominator)} {mentions}"
    if key == "market_position":
        if figure.value is not None:
            return "by Visibility Score"
        return "not ranked" if figure.denominator else "no competitor is tracked"
    return f"{'own pages, ' if key == 'citation_count' else ''}in {count(figure.n, 'answer')}"
