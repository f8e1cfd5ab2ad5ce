"""How a change between two scans is written: its verdict, its counts, and why two scans may not compare exactly."""

from collections.abc import Iterable

from sightline.kit.counting import count
from sightline.metrics.compare import Verdict
from sightline.metrics.figure import Comparison
from sightline.metrics.trend import Reason
from sightline.presentation.numbers import format_signed

VERDICT_WORDS: dict[Verdict, str] = {"up": "Up", "down": "Down", "no_clear_change": "No clear change"}

_REASONS: dict[Reason, str] = {
    "scope": "another kind of check",
    "cells": "other prompts, platforms or countries were asked",
    "competitors": "other competitors are tracked",
    "metrics_version": "the formulas have a new version",
    "extractor_version": "answers are read by a new version",
    "model": "another model answers on a platform",
    "incomplete_before": "the check before was incomplete",
    "incomplete_now": "this check is incomplete",
}


def format_verdict(change: Comparison) -> str:
    return VERDICT_WORDS[change.verdict]


def is_established(change: Comparison | None) -> bool:
    """Return whether a change may be colored: the test holds, and the two scans compare exactly."""
    return change is not None and change.verdict != "no_clear_change" and not change.trend_only


def format_delta(change: Comparison) -> str:
    """Write a difference in points with its interval."""
    return f"{format_signed(change.delta)} points ({format_signed(change.low)} to {format_signed(change.high)})"


def format_places(change: Comparison) -> str:
    """Write how many places a brand was moved in the ranking."""
    if not change.delta:
        return "the same place"
    places = count(abs(int(change.delta)), "place")
    return f"{places} {'higher' if change.delta < 0 else 'lower'}"


def describe_reasons(change: Comparison) -> str:
    """List why two scans do not compare exactly; empty where they do."""
    return list_reasons(change.reasons)


def list_reasons(reasons: Iterable[Reason]) -> str:
    return ", ".join(_REASONS[reason] for reason in reasons)
