"""Cells, lanes and the jobs that ask them.

A cell is one prompt on one platform. A scan's cells on a platform form a lane, in the order of its prompts, and become
jobs from the front: never all of them at once, so that later scans do not have to wait for a huge one.
"""

import uuid
from collections.abc import Iterable
from datetime import datetime

import msgspec

CELL_JOB = "cell"


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
