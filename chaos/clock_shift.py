"""Runs the command `sightline` with a clock that the nemesis sets: `python clock_shift.py FILE api`.

The product reads the time in one place, `sightline.kit.clock`. There, the seconds in the file are added to what the
system says. This file is run by its path, so that it can start a release that has no `chaos` package.
"""

import mmap
import runpy
import struct
import sys
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

_SECONDS = struct.Struct("<d")


class ShiftedClock:
    """Seconds that are added to the clock of one process, in a file that both sides have mapped into memory."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(_SECONDS.pack(0.0))
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), _SECONDS.size)

    @property
    def seconds(self) -> float:
        shift: float = _SECONDS.unpack_from(self._memory)[0]
        return shift

    @seconds.setter
    def seconds(self, shift: float) -> None:
        _SECONDS.pack_into(self._memory, 0, shift)


def _run(path: Path, arguments: list[str]) -> None:
    import sightline.kit.clock

    clock = ShiftedClock(path)

    class Shifted(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return datetime.now(tz) + timedelta(seconds=clock.seconds)

    sightline.kit.clock.datetime = Shifted  # type: ignore[attr-defined]
    sys.argv = ["sightline", *arguments]
    runpy.run_module("sightline", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _run(Path(sys.argv[1]), sys.argv[2:])
