"""Which answer a cell shows: the newest valid one at or after the latest Full Check (metrics 1.0). Pure.

Cells are always rebuilt from the scans of at most a week. So scans may be applied in any order and more than once.
"""

from collections.abc import Iterable, Mapping
from uuid import UUID

import msgspec

from sightline.metrics.observation import Status, Surface, is_same_surface
from sightline.scans.stored import Scope
from sightline.scoreboard.models import CellFacts, CellRow, PromptScanRow, decode_facts

# An answer is replaced only by one that says as much: a failed answer says nothing new about the brand, and neither
# does an overview that was not shown.
_PRECEDENCE: Mapping[Status, int] = {"failed": 0, "no_surface": 1, "ok": 2}


TRACKED_SCOPES: tuple[Scope, ...] = ("full_check", "daily_check", "free_audit")
"""The scopes of scans of tracked domains."""


def starts_new_board(scope: Scope) -> bool:
    """Return whether a scan starts a new board: a Full Check, or the free audit, which is its workspace's only scan."""
    return scope in {"full_check", "free_audit"}


def assemble_cells(prompt_scans: Iterable[PromptScanRow]) -> list[CellRow]:
    """Assemble the cells from the latest Full Check and the Daily Checks after it.

    A Daily Check replaces the cells that it asked again, unless their platform was asked on another surface: that
    starts with the next Full Check. Its answers to prompts that the Full Check did not ask are
    shown as well, but do not count in the headline.
    """
    ordered = sorted(prompt_scans, key=lambda prompt_scan: (prompt_scan.completed_at, prompt_scan.scan_id))
    base_time = max(
        (prompt_scan.completed_at for prompt_scan in ordered if starts_new_board(prompt_scan.scope)), default=None
    )
    cells: dict[tuple[UUID, str], CellRow] = {}
    surfaces: dict[str, Surface | None] = {}
    for prompt_scan in ordered:
        if base_time is not None and prompt_scan.completed_at < base_time:
            continue
        for facts in decode_facts(prompt_scan.cells):
            if facts.status != "failed" and not is_same_surface(
                surfaces.setdefault(facts.platform, facts.surface), facts.surface
            ):
                continue
            found = _to_cell(prompt_scan, facts)
            known = cells.get(found.key)
            cells[found.key] = found if known is None else _replace(known, found)
    return list(cells.values())


def _to_cell(prompt_scan: PromptScanRow, facts: CellFacts) -> CellRow:
    return CellRow(
        prompt_id=prompt_scan.prompt_id,
        platform=facts.platform,
        base=starts_new_board(prompt_scan.scope),
        scan_id=prompt_scan.scan_id,
        scope=prompt_scan.scope,
        answer_id=UUID(facts.answer_id),
        status=facts.status,
        stale=False,
        checked_at=prompt_scan.completed_at,
        seen_at=prompt_scan.completed_at,
    )


def _replace(known: CellRow, found: CellRow) -> CellRow:
    if _PRECEDENCE[found.status] >= _PRECEDENCE[known.status]:
        return msgspec.structs.replace(found, base=known.base)
    return msgspec.structs.replace(known, stale=True, seen_at=found.seen_at)
