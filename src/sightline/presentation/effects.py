"""How the effect of an action is worded on pages, in reports and by the API."""

from datetime import datetime

from sightline.kit.rounding import round_half_away
from sightline.metrics.effect import LOOKS, MIN_OTHER_PROMPTS, Effect, HistoryGap, WatchedChecks
from sightline.metrics.recommendations import Kind
from sightline.presentation.dates import format_date
from sightline.presentation.language import gettext, ngettext, translatable
from sightline.presentation.numbers import localize
from sightline.presentation.ranges import format_range

_GAPS: dict[HistoryGap, str] = {
    "baseline": translatable(
        "Not enough history. There are fewer than two Full Checks before %(date)s, not counting the one that led to "
        "this action."
    ),
    "prompts": translatable(
        "Not enough history. The prompts of this action were not stored when it was marked as done."
    ),
    "others": translatable("Not enough history. There are fewer than %(least)s other prompts to compare with."),
    "cells": translatable(
        "Not enough history. The prompts of this action were not answered both before and after %(date)s."
    ),
}


def describe_effect(effect: Effect, checks: WatchedChecks, *, done_at: datetime, overlapping: int = 0) -> str:
    """Say whether the action worked, how far that is certain, and whether other actions may have caused it."""
    date = format_date(done_at)
    if effect.status == "not_enough_history":
        assert effect.gap is not None
        return gettext(_GAPS[effect.gap], date=date, least=MIN_OTHER_PROMPTS)
    if effect.points is None or effect.interval is None:
        return gettext(
            "Too early: %(done)s of %(needed)s Full Checks since %(date)s.",
            done=len(checks.later),
            needed=LOOKS[0],
            date=date,
        )
    sentences = [_state_verdict(effect), _state_progress(checks)]
    if effect.status in {"up", "down"} and overlapping:
        sentences.append(
            ngettext(
                "%(num)s other action for the same prompts was done in this time and may be the cause.",
                "%(num)s other actions for the same prompts were done in this time and may be the cause.",
                overlapping,
            )
        )
    return " ".join(sentences)


def format_expected(kind: Kind, low: float, high: float) -> str:
    """Write how many answers an action could change: it gains them, keeps them, or changes what they say."""
    least, most = (int(round_half_away(value, 0)) for value in (low, high))
    number = format_range(least, most)
    if kind == "keep":
        return ngettext("%(number)s answer at stake", "%(number)s answers at stake", most, number=number)
    if kind in ("fix_claim", "correct_fact"):
        return ngettext("%(number)s answer", "%(number)s answers", most, number=number)
    return ngettext("+%(number)s answer", "+%(number)s answers", most, number=number)


def _state_verdict(effect: Effect) -> str:
    assert effect.points is not None and effect.interval is not None
    low, high = effect.interval.low, effect.interval.high
    # "Up by 5 points (0 to 10)" would read as if nothing may have changed.
    digits = 0 if abs(low) >= 0.5 and abs(high) >= 0.5 else 1
    if effect.status == "no_clear_effect":
        return gettext(
            "No clear effect: %(points)s points (%(low)s to %(high)s) compared with the other prompts.",
            points=_format(effect.points, digits, sign=True),
            low=_format(low, digits),
            high=_format(high, digits),
        )
    nearest, farthest = sorted((abs(low), abs(high)))
    ends = {
        "points": _format(abs(effect.points), digits),
        "low": _format(nearest, digits),
        "high": _format(farthest, digits),
    }
    if effect.status == "up":
        return gettext("Up by %(points)s points (%(low)s to %(high)s) compared with the other prompts.", **ends)
    return gettext("Down by %(points)s points (%(low)s to %(high)s) compared with the other prompts.", **ends)


def _state_progress(checks: WatchedChecks) -> str:
    looked_at = len(checks.looked_at)
    if looked_at == LOOKS[-1]:
        return gettext("This is the final result, after %(checks)s Full Checks.", checks=looked_at)
    return gettext(
        "This result is from %(checks)s Full Checks. The final result follows after %(last)s.",
        checks=looked_at,
        last=LOOKS[-1],
    )


def _format(points: float, digits: int, *, sign: bool = False) -> str:
    rounded = round_half_away(points, digits) or 0.0
    return localize(f"{rounded:{'+' if sign and rounded else ''}.{digits}f}".replace("-", "\u2212"))
