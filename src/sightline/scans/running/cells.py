"""Cells, lanes and the jobs that ask them.

A cell is one prompt on one platform. A scan's cells on a platform form a lane, in the order of its prompts, and become
jobs from the front: never all of them at once, so that later scans do not have to wait for a huge one.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from sightline.jobs.queue import NewJob

CELL_JOB = "cell"
_LONGEST_HOLD = timedelta(minutes=10)


class CellJob(msgspec.Struct, frozen=True):
    """Payload of the job that asks one cell."""

    workspace_id: uuid.UUID
    scan_id: uuid.UUID
    platform: str
    prompt_index: int


class PlatformTask(msgspec.Struct, frozen=True):
    """A question that its platform answers later: one row of `platform_tasks` without its cell."""

    tag: str
    """Ours, by which a task is found whose id was lost."""
    task_id: str | None
    cost_usd: float | None
    posted_at: datetime


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
    postponed: Sequence[int]
    """Admitted cells that the platform did not answer. They are admitted again when the lane resumes."""
    resume_at: datetime | None
    """Nothing of the lane is admitted before this time."""
    started_at: datetime
    traceparent: str | None = None
    """The trace in which the scan was started."""

    @property
    def key(self) -> tuple[uuid.UUID, uuid.UUID, str]:
        return self.workspace_id, self.scan_id, self.platform

    @property
    def under_way(self) -> int:
        return self.admitted - self.settled - len(self.postponed)

    def waiting(self, now: datetime) -> list[int]:
        """Return the cells that may be admitted, in order."""
        # A hold that would last longer was set by a clock that was ahead.
        is_held = self.resume_at is not None and now < self.resume_at <= now + _LONGEST_HOLD
        return [] if is_held else [*self.postponed, *range(self.admitted, self.cells)]


def build_cell_job(lane: str, cell: CellJob, traceparent: str | None = None) -> NewJob:
    """Build the job that asks a cell. Cells have no priority in the queue: admission has decided who goes first."""
    key = f"cell:{cell.scan_id}:{cell.platform}:{cell.prompt_index}"
    return NewJob(kind=cell_job_kind(lane), payload=cell, key=key, traceparent=traceparent)


def cell_job_kind(lane: str) -> str:
    """Return the kind of the jobs of a lane. A worker claims those of a platform only while it has slots for them."""
    return f"{CELL_JOB}.{lane}"


def parse_lane(kind: str) -> str:
    """Return the lane of a kind that `cell_job_kind` has made."""
    return kind.removeprefix(f"{CELL_JOB}.")
