"""How a check differs from the one before it, by section 3.3 and rule 1.11."""

from fractions import Fraction

from tests.scoreboard.oracle import oracle
from tests.scoreboard.oracle.history import Check, History
from tests.scoreboard.oracle.numbers import flip_signs, mcnemar, minus, paired, shown, value_of


def previous(history: History, check: Check) -> Check | None:
    """The previous check of the same scope, else the previous of any."""
    before = [each for each in history.of_source(check.source).checks if each.completed_at < check.completed_at]
    same = [each for each in before if each.scope == check.scope]
    return (same or before or [None])[-1]


def reasons(before: Check, now: Check) -> set[str]:
    """Why the two are a trend only."""
    found = set()
    if before.scope != now.scope:
        found.add("scope")
    if set(before.answers) != set(now.answers):
        found.add("cells")
    if oracle.is_incomplete(oracle.cells_of(before)):
        found.add("incomplete_before")
    if oracle.is_incomplete(oracle.cells_of(now)):
        found.add("incomplete_now")
    for platform in {*before.platforms} & {*now.platforms}:
        served = [
            {a.model for key, a in check.answers.items() if key[1] == platform and a.status == "ok"}
            for check in (before, now)
        ]
        if all(served) and served[0] != served[1]:
            found.add("model")
    return found


def compare(history: History, check: Check) -> dict[str, dict] | None:
    """By metric. None: nothing to compare with, or no common cell."""
    before = previous(history, check)
    if before is None:
        return None
    then = {(cell.prompt.id, cell.platform): cell for cell in oracle.valid(oracle.counted(oracle.cells_of(before)))}
    now = {(cell.prompt.id, cell.platform): cell for cell in oracle.valid(oracle.counted(oracle.cells_of(check)))}
    keys = sorted(then.keys() & now.keys())
    if not keys:
        return None
    found = reasons(before, check)
    about = {"against_scan_id": before.id, "trend_only": bool(found), "reasons": found, "matched_cells": len(keys)}
    named = [int(now[key].own.mentioned) - int(then[key].own.mentioned) for key in keys]
    moved = [value_of(minus(now[key].worth(0), then[key].worth(0))) for key in keys]
    exact = mcnemar(named.count(-1), named.count(1))
    return {
        "visibility_score": {**about, **change(moved, flip_signs(moved), 100)},
        "brand_coverage_pct": {**about, **change(named, exact, 100)},
        "ai_mentions": {**about, **change(named, exact, len(keys))},
    }


def change(differences, p: float | None, scale: int) -> dict:
    n = len(differences)
    _, low, high = paired(differences)
    total = sum(differences)
    large = abs(total) >= 3 - 1e-9 and abs(total) * 20 >= n - 1e-9
    verdict = "no_clear_change"
    if p is None:
        verdict = None
    elif p < 0.05 and large:
        verdict = "up" if total > 0 else "down"
    exact = Fraction(total, n) if isinstance(total, int) else total / n
    return {
        "gained": sum(each > 0 for each in differences),
        "lost": sum(each < 0 for each in differences),
        "delta": shown(exact * scale),
        "low": shown(max(-1.0, low) * scale),
        "high": shown(min(1.0, high) * scale),
        "p": None if p is None else shown(p, 4),
        "verdict": verdict,
    }
