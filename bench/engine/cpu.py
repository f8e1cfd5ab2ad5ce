"""CPU time of process trees: a worker with its analyzer, PostgreSQL with its backends."""

import os
from collections.abc import Callable
from pathlib import Path
from statistics import median

from bench.environment import BenchEnvironment
from sightline.db.embedded import describe

Cpu = dict[str, float | None]
"""The CPU seconds of each process tree so far; None if they are unknown."""
ReadCpu = Callable[[], Cpu]


def cpu_ms_per_answer(before: Cpu, after: Cpu, answers: int) -> dict[str, float]:
    """Return the CPU milliseconds per answer; a process without known CPU time is left out."""
    return {
        name: 1000 * (now - then) / answers
        for name, now in after.items()
        if now is not None and (then := before[name]) is not None
    }


def print_cpu(rounds: dict[str, list[dict[str, float]]]) -> None:
    """Print the medians of the CPU milliseconds per answer, a line for each name."""
    print(f"\n  {'CPU ms per answer':<18}{'worker':>10}{'API':>10}{'PostgreSQL':>12}{'platform':>10}")
    for name, used in rounds.items():
        worker, api, postgresql, platform = (_median(used, who) for who in ("worker", "api", "postgresql", "platform"))
        print(f"  {name:<18}{worker:>10}{api:>10}{postgresql:>12}{platform:>10}")


def _median(rounds: list[dict[str, float]], who: str) -> str:
    known = [one[who] for one in rounds if who in one]
    return f"{median(known):.3f}" if known else "-"


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
