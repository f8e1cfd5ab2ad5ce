"""The expected comparison of a scan with the one before it, by section 3.3 and rule 1.11."""

from fractions import Fraction

from tests.scoreboard.oracle import oracle
from tests.scoreboard.oracle.formulas import evaluate, flip_signs, mcnemar, paired_interval, round_figure, subtract
from tests.scoreboard.oracle.raw_history import RawHistory, RawScan


def find_previous(history: RawHistory, scan: RawScan) -> RawScan | None:
    """Find the previous scan of the same scope, or else of any scope."""
    before = [each for each in history.of_source(scan.source).scans if each.completed_at < scan.completed_at]
    same = [each for each in before if each.scope == scan.scope]
    return (same or before or [None])[-1]


def find_trend_reasons(before: RawScan, now: RawScan) -> set[str]:
    """Find the reasons why two scans only make a trend."""
    found = set()
    if before.scope != now.scope:
        found.add("scope")
    if set(before.answers) != set(now.answers):
        found.add("cells")
    if oracle.is_incomplete(oracle.list_cells(before)):
        found.add("incomplete_before")
    if oracle.is_incomplete(oracle.list_cells(now)):
        found.add("incomplete_now")
    for platform in {*before.platforms} & {*now.platforms}:
        served = [
            {a.model for key, a in scan.answers.items() if key[1] == platform and a.status == "ok"}
            for scan in (before, now)
        ]
        if all(served) and served[0] != served[1]:
            found.add("model")
    return found


def compare(history: RawHistory, scan: RawScan) -> dict[str, dict] | None:
    """Compare a scan by metric; return None without a previous scan or a common cell."""
    before = find_previous(history, scan)
    if before is None:
        return None
    then = {(cell.prompt.id, cell.platform): cell for cell in oracle.valid(oracle.counted(oracle.list_cells(before)))}
    now = {(cell.prompt.id, cell.platform): cell for cell in oracle.valid(oracle.counted(oracle.list_cells(scan)))}
    keys = sorted(then.keys() & now.keys())
    if not keys:
        return None
    found = find_trend_reasons(before, scan)
    about = {"against_scan_id": before.id, "trend_only": bool(found), "reasons": found, "matched_cells": len(keys)}
    named = [int(now[key].own.mentioned) - int(then[key].own.mentioned) for key in keys]
    moved = [evaluate(subtract(now[key].worth(0), then[key].worth(0))) for key in keys]
    exact = mcnemar(named.count(-1), named.count(1))
    return {
        "visibility_score": {**about, **build_change(moved, flip_signs(moved), 100)},
        "brand_coverage_pct": {**about, **build_change(named, exact, 100)},
        "ai_mentions": {**about, **build_change(named, exact, len(keys))},
    }


def build_change(differences, p: float | None, scale: int) -> dict:
    n = len(differences)
    _, low, high = paired_interval(differences)
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
        "delta": round_figure(exact * scale),
        "low": round_figure(max(-1.0, low) * scale),
        "high": round_figure(min(1.0, high) * scale),
        "p": None if p is None else round_figure(p, 4),
        "verdict": verdict,
    }
