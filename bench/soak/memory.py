"""Memory of process trees. Memory that processes share is divided among them, so that a sum counts it once."""

from pathlib import Path


def tree_megabytes(pid: int) -> float:
    """Return the memory of a process and its descendants, 0 without /proc."""
    return sum(_read_megabytes(each) for each in _list_tree(pid))


def _list_tree(pid: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue  # the process has just ended
        children.setdefault(parent, []).append(int(folder.name))
    found, waiting = [], [pid]
    while waiting:
        found.append(waiting.pop())
        waiting.extend(children.get(found[-1], ()))
    return found


def _read_megabytes(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
