"""The expected comparison of a scan with the one before it, by section 3.3 and rule 1.11."""

import math
from dataclasses import replace
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


def compare(history: RawHistory, scan: RawScan) -> dict[str, dict]:
    """Compare a scan by metric. A metric without anything to compare with is left out."""
    return {**compare_own(history, scan), **compare_market(history, scan)}


def compare_own(history: RawHistory, scan: RawScan) -> dict[str, dict]:
    """Compare what is measured for the brand alone."""
    before = find_previous(history, scan)
    if before is None:
        return {}
    about = _describe(before, find_trend_reasons(before, scan))
    then, now = (oracle.valid(oracle.counted(oracle.list_cells(each))) for each in (before, scan))
    pairs = _match(then, now)
    pages = [
        len(set(later.own.urls)) - len(set(earlier.own.urls))
        for earlier, later in _match(*(oracle.valid(oracle.list_cells(each)) for each in (before, scan)))
    ]
    found: dict[str, dict] = {}
    if pages:
        change = build_change(pages, flip_signs(pages), len(pages), bound=math.inf)
        found["citation_count"] = {**about, "matched_cells": len(pages), **change}
    if not pairs:
        return found
    about["matched_cells"] = len(pairs)
    named = [int(later.own.mentioned) - int(earlier.own.mentioned) for earlier, later in pairs]
    moved = [evaluate(subtract(later.worth(0), earlier.worth(0))) for earlier, later in pairs]
    exact = mcnemar(named.count(-1), named.count(1))
    return {
        **found,
        "visibility_score": {**about, **build_change(moved, flip_signs(moved), 100)},
        "brand_coverage_pct": {**about, **build_change(named, exact, 100)},
        "ai_mentions": {**about, **build_change(named, exact, len(pairs))},
    }


def compare_market(history: RawHistory, scan: RawScan) -> dict[str, dict]:
    """Compare Share of Voice and Market Position over matched cells and the competitors of both scans.

    Only what the texts define: the difference, the counts, and whether it is a trend.
    """
    before = find_previous(history, scan)
    if before is not None and "daily_check" in {before.scope, scan.scope}:
        return {}  # only Full Checks have these figures
    common = [] if before is None else [each for each in scan.competitors if each in before.competitors]
    if before is None or not common:
        return {}
    places = [[0, *(1 + each.competitors.index(brand) for brand in common)] for each in (before, scan)]
    then, now = (oracle.valid(oracle.counted(oracle.list_cells(each))) for each in (before, scan))
    pairs = _match(then, now)
    reasons = find_trend_reasons(before, scan)
    reasons |= {"competitors"} if set(before.competitors) != set(scan.competitors) else set()
    about = {**_describe(before, reasons), "matched_cells": len(pairs), "p": None}
    sides = [[_select_brands(pair[side], places[side]) for pair in pairs] for side in (0, 1)]
    found: dict[str, dict] = {}
    shares = [_share(side) for side in sides]
    if None not in shares:
        found["share_of_voice_pct"] = {**about, "delta": round_figure(100 * (shares[1] - shares[0]))}
    positions = [oracle.rank_brand(side, 0, 1 + len(common)) for side in sides]
    if pairs and None not in {position for position, _, _ in positions}:
        (was, best_before, worst_before), (has, best_now, worst_now) = positions
        moved = [evaluate(subtract(later.worth(0), earlier.worth(0))) for earlier, later in pairs]
        found["market_position"] = {
            **about,
            "delta": has - was,
            "low": best_now - worst_before,
            "high": worst_now - best_before,
            "gained": sum(each > 0 for each in moved),
            "lost": sum(each < 0 for each in moved),
        }
    return found


def _describe(before: RawScan, reasons: set[str]) -> dict:
    return {"against_scan_id": before.id, "trend_only": bool(reasons), "reasons": reasons}


def _match(then: list[oracle.Cell], now: list[oracle.Cell]) -> list[tuple[oracle.Cell, oracle.Cell]]:
    earlier = {(cell.prompt.id, cell.platform): cell for cell in then}
    return [(earlier[key], cell) for cell in now if (key := (cell.prompt.id, cell.platform)) in earlier]


def _select_brands(cell: oracle.Cell, places: list[int]) -> oracle.Cell:
    return replace(cell, answer=replace(cell.answer, brands=tuple(cell.answer.brands[place] for place in places)))


def _share(cells: list[oracle.Cell]) -> Fraction | None:
    everyone = sum(brand.mentioned for cell in cells for brand in cell.answer.brands)
    return Fraction(sum(cell.own.mentioned for cell in cells), everyone) if everyone else None


def build_change(differences, p: float | None, scale: int, bound: float = 1.0) -> dict:
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
        "low": round_figure(max(-bound, low) * scale),
        "high": round_figure(min(bound, high) * scale),
        "p": None if p is None else round_figure(p, 4),
        "verdict": verdict,
    }
