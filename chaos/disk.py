"""A small file system for the data directory, which can be filled and emptied again. It needs the right to mount."""

import contextlib
import errno
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

_MEGABYTES = 320  # a new cluster has 60, and a run writes about as much


class SmallDisk:
    def __init__(self, folder: Path) -> None:
        self._filler = folder / "filler"

    @property
    def is_full(self) -> bool:
        return self._filler.exists()

    def fill(self) -> None:
        """Take all the space that is left. Space that is freed meanwhile is taken by the next call."""
        with self._filler.open("ab") as filler:
            step = 1 << 20
            while step >= 4_096:
                try:
                    os.posix_fallocate(filler.fileno(), filler.seek(0, os.SEEK_END), step)
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise
                    step //= 2

    def free(self) -> None:
        self._filler.unlink(missing_ok=True)


@contextlib.contextmanager
def mount_small_disk(folder: Path, *, megabytes: int = _MEGABYTES) -> Iterator[SmallDisk | None]:
    """Mount a file system of its own at the folder, or yield None where this is not allowed."""
    options = f"size={megabytes}m,mode=0711"
    command = ["mount", "-t", "tmpfs", "-o", options, "sightline-chaos", str(folder)]
    try:
        is_mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        is_mounted = False
    try:
        yield SmallDisk(folder) if is_mounted else None
    finally:
        if is_mounted:  # lazily: a process that is just ending may still have a file open
            subprocess.run(["umount", "--lazy", str(folder)], capture_output=True, check=False)
