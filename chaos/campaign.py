"""`python -m chaos.campaign --seeds 300`: run many seeds, and write one row for each into a table.

The table is committed. A row names the commit that was run, so a checkout with uncommitted changes is refused. Seeds
that passed are not run again, so that a campaign can be spread over several runs; seeds that failed are run again, and
their row is replaced. What a failed seed left is kept under `build/chaos/seed-N`.
"""

import argparse
import csv
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from threading import Lock

import msgspec

from chaos.plan import draw_conditions
from chaos.release import ReleaseMissing, unpack_release_before
from chaos.run import OUTCOME, Outcome

_ROOT = Path(__file__).resolve().parents[1]
TABLE = Path(__file__).parent / "seeds.csv"
_EVIDENCE = _ROOT / "build" / "chaos"
# Beyond this, a run hangs: its faults, and each of the three waits afterwards.
_LONGEST_SECONDS = 600
PASSED = "passed"


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What one seed did. Violations are counted by kind; all of them are in the evidence."""

    seed: int
    commit: str
    seconds: float
    """How long everything broke."""
    result: str
    """passed, the kinds of violations, or why the run did not end."""
    conditions: str = ""
    faults: str = ""
    scans: int = 0
    answers: int = 0
    webhooks: int = 0
    requests: int = 0
    rest_after: float = 0.0
    """Seconds from the end of the faults until nothing ran any more."""

    @property
    def has_passed(self) -> bool:
        return self.result == PASSED


def main() -> int:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells ignore it for processes in the background
    options = _parse_options()
    if _run_git("status", "--porcelain", "src", "chaos", f":!{TABLE}"):
        print("A row names the commit that was run: commit your changes first, or run one seed with make chaos SEED=…")
        return 2
    try:
        unpack_release_before()
    except ReleaseMissing as missing:
        print(f"Some seeds run two releases, which cannot be done here: {missing}")
        return 2
    table = Table(options.table)
    left = table.list_missing(range(options.first, options.first + options.seeds))
    print(f"{options.seeds - len(left)} of {options.seeds} seeds have passed before, {len(left)} to run", flush=True)
    deadline = time.monotonic() + options.minutes * 60
    with ThreadPoolExecutor(options.at_once) as pool:
        try:
            rows = list(pool.map(lambda seed: _run_in_time(seed, options.seconds, table, deadline), left))
        except KeyboardInterrupt:  # the runs were interrupted, too, and end by themselves
            pool.shutdown(wait=False, cancel_futures=True)
            return 130
    return _report([row for row in rows if row is not None], len(left))


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m chaos.campaign", description=__doc__)
    parser.add_argument("--seeds", type=int, default=300, help="how many seeds the campaign has")
    parser.add_argument("--first", type=int, default=1, help="its first seed")
    parser.add_argument("--seconds", type=float, default=20, help="how long everything breaks in each run")
    parser.add_argument("--at-once", type=int, default=2, help="how many runs at a time")
    parser.add_argument("--minutes", type=float, default=24 * 60, help="begin no run after this time")
    parser.add_argument("--table", type=Path, default=TABLE, help="the table of seeds")
    return parser.parse_args()


class Table:
    """The rows by seed, in a CSV file that is written again after each seed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self.rows = {row.seed: row for row in _read_rows(path)}

    def list_missing(self, seeds: Iterable[int]) -> list[int]:
        """Return the seeds that have not passed yet."""
        return [seed for seed in seeds if seed not in self.rows or not self.rows[seed].has_passed]

    def write(self, row: Row) -> None:
        with self._lock:
            self.rows[row.seed] = row
            scratch = self._path.with_suffix(".new")
            with scratch.open("w", newline="") as file:
                writer = csv.DictWriter(file, Row.__struct_fields__, lineterminator="\n")
                writer.writeheader()
                writer.writerows(msgspec.structs.asdict(self.rows[seed]) for seed in sorted(self.rows))
            scratch.replace(self._path)


def _read_rows(path: Path) -> list[Row]:
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return [msgspec.convert(record, Row, strict=False) for record in csv.DictReader(file)]


def _run_in_time(seed: int, seconds: float, table: Table, deadline: float) -> Row | None:
    if time.monotonic() > deadline:
        return None
    row = _run_seed(seed, seconds)
    if row is None:
        return None
    table.write(row)
    print(f"seed {seed}: {row.result} ({row.faults}; {row.scans} scans, rest after {row.rest_after} s)", flush=True)
    return row


def _run_seed(seed: int, seconds: float) -> Row | None:
    """Run one seed in a process of its own, and keep what it left if it failed. None: it was interrupted."""
    folder = _EVIDENCE / f"seed-{seed}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    command = [sys.executable, "-m", "chaos", "--seed", str(seed), "--seconds", str(seconds), "--keep", str(folder)]
    row = Row(seed=seed, commit=_read_commit(), seconds=seconds, result="broke off", conditions=_describe(seed))
    with (folder / "output.txt").open("wb") as output:
        run = subprocess.Popen(command, stdout=output, stderr=output, cwd=_ROOT)
        try:
            run.wait(_LONGEST_SECONDS)
        except subprocess.TimeoutExpired:
            run.send_signal(signal.SIGINT)  # it then ends its processes and its PostgreSQL itself
            run.wait()
            return msgspec.structs.replace(row, result="did not end")
    if not (folder / OUTCOME).exists():
        return None if run.returncode == -signal.SIGINT else row
    row = fill_row(row, msgspec.json.decode((folder / OUTCOME).read_bytes(), type=Outcome))
    if row.has_passed:
        shutil.rmtree(folder)
    return row


def fill_row(row: Row, outcome: Outcome) -> Row:
    summary = outcome.summary
    kinds = Counter(violation.kind for violation in outcome.violations)
    return msgspec.structs.replace(
        row,
        result=_list_counts(kinds) or PASSED,
        faults=_list_counts(summary["troubles"]),
        scans=sum(summary["scans"].values()),
        answers=summary["answers"],
        webhooks=sum(summary["webhooks"].values()),
        requests=sum(summary["requests"].values()),
        rest_after=summary["rest_after"],
    )


def _list_counts(counts: Mapping[str, int]) -> str:
    return " ".join(kind if count == 1 else f"{kind}*{count}" for kind, count in sorted(counts.items()))


def _describe(seed: int) -> str:
    conditions = draw_conditions(seed)
    platforms = "network" if conditions.asks_over_network else "sandbox"
    return f"{platforms} two-releases" if conditions.runs_two_releases else platforms


@cache
def _read_commit() -> str:
    return _run_git("rev-parse", "--short=12", "HEAD")


def _run_git(*arguments: str) -> str:
    command = ["git", "-C", str(_ROOT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _report(rows: Sequence[Row], planned: int) -> int:
    failed = [row for row in rows if not row.has_passed]
    for row in failed:
        print(f"FAILED  seed {row.seed}: {row.result}; evidence in {_EVIDENCE / f'seed-{row.seed}'}")
    print(f"{len(rows)} of {planned} run, {len(failed)} failed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
