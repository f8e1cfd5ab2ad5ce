"""How the effect of an action is said on pages, in reports and by the API."""

from datetime import datetime

from sightline.kit.counting import count
from sightline.kit.rounding import round_half_away
from sightline.metrics.effect import LOOKS, MIN_OTHER_PROMPTS, Effect, HistoryGap, WatchedChecks
from sightline.presentation.dates import format_date

_GAPS: dict[HistoryGap, str] = {
    "baseline": "There are fewer than two Full Checks before {date}, not counting the one that led to this action.",
    "prompts": "The prompts that this action concerns were not stored when it was marked.",
    "others": f"There are fewer than {MIN_OTHER_PROMPTS} other prompts to compare with.",
    "cells": "The prompts that this action concerns were not answered both before and after {date}.",
}


def describe_effect(effect: Effect, checks: WatchedChecks, *, done_at: datetime, overlapping: int = 0) -> str:
    """Say whether the action worked, how far that is certain, and whether other actions may have caused it."""
    date = format_date(done_at)
    if effect.status == "not_enough_history":
        assert effect.gap is not None
        return f"Not enough history. {_GAPS[effect.gap].format(date=date)}"
    if effect.points is None or effect.interval is None:
        return f"Too early: {len(checks.later)} of {count(LOOKS[0], 'Full Check')} since {date}."
    text = f"{_state_verdict(effect)} compared with the other prompts. {_state_progress(checks)}"
    if effect.status in {"up", "down"} and overlapping:
        others = count(overlapping, "other action")
        text += (
            f" {others} for the same prompts {'was' if overlapping == 1 else 'were'} done in this time: it may be due "
        )
        text += "to that." if overlapping == 1 else "to those."
    return text


def _state_verdict(effect: Effect) -> str:
    assert effect.points is not None and effect.interval is not None
    low, high = effect.interval.low, effect.interval.high
    # "Up by 5 points (0 to 10)" would read as if nothing may have changed.
    digits = 0 if abs(low) >= 0.5 and abs(high) >= 0.5 else 1
    if effect.status == "no_clear_effect":
        change = _format(effect.points, digits, sign=True)
        return f"No clear effect: {change} points ({_format(low, digits)} to {_format(high, digits)})"
    size = _format(abs(effect.points), digits)
    ends = sorted((abs(low), abs(high)))
    word = "Up" if effect.status == "up" else "Down"
    return f"{word} by {size} points ({_format(ends[0], digits)} to {_format(ends[1], digits)})"


def _state_progress(checks: WatchedChecks) -> str:
    looked_at = len(checks.looked_at)
    if looked_at == LOOKS[-1]:
        return f"This is the final result, after {looked_at} Full Checks."
    return f"After {looked_at} Full Checks; the final result comes after {LOOKS[-1]}."


def _format(points: float, digits: int, *, sign: bool = False) -> str:
    rounded = round_half_away(points, digits) or 0.0
    return f"{rounded:{'+' if sign and rounded else ''}.{digits}f}".replace("-", "\u2212")
