"""Cells, and how many of them each workspace may have under way: the pure part of admission.

A cell is one prompt on one platform. A scan's cells on a platform form a lane, in the order of its prompts, and become
jobs from the front: never all of them at once, so that later scans do not have to wait for a huge one.
"""

import heapq
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

import msgspec

CELL_JOB = "cell"
# Jobs per slot: the second one waits, so that no slot is empty while the next cell is admitted.
_JOBS_PER_SLOT = 2
_EXPRESS_DIVISOR = 5  # a workspace always gets jobs for a fifth of the slots, however many workspaces there are
_MAX_AGE_BONUS = 30  # minutes, each of which counts like one step of priority: nothing waits forever


class CellJob(msgspec.Struct, frozen=True):
    """Payload of the job that asks one cell."""

    workspace_id: uuid.UUID
    scan_id: uuid.UUID
    platform: str
    prompt_index: int

    @property
    def key(self) -> str:
        return f"cell:{self.scan_id}:{self.platform}:{self.prompt_index}"


class Lane(msgspec.Struct, frozen=True):
    """The cells of one scan on one platform, and how many of them are admitted and settled."""

    workspace_id: uuid.UUID
    scan_id: uuid.UUID
    platform: str
    lane: str
    priority: int
    cells: int
    admitted: int
    settled: int
    started_at: datetime

    @property
    def waiting(self) -> int:
        return self.cells - self.admitted

    @property
    def under_way(self) -> int:
        return self.admitted - self.settled


class Grant(msgspec.Struct, frozen=True):
    """The next `count` cells of a lane become jobs, the first few of them express."""

    lane: Lane
    count: int
    express: int

    def jobs(self) -> Iterable[tuple[str, CellJob]]:
        """Yield each cell with the kind of its job."""
        first = self.lane.admitted
        for index in range(first, first + self.count):
            cell = CellJob(self.lane.workspace_id, self.lane.scan_id, self.lane.platform, index)
            yield cell_job_kind(self.lane.lane, express=index < first + self.express), cell


def cell_job_kind(lane: str, *, express: bool = False) -> str:
    """Return the kind of the jobs of a lane. A worker claims those of a platform only while it has capacity for them.

    Among several workspaces, the jobs of one that has less than its share under way are express: a kind of their own,
    which does not wait behind the jobs of a huge scan.
    """
    return f"{CELL_JOB}.{lane}.express" if express else f"{CELL_JOB}.{lane}"


def parse_lane(kind: str) -> str:
    """Return the lane of a kind that `cell_job_kind` has made."""
    return kind.removeprefix(f"{CELL_JOB}.").removesuffix(".express")


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
