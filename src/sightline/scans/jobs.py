"""The jobs of a scan: their kinds, their payload, and the one function that builds each of them.

The jobs that ask single cells are in `running/cells.py`.
"""

import uuid

import msgspec

from sightline.jobs.queue import NewJob

START_JOB = "scan.start"
FINISH_JOB = "scan.finish"
FOLLOW_JOB = "scan.follow"


class ScanJob(msgspec.Struct, frozen=True):
    """Payload of the jobs that concern one scan."""

    workspace_id: uuid.UUID
    scan_id: uuid.UUID


def build_start_job(scan: ScanJob, priority: int) -> NewJob:
    """Build the job that starts a pending scan."""
    return NewJob(kind=START_JOB, payload=scan, key=f"start:{scan.scan_id}", priority=priority)


def build_finish_job(scan: ScanJob, priority: int) -> NewJob:
    """Build the job that completes or fails a scan once all its answers are stored."""
    return NewJob(kind=FINISH_JOB, payload=scan, key=f"finish:{scan.scan_id}", priority=priority)


def build_follow_job(scan: ScanJob, priority: int) -> NewJob:
    """Build the job that updates a tracked domain after one of its checks has completed."""
    return NewJob(kind=FOLLOW_JOB, payload=scan, key=f"follow:{scan.scan_id}", priority=priority)
