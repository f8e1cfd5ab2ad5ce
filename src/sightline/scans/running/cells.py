"""Cells, and who may have how many of them under way: the pure part of admission.

A cell is one prompt on one platform. A scan's cells on a platform stand in a lane, in the order of its prompts, and
become jobs from the front: never all of them at once, so that what comes later does not have to wait for a huge scan.
"""

import heapq
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

import msgspec

CELL_JOB = "cell"
# Jobs per place: the second one waits beside the first, so that no place is empty while the next answer is admitted.
_AHEAD = 2
_EXPRESS = 5  # a workspace always gets a fifth of the places' number of jobs, however many there are
_MOST_AGE = 30  # minutes, each of which counts like one step of priority: nothing waits for ever


class CellJob(msgspec.Struct, frozen=True):
    workspace_id: uuid.UUID
    scan_id: uuid.UUID
    platform: str
    prompt_index: int

    @property
    def key(self) -> str:
        return f"cell:{self.scan_id}:{self.platform}:{self.prompt_index}"


class Lane(msgspec.Struct, frozen=True):
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
        """Each with its kind."""
        first = self.lane.admitted
        for index in range(first, first + self.count):
            cell = CellJob(self.lane.workspace_id, self.lane.scan_id, self.lane.platform, index)
            yield kind_of(self.lane.lane, express=index < first + self.express), cell


def kind_of(lane: str, *, express: bool = False) -> str:
    """The kind of the jobs of a lane: a worker fetches those of a platform only while it has room for them.

    Of several workspaces, the jobs of one that has less than its part under way are of a kind of their own, which does
    not stand behind what a huge scan has waiting.
    """
    return f"{CELL_JOB}.{lane}.express" if express else f"{CELL_JOB}.{lane}"


def admit_cells(lanes: Sequence[Lane], places: Mapping[str, int], *, now: datetime) -> list[Grant]:
    """Which cells become jobs now, given how many calls each lane's platform takes at once."""
    by_lane: dict[str, list[Lane]] = {}
    for lane in lanes:
        by_lane.setdefault(lane.lane, []).append(lane)
    return [grant for name, group in by_lane.items() for grant in _admit(group, places.get(name, 1), now)]


def _admit(group: list[Lane], places: int, now: datetime) -> list[Grant]:
    total = sum(lane.under_way for lane in group)
    express = max(1, places // _EXPRESS)
    # Where nobody comes before it a workspace has its even part, though others have more than theirs by now: the gate
    # lets in who has least left to do, and knows only those who are there.
    workspaces = len({lane.workspace_id for lane in group})
    even = max(express, places * _AHEAD // workspaces)
    highest = max(lane.priority for lane in group)
    foremost = {lane.workspace_id for lane in group if lane.waiting and lane.priority == highest}
    of_workspace: Counter[uuid.UUID] = Counter()
    waiting: dict[uuid.UUID, list[tuple[int, int, datetime, int]]] = {}
    for number, lane in enumerate(group):
        of_workspace[lane.workspace_id] += lane.under_way
        if lane.waiting:
            rank = lane.priority if lane.under_way else _rank(lane, now)
            # Of a workspace's scans the one with least to do: it ends soonest, and is concluded while others are asked.
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
        if total >= places * _AHEAD and not is_express:
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
    """Of a lane of which nothing is under way. One that is served has no claim to more because it takes long."""
    waited = int((now - lane.started_at).total_seconds() // 60)
    return lane.priority + min(max(waited, 0), _MOST_AGE)
