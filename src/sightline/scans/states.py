"""The states of a scan and its transitions. `queries.move_scan` is the only UPDATE that changes a state."""

import enum
from collections.abc import Mapping


class ScanStatus(enum.StrEnum):
    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_active(self) -> bool:
        """Return whether the scan is pending or running. The index `scans_one_active` allows one per domain."""
        return bool(TRANSITIONS[self])


TRANSITIONS: Mapping[ScanStatus, frozenset[ScanStatus]] = {
    ScanStatus.PENDING: frozenset({ScanStatus.RUNNING, ScanStatus.CANCELLED}),
    ScanStatus.RUNNING: frozenset({ScanStatus.COMPLETED, ScanStatus.FAILED, ScanStatus.CANCELLED}),
    ScanStatus.COMPLETED: frozenset(),
    ScanStatus.FAILED: frozenset(),
    ScanStatus.CANCELLED: frozenset(),
}


class Priority(enum.IntEnum):
    """Which jobs go first: a user waits for a Console scan, and nobody for a Daily Check."""

    CONSOLE = 40
    FIRST = 30
    FULL = 20
    DAILY = 10


PATIENT = frozenset({Priority.FULL, Priority.DAILY})
"""Scheduled checks: nobody waits for them, so they wait for a platform that is down."""
