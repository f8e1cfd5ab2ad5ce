"""The scoreboard by the texts: for each cell of the latest Full Check, the newest valid answer at or after it."""

from dataclasses import dataclass

from tests.scoreboard.oracle import oracle
from tests.scoreboard.oracle.history import Check, History
from tests.scoreboard.oracle.oracle import Cell

BASES = ("full_check", "free_audit")


@dataclass(frozen=True)
class Seen:
    """A cell of the scoreboard."""

    cell: Cell
    check: Check
    stale: bool
    base: bool
    rechecked: bool


def base_of(history: History) -> Check | None:
    return next((check for check in reversed(history.checks) if check.scope in BASES), None)


def see(history: History) -> list[Seen]:
    """The cells of the prompts that are tracked after the last check. An overview that was not shown was measured: a
    failed recheck does not replace it either."""
    base = base_of(history)
    since = [check for check in history.checks if base is None or check.completed_at >= base.completed_at]
    asked: dict[tuple[str, str], list[tuple[Check, Cell]]] = {}
    for check in since:
        for cell in oracle.cells_of(check):
            if cell.prompt.id not in history.removed[-1]:
                asked.setdefault((cell.prompt.id, cell.platform), []).append((check, cell))
    found = []
    for key, times in asked.items():
        by_status = {cell.answer.status: (check, cell) for check, cell in times}  # of each the newest
        check, cell = next(by_status[status] for status in ("ok", "no_surface", "failed") if status in by_status)
        planned = base is not None and key in base.answers
        found.append(Seen(cell, check, check is not times[-1][0], planned, len(times) > 1))
    return found


def state_of(cell: Cell) -> str:
    if not cell.valid:
        return cell.answer.status
    return "named" if cell.own.mentioned else "cited_only" if cell.own.urls else "absent"


def show_cell(seen: Seen) -> dict:
    cell = seen.cell
    return {
        "platform": cell.platform,
        "state": state_of(cell),
        "position": cell.own.rank if cell.valid else None,
        "cited": bool(cell.own.urls) if cell.valid else None,
        "answer_id": cell.answer.id,
        "scan_id": seen.check.id,
        "scope": seen.check.scope,
        "checked_at": seen.check.completed_at,
        "stale": seen.stale,
    }


def prompts(seen: list[Seen], base: Check | None) -> dict[str, dict]:
    planned = set() if base is None else {prompt.id for prompt in base.prompts}
    found = {}
    for prompt in {each.cell.prompt for each in seen}:
        here = [each for each in seen if each.cell.prompt == prompt]
        found[prompt.id] = {
            "prompt_id": prompt.id,
            "prompt": prompt.text,
            "language_code": "en",
            "country_iso_2": prompt.country,
            "branded": prompt.branded,
            "in_headline": prompt.id in planned,
            "cells": {each.cell.platform: show_cell(each) for each in here},
        }
    return found


def scoreboard(history: History) -> dict:
    """Of the checks with answers of the kind that the latest one has."""
    history = history.current
    base, latest = base_of(history), history.checks[-1]
    seen = see(history)
    cells = [each.cell for each in seen if each.base]
    full = [] if base is None else oracle.cells_of(base)
    brands = 1 + len((base or latest).rivals)
    calm = [each.cell for each in seen if each.base and not each.rechecked]
    return {
        "planned": len(cells),
        "valid": len(oracle.valid(cells)),
        "incomplete": oracle.is_incomplete(cells),
        "early_reading": oracle.is_early(oracle.counted(cells)),
        "only_branded": bool(cells) and all(cell.prompt.branded for cell in cells),
        "headline": {**oracle.movable(cells), **oracle.settled(full, brands)},
        "platforms": oracle.platforms(cells, full, brands),
        "countries": oracle.countries(cells, full, brands),
        "branded": oracle.branded(cells, full, brands),
        "sources": oracle.sources([cell.answer for cell in cells], base or latest),
        "competitors": {} if base is None else {row["name"]: row for row in oracle.ranking(full, base)},
        "sentiment": oracle.sentiment(calm) if base is not None and base.scope == "full_check" else None,
        "prompts": prompts(seen, base),
    }


def prompts_of_check(check: Check) -> dict[str, dict]:
    """One check by itself: every cell that it asked, and nothing is outside of its headline."""
    return prompts(
        [Seen(cell, check, stale=False, base=True, rechecked=False) for cell in oracle.cells_of(check)], check
    )
