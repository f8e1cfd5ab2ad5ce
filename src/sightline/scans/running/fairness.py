"""Fairness between workspaces: which cells become jobs next. Pure."""

import heapq
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime

from sightline.scans.running.cells import Grant, Lane

# Jobs per slot: the second one waits, so that no slot is empty while the next cell is admitted.
_JOBS_PER_SLOT = 2
_EXPRESS_DIVISOR = 5  # a workspace always gets jobs for a fifth of the slots, however many workspaces there are
_MAX_AGE_BONUS = 30  # minutes, each of which counts like one step of priority: nothing waits forever


def admit_cells(lanes: Sequence[Lane], slots: Mapping[str, int], *, now: datetime) -> list[Grant]:
    """Return which cells become jobs now. `slots` is how many calls each lane's platform takes at once."""
    by_lane: dict[str, list[Lane]] = {}
    for lane in lanes:
        by_lane.setdefault(lane.lane, []).append(lane)
    return [grant for name, group in by_lane.items() for grant in _admit(group, slots.get(name, 1), now)]


def _admit(group: list[Lane], slots: int, now: datetime) -> list[Grant]:
    total = sum(lane.under_way for lane in group)
    express = max(1, slots // _EXPRESS_DIVISOR)
    # A workspace of the highest priority gets its even share, though others may have more than theirs by now: the gate
    # admits the workspace with the least left to do, and knows only those that have jobs.
    workspaces = len({lane.workspace_id for lane in group})
    even = max(express, slots * _JOBS_PER_SLOT // workspaces)
    highest = max(lane.priority for lane in group)
    foremost = {lane.workspace_id for lane in group if lane.waiting and lane.priority == highest}
    of_workspace: Counter[uuid.UUID] = Counter()
    waiting: dict[uuid.UUID, list[tuple[int, int, datetime, int]]] = {}
    for number, lane in enumerate(group):
        of_workspace[lane.workspace_id] += lane.under_way
        if lane.waiting:
            rank = lane.priority if lane.under_way else _rank(lane, now)
            # Of a workspace's scans the one with the least left goes first: it is summarized while others are asked.
            waiting.setdefault(lane.workspace_id, []).append((-rank, lane.waiting, lane.started_at, number))

    def turn(workspace_id: uuid.UUID) -> tuple[int, int, int, datetime, int]:
        rank, cells, started_at, number = waiting[workspace_id][0]
        return rank, of_workspace[workspace_id], cells, started_at, number

    for lanes in waiting.values():
        heapq.heapify(lanes)
    queue = [turn(workspace_id) for workspace_id in waiting]
    heapq.heapify(queue)
    granted: Counter[int] = Counter()
    of_express: Counter[int] = Counter()
    while queue:
        number = queue[0][-1]
        lane = group[number]
        workspace_id, lanes = lane.workspace_id, waiting[lane.workspace_id]
        is_express = of_workspace[workspace_id] < (even if workspace_id in foremost else express)
        if total >= slots * _JOBS_PER_SLOT and not is_express:
            heapq.heappop(queue)
            continue
        granted[number] += 1
        of_express[number] += is_express and workspaces > 1
        of_workspace[workspace_id] += 1
        total += 1
        if left := lane.waiting - granted[number]:
            heapq.heapreplace(lanes, (-lane.priority, left, lane.started_at, number))
        else:
            heapq.heappop(lanes)
        if lanes:
            heapq.heapreplace(queue, turn(workspace_id))
        else:
            heapq.heappop(queue)
    return [Grant(group[number], count, of_express[number]) for number, count in granted.items()]


def _rank(lane: Lane, now: datetime) -> int:
    """Return the rank of a lane that has nothing under way. One that is served gains nothing by taking long."""
    waited = int((now - lane.started_at).total_seconds() // 60)
    return lane.priority + min(max(waited, 0), _MAX_AGE_BONUS)
