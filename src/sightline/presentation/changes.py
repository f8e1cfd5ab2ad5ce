"""How a change between two scans is written: its verdict, its counts, and why two scans may not compare exactly."""

from collections.abc import Iterable

from sightline.metrics.compare import SIGNIFICANT_BELOW, Verdict
from sightline.metrics.figure import Comparison, Number
from sightline.metrics.trend import Reason
from sightline.presentation.language import gettext, ngettext, pgettext, translatable
from sightline.presentation.numbers import format_signed, localize

_LEAST_P = 0.0001

VERDICT_WORDS: dict[Verdict, str] = {
    "up": translatable("Up"),
    "down": translatable("Down"),
    "no_clear_change": translatable("No clear change"),
}

VERDICT_RULE = translatable(
    "“Up” and “Down” appear only if a change is at least 5 points and unlikely to be chance: the probability p that "
    "chance alone causes a change this large is below 0.05. For counts, 5 points are 5 mentions or citations per 100 "
    "answers. The change must also amount to at least 3 answers."
)
RANKING_RULE = translatable(
    "For Share of Voice, it must amount to at least 3 mentions instead. For Market Position, your Visibility "
    "Score must move by at least 5 points relative to each brand that you overtake or that overtakes you."
)
COMPARISON_RULE = translatable(
    "Only prompts that a platform answered in both checks are compared, so a change may not equal the difference "
    "between the figures."
)

_REASONS: dict[Reason, str] = {
    "scope": translatable("the checks are of different kinds"),
    "cells": translatable("the prompts, platforms or countries differ"),
    "competitors": translatable("the tracked competitors differ"),
    "metrics_version": translatable("the formulas have changed"),
    "extractor_version": translatable("the analysis of answers has changed"),
    "model": translatable("a platform has changed its model"),
    "surface": translatable("a platform was asked on another surface"),
    "incomplete_before": translatable("the previous check was incomplete"),
    "incomplete_now": translatable("this check is incomplete"),
}


def format_verdict(change: Comparison) -> str:
    return gettext(VERDICT_WORDS[change.verdict])


def is_established(change: Comparison | None) -> bool:
    """Return whether a change may be colored: the test holds, and the two scans compare exactly."""
    return change is not None and change.verdict != "no_clear_change" and not change.trend_only


def format_delta(metric: str, change: Comparison) -> str:
    """Write a difference in points with its interval, and with p if the interval seems to contradict the verdict.

    The two come from different methods, so an interval without 0 can belong to a change that is not significant.
    """
    if metric.endswith("_pct"):
        written = format_percentage_points(change.delta, change.low, change.high)
    else:
        written = gettext("%(delta)s points (%(low)s to %(high)s)", **_sign(change.delta, change.low, change.high))
    if change.p >= SIGNIFICANT_BELOW and not change.low <= 0 <= change.high:
        return gettext(
            "%(difference)s; %(p)s, so not significant (the range and p are calculated differently)",
            difference=written,
            p=format_p(change.p),
        )
    return written


def format_p(p: float) -> str:
    """Write a p-value, such as `p = 0.0039`."""
    if p < _LEAST_P:
        return gettext("p < %(limit)s", limit=localize(f"{_LEAST_P:.4f}"))
    return gettext("p = %(value)s", value=localize(f"{p:.4f}"))


def format_percentage_points(delta: Number, low: Number, high: Number) -> str:
    """Write a difference of two shares, which some languages do not call points."""
    return pgettext("percentage", "%(delta)s points (%(low)s to %(high)s)", **_sign(delta, low, high))


def _sign(delta: Number, low: Number, high: Number) -> dict[str, str]:
    return {"delta": format_signed(delta), "low": format_signed(low), "high": format_signed(high)}


def format_places(change: Comparison) -> str:
    """Write how many places a brand moved in the ranking; empty if it did not move.

    Only prompts that were answered in both checks are compared, so the positions shown may differ by another number.
    """
    if not change.delta:
        return ""
    places = abs(int(change.delta))
    if change.delta < 0:
        return ngettext("%(num)s position higher", "%(num)s positions higher", places)
    return ngettext("%(num)s position lower", "%(num)s positions lower", places)


def describe_reasons(change: Comparison) -> str:
    """List why two scans do not compare exactly; empty where they do."""
    return list_reasons(change.reasons)


def list_reasons(reasons: Iterable[Reason]) -> str:
    return ", ".join(gettext(_REASONS[reason]) for reason in reasons)
