"""The space on the disk of a folder."""

import os
from pathlib import Path

import msgspec

_FULL = 0.03
_LOW = 0.1


class DiskSpace(msgspec.Struct, frozen=True):
    """The bytes that users other than root may still write, and the size of the disk."""

    free: int
    size: int

    @property
    def is_full(self) -> bool:
        """Return whether so little is left that PostgreSQL may soon refuse writes."""
        return self.free < self.size * _FULL

    @property
    def is_low(self) -> bool:
        return self.free < self.size * _LOW


def measure_disk(folder: Path) -> DiskSpace | None:
    """Return the space on the disk of a folder, or None if there is no such folder."""
    try:
        disk = os.statvfs(folder)
    except OSError:
        return None
    return DiskSpace(disk.f_bavail * disk.f_frsize, disk.f_blocks * disk.f_frsize)
