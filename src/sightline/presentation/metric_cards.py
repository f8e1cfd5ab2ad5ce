"""The card of a headline metric: its value with its two ranges, what it is made of, and how it changed."""

from typing import Any

from sightline.metrics.figure import Comparison, Figure
from sightline.presentation.changes import describe_reasons, format_delta, format_places, format_verdict, is_established
from sightline.presentation.language import gettext, ngettext
from sightline.presentation.numbers import format_number, format_percent
from sightline.presentation.phrases import METRIC_NAMES, count_answers, describe_coverage
from sightline.presentation.ranges import describe_market_range, describe_range, format_position


def build_metric_card(
    key: str,
    figure: Figure,
    change: Comparison | None = None,
    *,
    brand: str,
    answers: int,
    before: Figure | None = None,
    is_first: bool = False,
) -> dict[str, Any]:
    """Build the texts of a card. `tone` is set for an established change only; nothing else is colored.

    `answers` are all that count for the figures of the brand: without any, nothing can be said about competitors.
    """
    card: dict[str, Any] = {
        "key": key,
        "name": gettext(METRIC_NAMES[key]),
        "value": _format_value(key, figure),
        "range": _describe_repeat(key, figure),
        "market": _describe_market(key, figure),
        "basis": _describe_basis(key, figure, answers),
        "chips": [],
        "verdict": "",
        "detail": "",
        "reasons": "",
        "tone": "",
    }
    if figure.value is not None:
        card["chips"] += [gettext("Early reading")] * figure.early_reading + [gettext("Incomplete")] * figure.incomplete
    if is_first:
        return card
    was = "" if before is None else gettext("was %(value)s", value=_format_value(key, before))
    if change is None:
        card["detail"] = was
        return card
    card["verdict"] = format_verdict(change)
    detail = _describe_flips(change)
    if key in ("visibility_score", "share_of_voice_pct"):
        detail = format_delta(key, change)
    elif key == "market_position":
        detail = format_places(change)
    elif key == "citation_count":
        detail = gettext(
            "%(more)s of %(answers)s cited more pages of %(brand)s than before, and %(fewer)s cited fewer",
            brand=brand,
            answers=count_answers(change.matched_cells),
            more=format_number(change.gained),
            fewer=format_number(change.lost),
        )
    card["detail"] = "; ".join(part for part in (was, detail) if part)
    card["tone"] = change.verdict if is_established(change) else ""
    if change.trend_only:
        card["chips"].append(gettext("Trend only"))
        card["reasons"] = f" ({describe_reasons(change)})"
        card["detail"] += card["reasons"]
    return card


def _format_value(key: str, figure: Figure) -> str:
    if key == "market_position":
        return format_position(figure)
    return format_percent(figure.value) if key.endswith("_pct") else format_number(figure.value)


def _describe_repeat(key: str, figure: Figure) -> str:
    if key == "market_position" and figure.low is not None and figure.low == figure.high:
        return gettext("no other position is likely for these prompts")
    return describe_range(figure, _unit(key))


def _describe_market(key: str, figure: Figure) -> str:
    if key in ("ai_mentions", "citation_count"):  # counts have no range
        return ""
    if key == "market_position" and figure.market is not None and figure.market.low == figure.market.high:
        return gettext("no other position is likely for questions like these")
    return describe_market_range(figure, _unit(key))


def _unit(key: str) -> str:
    return "%" if key.endswith("_pct") else ""


def _describe_basis(key: str, figure: Figure, answers: int) -> str:
    """Describe what the value is made of: numerator and denominator, or the number of answers."""
    if key == "visibility_score":
        return gettext("of 100, %(answers)s", answers=count_answers(figure.n))
    if key == "brand_coverage_pct":
        return describe_coverage(figure)
    if key in ("share_of_voice_pct", "market_position") and not answers:
        return gettext("no valid answers")
    if key == "share_of_voice_pct":
        if figure.value is None:
            return gettext("no competitor is tracked") if figure.denominator else gettext("no tracked brand is named")
        total = int(figure.denominator or 0)
        return ngettext(
            "%(part)s of %(total)s mention",
            "%(part)s of %(total)s mentions",
            total,
            part=format_number(figure.numerator),
            total=format_number(total),
        )
    if key == "market_position":
        if figure.value is not None:
            return gettext("by Visibility Score")
        return gettext("not ranked") if figure.denominator else gettext("no competitor is tracked")
    return gettext("in %(answers)s", answers=count_answers(figure.n))


def _describe_flips(change: Comparison) -> str:
    return gettext(
        "newly named in %(gained)s and no longer named in %(lost)s of %(answers)s",
        gained=format_number(change.gained),
        lost=format_number(change.lost),
        answers=count_answers(change.matched_cells),
    )
