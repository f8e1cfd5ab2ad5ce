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
_EXPRESS = 5  # a workspace always gets a fifth of the places' number of jobs, however many others have
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
    """The next `count` cells of a lane become jobs."""

    lane: Lane
    count: int

    def jobs(self) -> Iterable[CellJob]:
        first = self.lane.admitted
        for index in range(first, first + self.count):
            yield CellJob(self.lane.workspace_id, self.lane.scan_id, self.lane.platform, index)


def kind_of(lane: str) -> str:
    """The kind of the jobs of a lane: a worker fetches those of a platform only while it has room for them."""
    return f"{CELL_JOB}.{lane}"


def admit_cells(lanes: Sequence[Lane], places: Mapping[str, int], *, now: datetime) -> list[Grant]:
    """Which cells become jobs now, given how many calls each lane's platform takes at once."""
    by_lane: dict[str, list[Lane]] = {}
    for lane in lanes:
        by_lane.setdefault(lane.lane, []).append(lane)
    return [grant for name, group in by_lane.items() for grant in _admit(group, places.get(name, 1), now)]


def _admit(group: list[Lane], places: int, now: datetime) -> list[Grant]:
    total = sum(lane.under_way for lane in group)
    express = max(1, places // _EXPRESS)
    of_workspace: Counter[uuid.UUID] = Counter()
    for lane in group:
        of_workspace[lane.workspace_id] += lane.under_way
    granted: Counter[int] = Counter()

    def turn(number: int) -> tuple[int, int, int, datetime, int]:
        lane = group[number]
        return (
            -(lane.priority if lane.under_way + granted[number] else _rank(lane, now)),
            of_workspace[lane.workspace_id],
            # Of a workspace's scans the one with least to do: it ends soonest, and is concluded while others are asked.
            lane.waiting - granted[number],
            lane.started_at,
            number,
        )

    queue = [turn(number) for number, lane in enumerate(group) if lane.waiting]
    heapq.heapify(queue)
    while queue:
        key = heapq.heappop(queue)
        number = key[-1]
        lane = group[number]
        if (current := turn(number)) != key:  # another scan of its workspace was served meanwhile
            heapq.heappush(queue, current)
            continue
        if total >= places * _AHEAD and of_workspace[lane.workspace_id] >= express:
            continue
        granted[number] += 1
        of_workspace[lane.workspace_id] += 1
        total += 1
        if granted[number] < lane.waiting:
            heapq.heappush(queue, turn(number))
    return [Grant(group[number], count) for number, count in granted.items()]


def _rank(lane: Lane, now: datetime) -> int:
    """Of a lane of which nothing is under way. One that is served has no claim to more because it takes long."""
    waited = int((now - lane.started_at).total_seconds() // 60)
    return lane.priority + min(max(waited, 0), _MOST_AGE)
