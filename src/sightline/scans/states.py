"""The states of a scan and the ways between them. The one UPDATE that follows these ways is `queries.move_scan`."""

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
        """A domain has at most one scan like this; the partial unique index `scans_one_active` sees to it."""
        return bool(TRANSITIONS[self])


TRANSITIONS: Mapping[ScanStatus, frozenset[ScanStatus]] = {
    ScanStatus.PENDING: frozenset({ScanStatus.RUNNING, ScanStatus.CANCELLED}),
    ScanStatus.RUNNING: frozenset({ScanStatus.COMPLETED, ScanStatus.FAILED, ScanStatus.CANCELLED}),
    ScanStatus.COMPLETED: frozenset(),
    ScanStatus.FAILED: frozenset(),
    ScanStatus.CANCELLED: frozenset(),
}


class Priority(enum.IntEnum):
    """Whose jobs go first: somebody waits for a Console scan, nobody for a Daily Check."""

    CONSOLE = 40
    FIRST = 30
    FULL = 20
    DAILY = 10
