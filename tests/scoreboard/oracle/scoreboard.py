"""The expected scoreboard: for each cell of the latest Full Check, the newest valid answer at or after it."""

from dataclasses import dataclass

from tests.scoreboard.oracle import oracle
from tests.scoreboard.oracle.oracle import Cell
from tests.scoreboard.oracle.raw_history import RawHistory, RawScan

BASES = ("full_check", "free_audit")


@dataclass(frozen=True)
class ExpectedCell:
    """A cell of the scoreboard."""

    cell: Cell
    scan: RawScan
    stale: bool
    base: bool
    rechecked: bool


def find_base(history: RawHistory) -> RawScan | None:
    return next((scan for scan in reversed(history.scans) if scan.scope in BASES), None)


def find_cells(history: RawHistory) -> list[ExpectedCell]:
    """Find the cells of the prompts that are tracked after the last scan.

    An overview that was not shown was measured, so a failed answer does not replace it either.
    """
    base = find_base(history)
    since = [scan for scan in history.scans if base is None or scan.completed_at >= base.completed_at]
    asked: dict[tuple[str, str], list[tuple[RawScan, Cell]]] = {}
    for scan in since:
        for cell in oracle.list_cells(scan):
            if cell.prompt.id not in history.removed[-1]:
                asked.setdefault((cell.prompt.id, cell.platform), []).append((scan, cell))
    found = []
    for key, times in asked.items():
        by_status = {cell.answer.status: (scan, cell) for scan, cell in times}  # of each the newest
        scan, cell = next(by_status[status] for status in ("ok", "no_surface", "failed") if status in by_status)
        planned = base is not None and key in base.answers
        found.append(ExpectedCell(cell, scan, scan is not times[-1][0], planned, len(times) > 1))
    return found


def cell_state(cell: Cell) -> str:
    if not cell.valid:
        return cell.answer.status
    return "named" if cell.own.mentioned else "cited_only" if cell.own.urls else "absent"


def expected_cell(seen: ExpectedCell) -> dict:
    cell = seen.cell
    return {
        "platform": cell.platform,
        "state": cell_state(cell),
        "position": cell.own.rank if cell.valid else None,
        "cited": bool(cell.own.urls) if cell.valid else None,
        "answer_id": cell.answer.id,
        "scan_id": seen.scan.id,
        "scope": seen.scan.scope,
        "checked_at": seen.scan.completed_at,
        "stale": seen.stale,
    }


def prompts(seen: list[ExpectedCell], base: RawScan | None) -> dict[str, dict]:
    planned = set() if base is None else {prompt.id for prompt in base.prompts}
    found = {}
    for prompt in {each.cell.prompt for each in seen}:
        group = [each for each in seen if each.cell.prompt == prompt]
        found[prompt.id] = {
            "prompt_id": prompt.id,
            "prompt": prompt.text,
            "language_code": "en",
            "country_iso_2": prompt.country,
            "branded": prompt.branded,
            "in_headline": prompt.id in planned,
            "cells": {each.cell.platform: expected_cell(each) for each in group},
        }
    return found


def scoreboard(history: RawHistory) -> dict:
    """Return the expected board, from the scans with the source of the latest one."""
    history = history.current
    base, latest = find_base(history), history.scans[-1]
    seen = find_cells(history)
    cells = [each.cell for each in seen if each.base]
    full = [] if base is None else oracle.list_cells(base)
    brands = 1 + len((base or latest).competitors)
    unchanged = [each.cell for each in seen if each.base and not each.rechecked]
    return {
        "planned": len(cells),
        "valid": len(oracle.valid(cells)),
        "incomplete": oracle.is_incomplete(cells),
        "early_reading": oracle.is_early(oracle.counted(cells)),
        "only_branded": bool(cells) and all(cell.prompt.branded for cell in cells),
        "headline": {**oracle.daily_figures(cells), **oracle.full_check_figures(full, brands)},
        "details": oracle.market_ranges(cells),
        "platforms": oracle.platforms(cells, full, brands),
        "countries": oracle.countries(cells, full, brands),
        "branded": oracle.branded(cells, full, brands),
        "sources": oracle.sources([cell.answer for cell in cells], base or latest),
        "competitors": {} if base is None else {row["name"]: row for row in oracle.ranking(full, base)},
        "sentiment": oracle.sentiment(unchanged) if base is not None and base.scope == "full_check" else None,
        "prompts": prompts(seen, base),
    }


def scan_prompts(scan: RawScan) -> dict[str, dict]:
    """Return the prompts of one scan, all of whose cells count in its headline."""
    return prompts(
        [ExpectedCell(cell, scan, stale=False, base=True, rechecked=False) for cell in oracle.list_cells(scan)], scan
    )
