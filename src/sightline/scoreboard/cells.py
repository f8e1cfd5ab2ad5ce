"""Which answer a cell shows: the newest valid one at or after the latest Full Check (metrics 1.0). Pure.

The cells are made anew from the checks that they consist of, a week's at most. So it does not matter in which order, or
how often, a check is told of.
"""

from collections.abc import Iterable, Mapping
from uuid import UUID

import msgspec

from sightline.platforms.models import Status
from sightline.scans.stored import Scope
from sightline.scoreboard.models import CellFacts, CellRow, PromptScanRow, decode_facts

# An answer gives way only to one that says as much: a recheck that failed says nothing new of the brand, and neither
# does an overview that was not shown.
_PRECEDENCE: Mapping[Status, int] = {"failed": 0, "no_surface": 1, "ok": 2}


TRACKED_SCOPES: tuple[Scope, ...] = ("full_check", "daily_check", "free_audit")
"""The scopes of checks of tracked domains."""


def starts_new_board(scope: Scope) -> bool:
    """Whether a check makes a new scoreboard. The free audit is the only check that its workspace gets."""
    return scope in {"full_check", "free_audit"}


def assemble_cells(checks: Iterable[PromptScanRow]) -> list[CellRow]:
    """The cells that these checks leave behind: the latest Full Check, and the Daily Checks after it.

    A Daily Check replaces the cells that it rechecked. What it found for a prompt that the Full Check did not ask is
    shown, too, outside of the headline.
    """
    ordered = sorted(checks, key=lambda check: (check.completed_at, check.scan_id))
    first = max((check.completed_at for check in ordered if starts_new_board(check.scope)), default=None)
    cells: dict[tuple[UUID, str], CellRow] = {}
    for check in ordered:
        if first is not None and check.completed_at < first:
            continue
        for facts in decode_facts(check.cells):
            found = _to_cell(check, facts)
            known = cells.get(found.key)
            cells[found.key] = found if known is None else _replace(known, found)
    return list(cells.values())


def _to_cell(check: PromptScanRow, facts: CellFacts) -> CellRow:
    return CellRow(
        prompt_id=check.prompt_id,
        platform=facts.platform,
        base=starts_new_board(check.scope),
        scan_id=check.scan_id,
        scope=check.scope,
        answer_id=UUID(facts.answer_id),
        status=facts.status,
        stale=False,
        checked_at=check.completed_at,
        seen_at=check.completed_at,
    )


def _replace(known: CellRow, found: CellRow) -> CellRow:
    if _PRECEDENCE[found.status] >= _PRECEDENCE[known.status]:
        return msgspec.structs.replace(found, base=known.base)
    return msgspec.structs.replace(known, stale=True, seen_at=found.seen_at)
