"""CPU time of process trees: a worker with its analyzer, PostgreSQL with its backends."""

import os
from pathlib import Path

from bench.environment import BenchEnvironment
from sightline.db.embedded import describe


def postgres_cpu_seconds(environment: BenchEnvironment) -> float | None:
    pid = describe(environment.folder / "data").pid
    return None if pid is None else tree_cpu_seconds(pid)


def tree_cpu_seconds(pid: int) -> float | None:
    """Return the user and system time of a process and its descendants, including those that have ended.

    Return None if there is no /proc.
    """
    seconds: dict[int, float] = {}
    below: dict[int, list[int]] = {}
    try:
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit() and (fields := _read_stat(folder)):
                below.setdefault(int(fields[1]), []).append(int(folder.name))
                seconds[int(folder.name)] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return None
    return _sum_tree(pid, seconds, below) if pid in seconds else None


def _read_stat(folder: Path) -> list[str] | None:
    try:
        return (folder / "stat").read_text().rpartition(")")[2].split()  # the name before it may contain spaces
    except OSError:
        return None  # the process has just ended


def _sum_tree(pid: int, seconds: dict[int, float], below: dict[int, list[int]]) -> float:
    return seconds[pid] + sum(_sum_tree(child, seconds, below) for child in below.get(pid, ()))
