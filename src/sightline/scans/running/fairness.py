"""Fairness between workspaces: which cells become jobs next. Pure.

A platform's slots go to the workspaces evenly: the next one goes to the workspace with the fewest cells under way.
Within a workspace the scan of the highest priority comes first, then the oldest.
"""

import heapq
import uuid
from collections import deque
from collections.abc import Mapping, Sequence
from datetime import datetime

from sightline.scans.running.cells import Lane

AdmittedCell = tuple[Lane, int]
"""A lane, and the index of the prompt to ask."""


def admit_cells(lanes: Sequence[Lane], free_slots: Mapping[str, int]) -> list[AdmittedCell]:
    """Return which cells become jobs now, in order, as many as there are free slots under the name of their lane."""
    by_platform: dict[str, list[Lane]] = {}
    for lane in lanes:
        by_platform.setdefault(lane.lane, []).append(lane)
    return [cell for name, group in by_platform.items() for cell in _admit(group, free_slots.get(name, 0))]


def _admit(lanes: list[Lane], free: int) -> list[AdmittedCell]:
    under_way: dict[uuid.UUID, int] = {}
    waiting: dict[uuid.UUID, deque[AdmittedCell]] = {}
    for lane in sorted(lanes, key=_order):
        under_way[lane.workspace_id] = lane.under_way
        if cells := lane.waiting(free):
            waiting.setdefault(lane.workspace_id, deque()).extend((lane, index) for index in cells)

    def turn(workspace_id: uuid.UUID) -> tuple[int, tuple[int, datetime, uuid.UUID], uuid.UUID]:
        lane, _ = waiting[workspace_id][0]
        return under_way[workspace_id], _order(lane), workspace_id

    turns = [turn(workspace_id) for workspace_id in waiting]
    heapq.heapify(turns)
    admitted: list[AdmittedCell] = []
    while turns and len(admitted) < free:
        workspace_id = turns[0][-1]
        admitted.append(waiting[workspace_id].popleft())
        under_way[workspace_id] += 1
        if waiting[workspace_id]:
            heapq.heapreplace(turns, turn(workspace_id))
        else:
            heapq.heappop(turns)
    return admitted


def _order(lane: Lane) -> tuple[int, datetime, uuid.UUID]:
    return -lane.priority, lane.started_at, lane.scan_id
