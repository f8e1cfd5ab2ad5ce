"""Cells, lanes and the jobs that ask them.

A cell is one prompt on one platform. A scan's cells on a platform form a lane, in the order of its prompts, and become
jobs from the front: never all of them at once, so that later scans do not have to wait for a huge one.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime
from itertools import chain, islice

import msgspec

from sightline.jobs.queue import NewJob

CELL_JOB = "cell"


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
    """The cells of one scan on one platform that wait to be admitted."""

    workspace_id: uuid.UUID
    scan_id: uuid.UUID
    platform: str
    lane: str
    priority: int
    cells: int
    admitted: int
    postponed: Sequence[int]
    """Admitted cells that the platform did not answer. They are admitted again, before the others."""
    started_at: datetime
    under_way: int
    """How many cells of the workspace, in all its lanes of this name, are admitted and have no answer yet."""
    traceparent: str | None = None
    """The trace in which the scan was started."""

    @property
    def key(self) -> tuple[uuid.UUID, uuid.UUID, str]:
        return self.workspace_id, self.scan_id, self.platform

    def waiting(self, most: int) -> list[int]:
        """Return the first cells that may be admitted, in order."""
        return [*islice(chain(self.postponed, range(self.admitted, self.cells)), most)]


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
